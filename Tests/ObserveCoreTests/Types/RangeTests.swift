// SPDX-License-Identifier: MIT
// Declared numbers with a range: every write, defaults, and bindings.

import Testing

@testable import ObserveCore

@Suite struct RangeTests {
    private static let types = [
        TypeDeclaration(
            "Lamp",
            "level: Int(0...100) = 50",
            "gain: Double(-0.5...0.5)",
            "floor: Int(1...)",
            "below: Double(...-2)",
            "maybe: Int(5...9)?",
            "list: [Int(0...3)]"
        )
    ]

    private func talk() throws -> Conversation {
        try TypedTree.talk(
            RangeTests.types,
            [("lamp", "Lamp", "{}"), ("dial", "Int(0...10)", nil), ("open", nil, #"{"n":7}"#)]
        )
    }

    @Test func `a place without a value has the number that is nearest to 0`() throws {
        #expect(
            try talk().value("lamp")
                == #"{"level":50,"gain":0.0,"floor":1,"below":-2.0,"maybe":null,"list":[]}"#
        )
    }

    @Test(arguments: [
        ("set", "lamp.level", #""value":0"#), ("set", "lamp.level", #""value":100"#),
        ("set", "lamp.level", #""value":7.0"#),
        ("set", "lamp.gain", #""value":-0.5"#), ("set", "lamp.gain", #""value":0"#),
        ("set", "lamp.floor", #""value":9223372036854775807"#),
        ("set", "lamp.below", #""value":-1e300"#), ("set", "lamp.maybe", #""value":null"#),
        ("set", "lamp.maybe", #""value":9"#),
        ("set", "lamp.list", #""value":[0,3]"#), ("set", "dial", #""value":10"#),
        ("increment", "lamp.level", #""by":50"#),
        ("increment", "lamp.level", #""by":500,"max":100"#),
        ("merge", "lamp", #""value":{"level":1,"floor":2}"#),
    ])
    func `numbers in the range are accepted`(method: String, path: String, params: String) throws {
        let talk = try talk()
        let answer = talk.ask(method, #"{"path":"\#(path)",\#(params)}"#)
        #expect(answer.contains("revision"), "\(answer)")
        #expect(talk.hub.tree.faults() == [])
    }

    @Test(arguments: [
        ("set", "lamp.level", #""value":101"#, "lamp.level: expected Int(0...100), found 101"),
        ("set", "lamp.level", #""value":-1"#, "lamp.level: expected Int(0...100), found -1"),
        ("set", "lamp.level", #""value":"50""#, "lamp.level: expected Int(0...100), found a string"),
        ("set", "lamp.gain", #""value":0.75"#, "lamp.gain: expected Double(-0.5...0.5), found 0.75"),
        ("set", "lamp.floor", #""value":0"#, "lamp.floor: expected Int(1...), found 0"),
        ("set", "lamp.below", #""value":0"#, "lamp.below: expected Double(...-2), found 0"),
        ("set", "lamp.maybe", #""value":4"#, "lamp.maybe: expected Int(5...9)?, found 4"),
        ("set", "lamp.list", #""value":[0,4]"#, "lamp.list.1: expected Int(0...3), found 4"),
        ("insert", "lamp.list", #""value":-1"#, "lamp.list.0: expected Int(0...3), found -1"),
        ("increment", "lamp.level", #""by":51"#, "lamp.level: expected Int(0...100), found 101"),
        ("merge", "lamp", #""value":{"level":101}"#, "lamp.level: expected Int(0...100), found 101"),
        ("set", "lamp", #""value":{"floor":-3}"#, "lamp.floor: expected Int(1...), found -3"),
        ("set", "dial", #""value":11"#, "dial: expected Int(0...10), found 11"),
    ])
    func `a number out of range is refused by every write, with the range`(
        method: String,
        path: String,
        params: String,
        sentence: String
    ) throws {
        let talk = try talk()
        // The second one would take a fast path.
        for _ in 0..<2 {
            let answer = talk.ask(method, #"{"path":"\#(path)",\#(params)}"#)
            #expect(answer.contains(#""code":2"#) || answer.contains("typeMismatch"), "\(answer)")
            #expect(answer.contains(sentence), "\(answer)")
            talk.ask("set", #"{"path":"lamp.level","value":50}"#)
        }
        #expect(talk.value("lamp.level") == "50")
    }

    @Test(arguments: [
        ("lamp.level", #""a""#, "Int(0...100)", "string"), ("lamp.level", "5.5", "Int(0...100)", "double"),
        ("lamp.level", "null", "Int(0...100)", "null"), ("lamp.maybe", #""a""#, "Int(5...9)?", "string"),
        ("lamp.maybe", "6.5", "Int(5...9)?", "double"), ("lamp.list", "[0,true]", "Int(0...3)", "bool"),
        ("dial", "[]", "Int(0...10)", "array"),
    ])
    func `a refusal names the range for a value of another kind, too`(
        path: String,
        json: String,
        declared: String,
        found: String
    ) throws {
        let talk = try talk()
        let data = #""declared":"\#(declared)","found":"\#(found)""#
        #expect(talk.ask("set", #"{"path":"\#(path)","value":\#(json)}"#).contains(data))
        talk.ask("set", #"{"path":"open.n","value":\#(json)}"#)
        talk.ask("bind", #"{"source":"open.n","target":"\#(path)"}"#)
        #expect(talk.ask("bindings", "{}").contains("expected \(declared), found"))
        #expect(talk.hub.tree.faults() == [])
    }

    @Test func `a binding fails while its source is out of range`() throws {
        let talk = try talk()
        talk.ask("bind", #"{"source":"open.n","target":"dial"}"#)
        #expect(talk.value("dial") == "7")
        talk.ask("set", #"{"path":"open.n","value":11}"#)
        #expect(talk.value("dial") == "7")
        #expect(
            talk.ask("bindings", "{}").contains(
                #""failing":true,"message":"dial: expected Int(0...10), found 11""#
            )
        )
        talk.ask("set", #"{"path":"open.n","value":3}"#)
        #expect(talk.value("dial") == "3")
        #expect(talk.ask("bindings", "{}").contains(#""failing":false}"#))
    }

    @Test func `equal ranges are one type, and the type describes itself`() throws {
        let talk = try talk()
        #expect(talk.ask("describe", #"{"path":"lamp.level"}"#).contains(#""type":"Int(0...100)""#))
        #expect(talk.ask("bind", #"{"source":"lamp.level","target":"dial"}"#).contains("binding"))
    }

    @Test func `a default out of range is a fault of the declaration`() {
        let tree = ModelTree()
        let faults = tree.declare([TypeDeclaration("T", "n: Int(0...5) = 6", "m: [Int(1...)] = [0]")])
        #expect(faults.map(\.message) == ["expected Int(0...5), found 6", "expected Int(1...), found 0"])
    }

    @Test func `a bound of doubles is a double`() {
        let tree = ModelTree()
        let faults = tree.declare([
            TypeDeclaration("T", "n: Double(9007199254740993...)", "m: Double(9007199254740992...)")
        ])
        #expect(faults.count == 1 && faults[0].place.starts(with: ["T", "n"]))
        #expect(faults.allSatisfy { $0.message.hasPrefix("expected a range of Double") })
    }
}
