// SPDX-License-Identifier: MIT
// The records of path nodes and observers, and the words of models and properties that lead to them. Data only.

typealias NodeID = ID<PathNode>
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
struct PathNode: ListedRecord {
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
    /// The flags in the highest bits, and the depth in the others.
    private var bits: UInt32 = 0
    /// The length of the path up to here in its escaped form, including JSON's escapes.
    var pathLength: Int32 = 0
    /// The path in its escaped form, as between the quotes of a JSON string; none unless the path has observers.
    var path = PooledText.none

    /// A flag. All of them share one word with the depth, so that a node fills one cache line.
    struct Flag {
        fileprivate let bit: UInt32

        /// Whether the path exists, so that the wildcards at the parent have expanded at this node.
        static var isMatched: Flag { Flag(bit: 1 << 23) }
        /// Whether the node is a collection operator over its parent's value: see ``ModelTree/operators``.
        static var isOperator: Flag { Flag(bit: 1 << 24) }
        /// Whether any of the node's observers is ``ObservingOptions/deep``.
        static var isDeep: Flag { Flag(bit: 1 << 25) }
        /// Whether the node exists only for the replay of past commits.
        static var isReplayed: Flag { Flag(bit: 1 << 26) }
        /// Whether the running notification made the node: see ``PathIndex/newborn``.
        static var isNewborn: Flag { Flag(bit: 1 << 27) }
        /// Whether properties or elements may lack a child although wildcards expand here: an overfull pattern makes none.
        static var lacksChildren: Flag { Flag(bit: 1 << 28) }
        /// Whether the last component is a choice or has a condition: see ``ModelTree/selections``.
        static var isSelection: Flag { Flag(bit: 1 << 29) }
        /// Whether any component is one, so that no write goes through the path.
        static var isSelected: Flag { Flag(bit: 1 << 30) }
        /// Whether wildcards with conditions expand here: then a matched child has a node of its own, and one with the condition.
        static var hasCandidates: Flag { Flag(bit: 1 << 31) }
    }

    subscript(flag: Flag) -> Bool {
        @inline(__always) get { bits & flag.bit != 0 }
        @inline(__always) set { bits = newValue ? bits | flag.bit : bits & ~flag.bit }
    }

    var depth: Int32 {
        get { Int32(truncatingIfNeeded: bits & PathNode.depthMask) }
        set { bits = bits & ~PathNode.depthMask | UInt32(truncatingIfNeeded: newValue) & PathNode.depthMask }
    }

    private static var depthMask: UInt32 { 1 << 23 - 1 }
}

struct ObserverRecord: ListedRecord {
    static var noGroup: Int32 { -1 }

    var node: NodeID = .noRecord
    var next: ObserverID = .noRecord
    var previous: ObserverID = .noRecord
    var options: ObservingOptions = []
    /// Whether ``PathIndex/patternObservers`` has it.
    var isIndexed = false
    /// The tag of the pattern that made the observer; ``noGroup`` for others.
    var group = ObserverRecord.noGroup
    /// The sink's number for the observer.
    var tag: Int32 = 0
}
