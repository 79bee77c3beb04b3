// SPDX-License-Identifier: MIT
// A long row that grows without copies. Independent of its elements.

/// Elements in chunks of equal length.
///
/// An array that doubles touches three times the memory that its elements take at the end, and new memory costs more than
/// they do.
///
/// - Cost: O(1) for every operation; growing copies only the table of chunks, and at most one chunk.
struct ChunkedArray<Element> {
    private static var shift: Int { 8 }
    private static var mask: Int { (1 << shift) - 1 }

    /// All are full but the last. Those that ``free(before:)`` freed are empty.
    private var chunks: ContiguousArray<ContiguousArray<Element>> = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    subscript(index: Int) -> Element {
        get { chunks[index &>> Self.shift][index & Self.mask] }
        _modify { yield &chunks[index &>> Self.shift][index & Self.mask] }
    }

    mutating func append(_ element: Element) {
        if count == chunks.count &<< Self.shift {
            chunks.append([])
            // The first chunk grows as it needs: most rows are short.
            if count > 0 { chunks[chunks.count - 1].reserveCapacity(Self.mask + 1) }
        }
        chunks[chunks.count - 1].append(element)
        count += 1
    }

    mutating func removeAll(keepingCapacity keepsCapacity: Bool = false) {
        if keepsCapacity, chunks.count == 1 {
            chunks[0].removeAll(keepingCapacity: true)
        } else {
            chunks = []
        }
        count = 0
    }

    /// Frees the chunk that ends before the index, if one does. Its elements may not be used again.
    mutating func free(before index: Int) {
        if index & Self.mask == 0, index > 0 { chunks[index &>> Self.shift - 1] = [] }
    }
}
