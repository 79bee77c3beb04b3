// SPDX-License-Identifier: MIT
// The records of models, properties, path nodes and observers. Data only; the extensions of the tree act on
// them.

/// A property's number in its tree.
typealias PropertyID = ID<PropertyRecord>
/// A path node's number in its tree.
typealias NodeID = ID<PathNode>
/// An observer's number in its tree.
typealias ObserverID = ID<ObserverRecord>

/// One property of one model: present, or a placeholder.
struct PropertyRecord {
    /// Its value. A text is borrowed: see ``StoredValue/text(_:)``. Change it with
    /// ``ModelTree/setValue(_:of:)``.
    var slot: StoredValue = .absent
    var flags: Flags = []
    private var revisionHigh: UInt16 = 0
    private var revisionLow: UInt32 = 0
    var model: ModelID = .noRecord
    var name: NameID = .noRecord
    /// Neighbours in the order of first assignment; `noRecord` while the property is absent.
    var next: PropertyID = .noRecord
    var previous: PropertyID = .noRecord
    /// The first path node bound to the property.
    var bound: NodeID = .noRecord
    /// Its index in the open commit's touches plus one; 0 while untouched.
    var touch: Int32 = 0

    struct Flags: OptionSet {
        let rawValue: UInt8
        /// A reference here does not keep its model alive.
        static let weak = Flags(rawValue: 1)
        /// Its value is temporary: see ``TemporaryValues``.
        static let isTemporary = Flags(rawValue: 2)
        /// A template computes its value. Renderings of its model omit it, no write sets it, and it keeps no model
        /// alive.
        static let computed = Flags(rawValue: 4)
        /// Dependents read it: see ``EdgeRecord``.
        static let read = Flags(rawValue: 8)
        /// Computed, but without a value yet.
        static let pending = Flags(rawValue: 16)
        /// Its declaration limits its values.
        static let declared = Flags(rawValue: 32)
        /// Its declaration makes every reference here weak.
        static let declaredWeak = Flags(rawValue: 64)
        /// The declaration may refuse a value of the same kind: the property is readonly, or has a refined
        /// type.
        static let choosy = Flags(rawValue: 128)
    }

    /// The commit that last assigned it. 48 bits: enough for nine years of a million commits a second.
    var revision: UInt64 {
        get { UInt64(revisionHigh) << 32 | UInt64(revisionLow) }
        set {
            revisionHigh = UInt16(truncatingIfNeeded: newValue >> 32)
            revisionLow = UInt32(truncatingIfNeeded: newValue)
        }
    }

    /// Its value, as a copy that may be kept.
    var value: StoredValue { slot.kept }

    var isWeak: Bool {
        get { flags.contains(.weak) }
        set { if newValue { flags.insert(.weak) } else { flags.remove(.weak) } }
    }
}

/// Whether a climb from a model reaches a deeply observed node.
enum DeepReach: UInt8 {
    case unknown
    case nowhere
    case somewhere
}

/// One model: identity, and the list of its properties.
struct ModelRecord {
    /// Numbers every model of this tree; never reused.
    var instance: UInt64 = 0
    var first: PropertyID = .noRecord
    var last: PropertyID = .noRecord
    /// How many properties are present.
    var count: Int32 = 0
    /// Property values and array elements that refer to the model strongly.
    var strongReferences: Int32 = 0
    /// The properties with the first two strong references: few models have more. ``Records/furtherHolders``
    /// has the others.
    var holder: PropertyID = .noRecord
    var otherHolder: PropertyID = .noRecord
    /// The declared type; `noRecord` for an open model.
    var type: TypeID = .noRecord
    var isReleased = false
    /// Dependents read which properties it has.
    var isMembersRead = false
    /// Whether deeply observed nodes are above it; known only during a notification.
    var reach = DeepReach.unknown
    /// Its index in an array when last looked for.
    var index: Int32 = 0
    /// The commit that last removed a property. An absent property did not change after it.
    var removalRevision: UInt64 = 0
}

/// The position of a scan through all models while they change: it has visited the properties before
/// ``next``. If an undo restores a removed property, the scan visits that property again.
struct ScanCursor {
    var model: ModelID = .noRecord
    var instance: UInt64 = 0
    var next: PropertyID = .noRecord
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
    /// The last notification that visited the node.
    var visit: UInt32 = 0
    /// The flags below, and in the other bits the depth.
    private var bits: UInt32 = 0
    /// The length of the path up to here in its escaped form, including JSON's escapes.
    var pathLength: Int32 = 0
    /// The whole path in the escaped dotted form, as in a JSON string without the quotes; only for observed
    /// paths.
    var path = PooledText.none

    // Packed, so that a node fills one cache line.

    /// The wildcards at its parent have expanded at this node, since it exists.
    var isMatched: Bool {
        get { has(0) }
        set { set(0, newValue) }
    }
    /// It is a collection operator over its parent's value: see ``ModelTree/operators``.
    var isOperator: Bool {
        get { has(1) }
        set { set(1, newValue) }
    }
    /// One of its observers is ``ObservingOptions/deep``.
    var isDeep: Bool {
        get { has(2) }
        set { set(2, newValue) }
    }
    /// It exists only to replay past commits.
    var isReplayed: Bool {
        get { has(3) }
        set { set(3, newValue) }
    }
    /// The running notification made it: see ``PathIndex/newborn``.
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
    /// The sink's number for the observer.
    var tag: Int32 = 0
}
