// SPDX-License-Identifier: MIT
// The changes that observers get: reasons, kinds, options, edits of arrays. Independent of their detection.

/// A change of an observed value, or the end of the observation.
/// - Threading: a value type, `Sendable` if its value is.
public struct Change<Value> {
    /// The reason of the notification.
    public let reason: ChangeReason
    /// The value after the change. Nil without ``ObservingOptions/new``, in a prior change, and after the source has ended.
    ///
    /// If the path leads through optionals, this is an optional of an optional: `.some(nil)` means "now it is nil".
    public let new: Value?
    /// The value before the change, with ``ObservingOptions/old`` or in a prior change. Nil in the initial change,
    /// and if it was an object that is deinitialised.
    public let old: Value?
    /// Whether the assignment is still to come: see ``ObservingOptions/prior``.
    public let isPrior: Bool
    /// The assigned property; the first one on the path if there were several. Nil in the initial and in the last change.
    public let changedAt: ChangedProperty?

    @inlinable init(
        reason: ChangeReason,
        new: Value? = nil,
        old: Value? = nil,
        isPrior: Bool = false,
        changedAt: ChangedProperty? = nil
    ) {
        self.reason = reason
        self.new = new
        self.old = old
        self.isPrior = isPrior
        self.changedAt = changedAt
    }

    @inlinable func with(new: Value?, old: Value?) -> Change {
        Change(reason: reason, new: new, old: old, isPrior: isPrior, changedAt: changedAt)
    }
}

extension Change: Sendable where Value: Sendable {}

/// A property on the path to a value.
public struct ChangedProperty: Sendable {
    /// The class of the model that has the property.
    public let modelType: any Any.Type
    /// The number of properties on the path before it: 0 for a property of the observed model.
    public let depth: Int
    let key: PropertyKey
}

/// The reason of a notification. The names are CwlKeyValueObserver's; `initial` is KVO's option.
public enum ChangeReason: UInt8, Sendable {
    /// The value at the time of observing.
    case initial
    /// The last component of the key path was assigned, or an input of a computed property there.
    case valueChanged
    /// An earlier component was assigned, so the path now leads through another branch.
    case pathChanged
    /// The model at the start of the path was deinitialised, or the root was removed.
    case sourceDeleted

    @inlinable package var name: StaticString {
        switch self {
        case .initial: "initial"
        case .valueChanged: "valueChanged"
        case .pathChanged: "pathChanged"
        case .sourceDeleted: "sourceDeleted"
        }
    }
}

/// The kind of change of an array, as in KVO. The wire omits `setting`.
public enum ChangeKind: UInt8, Sendable {
    /// The value was assigned as a whole.
    case setting
    /// Elements were inserted.
    case insertion
    /// Elements were removed.
    case removal
    /// Elements were replaced by as many others.
    case replacement

    @inlinable package var name: StaticString {
        switch self {
        case .setting: "setting"
        case .insertion: "insertion"
        case .removal: "removal"
        case .replacement: "replacement"
        }
    }
}

/// The options of an observer: KVO's, and Combine's `removeDuplicates`.
public struct ObservingOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: UInt8

    /// The options whose bits are set.
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The value before the change.
    @inlinable public static var old: ObservingOptions { ObservingOptions(rawValue: 1) }
    /// Notify before each change as well. The change itself then follows, even if the value is equal.
    @inlinable public static var prior: ObservingOptions { ObservingOptions(rawValue: 2) }
    /// Notify only if the value differs. Without it each assignment along the path notifies, as in KVO.
    @inlinable public static var distinct: ObservingOptions { ObservingOptions(rawValue: 4) }
    /// The value after the change.
    @inlinable public static var new: ObservingOptions { ObservingOptions(rawValue: 64) }
    /// Notify at once, when the observation begins.
    @inlinable public static var initial: ObservingOptions { ObservingOptions(rawValue: 128) }
}

extension Change {
    /// The kind of edit: elements were inserted, removed or replaced in one place. ``ChangeKind/setting`` for every
    /// other change, and unless both ``ObservingOptions/old`` and ``ObservingOptions/new`` were requested.
    ///
    /// - Cost: compares elements from both ends, at each use.
    public var kind: ChangeKind { arrayChange?.kind ?? .setting }

    /// The indexes of the edited elements: in ``old`` for a removal, otherwise in ``new``. Nil for ``ChangeKind/setting``.
    public var indexes: Range<Int>? { arrayChange?.indexes }

    private var arrayChange: (kind: ChangeKind, indexes: Range<Int>)? {
        guard let old, let new else { return nil }
        return (Value.self as? any ListValue.Type)?.edit(from: old, to: new)
    }
}

/// A type whose values compare element by element.
private protocol ListValue {
    /// The single edit between both values; nil if there is none. Both must be of the conforming type.
    static func edit(from old: Any, to new: Any) -> (kind: ChangeKind, indexes: Range<Int>)?
}

extension Array: ListValue {
    fileprivate static func edit(from old: Any, to new: Any) -> (kind: ChangeKind, indexes: Range<Int>)? {
        guard let old = old as? [Element], let new = new as? [Element] else { return nil }
        let equality = Equality<Element>()
        guard equality.isKnown else { return nil }
        let shorter = Swift.min(old.count, new.count)
        var head = 0
        while head < shorter, equality.isEqual(old[head], new[head]) { head += 1 }
        var tail = 0
        while tail < shorter - head, equality.isEqual(old[old.count - 1 - tail], new[new.count - 1 - tail]) {
            tail += 1
        }
        let removed = head..<(old.count - tail)
        let inserted = head..<(new.count - tail)
        switch (removed.isEmpty, inserted.isEmpty) {
        case (true, true): return nil
        case (true, false): return (.insertion, inserted)
        case (false, true): return (.removal, removed)
        case (false, false): return removed.count == inserted.count ? (.replacement, inserted) : nil
        }
    }
}

extension Optional: ListValue {
    fileprivate static func edit(from old: Any, to new: Any) -> (kind: ChangeKind, indexes: Range<Int>)? {
        guard let old = old as? Wrapped, let new = new as? Wrapped else { return nil }
        return (Wrapped.self as? any ListValue.Type)?.edit(from: old, to: new)
    }
}
