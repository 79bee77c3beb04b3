// SPDX-License-Identifier: MIT
// How much memory a value takes. Independent of the value's owner.

extension StoredValue {
    /// About how many bytes of memory the value takes beyond its own nine, apart from text in a ``TextPool``.
    ///
    /// - Cost: O(1).
    var heldBytes: Int { if case .text = self { 0 } else { storageBytes } }

    /// About how many bytes of memory the value takes beyond its own nine.
    ///
    /// - Cost: O(1).
    @inline(__always) var storageBytes: Int {
        switch self {
        case .string(let text): 32 &+ text.room
        case .array(let array): array.byteCount
        case .text(let text): text.blockBytes
        case .absent, .null, .bool, .int, .double, .model: 0
        }
    }
}
