// SPDX-License-Identifier: MIT
// Decodes the property names in a JSON object.

extension PathIndex {
    /// A property's name without its escapes; valid until the next call, or until the tree builds a value.
    func decoded(_ name: JSONView) throws(TreeError) -> ByteView {
        guard !name.contents.isEmpty else {
            throw TreeError(kind: .invalidValue, message: "a property name must not be empty", path: nil)
        }
        guard name.hasEscapes else { return name.contents }
        text.removeAll()
        name.appendDecoded(to: text)
        return text.view
    }
}
