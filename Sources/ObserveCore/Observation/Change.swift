// SPDX-License-Identifier: MIT
// A change, as observers get it. Independent of how it is found.

/// A change of an observed value, or the end of the observation.
///
/// - Threading: a plain value, `Sendable` if its value is.
public struct Change<Value> {
    /// Why the observer is notified.
    public let reason: ChangeReason
    /// The value after the change. Nil unless ``ObservingOptions/new`` was requested, in a prior change, and if the
    /// source is gone. Of a path through optionals it is an optional in an optional: `.some(nil)` is "now it is nil".
    public let new: Value?
    /// The value before the change, if ``ObservingOptions/old`` was requested. Nil at first, and if it was an object
    /// that is gone.
    public let old: Value?
    /// Whether the change has not happened yet: see ``ObservingOptions/prior``.
    public let isPrior: Bool
    /// The property that was assigned; the first one on the path, if it was several. Nil at first and at the end.
    public let changedAt: ChangedProperty?

    @inlinable
    init(
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
}

extension Change: Sendable where Value: Sendable {}

/// A property on the path to a value.
public struct ChangedProperty: Sendable {
    /// The class of the model that has the property.
    public let modelType: any Any.Type
    /// The number of properties that were read before it: 0 for a property of the observed model.
    public let depth: Int
    let key: PropertyKey

    init(modelType: any Any.Type, key: PropertyKey, depth: Int) {
        self.modelType = modelType
        self.depth = depth
        self.key = key
    }
}

/// Why a value changed, and which property was assigned.
@usableFromInline
struct ChangeCauseOfValue {
    @usableFromInline var reason: ChangeReason
    @usableFromInline var changedAt: ChangedProperty?

    @inlinable
    init(reason: ChangeReason = .valueChanged, changedAt: ChangedProperty? = nil) {
        self.reason = reason
        self.changedAt = changedAt
    }
}
