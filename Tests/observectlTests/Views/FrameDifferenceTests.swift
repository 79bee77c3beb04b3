// SPDX-License-Identifier: MIT
// Drawing by difference: exact bytes, and random frames on a model of a screen.

import TestSupport
import Testing

@testable import observectl

struct FrameDifferenceTests {
    private func frame(_ lines: [CellLine], _ columns: Int = 8, _ rows: Int = 2) -> Frame {
        Frame(lines, FrameSize(columns, rows), in: .unicode)
    }

    private func frame(_ texts: String..., columns: Int = 8) -> Frame {
        frame(texts.map { CellLine($0, in: .unicode) }, columns)
    }

    private func drawn(_ old: Frame?, _ new: Frame, isColoured: Bool = true) -> String {
        String(
            decoding: FrameDifference.bytes(from: old, to: new, isColoured: isColoured),
            as: UTF8.self
        ).replacing("\u{1B}", with: "␛").replacing("␛[?2026h", with: "").replacing("␛[0m␛[?2026l", with: "")
    }

    @Test func `equal frames need no bytes`() {
        #expect(drawn(frame("abc", "日"), frame("abc", "日")).isEmpty)
    }

    @Test func `the first frame clears the screen, and so does another size`() {
        #expect(drawn(nil, frame("ab")) == "␛[0m␛[2J␛[1;1H␛[0mab")
        #expect(drawn(frame("ab", columns: 9), frame("ab")) == "␛[0m␛[2J␛[1;1H␛[0mab")
    }

    @Test func `only changed cells are drawn, with short gaps between them`() {
        #expect(drawn(frame("abcdef"), frame("abcxef")) == "␛[1;4H␛[0mx")
        #expect(drawn(frame("abcdef"), frame("Xbcdex")) == "␛[1;1H␛[0mXbcdex")
        #expect(drawn(frame("abcdefgh"), frame("Xbcdefgx")) == "␛[1;1H␛[0mX␛[1;8Hx")
        #expect(drawn(frame("abcdef", "x"), frame("ab", "x")) == "␛[1;3H␛[0m␛[K")
        #expect(drawn(frame("abc"), frame("xy")) == "␛[1;1H␛[0mxy␛[K")
    }

    @Test func `after a character whose width is disputed, the cursor moves`() {
        #expect(drawn(frame("    "), frame("日a")) == "␛[1;1H␛[0m日␛[1;3Ha")
        #expect(drawn(frame("日a"), frame("ab")) == "␛[1;1H␛[0mab␛[K")
        #expect(drawn(frame("ab日"), frame("ab月")) == "␛[1;3H␛[0m月")
    }

    @Test func `styles are selected once, and without colours only what is not one`() {
        var line = CellLine("a", .of(.number), in: .unicode)
        line.append("b", .of(.number), in: .unicode)
        line.append("c", Style(tone: .string, isReversed: true), in: .unicode)
        line.append("d", Style(glow: 3), in: .unicode)
        #expect(drawn(nil, frame([line])) == "␛[0m␛[2J␛[1;1H␛[0;36mab␛[0;32;7mc␛[0;38;5;16;48;5;220md")
        #expect(drawn(nil, frame([line]), isColoured: false) == "␛[0m␛[2J␛[1;1H␛[0mab␛[0;7mc␛[0;7md")
    }

    @Test func `a thousand random frames each follow from the one before`() {
        var random = SystemRandomNumberGenerator()
        let size = FrameSize(12, 4)
        let letters = ["a", "b", " ", "日", "e\u{301}", " ", "\u{301}", "🇩🇪", "\u{1B}"]
        let styles = [Style.plain, .of(.number), Style(isReversed: true), Style(glow: 2)]
        var screen = ScreenModel(columns: size.columns, rows: size.rows) { DisplayWidth.of($0) }
        var shown: Frame?
        for _ in 0..<1000 {
            let lines = (0..<4).map { _ -> CellLine in
                var line = CellLine()
                for _ in 0..<Int.random(in: 0...8, using: &random) {
                    line.append(
                        letters.randomElement(using: &random) ?? "",
                        styles.randomElement(using: &random) ?? .plain,
                        in: .unicode
                    )
                }
                return line
            }
            let next = Frame(lines, size, in: .unicode)
            screen.draw(
                String(
                    decoding: FrameDifference.bytes(from: shown, to: next, isColoured: true),
                    as: UTF8.self
                )
            )
            shown = next
            #expect(screen.text == next.lines.map(\.text).joined(separator: "\n"))
            for (row, line) in next.lines.enumerated() {
                let expected = line.cells.map { cell -> String in
                    let sequence = cell.style.sequence(isColoured: true).dropFirst(2).dropLast()
                    return sequence == "0" ? "" : String(sequence)
                }
                #expect(screen.rows[row].map(\.style) == expected)
            }
        }
    }

    @Test func `lines as text keep their colours, and are plain without them`() {
        var line = CellLine("n ", .of(.name), in: .unicode)
        line.append("1", .of(.number), in: .unicode)
        line.append("  ", in: .unicode)
        #expect(String(decoding: [line].output(isColoured: false), as: UTF8.self) == "n 1\n")
        let coloured = String(decoding: [line].output(isColoured: true), as: UTF8.self)
        #expect(coloured.replacing("\u{1B}", with: "␛") == "␛[0;34;1mn ␛[0;36m1␛[0m\n")
    }

    @Test func `a picture has a text for each run of one style`() {
        var line = CellLine("a<b  ", in: .unicode)
        line.append("日", .of(.number), in: .unicode)
        #expect(
            [line].picture == """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 82.8 42" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14">
                <rect width="100%" height="100%" rx="6" fill="#1c1f26"/>
                <text x="12" y="25" textLength="25.2" lengthAdjust="spacingAndGlyphs" xml:space="preserve" fill="#d4d7dd">a&lt;b</text>
                <text x="54" y="25" textLength="16.8" lengthAdjust="spacingAndGlyphs" xml:space="preserve" fill="#7fd3e0">日</text>
                </svg>

                """
        )
    }
}
