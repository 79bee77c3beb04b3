// SPDX-License-Identifier: MIT
// Reads the declarations of a tree's types.

extension TreeReader {
    /// The declared types; nil if there are none.
    var declarations: TypeDeclarations? {
        guard let declarations = tree.typing.declarations, !declarations.isEmpty else { return nil }
        return declarations
    }
}
