// SPDX-License-Identifier: MIT
// Finds a text in another, without Foundation.

extension String {
    /// The range of the first `part`.
    func range(of part: String) -> Range<String.Index>? {
        let (bytes, wanted) = (Array(utf8), Array(part.utf8))
        guard bytes.count >= wanted.count else { return nil }
        for start in 0...(bytes.count - wanted.count) where bytes[start] == wanted[0] {
            guard bytes[start..<start + wanted.count].elementsEqual(wanted) else { continue }
            return utf8.index(
                startIndex,
                offsetBy: start
            )..<utf8.index(startIndex, offsetBy: start + wanted.count)
        }
        return nil
    }
}
