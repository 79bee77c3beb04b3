// SPDX-License-Identifier: MIT
// HEADER

extension Records {
    /// Text that is to belong to a property.
    @inline(__always)
    mutating func makeValue(_ canonicalContents: ByteView) -> StoredValue {
        canonicalContents.count <= TextPool.longest
            ? .text(texts.make(canonicalContents)) : .string(makeText(canonicalContents))
    }

    /// Text that belongs to whoever refers to it.
    @inline(__always)
    mutating func makeText(_ canonicalContents: ByteView) -> StoredString {
        if var spare = spareText.take(), isKnownUniquelyReferenced(&spare),
            spare.take(canonicalContents)
        {
            return spare
        }
        return .make(canonicalContents)
    }

    /// Text that nobody else will have is kept for the next.
    @inline(__always)
    mutating func recycle(string value: consuming StoredValue) {
        guard case .string(let text) = consume value else { return }
        if text.room <= 4096 { spareText = text }
    }
}
