// SPDX-License-Identifier: MIT
// Quotes words for a shell. Independent of the words.

extension String {
    /// The word in the form in which a shell parses it as one.
    var quotedForShell: String {
        wholeMatch(of: /[A-Za-z0-9.\/_-]+/) != nil ? self : "'\(replacing("'", with: "'\\''"))'"
    }
}
