// SPDX-License-Identifier: MIT
// Quotes words for a shell. Independent of the words.

extension String {
    /// The word in the form in which a shell parses it as one.
    var quotedForShell: String {
        let isUnquoted = utf8.allSatisfy {
            switch $0 {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2F, 0x5F: true
            default: false
            }
        }
        return isUnquoted && !isEmpty ? self : "'\(replacing("'", with: "'\\''"))'"
    }
}
