// SPDX-License-Identifier: MIT
// The values of a loaded text, built before the commit that assigns them. Independent of the tree.

/// Values in a validated JSON text, with their staged models: of the whole text, or of places in it without a declared type.
///
/// - Errors: the first fault takes a value's place. The commit throws it.
/// - Threading: none of its own; its owner is its only user.
final class StagedValue {
    let models: StagedModels
    /// The arrays and objects by their offsets in the text.
    var results: [Int: Result<StoredValue, TreeError>] = [:]
    private let text: ByteView

    /// - Parameter text: outlives the value.
    init(of text: ByteView, _ models: StagedModels) {
        self.text = text
        self.models = models
    }

    /// The value of `json`; nil if the caller has to build it.
    func value(of json: JSONView) throws(TreeError) -> StoredValue? {
        try results[text.offset(of: json.view)]?.get()
    }
}
