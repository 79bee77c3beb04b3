// SPDX-License-Identifier: MIT
// HEADER

extension PathIndex {
    /// A property's name without its escapes; valid until the next is decoded, or a value built.
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
