// SPDX-License-Identifier: MIT
// Strings and doubles are written canonically and parse to equal values.

import Testing

@testable import ObserveCore

@Suite struct JSONTextTests {
    @Test func `each ASCII character has one form`() {
        let named: [Unicode.Scalar: String] = [
            "\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\u{8}": "\\b", "\u{C}": "\\f",
        ]
        for byte in UInt8(0)..<0x80 {
            let scalar = Unicode.Scalar(byte)
            let hexadecimal = "\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            let expected = "\"" + (named[scalar] ?? (byte < 0x20 ? hexadecimal : String(scalar))) + "\""
            #expect(written { $0.appendJSONString(utf8: String(scalar)) } == expected)
        }
    }

    @Test(arguments: [
        "é", "e\u{301}", "日本語", "😀", "\u{2027}\u{202A}", "\u{FEFF}", "\u{80}\u{84}\u{86}\u{9F}\u{C5}",
        "\u{10FFFF}", "/", "“…”",
    ])
    func `other characters are not escaped`(text: String) {
        #expect(written { $0.appendJSONString(utf8: text) }.utf8.elementsEqual("\"\(text)\"".utf8))
    }

    @Test func `a character is escaped at every place`() {
        for length in 1..<40 {
            for place in 0..<length {
                for (character, escape) in [
                    ("\"", "\\\""), ("\\", "\\\\"), ("\n", "\\n"), ("\u{1F}", "\\u001f"),
                    ("\u{85}", "\\u0085"),
                    ("\u{2028}", "\\u2028"), ("\u{2029}", "\\u2029"),
                ] as [(Unicode.Scalar, String)] {
                    var bytes = [UInt8](repeating: 0x61, count: length)
                    bytes.replaceSubrange(place...place, with: String(character).utf8)
                    let text = written { buffer in
                        ByteView.with(bytes) { buffer.appendJSONString(decoded: $0) }
                    }
                    let before = String(repeating: "a", count: place)
                    let after = String(repeating: "a", count: length - place - 1)
                    #expect(text == "\"" + before + escape + after + "\"")
                }
            }
        }
    }

    @Test(arguments: [
        ("", ""), ("abc", "abc"), ("\\u0041", "A"), ("\\/", "/"), ("\\u002F", "/"), ("\\u000a", "\\n"),
        ("\\u0022", "\\\""),
        ("\\u005C", "\\\\"), ("\\u0001\\u001F", "\\u0001\\u001f"), ("\\u0008\\u000C", "\\b\\f"),
        ("\\u007F", "\u{7F}"), ("\u{2028}", "\\u2028"),
        ("a\u{2029}\\n\u{85}é\u{2027}", "a\\u2029\\n\\u0085é\u{2027}"),
        ("\\u2028\\u0085\\u2027", "\\u2028\\u0085\u{2027}"),
        ("12345678901234567890\u{2029}", "12345678901234567890\\u2029"),
        ("\\uD83D\\uDE00", "😀"), ("\\u00E9x", "éx"), ("a\\nb", "a\\nb"), ("\\\\n", "\\\\n"), ("é\\t", "é\\t"),
        ("\\\"\\\\\\n\\r\\t\\b\\f\\u0000", "\\\"\\\\\\n\\r\\t\\b\\f\\u0000"),
    ])
    func `contents get one canonical form`(contents: String, expected: String) {
        let canonical = withView("\"\(contents)\"") { view in written { $0.appendCanonicalContents(of: view) }
        }
        #expect(canonical.utf8.elementsEqual(expected.utf8))
        // Decoded text is written in this form, which is its own canonical form.
        let decoded = withView("\"\(contents)\"") { $0.decodedString() }
        #expect(written { $0.appendJSONString(utf8: decoded) }.utf8.elementsEqual("\"\(expected)\"".utf8))
        let again = withView("\"\(canonical)\"") { view in written { $0.appendCanonicalContents(of: view) } }
        #expect(again == canonical)
        let back = written { buffer in
            ByteView.with(canonical) { buffer.appendDecoded(canonicalContents: $0) }
        }
        #expect(back == decoded)
    }

    @Test func `random text is equal after writing and parsing`() throws {
        var generator = SeededGenerator(seed: 20)
        for _ in 0..<2_000 {
            let text = randomText(upTo: 40, using: &generator)
            let json = written { $0.appendJSONString(utf8: text) }
            try #require(validate(json).isValid)
            #expect(withView(json) { $0.decodedString() }.utf8.elementsEqual(text.utf8))
            let contents = withView(json) { view in written { $0.appendCanonicalContents(of: view) } }
            #expect(json.utf8.elementsEqual("\"\(contents)\"".utf8))
        }
    }
}

// MARK: - Doubles

extension JSONTextTests {
    @Test(
        arguments: [
            (0, "0.0"), (-0.0, "-0.0"), (1, "1.0"), (-1, "-1.0"), (0.1, "0.1"), (1.5, "1.5"), (100, "100.0"),
            (1e15, "1000000000000000.0"),
            (9_007_199_254_740_991, "9007199254740991.0"), (9_007_199_254_740_992, "9007199254740992.0"),
            (-9_007_199_254_740_992, "-9007199254740992.0"), (1e16, "1e+16"), (1e17, "1e+17"),
            (1.5e300, "1.5e+300"),
            (0.0001, "0.0001"), (0.00001, "1e-05"), (.leastNonzeroMagnitude, "5e-324"), (1e-7, "1e-07"),
            (0.30000000000000004, "0.30000000000000004"),
            (.greatestFiniteMagnitude, "1.7976931348623157e+308"),
            (.leastNormalMagnitude, "2.2250738585072014e-308"),
            (.pi, "3.141592653589793"), (.infinity, "null"), (-.infinity, "null"), (.nan, "null"),
        ] as [(Double, String)]
    )
    func `doubles are written in their shortest form`(double: Double, text: String) {
        #expect(written { $0.append(double: double) } == text)
    }

    @Test func `any double parses to itself, and to a double`() throws {
        var generator = SeededGenerator(seed: 21)
        for round in 0..<20_000 {
            let double = randomDouble(round, using: &generator)
            let text = written { $0.append(double: double) }
            let found = try validate(text).get()
            let back = withView(text) { $0.double() }
            let isShortest = text == double.description
            guard found.kind != .double || back?.bitPattern != double.bitPattern || !isShortest else {
                continue
            }
            Issue.record("\(double) is written \(text) and read \(back as Any)")
        }
    }
}
