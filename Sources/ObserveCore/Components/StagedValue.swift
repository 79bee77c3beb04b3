// SPDX-License-Identifier: MIT
// The value of a loaded text, built before the commit that assigns it. Independent of the tree.

/// The value of a validated JSON text, with its staged models.
///
/// - Errors: the first fault takes the value's place. The commit throws it.
/// - Threading: none of its own; its owner is its only user.
final class StagedValue {
    let models: StagedModels
    /// Nil until the whole text is built.
    var result: Result<StoredValue, TreeError>?
    private let text: ByteView

    /// - Parameter text: outlives the value.
    init(of text: ByteView, _ models: StagedModels) {
        self.text = text
        self.models = models
    }

    /// The value if `json` is the text; nil for other values, which the caller has to build.
    func value(of json: JSONView) throws(TreeError) -> StoredValue? {
        text.offset(of: json.view) == 0 ? try result?.get() : nil
    }
}
