// SPDX-License-Identifier: MIT
// What an observer is told of a change. Knows nothing of how it came about.

/// A change of what is observed, or the end of it.
///
/// - Threading: a plain value, `Sendable` if its value is.
public struct Change<Value> {
    /// Why this is told.
    public let reason: ChangeReason
    /// The value after the change. Nil unless ``ObservingOptions/new`` was asked for, in a prior, and when the source
    /// is gone. Of a path through optionals it is an optional in an optional: `.some(nil)` is "now it is nil".
    public let new: Value?
    /// The value before the change, if ``ObservingOptions/old`` was asked for. Nil at first, and if it was an object
    /// that is gone.
    public let old: Value?
    /// Whether the change is still to come: see ``ObservingOptions/prior``.
    public let isPrior: Bool
    /// The property that was assigned; the first one on the way, if it was several. Nil at first and at the end.
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

/// A property on the way to a value.
public struct ChangedProperty: Sendable {
    /// The class of the model whose property it is.
    public let modelType: any Any.Type
    /// How many properties were read before it: 0 for that of the model that is observed.
    public let depth: Int
    let key: PropertyKey

    init(modelType: any Any.Type, key: PropertyKey, depth: Int) {
        self.modelType = modelType
        self.depth = depth
        self.key = key
    }
}
