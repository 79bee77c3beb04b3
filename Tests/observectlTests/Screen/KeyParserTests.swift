// SPDX-License-Identifier: MIT
// Keys from bytes: whole, in pieces, and random bytes.

import Testing

@testable import observectl

struct KeyParserTests {
    private static let keys: [(String, [Key])] = [
        ("q", [.character("q")]), ("é日", [.character("é"), .character("日")]), ("🎬", [.character("🎬")]),
        ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]), ("\u{1B}OA\u{1B}OF", [.up, .end]),
        ("\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~", [.home, .end, .home, .end]),
        ("\u{1B}[5~\u{1B}[6~\u{1B}[3~\u{1B}[5;5~", [.pageUp, .pageDown, .delete, .pageUp]),
        ("\r\n\t\u{7F}\u{8}", [.enter, .enter, .tab, .backspace, .backspace]),
        ("\u{3}\u{1A}", [.control("c"), .control("z")]), ("\u{1B}\u{1B}[A", [.escape, .up]),
        ("\u{1B}[<0;12;3M\u{1B}[<0;12;3m", [.click(column: 11, row: 2)]),
        (
            "\u{1B}[<64;1;1M\u{1B}[<65;2;3M",
            [.wheel(up: true, column: 0, row: 0), .wheel(up: false, column: 1, row: 2)]
        ),
        ("\u{1B}[<9;1;1M\u{1B}[<0;1M\u{1B}[<0;0;0M\u{1B}[?1;2c\u{1B}x\u{0}z", [.character("z")]),
    ]

    @Test func `bytes are keys, whole and in pieces of each length`() {
        for (text, expected) in KeyParserTests.keys {
            for length in 1...max(text.utf8.count, 1) {
                var parser = KeyParser()
                var keys: [Key] = []
                var rest = Array(text.utf8)[...]
                while !rest.isEmpty {
                    keys += parser.parse(Array(rest.prefix(length)))
                    rest = rest.dropFirst(length)
                }
                #expect(keys == expected, "\(text.debugDescription) in pieces of \(length)")
                #expect(!parser.hasPending)
            }
        }
    }

    @Test func `an escape alone is that key once no more comes`() {
        var parser = KeyParser()
        #expect(parser.parse([0x1B]).isEmpty && parser.hasPending)
        #expect(parser.flush() == [.escape])
        #expect(!parser.hasPending && parser.flush().isEmpty)
    }

    @Test func `bytes that are not keys are passed over, and never kept for long`() {
        var random = SystemRandomNumberGenerator()
        var parser = KeyParser()
        for _ in 0..<10_000 {
            let bytes = (0..<Int.random(in: 1...8, using: &random)).map { _ in
                [0x1B, 0x5B, 0x3C, 0x3B, 0x30, 0x4D, 0xE3, 0xFF, 0x80].randomElement(using: &random)
                    ?? UInt8(0)
            }
            _ = parser.parse(bytes)
        }
        _ = parser.flush()
        #expect(parser.parse(Array("q".utf8)) == [.character("q")])
        #expect(parser.parse([0xFF, 0xC0, 0x80, 0x71]) == [.character("q")])
        #expect(parser.parse([0xE3, 0x28, 0x28]) == [.character("("), .character("(")])
    }
}
