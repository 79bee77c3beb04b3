// SPDX-License-Identifier: MIT
// Which characters of a text of unknown origin people see, and which are shown as escapes.

import ObserveCore
import Testing

struct PrintableTextTests {
    @Test(arguments: [
        ("a\0\u{1B}[31m\u{7F}\u{85}\u{9B}", #"a\u{0}\u{1b}[31m\u{7f}\u{85}\u{9b}"#),
        ("a\n\tb\r", #"a\n\tb\u{d}"#),
        ("\u{2028}\u{2029}", #"\u{2028}\u{2029}"#),
        ("a\u{202E}b\u{2066}c\u{200F}\u{61C}\u{180E}", #"a\u{202e}b\u{2066}c\u{200f}\u{61c}\u{180e}"#),
        (
            "soft\u{AD}hyphen \u{FEFF}\u{200B}\u{2060}\u{2064}",
            #"soft\u{ad}hyphen \u{feff}\u{200b}\u{2060}\u{2064}"#
        ),
        (
            "\u{E0000}\u{E0001}\u{E0041}\u{E007F}\u{FFF9}\u{1D173}",
            #"\u{e0000}\u{e0001}\u{e0041}\u{e007f}\u{fff9}\u{1d173}"#
        ),
        // Tags after the black flag, as of England, could have any text.
        ("🏴\u{E0067}\u{E007F}", #"🏴\u{e0067}\u{e007f}"#),
        // A joiner without letters on both sides.
        ("\u{200D}a\u{200C}", #"\u{200d}a\u{200c}"#),
        ("a\u{200D}\u{200D}b 1\u{200D}2 -\u{200C}a", #"a\u{200d}\u{200d}b 1\u{200d}2 -\u{200c}a"#),
    ])
    func `hidden characters are escapes`(text: String, shown: String) {
        #expect(text.printable == shown)
        #expect(text.hasHidden)
    }

    @Test(arguments: [
        "", "plain ~", "né 日本 שלום", "👩‍👩‍👧 👩🏽‍🚀 ❤️‍🔥 🏳️‍🌈 🇩🇪", "می‌خواهم", "क्‍ष", "e\u{301}", "1\u{FE0F}\u{20E3}", "\u{E0B0}",
    ])
    func `letters, marks, emoji and the joiners between them are shown`(text: String) {
        #expect(text.printable == text)
        #expect(!text.hasHidden)
    }

    @Test func `lines may stay`() {
        #expect("a\n\tb\u{1B}\u{FEFF}".printable(keepingLines: true) == "a\n\tb\\u{1b}\\u{feff}")
    }
}
