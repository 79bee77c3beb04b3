// SPDX-License-Identifier: MIT
// How much memory a value takes. Independent of the value's owner.

extension StoredValue {
    /// About how many bytes of memory the value takes beyond its own nine.
    ///
    /// - Cost: O(1) for all but arrays.
    var heldBytes: Int {
        switch self {
        case .string(let text): 32 + text.room
        case .array(let array):
            array.elements.reduce(48) { $0 + MemoryLayout<StoredValue>.stride + $1.heldBytes }
        case .absent, .null, .bool, .int, .double, .model, .text: 0
        }
    }
}
