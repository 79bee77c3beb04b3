// SPDX-License-Identifier: MIT
// Names as components of key paths. Independent of paths.

extension String {
    /// The name as one component of a key path.
    var escapedComponent: String {
        reduce(into: "") { text, character in
            if ["\\", ".", "*", "@"].contains(character) { text.append("\\") }
            text.append(character)
        }
    }
}
