// SPDX-License-Identifier: MIT
// Text as cells: widths, marks, hidden characters, cuts.

import Testing

@testable import observectl

struct CellTests {
    private func texts(_ text: String, _ glyphs: Glyphs = .unicode) -> [String] {
        CellLine(text, in: glyphs).cells.map(\.text)
    }

    @Test(arguments: [
        ("ab", ["a", "b"]),
        ("日本", ["日", "", "本", ""]),
        ("e\u{301}x", ["e\u{301}", "x"]),
        ("\u{301}x", ["\u{25CC}\u{301}", "x"]),
        ("한", ["한", ""]),
        ("\u{1112}\u{1161}\u{11AB}", ["\u{1112}\u{1161}\u{11AB}", ""]),
        ("🇩🇪", ["🇩🇪", ""]),
        ("❤\u{FE0F}", ["❤\u{FE0F}", ""]),
        ("❤", ["❤"]),
        ("👩‍👩‍👧", ["👩‍👩‍👧", ""]),
        ("שלום", ["ש", "ל", "ו", "ם"]),
    ])
    func `a cell is a column, whatever the character's scalars`(text: String, cells: [String]) {
        #expect(texts(text) == cells)
        #expect(DisplayWidth.of(text) == (text.hasPrefix("\u{301}") ? 1 : cells.count))
    }

    @Test(arguments: [
        ("a\u{1B}[31mb", #"a\u{1b}[31mb"#),
        ("a\r\nb\tc", #"a\u{d}\nb\tc"#),
        ("\u{7F}\u{85}\u{9B}", #"\u{7f}\u{85}\u{9b}"#),
        ("\u{202E}a\u{2066}\u{200F}\u{61C}", #"\u{202e}a\u{2066}\u{200f}\u{61c}"#),
        ("\u{2028}\u{200B}\u{FEFF}", #"\u{2028}\u{200b}\u{feff}"#),
        ("a\u{AD}b\u{E0041}\u{E0000}", #"a\u{ad}b\u{e0041}\u{e0000}"#),
    ])
    func `characters that change a terminal are shown, and never passed on`(text: String, shown: String) {
        #expect(texts(text).joined() == shown)
        #expect(texts(text, .ascii).joined() == shown)
    }

    @Test func `with ASCII all other characters are escapes`() {
        #expect(texts("né日", .ascii).joined() == #"n\u{e9}\u{65e5}"#)
        #expect(texts("e\u{301}", .ascii).joined() == #"e\u{301}"#)
    }

    @Test func `a character with a thousand marks takes one cell, with few of them`() {
        let marked = "a" + String(repeating: "\u{301}", count: 1000)
        let cells = CellLine(marked, in: .unicode).cells
        #expect(cells.count == 1 && cells[0].text.unicodeScalars.count == 16)
    }

    @Test(arguments: [
        ("abcdef", 6, "abcdef"), ("abcdef", 4, "abc…"), ("abcdef", 1, "…"), ("abcdef", 0, ""),
        ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("ab日", 3, "ab…"),
    ])
    func `a cut leaves whole characters`(text: String, columns: Int, cut: String) {
        let line = CellLine(text, in: .unicode).cut(to: columns, in: .unicode)
        #expect(line.text == cut)
        #expect(line.count == min(columns, DisplayWidth.of(text)))
        #expect(line.fitted(to: columns, in: .unicode).count == columns)
    }

    @Test(arguments: [
        ("C", "", "", false), ("POSIX", "", "de_DE.UTF-8", false), ("", "", "de_DE.UTF-8", true),
        ("", "C.utf8", "C", true), ("", "", "", true), ("", "en_US.ISO-8859-1", "", false),
    ])
    func `the locale chooses the characters`(all: String, type: String, language: String, isUnicode: Bool) {
        let variables = ["LC_ALL": all, "LC_CTYPE": type, "LANG": language]
        #expect(Glyphs.fitting { variables[$0] }.isUnicode == isUnicode)
    }

    @Test func `each drawing character takes one column, those of ASCII one byte`() {
        for glyphs in [Glyphs.unicode, .ascii] {
            for text in [
                glyphs.ellipsis, glyphs.arrow, glyphs.backArrow, glyphs.bothArrows, glyphs.horizontal,
                glyphs.vertical, glyphs.corner, glyphs.dot, glyphs.collapsed, glyphs.expanded, glyphs.pin,
            ] + glyphs.bars {
                #expect(DisplayWidth.of(text) == 1)
                #expect(glyphs.isUnicode || text.utf8.count == 1)
            }
            for text in [glyphs.branch, glyphs.lastBranch, glyphs.stem] {
                #expect(DisplayWidth.of(text) == 3)
            }
        }
    }
}
