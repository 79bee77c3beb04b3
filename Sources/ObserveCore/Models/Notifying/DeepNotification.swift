// SPDX-License-Identifier: MIT
// The events for deep observers that a notification collects before it sends any. Data only; reused by each
// commit.

/// One component below a deeply observed node.
enum DeepStep {
    case name(NameID)
    case index(Int)
}

/// One event below one deeply observed node.
struct DeepEvent {
    let node: NodeID
    let touch: Int32
    /// The index in ``DeepNotification/steps`` at which the way from the property up to the node begins, and
    /// its length.
    let start: Int32
    let count: Int32
    /// False for an equal assignment.
    let differs: Bool
}

/// The deep events of one commit, in the order found.
struct DeepNotification: ~Copyable {
    /// The way upwards from the touched property, which comes first.
    var way = Scratch<DeepStep>()
    /// How many steps all climbs have taken.
    var climbed = 0
    var events = Scratch<DeepEvent>()
    /// The events' ways.
    var steps = Scratch<DeepStep>()
    /// Equal assignments to deeply observed nodes themselves: emitted after the changes below.
    var equal = Scratch<PathChange>()
    /// The models with a known ``ModelRecord/reach``, and those whose reach is being computed.
    var known = Scratch<ModelID>()
    var asked = Scratch<ModelID>()
    /// Whether events are counted: true once all events together exceed one subscription's limit.
    var isCounting = false
    /// How many events each pattern subscription would get.
    var counts: [Int32: Int] = [:]
    /// Subscriptions with more events than one commit may give, and their nodes. Each gets one event for the
    /// whole.
    var overflowedGroups: Set<Int32> = []
    var overflowed: Set<NodeID> = []
    /// The way below the node of the current event, as text.
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
