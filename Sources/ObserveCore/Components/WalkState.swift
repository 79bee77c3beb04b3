// SPDX-License-Identifier: MIT
// The result of the last walk, in memory that every walk reuses.

struct WalkState: ~Copyable {
    /// The indices that ``ModelTree/walk(_:)`` followed inside a property's array.
    var indices: [Int] = []
    /// The present properties on the way of ``ModelTree/walk(_:)``, and the model without the next one.
    var properties = Scratch<PropertyID>()
    var lackingModel: ModelID = .noRecord
}
