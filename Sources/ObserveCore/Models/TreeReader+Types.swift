// SPDX-License-Identifier: MIT
// Reads the declarations of a tree's types.

extension TreeReader {
    /// The declared types; nil if there never were any.
    var declarations: TypeDeclarations? { tree.typing.declarations }
}
