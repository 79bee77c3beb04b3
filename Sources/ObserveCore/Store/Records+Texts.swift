// SPDX-License-Identifier: MIT
// Makes the texts of values, and reuses their memory.

extension Records {
    /// Makes a text that a property will own.
    @inline(__always)
    mutating func makeValue(_ canonicalContents: ByteView) -> StoredValue {
        canonicalContents.count <= TextPool.longest
            ? .text(texts.make(canonicalContents)) : .string(makeText(canonicalContents))
    }

    /// Makes a text with its own reference count.
    @inline(__always)
    mutating func makeText(_ canonicalContents: ByteView) -> StoredString {
        if var spare = spareText.take(), isKnownUniquelyReferenced(&spare),
            spare.take(canonicalContents)
        {
            return spare
        }
        return .make(canonicalContents)
    }

    /// Saves a replaced text, so that the next text can reuse its memory if nothing else refers to it.
    @inline(__always)
    mutating func recycle(string value: consuming StoredValue) {
        guard case .string(let text) = consume value else { return }
        if text.room <= 4096 { spareText = text }
    }
}
