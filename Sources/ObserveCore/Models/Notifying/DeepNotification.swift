// SPDX-License-Identifier: MIT
// What a telling gathers for deep observers before it tells them. Data only; used again from commit to commit.

/// One component below a deeply observed node.
enum DeepStep {
    case name(NameID)
    case index(Int)
}

/// One event below one deeply observed node.
struct DeepEvent {
    let node: NodeID
    let touch: Int32
    /// Where in ``DeepNotification/steps`` the way from the property up to the node begins, and how long it is.
    let start: Int32
    let count: Int32
    /// False for an equal assignment.
    let differs: Bool
}

/// The deep events of one commit, as they are found.
struct DeepNotification: ~Copyable {
    /// The way upwards from the touched property, that first.
    var way = Scratch<DeepStep>()
    /// How far has been climbed in all.
    var climbed = 0
    var events = Scratch<DeepEvent>()
    /// The events' ways.
    var steps = Scratch<DeepStep>()
    /// Equal assignments to deeply observed nodes themselves: told when the changes below have been.
    var equal = Scratch<PathChange>()
    /// The models whose ``ModelRecord/reach`` is known, and those that are being asked for it.
    var known = Scratch<ModelID>()
    var asked = Scratch<ModelID>()
    /// Whether events are counted: once there are more than one subscription may get.
    var isCounting = false
    /// How many events each pattern subscription would get.
    var counts: [Int32: Int] = [:]
    /// Subscriptions with more events than one commit may give, and their nodes: those get one event for the whole.
    var overflowedGroups: Set<Int32> = []
    var overflowed: Set<NodeID> = []
    /// The way below the node of the event being told, as text.
    let suffix = ByteBuffer(capacity: 64)

    mutating func removeAll() {
        climbed = 0
        events.removeAll()
        steps.removeAll()
        equal.removeAll()
        guard isCounting || !overflowed.isEmpty else { return }
        isCounting = false
        counts = [:]
        overflowedGroups = []
        overflowed = []
    }
}
