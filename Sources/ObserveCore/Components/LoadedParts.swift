// SPDX-License-Identifier: MIT
// The parts of a loaded text that are built before the commit that assigns them. Independent of the tree.

/// Values in a validated JSON text, by their offsets: the whole value, or arrays without objects in them.
///
/// - Errors: the first fault of a value takes the value's place. The commit throws it if it reaches the value.
/// - Threading: none of its own; its owner is its only user.
final class LoadedParts {
    /// The models in the whole value; nil if the commit builds them.
    var staged: StagedModels?
    private let text: ByteView
    private var contents: [Int: Result<StoredValue, TreeError>] = [:]

    /// - Parameter text: outlives the parts.
    init(of text: ByteView) { self.text = text }

    subscript(offset: Int) -> Result<StoredValue, TreeError>? {
        get { contents[offset] }
        set { contents[offset] = newValue }
    }

    /// The value that was built from a part of the text; nil if the caller has to build it.
    func value(of part: JSONView) throws(TreeError) -> StoredValue? {
        try contents[text.offset(of: part.view)]?.get()
    }
}
