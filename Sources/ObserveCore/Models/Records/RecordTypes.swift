// SPDX-License-Identifier: MIT
// The tree's records: models, their properties, and the nodes of the path index. Data only; the tree's extensions act.

/// A property's number in its tree.
typealias PropertyID = ID<PropertyRecord>
/// A path node's number in its tree.
typealias NodeID = ID<PathNode>
/// An observer's number in its tree.
typealias ObserverID = ID<ObserverRecord>

/// "No record": links end with it.

/// One property of one model, present or only watched for.
struct PropertyRecord {
    /// What it holds, on loan where it is text: see ``StoredValue/text(_:)``. Changed by ``ModelTree/setValue(_:of:)``.
    var slot: StoredValue = .absent
    var flags: Flags = []
    private var revisionHigh: UInt16 = 0
    private var revisionLow: UInt32 = 0
    var model: ModelID = .noRecord
    var name: NameID = .noRecord
    /// Neighbours in the order of first assignment; `noRecord` while the property is absent.
    var next: PropertyID = .noRecord
    var previous: PropertyID = .noRecord
    /// The first path node bound here.
    var bound: NodeID = .noRecord
    /// Its place in the commit under way plus one; 0 while untouched.
    var touch: Int32 = 0

    struct Flags: OptionSet {
        let rawValue: UInt8
        /// A reference here keeps nothing alive.
        static let weak = Flags(rawValue: 1)
        /// What it holds ends by itself: see ``ModelTree/temporaryValues``.
        static let isTemporary = Flags(rawValue: 2)
        /// A template gives its value: it is rendered nowhere, keeps nothing alive, and is set by nobody.
        static let computed = Flags(rawValue: 4)
        /// Readers depend on it: see ``EdgeRecord``.
        static let read = Flags(rawValue: 8)
        /// Computed, but not yet.
        static let pending = Flags(rawValue: 16)
        /// Something is declared for it: not everything may stand here.
        static let declared = Flags(rawValue: 32)
        /// It is weak whatever is assigned.
        static let declaredWeak = Flags(rawValue: 64)
        /// It may not take another value of the kind that stands here: it is readonly, or takes some of its type's alone.
        static let choosy = Flags(rawValue: 128)
    }

    /// The commit that last assigned it. 48 bits: at a million commits a second, nine years.
    var revision: UInt64 {
        get { UInt64(revisionHigh) << 32 | UInt64(revisionLow) }
        set {
            revisionHigh = UInt16(truncatingIfNeeded: newValue >> 32)
            revisionLow = UInt32(truncatingIfNeeded: newValue)
        }
    }

    /// What it holds.
    var value: StoredValue { slot.kept }

    var isWeak: Bool {
        get { flags.contains(.weak) }
        set { if newValue { flags.insert(.weak) } else { flags.remove(.weak) } }
    }
}

/// Whether a climb from a model comes to a deeply observed node.
enum DeepReach: UInt8 {
    case unknown
    case nowhere
    case somewhere
}

/// One model: identity, and the list of its properties.
struct ModelRecord {
    /// Counts every model ever made in this tree; never used again.
    var instance: UInt64 = 0
    var first: PropertyID = .noRecord
    var last: PropertyID = .noRecord
    /// How many properties are present.
    var count: Int32 = 0
    /// References from properties and array elements that are not weak.
    var strongReferences: Int32 = 0
    /// The properties that hold the first two of the strong references: few models have more. Those of the others are in
    /// ``ModelTree/furtherHolders``.
    var holder: PropertyID = .noRecord
    var otherHolder: PropertyID = .noRecord
    /// What its properties are; `noRecord` for an open model.
    var type: TypeID = .noRecord
    var isReleased = false
    /// Readers depend on which properties it has.
    var isMembersRead = false
    /// Whether deeply observed nodes are above it, while a telling asks that.
    var reach = DeepReach.unknown
    /// Where it stood when it was last looked for in an array.
    var index: Int32 = 0
    /// The commit that last took a property away: what an absent property was last changed by, at the latest.
    var removalRevision: UInt64 = 0
}

/// Where somebody stands who goes through all models bit by bit while they change: the properties before ``next`` have
/// been seen. One that comes back to its place, as its going was undone, is seen again.
struct ScanCursor {
    var model: ModelID = .noRecord
    var instance: UInt64 = 0
    var next: PropertyID = .noRecord
}

/// One distinct key path prefix that somebody observes, or that leads to one that is observed.
struct PathNode {
    var parent: NodeID = .noRecord
    var name: NameID = .noRecord
    /// The array index that the name is, or -1.
    var index: Int32 = -1
    var firstChild: NodeID = .noRecord
    var next: NodeID = .noRecord
    var previous: NodeID = .noRecord
    /// Where the path leads now, if its parent leads to a model: the property, present or not.
    var property: PropertyID = .noRecord
    var nextBound: NodeID = .noRecord
    var previousBound: NodeID = .noRecord
    var firstObserver: ObserverID = .noRecord
    /// The first star that follows what this node's value contains.
    var firstWildcard: WildcardID = .noRecord
    /// The telling in which it was last visited.
    var visit: UInt32 = 0
    /// The flags below, and beneath them the depth.
    private var bits: UInt32 = 0
    /// The length of the path up to here, in its escaped form, JSON's escapes included.
    var pathLength: Int32 = 0
    /// The whole path in the escaped dotted form, as it stands between the quotes of a JSON string, where there are
    /// observers.
    var path = PooledText.none

    // Packed, so that a node is one line of the processor's cache.

    /// It exists, as far as the stars that follow its parent know: each of them has been expanded here.
    var isMatched: Bool {
        get { has(0) }
        set { set(0, newValue) }
    }
    /// It stands for a collection operator over its parent's value: see ``ModelTree/operators``.
    var isOperator: Bool {
        get { has(1) }
        set { set(1, newValue) }
    }
    /// One of its observers is ``ObservingOptions/deep``.
    var isDeep: Bool {
        get { has(2) }
        set { set(2, newValue) }
    }
    /// It is there for telling commits of the past again.
    var isReplayed: Bool {
        get { has(3) }
        set { set(3, newValue) }
    }
    /// The telling under way has made it: see ``ModelTree/newborn``.
    var isNewborn: Bool {
        get { has(4) }
        set { set(4, newValue) }
    }
    /// How many components its path has.
    var depth: Int32 {
        get { Int32(truncatingIfNeeded: bits & PathNode.depthMask) }
        set { bits = bits & ~PathNode.depthMask | UInt32(truncatingIfNeeded: newValue) & PathNode.depthMask }
    }

    private static var depthMask: UInt32 { 1 &<< 27 &- 1 }

    @inline(__always)
    private func has(_ flag: UInt32) -> Bool { bits &>> (27 &+ flag) & 1 != 0 }

    @inline(__always)
    private mutating func set(_ flag: UInt32, _ isOn: Bool) {
        let bit = 1 as UInt32 &<< (27 &+ flag)
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
    /// Whatever the sink wants to find again: its own number for it.
    var tag: Int32 = 0
}
