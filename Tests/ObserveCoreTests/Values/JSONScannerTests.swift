// SPDX-License-Identifier: MIT
// Which texts are JSON, and where the others are faulty.

import Testing

@testable import ObserveCore

@Suite struct JSONScannerTests {
    @Test(arguments: validTexts)
    func `valid JSON is accepted`(text: String, kind: JSONKind) throws {
        let found = try validate(text).get()
        #expect(found.kind == kind)
        let isString = kind == .string
        let separators: [Unicode.Scalar] = ["\\", "\u{85}", "\u{2028}", "\u{2029}"]
        #expect(found.hasEscapes == (isString && text.unicodeScalars.contains(where: separators.contains)))
        #expect(NaiveJSON.accepts(Array(text.utf8)))
    }

    @Test(arguments: invalidTexts)
    func `invalid JSON is refused at its fault`(text: String, reason: JSONError.Reason, offset: Int) {
        #expect(validate(text).error == JSONError(reason, at: offset))
        #expect(!NaiveJSON.accepts(Array(text.utf8)))
    }

    @Test(arguments: illFormedTexts)
    func `ill-formed UTF-8 is refused at its first byte`(bytes: [UInt8]) {
        for padding in 0..<20 {
            let text = [0x22] + [UInt8](repeating: 0x61, count: padding) + bytes + [0x22]
            #expect(validate(text).error == JSONError(.illFormedUTF8, at: 1 + padding))
        }
    }

    @Test func `a token has exactly the value's bytes`() throws {
        let found = try validate(" \t\r\n {\"a\": [ 1 ]} \n").get()
        #expect(String(decoding: found.text, as: UTF8.self) == "{\"a\": [ 1 ]}")
    }

    @Test func `an error is a sentence`() {
        #expect(validate("[1,2,]").error?.description == "a comma before the closing bracket at byte 5")
    }

    @Test func `an incomplete value is refused unless it is a number`() throws {
        for (text, kind) in validTexts where !kind.isNumber {
            let bytes = Array(text.utf8)
            let whole = try validate(bytes).get()
            let leading = bytes.prefix { $0 <= 0x20 }.count
            for length in 0..<(leading + whole.text.count) {
                let error = try #require(
                    validate(Array(bytes.prefix(length))).error,
                    "\(text) cut to \(length)"
                )
                #expect(error.offset <= length)
            }
        }
    }

    @Test func `an early end is reported at the end of the text`() {
        for text in [
            "", " ", "[", "[1", "[1,", "[1 ", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "[[]",
        ] {
            #expect(validate(text).error == JSONError(.endOfText, at: text.utf8.count), "\(text)")
        }
    }

    /// All short texts of significant characters, and all longer texts of structural pieces.
    @Test(arguments: [
        ("[ ] { } \" , : 0 1 - . e \\ u", 4),
        ("[ ] { } , : \"\" 1", 5),
    ])
    func `short texts are accepted exactly if the grammar accepts them`(alphabet: String, length: Int) {
        let pieces = alphabet.split(separator: " ").map { Array($0.utf8) }
        var texts: [[UInt8]] = [[]]
        var accepted = 0
        for _ in 1...length {
            texts = texts.flatMap { text in pieces.map { text + $0 } }
            for text in texts {
                let isValid = validate(text).isValid
                accepted += isValid ? 1 : 0
                guard isValid != NaiveJSON.accepts(text) else { continue }
                Issue.record("\(String(decoding: text, as: UTF8.self))")
            }
        }
        #expect(accepted > 20)
    }

    @Test func `any byte alone, in an array, and in a string`() {
        for byte in UInt8.min...UInt8.max {
            for text in [[byte], [0x5B, byte, 0x5D], [0x22, byte, 0x22], [0x22, 0x5C, byte, 0x22]] {
                #expect(validate(text).isValid == NaiveJSON.accepts(text), "\(text)")
            }
        }
    }

    @Test func `UTF-8 is accepted exactly if the standard library accepts it`() {
        let edges: [UInt8] = [0x00, 0x22, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xE0, 0xFF]
        // Where the rules for what follows change.
        let leads: [UInt8] = [
            0x80, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4,
            0xF5,
            0xFF,
        ]
        let followed = many(Array(0x80...0xFF), usually: leads)
        for first in UInt8(0x80)...0xFF {
            for second in UInt8(0x21)...0xFF where second != 0x22 && second != 0x5C {
                expectSameOpinion([first, second])
                guard edges.contains(second), followed.contains(first) else { continue }
                for third in edges {
                    for fourth in edges { expectSameOpinion([first, second, third, fourth]) }
                }
            }
        }
    }

    private func expectSameOpinion(_ bytes: [UInt8]) {
        guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) else { return }
        let isText = String(validating: bytes, as: UTF8.self) != nil
        let isAccepted = validate([0x22] + bytes + [0x22]).isValid
        guard isAccepted != isText || ByteView.with(bytes, { $0.isUTF8 }) != isText else { return }
        Issue.record("\(bytes)")
    }

    /// Both the scan of lines and the scan of values take larger steps in long texts.
    @Test func `a fault is found at every place in a long text`() {
        for length in [60, 63, 64, 71, 72, 73, 127, 128, 129, 136, 200, 330] {
            for place in 0..<length {
                for found in [0x1F, 0x22, 0x5C, 0x80] as [UInt8] {
                    var text = [0x22] + [UInt8](repeating: 0x7F, count: length) + [0x22]
                    text += [UInt8](repeating: 0x20, count: 80)
                    text[1 + place] = found
                    ByteView.with(text) { text in
                        var scanner = JSONScanner(text, maxDepth: 1)
                        let simple = scanner.scanSimpleValue()?.view.count
                        #expect(
                            simple == (found == 0x22 ? place + 2 : nil),
                            "\(found) at \(place) of \(length)"
                        )
                        scanner = JSONScanner(text, maxDepth: 1)
                        let whole = try? scanner.scanValue().view.count
                        #expect(found == 0x5C || whole == simple, "\(found) at \(place) of \(length)")
                    }
                }
            }
        }
    }

    @Test func `a fault is found at every place in a string`() {
        for length in 0..<40 {
            for place in 0..<length {
                var text: [UInt8] = [0x22] + [UInt8](repeating: 0x7F, count: length) + [0x22]
                #expect(validate(text).isValid)
                text[1 + place] = 0x1F
                #expect(validate(text).error == JSONError(.controlCharacter, at: 1 + place))
                text[1 + place] = 0xFF
                #expect(validate(text).error == JSONError(.illFormedUTF8, at: 1 + place))
                text[1 + place] = 0x22
                #expect(validate(text).isValid == (place == length))
                text[1 + place] = 0x5C
                #expect(!validate(text).isValid)
            }
        }
    }

    @Test func `surrogates are accepted in pairs only`() {
        for unit in 0...0xFFFF {
            let isSurrogate = (0xD800...0xDFFF).contains(unit)
            let text = "\"\\u" + String(unit + 0x10000, radix: 16).dropFirst() + "\""
            guard validate(text).isValid == isSurrogate else { continue }
            Issue.record("\(text)")
        }
        for high in [0xD7FF, 0xD800, 0xDABC, 0xDBFF, 0xDC00] {
            for low in [0xDBFF, 0xDC00, 0xDDEF, 0xDFFF, 0xE000] {
                let text = "\"\\u" + String(high, radix: 16) + "\\u" + String(low, radix: 16) + "\""
                #expect(validate(text).isValid == NaiveJSON.accepts(Array(text.utf8)), "\(text)")
            }
        }
    }
}

// MARK: - Depth

extension JSONScannerTests {
    @Test(arguments: [1, 2, 63, 64, 65, 127, 128, 129, 512, 1000])
    func `nesting is accepted up to the limit`(limit: Int) {
        for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")] {
            let levels = open == "[{\"a\":" ? limit / 2 : limit
            let within =
                String(repeating: open, count: levels) + "1" + String(repeating: close, count: levels)
            #expect(validate(within, maxDepth: limit).isValid)
            let beyond = "[" + within + "]"
            guard levels * (open == "[{\"a\":" ? 2 : 1) == limit else { continue }
            #expect(validate(beyond, maxDepth: limit).error?.reason == .tooDeep)
        }
    }

    @Test func `half a million levels are scanned without recursion`() {
        let (open, close) = (
            String(repeating: "[{\"a\":", count: 250_000), String(repeating: "}]", count: 250_000)
        )
        #expect(validate("\(open)[]\(close)", maxDepth: .max).isValid)
        #expect(validate("[\(open)[],[1\(close)]", maxDepth: .max).error?.reason == .missingName)
        #expect(validate("\(open)1\(close.dropLast())", maxDepth: .max).error?.reason == .endOfText)
        for levels in [63, 64, 65, 127, 128, 129, 192, 193] {
            let text = String(repeating: "[", count: levels) + "1" + String(repeating: ",[]]", count: levels)
            #expect(validate(text, maxDepth: .max).isValid, "\(levels)")
            #expect(!validate(text + "]", maxDepth: .max).isValid, "\(levels)")
        }
    }

    @Test func `nesting beyond the limit is refused at its bracket`() {
        let brackets = [UInt8](repeating: 0x5B, count: 10_000)
        for limit in [0, 1, 64, 65, 128, 512, 1000] {
            let error = validate(brackets, maxDepth: limit).error
            #expect(error == JSONError(.tooDeep, at: limit))
        }
        let empty = [UInt8](repeating: 0x5B, count: 3) + [UInt8](repeating: 0x5D, count: 3)
        #expect(validate(empty, maxDepth: 3).isValid)
        #expect(validate(empty, maxDepth: 2).error == JSONError(.tooDeep, at: 2))
    }

    @Test func `brackets must match at every depth`() {
        for depth in [1, 2, 63, 64, 65, 128, 200] {
            for wrong in 0..<depth {
                var text = [UInt8](repeating: 0x5B, count: depth) + [UInt8](repeating: 0x5D, count: depth)
                text.insert(0x30, at: depth)
                #expect(validate(text).isValid)
                text[depth + 1 + wrong] = 0x7D
                #expect(validate(text).error == JSONError(.wrongBracket, at: depth + 1 + wrong))
            }
        }
    }

    @Test func `arrays and objects are distinguished beyond 64 levels`() {
        var generator = SeededGenerator(seed: 64)
        for _ in 0..<200 {
            let kinds = (0..<Int.random(in: 60...140, using: &generator)).map { _ in
                Bool.random(using: &generator)
            }
            let text =
                kinds.map { $0 ? "{\"\":" : "[" }.joined() + "[]"
                + kinds.reversed().map { $0 ? ",\"x\":1}" : ",2]" }.joined()
            #expect(validate(text).isValid)
        }
    }
}

// MARK: - Piece by piece

extension JSONScannerTests {
    private func scan<R>(_ text: String, _ body: (inout JSONScanner) throws(JSONError) -> R) throws(JSONError)
        -> R
    {
        try ByteView.with(text) { (view) throws(JSONError) in
            var scanner = JSONScanner(view, maxDepth: 8)
            return try body(&scanner)
        }
    }

    @Test func `an object is scanned member by member`() throws {
        let pieces = try scan(" { \"id\" : 7 , \"a\\n\" : [1, {}] } \n") { (scanner) throws(JSONError) in
            var pieces: [String] = []
            try scanner.expect(0x7B)
            repeat {
                let name = try scanner.scanString()
                try scanner.expect(0x3A)
                let value = try scanner.scanValue()
                pieces.append("\(name.view.string)=\(value.view.string) \(value.kind) \(name.hasEscapes)")
            } while scanner.consume(0x2C)
            try scanner.expect(0x7D)
            try scanner.expectEnd()
            return pieces
        }
        #expect(pieces == ["\"id\"=7 integer false", "\"a\\n\"=[1, {}] array true"])
    }

    @Test func `a scan stops after the value`() throws {
        let position = try scan(" 12 x") { (scanner) throws(JSONError) in
            #expect(scanner.peek() == 0x20)
            #expect(try scanner.scanValue().view.string == "12")
            scanner.skipWhitespace()
            #expect(scanner.peek() == 0x78)
            #expect(!scanner.consume(0x79) && scanner.consume(0x78))
            #expect(scanner.atEnd && scanner.peek() == nil)
            return scanner.position
        }
        #expect(position == 5)
    }

    @Test func `a missing token is named`() {
        let cases: [(String, UInt8, JSONError)] = [
            ("x", 0x3A, JSONError(.missingColon, at: 0)),
            ("x", 0x7D, JSONError(.missingBracket, at: 0)),
            ("  ", 0x7D, JSONError(.endOfText, at: 2)),
        ]
        for (text, byte, error) in cases {
            #expect(throws: error) {
                try scan(text) { (scanner) throws(JSONError) in try scanner.expect(byte) }
            }
        }
        #expect(throws: JSONError(.missingString, at: 1)) {
            try scan(" 1") { (scanner) throws(JSONError) in _ = try scanner.scanString() }
        }
        #expect(throws: JSONError(.trailingBytes, at: 1)) {
            try scan(" 1") { (scanner) throws(JSONError) in try scanner.expectEnd() }
        }
    }
}
