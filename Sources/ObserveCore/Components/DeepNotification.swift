// SPDX-License-Identifier: MIT
// The events that a notification collects for deep observers before it sends any. Data only; each commit reuses the memory.

/// One component below a deeply observed node.
enum DeepStep {
    case name(NameID)
    case index(Int)
}

struct DeepEvent {
    let node: NodeID
    let touch: Int32
    /// The first index in ``DeepNotification/steps`` of the steps from the property up to the node, and their count.
    let start: Int32
    let count: Int32
    /// False for an equal assignment.
    let differs: Bool
}

/// The deep events of one commit, in the order found.
struct DeepNotification: ~Copyable {
    /// The steps of the current climb: the touched property first, then upwards. For `app.now.title`: `title`, `now`, `app`.
    var stepsUp = Scratch<DeepStep>()
    /// How many models all climbs have visited.
    var climbed = 0
    var events = Scratch<DeepEvent>()
    var steps = Scratch<DeepStep>()
    /// Equal assignments to deeply observed nodes themselves. Emitted after the changes below the nodes.
    var equal = Scratch<PathChange>()
    /// Nodes that have moved to a touched property. Their events compare it with another one: its touch says nothing of them.
    var moved: Set<NodeID> = []
    /// The models with a known ``ModelRecord/reach``, and those whose reach is being computed.
    var known = Scratch<ModelID>()
    var asked = Scratch<ModelID>()
    /// Whether ``counts`` is in use: true once all events together exceed one subscription's limit.
    var isCounting = false
    /// How many events each pattern subscription would get.
    var counts: [Int32: Int] = [:]
    /// Subscriptions that exceed ``ModelTree/deepEventLimit``, and their nodes, which get one event for the whole value instead.
    var overflowedGroups: Set<Int32> = []
    var overflowed: Set<NodeID> = []
    /// The path below the node of the current event, as text.
    let suffix = ByteBuffer(capacity: 64)

    var isIdle: Bool {
        stepsUp.isEmpty && climbed == 0 && events.isEmpty && steps.isEmpty && equal.isEmpty && known.isEmpty
            && asked.isEmpty && !isCounting && overflowed.isEmpty && moved.isEmpty
    }

    mutating func removeAll() {
        climbed = 0
        events.removeAll()
        steps.removeAll()
        equal.removeAll()
        if !moved.isEmpty { moved.removeAll() }
        guard isCounting || !overflowed.isEmpty else { return }
        isCounting = false
        counts = [:]
        overflowedGroups = []
        overflowed = []
    }
}
