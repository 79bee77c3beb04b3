// SPDX-License-Identifier: MIT
// The arrays of a loaded text that are built before the commit that assigns them. Independent of the tree.

/// Arrays in a validated JSON text, by their offsets. None has an object in it.
///
/// - Errors: the first fault of an array takes the array's place. The commit throws it if it reaches the array.
/// - Threading: none of its own; its owner is its only user.
final class LoadedArrays {
    enum Content {
        case array(StoredArray)
        case fault(TreeError)
    }

    private let text: ByteView
    private var contents: [Int: Content] = [:]

    /// - Parameter text: outlives the arrays.
    init(of text: ByteView) { self.text = text }

    subscript(offset: Int) -> Content? {
        get { contents[offset] }
        set { contents[offset] = newValue }
    }

    /// The array that was built from a part of the text; nil if the caller has to build it.
    func array(of part: JSONView) throws(TreeError) -> StoredArray? {
        switch contents[text.offset(of: part.view)] {
        case .array(let array): return array
        case .fault(let error): throw error
        case nil: return nil
        }
    }
}
