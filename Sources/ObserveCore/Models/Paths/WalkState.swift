// SPDX-License-Identifier: MIT
// X

/// Where the last walk along a key path has led.
struct WalkState: ~Copyable {
    /// Where ``walk(_:)`` stands inside the array that a property holds.
    var indices: [Int] = []
    /// The present properties that ``walk(_:)`` came through, and the model that did not have the next one.
    var properties = Scratch<PropertyID>()
    var lackingModel: ModelID = .noRecord
}
