// SPDX-License-Identifier: MIT
// The rules by which a VALUE on the command line is read.

import ObserveCore
import Testing

@testable import observectl

struct ValueArgumentTests {
    private let arguments: ParsedArguments

    init() throws {
        arguments = try ParsedArguments([], of: "set", options: [], operandsEndOptions: true)
    }

    @Test(arguments: [
        ("5", "5"),
        ("-5", "-5"),
        ("1.50", "1.50"),
        ("1e2", "1e2"),
        ("true", "true"),
        ("null", "null"),
        (#""a b""#, #""a b""#),
        (#"{"a": [1, 2.0]}"#, #"{"a": [1, 2.0]}"#),
        (" 5 ", "5"),
        ("[]", "[]"),
        // The daemon, not the tool, checks the range.
        ("99999999999999999999", "99999999999999999999"),
        ("1e999", "1e999"),
        // Not JSON, so strings.
        ("", #""""#),
        (" ", #"" ""#),
        ("on", #""on""#),
        ("True", #""True""#),
        ("NaN", #""NaN""#),
        ("+5", #""+5""#),
        ("05", #""05""#),
        ("5.", #""5.""#),
        ("5 6", #""5 6""#),
        ("--x", #""--x""#),
        ("Alien", #""Alien""#),
        ("say \"hi\"", #""say \"hi\"""#),
        ("a\\b", #""a\\b""#),
        ("one\ntwo", #""one\ntwo""#),
        ("}", #""}""#),
        ("//host/{", #""//host/{""#),
        ("/* {", #""/* {""#),
        ("# a\n[b]", ##""# a\n[b]""##),
        ("/*/{", #""/*/{""#),
        ("é\u{1}", #""é\u0001""#),
    ])
    func `JSON is sent as it is written, other text as a string`(text: String, json: String) throws {
        #expect(try ValueArgument.read(Array(text.utf8), of: arguments).text == json)
    }

    @Test(arguments: [
        "{", "[", "\"", "{a:1}", "[1,]", "\"a", "\"a\" b", "{} {}", " {", "\n[1", "\"\\ud800\"", "\"\u{1}\"",
        "\u{FEFF}{}", "\u{FEFF} [1]", "// a\n{\"b\":1}", "/* a */ {}", " /**/\n// b\r\n\"c\"", "/*/ */[",
    ])
    func `text that begins like JSON and is not JSON is refused`(text: String) {
        #expect(throws: CommandError.self) { try ValueArgument.read(Array(text.utf8), of: arguments) }
    }

    @Test(arguments: [
        ("5", #""5""#), ("{", #""{""#), ("null", #""null""#), (#""a""#, #""\"a\"""#), ("", #""""#),
    ])
    func `--string accepts any text verbatim`(text: String, json: String) throws {
        #expect(try ValueArgument.string(Array(text.utf8), of: arguments).text == json)
    }

    @Test func `bytes that are not UTF-8 are refused`() {
        #expect(throws: CommandError.self) { try ValueArgument.read([0x61, 0xFF], of: arguments) }
        #expect(throws: CommandError.self) { try ValueArgument.string([0xC0, 0x80], of: arguments) }
    }

    @Test func `deep nesting is left to the daemon to refuse`() throws {
        let deep = [UInt8](repeating: 0x5B, count: 10_000) + [UInt8](repeating: 0x5D, count: 10_000)
        #expect(try ValueArgument.read(deep, of: arguments).bytes == deep)
    }
}
