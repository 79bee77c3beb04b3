// SPDX-License-Identifier: MIT
// The changes that observers get. Independent of their detection.

/// A change of an observed value, or the end of the observation.
///
/// - Threading: a value type, `Sendable` if its value is.
public struct Change<Value> {
    /// The reason of the notification.
    public let reason: ChangeReason
    /// The value after the change. Nil without ``ObservingOptions/new``, in a prior change, and after the source
    /// has ended.
    ///
    /// If the path leads through optionals, this is an optional of an optional: `.some(nil)` means "now it is nil".
    public let new: Value?
    /// The value before the change, with ``ObservingOptions/old`` or in a prior change. Nil in the initial change,
    /// and if it was an object that is deinitialised.
    public let old: Value?
    /// Whether the assignment is still to come: see ``ObservingOptions/prior``.
    public let isPrior: Bool
    /// The assigned property; the first one on the path if there were several. Nil in the initial and in the last
    /// change.
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
    /// The number of properties on the path before it: 0 for a property of the observed model.
    public let depth: Int
    let key: PropertyKey

    init(modelType: any Any.Type, key: PropertyKey, depth: Int) {
        self.modelType = modelType
        self.depth = depth
        self.key = key
    }
}

/// The reason of a change, and the assigned property.
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
