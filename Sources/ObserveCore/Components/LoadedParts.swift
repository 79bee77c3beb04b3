// SPDX-License-Identifier: MIT
// The parts of a loaded text that are built before the commit that assigns them. Independent of the tree.

/// Values in a validated JSON text, by their offsets: the whole value, or arrays without objects in them.
///
/// - Errors: the first fault of a value takes the value's place. The commit throws it if it reaches the value.
/// - Threading: none of its own; its owner is its only user.
final class LoadedParts {
    enum Content {
        case array(StoredArray)
        /// A staged model.
        case model(ModelID)
        case fault(TreeError)
    }

    /// The models in the whole value; nil if the commit builds them.
    var staged: StagedModels?
    private let text: ByteView
    private var contents: [Int: Content] = [:]

    /// - Parameter text: outlives the parts.
    init(of text: ByteView) { self.text = text }

    subscript(offset: Int) -> Content? {
        get { contents[offset] }
        set { contents[offset] = newValue }
    }

    /// The value that was built from a part of the text; nil if the caller has to build it.
    func value(of part: JSONView) throws(TreeError) -> StoredValue? {
        switch contents[text.offset(of: part.view)] {
        case .array(let array): return .array(array)
        case .model(let model): return .model(model)
        case .fault(let error): throw error
        case nil: return nil
        }
    }
}
