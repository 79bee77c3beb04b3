// SPDX-License-Identifier: MIT
// Tables, the layout of JSON, and paragraphs.

import ObserveCore
import Testing

@testable import observectl

struct OutputTests {
    @Test func `a table aligns its columns by their width on a terminal`() {
        let table = TextTable(
            header: ["NAME", "VALUE"],
            rows: [["a", "1"], ["映画", "2"], ["e\u{301}", "3"], ["long name", ""]]
        )
        #expect(
            table.lines(columns: 80) == [
                "NAME       VALUE", "a          1", "映画       2", "e\u{301}          3", "long name",
            ]
        )
    }

    @Test func `the widest columns of a table are cut to fit`() {
        let table = TextTable(header: ["A", "B"], rows: [["x", "0123456789"], ["0123456789", "映画映画映画"]])
        #expect(table.lines(columns: 16) == ["A        B", "x        012345…", "012345…  映画映…"])
        for line in table.lines(columns: 16) { #expect(DisplayWidth.of(line) <= 16) }
        #expect(table.lines(columns: 1).map(DisplayWidth.of).max() == 14)
    }

    @Test func `a table shows control characters`() {
        let table = TextTable(header: [], rows: [["a\u{1B}[2J\n", "\u{202E}b"]])
        #expect(table.lines(columns: 80) == [#"a\u{1b}[2J\n  \u{202e}b"#])
    }

    @Test(arguments: [
        ("{}", "{}"), ("[ ]", "[]"), (#""a,b:{""#, #""a,b:{""#), ("1.50", "1.50"),
        (#"{ "a" : [ 1 , [ ] , null ] }"#, "{\n  \"a\": [\n    1,\n    [],\n    null\n  ]\n}"),
        (#"{"\"}":"\\"}"#, "{\n  \"\\\"}\": \"\\\\\"\n}"),
        ("\"\u{7F}\u{85}\u{202E}é\"", #""\u007f\u0085\u202eé""#),
        ("\"\u{FEFF}\u{200B}\u{E0041}👩\u{200D}🚀\"", #""\ufeff\u200b\udb40\udc41👩\#u{200D}🚀""#),
    ])
    func `JSON is indented, and stays JSON`(text: String, shown: String) throws {
        let json = try RawJSON(validating: Array(text.utf8))
        var presentation = Presentation.plain
        presentation.isIndented = true
        let bytes = JSONLayout.bytes(of: json, as: presentation)
        #expect(String(decoding: bytes, as: UTF8.self) == shown)
        #expect(try RawJSON(validating: bytes).value() == json.value())
    }

    @Test func `names, texts, numbers and literals have colours`() throws {
        var presentation = Presentation.plain
        presentation.isColoured = true
        let json = try RawJSON(validating: Array(#"{"a":"x","b":[-1.5,null]}"#.utf8))
        let shown = String(decoding: JSONLayout.bytes(of: json, as: presentation), as: UTF8.self)
        #expect(
            shown.replacing("\u{1B}", with: "␛")
                == #"{␛[34;1m"a"␛[0m:␛[32m"x"␛[0m,␛[34;1m"b"␛[0m:[␛[36m-1.5␛[0m,␛[33mnull␛[0m]}"#
        )
    }

    @Test func `a paragraph is broken between words, and literal lines stay`() {
        let text = "one two\nthree four\n  a    literal line of any width\nfive"
        #expect(
            TextLayout.wrapped(text, columns: 11)
                == "one two\nthree four\n  a    literal line of any width\nfive"
        )
        #expect(TextLayout.wrapped("unbreakable word", columns: 4) == "unbreakable\nword")
    }
}
