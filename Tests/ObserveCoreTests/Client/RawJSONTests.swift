// SPDX-License-Identifier: MIT
// JSON in its written form.

import ObserveCore
import Testing

struct RawJSONTests {
    private func json(_ text: String) throws -> RawJSON { try RawJSON(validating: Array(text.utf8)) }

    @Test func `keeps the form of numbers and the order of members`() throws {
        #expect(try json(#" {"b":1.50,"a":1E2} "#).text == #"{"b":1.50,"a":1E2}"#)
    }

    @Test func `line breaks become spaces, and the value stays equal`() throws {
        let broken = try json("{\n\"a\":\r\n[1,\n2]}\n")
        #expect(!broken.bytes.contains(0x0A) && !broken.bytes.contains(0x0D))
        #expect(try broken.value() == ["a": [1, 2]])
    }

    @Test(arguments: [
        (#""x""#, "x"), (#""a\"b\n\u00e9""#, "a\"b\né"), (#""""#, ""), ("null", "null"), ("1.50", "1.50"),
        (#"["x"]"#, #"["x"]"#), (#"{"a":"x"}"#, #"{"a":"x"}"#), ("true", "true"),
    ])
    func `a string is unquoted, other values keep their form`(
        text: String,
        unquoted: String
    ) throws {
        #expect(try String(decoding: json(text).unquoted, as: UTF8.self) == unquoted)
    }

    @Test func `of repeated members the last one counts`() throws {
        let object = try json(#"{"a":1,"b":{"a":2},"a":[3]}"#)
        #expect(object.member("a")?.text == "[3]")
        #expect(object.member("b")?.member("a")?.text == "2")
        #expect(object.member("c") == nil)
        #expect(try json("[1]").member("a") == nil)
        #expect(try json("{}").member("a") == nil)
    }

    @Test(arguments: ["", " ", "{", "01", "tru", "[1,]", "\"", "1 2"])
    func `refuses text that is not JSON`(text: String) {
        #expect(throws: JSONError.self) { try json(text) }
    }

    @Test func `accepts numbers out of range until their value is read`() throws {
        let number = try json("99999999999999999999")
        #expect(number.text == "99999999999999999999")
        #expect(throws: JSONError.self) { try number.value() }
    }

    @Test func `a piece of other bytes is copied`() throws {
        let bytes = Array("xx {\"a\":\n1} yy".utf8)
        #expect(try RawJSON(validating: bytes[2..<12]).text == "{\"a\": 1}")
        #expect(throws: JSONError.self) { try RawJSON(validating: bytes[1..<12]) }
        #expect(throws: JSONError.self) { try RawJSON(validating: bytes[2..<2]) }
        #expect(RawJSON(array: []).text == "[]")
        #expect(RawJSON(array: [RawJSON(1), RawJSON("a")]).text == #"[1,"a"]"#)
    }
}
