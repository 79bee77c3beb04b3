// SPDX-License-Identifier: MIT
// The records of path nodes and observers, and the words of models and properties that lead to them. Data only.

/// A path node's number in its tree.
typealias NodeID = ID<PathNode>
/// An observer's number in its tree.
typealias ObserverID = ID<ObserverRecord>

extension PropertyRecord {
    /// The first path node bound to the property.
    var bound: NodeID {
        @inline(__always) get { NodeID(boundWord) }
        @inline(__always) set { boundWord = newValue.number }
    }
}

/// Whether a climb from a model reaches a deeply observed node.
enum DeepReach: UInt8 {
    case unknown
    case nowhere
    case somewhere
}

extension ModelRecord {
    /// Whether deeply observed nodes are above it; known only during a notification.
    var reach: DeepReach {
        @inline(__always) get { DeepReach(rawValue: reachWord) ?? .unknown }
        @inline(__always) set { reachWord = newValue.rawValue }
    }
}

/// One observed key path, or a prefix of observed key paths.
struct PathNode {
    var parent: NodeID = .noRecord
    var name: NameID = .noRecord
    /// The name as an array index, or -1.
    var index: Int32 = -1
    var firstChild: NodeID = .noRecord
    var next: NodeID = .noRecord
    var previous: NodeID = .noRecord
    /// The property that the path leads to now, present or not, if the parent leads to a model.
    var property: PropertyID = .noRecord
    var nextBound: NodeID = .noRecord
    var previousBound: NodeID = .noRecord
    var firstObserver: ObserverID = .noRecord
    /// The first wildcard that expands at this node.
    var firstWildcard: WildcardID = .noRecord
    /// Whether nodes below follow the properties or elements of its value: a pattern continues there.
    @inline(__always) var followsValue: Bool { firstWildcard != .noRecord }
    /// The last notification that visited the node.
    var visit: UInt32 = 0
    /// The flags below in the highest bits, and the depth in the others.
    private var bits: UInt32 = 0
    /// The length of the path up to here in its escaped form, including JSON's escapes.
    var pathLength: Int32 = 0
    /// The path in its escaped form, as between the quotes of a JSON string; none unless the path has
    /// observers.
    var path = PooledText.none

    // The flags share one word, so that a node fills one cache line.

    /// Whether the path exists, so that the wildcards at the parent have expanded at this node.
    var isMatched: Bool {
        get { has(0) }
        set { set(0, newValue) }
    }
    /// Whether the node is a collection operator over its parent's value: see ``ModelTree/operators``.
    var isOperator: Bool {
        get { has(1) }
        set { set(1, newValue) }
    }
    /// Whether any of the node's observers is ``ObservingOptions/deep``.
    var isDeep: Bool {
        get { has(2) }
        set { set(2, newValue) }
    }
    /// Whether the node exists only for the replay of past commits.
    var isReplayed: Bool {
        get { has(3) }
        set { set(3, newValue) }
    }
    /// Whether the running notification made the node: see ``PathIndex/newborn``.
    var isNewborn: Bool {
        get { has(4) }
        set { set(4, newValue) }
    }
    /// Whether properties or elements may lack a child although wildcards expand here: an overfull pattern makes none.
    var lacksChildren: Bool {
        get { has(5) }
        set { set(5, newValue) }
    }
    /// Whether the last component is a choice or has a condition: see ``ModelTree/selections``.
    var isSelection: Bool {
        get { has(6) }
        set { set(6, newValue) }
    }
    /// Whether any component is one, so that no write goes through the path.
    var isSelected: Bool {
        get { has(7) }
        set { set(7, newValue) }
    }
    /// Whether wildcards with conditions expand here: then a matched child has a node of its own, and one with the condition.
    var hasCandidates: Bool {
        get { has(8) }
        set { set(8, newValue) }
    }
    /// How many components the path has.
    var depth: Int32 {
        get { Int32(truncatingIfNeeded: bits & PathNode.depthMask) }
        set { bits = bits & ~PathNode.depthMask | UInt32(truncatingIfNeeded: newValue) & PathNode.depthMask }
    }

    private static var firstFlag: UInt32 { 23 }
    private static var depthMask: UInt32 { 1 &<< PathNode.firstFlag &- 1 }

    @inline(__always)
    private func has(_ flag: UInt32) -> Bool { bits &>> (PathNode.firstFlag &+ flag) & 1 != 0 }

    @inline(__always)
    private mutating func set(_ flag: UInt32, _ isOn: Bool) {
        let bit = 1 as UInt32 &<< (PathNode.firstFlag &+ flag)
        bits = isOn ? bits | bit : bits & ~bit
    }
}

/// One observer of one path.
struct ObserverRecord {
    static var noGroup: Int32 { -1 }

    var node: NodeID = .noRecord
    var next: ObserverID = .noRecord
    var previous: ObserverID = .noRecord
    var options: ObservingOptions = []
    /// The tag of the pattern that made the observer; ``noGroup`` for others.
    var group = ObserverRecord.noGroup
    /// The sink's number for the observer.
    var tag: Int32 = 0
}
