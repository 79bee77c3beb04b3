// SPDX-License-Identifier: MIT
// Reads the declarations of a tree's types.

extension TreeReader {
    /// The declared types; nil if there are none.
    var declarations: TypeDeclarations? {
        guard let declarations = tree.typing.declarations, !declarations.isEmpty else { return nil }
        return declarations
    }

    /// See ``Typing/declared(along:in:)``.
    func declared(along path: ParsedKeyPath) throws(TreeError) -> Declared {
        try tree.typing.declared(along: path, in: tree.records)
    }
}
