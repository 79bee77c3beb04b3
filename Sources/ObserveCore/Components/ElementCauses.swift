// SPDX-License-Identifier: MIT
// The causes of changes inside one array, if the commit's writer and its consequences assigned parts of it.

/// The causes of an array's assignment and of later edits, by element. Nested arrays nest.
/// - Cost: O(levels) to note an edit, and to look up an element.
final class ElementCauses {
    /// The cause for elements without an entry of their own.
    private var base: ChangeCause
    /// The cause of the last assignment of the array or in it.
    private var last: ChangeCause
    private var elements: [Int: ElementCauses] = [:]

    init(_ base: ChangeCause) { (self.base, last) = (base, base) }

    /// Notes an assignment of the element at these indices; without indices, of the array itself.
    func note(_ cause: ChangeCause, at indices: ArraySlice<Int>) {
        last = cause
        guard let index = indices.first else {
            base = cause
            elements = [:]
            return
        }
        let element = elements[index] ?? ElementCauses(base)
        element.note(cause, at: indices.dropFirst())
        elements[index] = element
    }

    /// The cause of the last assignment that concerns the element at these indices.
    func cause(at indices: ArraySlice<Int>) -> ChangeCause {
        guard let index = indices.first else { return last }
        return elements[index]?.cause(at: indices.dropFirst()) ?? base
    }
}
