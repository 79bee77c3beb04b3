// SPDX-License-Identifier: MIT
// The records of models and properties. Data only.

/// A property's number in its tree.
typealias PropertyID = ID<PropertyRecord>

/// One property of one model: present, or a placeholder.
struct PropertyRecord {
    /// The value. Readers borrow its text: see ``StoredValue/text(_:)``. ``Records/setValue(_:of:)`` changes it.
    var slot: StoredValue = .absent
    var flags: Flags = []
    private var revisionHigh: UInt16 = 0
    private var revisionLow: UInt32 = 0
    var model: ModelID = .noRecord
    var name: NameID = .noRecord
    /// Neighbours in the order of first assignment; `noRecord` while the property is absent.
    var next: PropertyID = .noRecord
    var previous: PropertyID = .noRecord
    /// Belongs to the rooms above, like ``touch`` and some flags: the first path node bound to the property.
    var boundWord: Int32 = -1
    /// The property's index in the open commit's touches plus one; 0 while untouched.
    var touch: Int32 = 0

    struct Flags: OptionSet {
        let rawValue: UInt8
        /// A reference here does not keep its model alive.
        static let weak = Flags(rawValue: 1)
        /// There are values below this one: see ``ValueStacks``.
        static let isStacked = Flags(rawValue: 2)
        /// A template computes the value. Renderings omit it, writes can't set it, and it keeps no model alive.
        static let computed = Flags(rawValue: 4)
        /// Dependents read the property: see ``EdgeRecord``.
        static let read = Flags(rawValue: 8)
        /// Computed, but without a value yet.
        static let pending = Flags(rawValue: 16)
        /// The declaration limits the values.
        static let declared = Flags(rawValue: 32)
        /// The declaration makes every reference here weak.
        static let declaredWeak = Flags(rawValue: 64)
        /// The declaration may refuse a value of the same kind: it is readonly, or of a refined type.
        static let choosy = Flags(rawValue: 128)
    }

    /// The revision of the last assignment. 48 bits: enough for nine years of a million commits a second.
    var revision: UInt64 {
        get { UInt64(revisionHigh) << 32 | UInt64(revisionLow) }
        set {
            revisionHigh = UInt16(truncatingIfNeeded: newValue >> 32)
            revisionLow = UInt32(truncatingIfNeeded: newValue)
        }
    }

    var value: StoredValue { slot.kept }

    var isWeak: Bool {
        get { flags.contains(.weak) }
        set { if newValue { flags.insert(.weak) } else { flags.remove(.weak) } }
    }
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
    /// The holders of the first two strong references. ``Records/furtherHolders`` has the others, which few models have.
    var holder: PropertyID = .noRecord
    var otherHolder: PropertyID = .noRecord
    /// Belongs to the rooms above: the declared type; -1 for an open model.
    var typeWord: Int32 = -1
    var isReleased = false
    /// Whether a dependent reads the model's set of properties.
    var isMembersRead = false
    /// Belongs to the rooms above: whether deeply observed nodes are above it; known only during a notification.
    var reachWord: UInt8 = 0
    /// The model's index in an array, when last known: see ``Records/expect(_:at:)``.
    var index: Int32 = 0
    /// The revision that last removed a property. An absent property did not change after it.
    var removalRevision: UInt64 = 0
}

/// A property's place, whether or not it has a record; without a name, any property of the model.
struct Slot: Hashable {
    var model: ModelID = .noRecord
    var name: NameID = .noRecord
}
