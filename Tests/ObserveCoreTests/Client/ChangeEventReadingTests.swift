// SPDX-License-Identifier: MIT
// Change events as a program reads them that keeps a copy of the tree.

import Testing

@testable import ObserveCore

@Suite struct ChangeEventReadingTests {
    private func read(_ params: String) throws -> ReadChange {
        let json = try RawJSON(validating: Array(params.utf8))
        return try ChangeEvent(params: json, subscription: 1, reason: .valueChanged).read()
    }

    @Test func `an event has names, a value, a revision and an author`() throws {
        let change = try read(
            #"{"subscription":1,"path":"house.kitchen.lamp","new":{"a":[1, 2]},"revision":42,"origin":{"pid":7,"uid":0}}"#
        )
        #expect(change.names == ["house", "kitchen", "lamp"])
        #expect(change.new?.text == #"{"a":[1, 2]}"# && change.revision == 42)
        #expect(change.author == 7 && !change.isTruncated)
    }

    @Test(arguments: [
        (#""a\\.b.c""#, ["a.b", "c"]), (#""a""#, ["a"]), (#""é x.=.0""#, ["é x", "=", "0"]),
        (#""\u0061.b""#, ["a", "b"]),
    ])
    func `escapes in a path are decoded`(path: String, names: [String]) throws {
        #expect(try read(#"{"path":\#(path),"new":null}"#).names == names)
    }

    @Test func `a binding is not an author, and null is not a value`() throws {
        let change = try read(#"{"path":"a","new":null,"truncated":true,"origin":{"pid":7,"binding":3}}"#)
        #expect(change.author == nil && change.new == nil && change.isTruncated && change.revision == 0)
    }

    @Test(arguments: [
        "{}", #"{"path":""}"#, #"{"path":5}"#, #"{"path":"a.*"}"#.replacing("a.*", with: #"a\\.*.\\"#),
    ])
    func `an event without a path is malformed`(params: String) {
        #expect(throws: ClientError.malformed("an event without a path")) { try read(params) }
    }
}
