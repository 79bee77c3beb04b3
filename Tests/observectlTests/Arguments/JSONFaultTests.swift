// SPDX-License-Identifier: MIT
// The usual mistakes in JSON, and what the tool says to write instead.

import ObserveCore
import Testing

@testable import observectl

struct JSONFaultTests {
    @Test(
        arguments: [
            ("{a:1}", "a member without a name at byte 1: names need double quotes" + JSONFaultTests.shell),
            (#"{"b":1,a:"c"}"#, "a member without a name at byte 7: names need double quotes"),
            ("[on]", "an unknown word at byte 1: text needs double quotes" + JSONFaultTests.shell),
            (
                "{'a':1}",
                "a member without a name at byte 1: strings and names have double quotes, not apostrophes"
            ),
            (
                #"{"a":'b'}"#,
                "something that is not a value at byte 5: strings and names have double quotes, not apostrophes"
            ),
            (#"{"a":1} // b"#, "more text after the value at byte 8: JSON has no comments"),
            (#"{"a":/* b */1}"#, "something that is not a value at byte 5: JSON has no comments"),
            (#"{"a":1 # b"#, "a missing comma at byte 7: JSON has no comments"),
            (#"{“a”:1}"#, "a member without a name at byte 1: quotes are straight ones, \""),
            ("[1,]", "a comma before the closing bracket at byte 3: no comma follows the last one"),
            (#"{"a":1,}"#, "a comma before the closing bracket at byte 7: no comma follows the last one"),
            (#"{"a"=1}"#, "a missing colon at byte 4: a colon is between a name and its value"),
            ("[1 2]", "a missing comma at byte 3: a comma is between two members or elements"),
            ("[True]", "an unknown word at byte 1: true, false and null are lower-case"),
            ("[None]", "an unknown word at byte 1: no value is null"),
            ("[NaN]", "an unknown word at byte 1: JSON has only finite numbers"),
            ("[1", "an early end of the text at byte 2: a bracket is not closed"),
            (#""a"#, "a string without its closing quote at byte 2: a quote is not closed"),
            ("", "it is empty"), (" \n", "it is empty"),
            (#"{"a":+1}"#, "something that is not a value at byte 5: numbers are like 5, -0.5 and 1e3"),
            ("[.5]", "something that is not a value at byte 1: numbers are like 5, -0.5 and 1e3"),
            ("[0x10]", "a missing comma at byte 2: numbers are like 5, -0.5 and 1e3"),
            (#"{"a":1_000}"#, "a missing comma at byte 6: numbers are like 5, -0.5 and 1e3"),
            (#"{"a":}"#, "something that is not a value at byte 5: a value is missing before the bracket"),
            (
                "[`a`]",
                "something that is not a value at byte 1: strings and names have double quotes, not backticks"
            ),
            ("[1}", "a closing bracket of the wrong kind at byte 2"),
        ]
    )
    func `a fault has its remedy`(text: String, phrase: String) throws {
        let bytes = Array(text.utf8)
        let error = #expect(throws: JSONError.self) { try RawJSON(validating: bytes) }
        #expect(error.map { JSONFault.phrase($0, in: bytes, isWord: true) } == phrase)
    }

    @Test func `a line that ends early may be the first of a text over several`() throws {
        let bytes = Array("{".utf8)
        let error = #expect(throws: JSONError.self) { try RawJSON(validating: bytes) }
        #expect(
            error.map { JSONFault.phrase($0, in: bytes, isLine: true) }
                == "an early end of the text at byte 1: a bracket is not closed; each line is a whole text, as 'jq -c' prints it"
        )
    }

    static let shell = "; put the JSON in apostrophes, or the shell removes its quotes"

    @Test func `no shell removes the quotes of a file`() throws {
        let bytes = Array("{a:1}".utf8)
        let error = #expect(throws: JSONError.self) { try RawJSON(validating: bytes) }
        #expect(
            error.map { JSONFault.phrase($0, in: bytes) }
                == "a member without a name at byte 1: names need double quotes"
        )
    }
}
