// SPDX-License-Identifier: MIT
// Bindings to array elements, by requests and events.

import Testing

@testable import ObserveCore

@Suite struct ArrayBindingTests {
    private func talk(_ roots: [(String, String)], binding ends: (String, String)...) -> Conversation {
        let talk = Conversation(roots)
        for (number, (source, target)) in ends.enumerated() {
            let answer = talk.ask("bind", #"{"source":"\#(source)","target":"\#(target)"}"#)
            #expect(answer.hasPrefix(#"{"binding":\#(number + 1),"#))
        }
        return talk
    }

    private func set(_ path: String, _ json: String) -> String {
        #"{"method":"set","params":{"path":"\#(path)","value":\#(json)}}"#
    }

    private func failing(_ talk: Conversation) -> [Int32] {
        talk.hub.tree.allBindings.filter(\.last.isFailing).map(\.number)
    }

    @Test func `an array of many models goes into a model that others hold`() {
        var limits = ServerLimits()
        limits.tree.maxElements = 1000
        let models = Array(repeating: #"{"a":1,"b":2,"c":3}"#, count: 900).joined(separator: ",")
        let roots = [("a", #"{"c":{"list":null}}"#), ("b", "{}"), ("s", "[\(models)]")]
        let talk = Conversation(roots, limits: limits)
        #expect(talk.ask("link", #"{"path":"b.c","target":"a.c"}"#).contains("revision"))
        #expect(talk.ask("bind", #"{"source":"s","target":"a.c.list"}"#).contains("binding"))
        #expect(failing(talk) == [])
        #expect(talk.ask("get", #"{"path":"a.c.list.899.c"}"#).contains("3"))
        #expect(talk.ask("link", #"{"path":"a.c.list.5.up","target":"b"}"#).contains("referenceCycle"))
    }

    @Test func `a target with too many elements stays until the source changes`() {
        var limits = ServerLimits()
        limits.tree.maxElements = 4
        let many = "[1,2,3,4,5]"
        let talk = Conversation([("t", #"{"a":1,"b":\#(many),"c":\#(many),"n":null}"#)], limits: limits)
        talk.ask("bind", #"{"source":"t.a","target":"t.b","twoWay":true}"#)
        talk.ask("bind", #"{"source":"t.n","target":"t.c"}"#)
        #expect(talk.value("t") == #"{"a":1,"b":1,"c":null,"n":null}"#)
        talk.ask("set", #"{"path":"t.b","value":\#(many)}"#)
        #expect(talk.value("t.a") == "1" && failing(talk) == [1])
        #expect(talk.ask("bindings", "{}").contains("t.b has too many elements"))
        talk.ask("set", #"{"path":"t.a","value":2}"#)
        #expect(talk.value("t.b") == "2" && failing(talk) == [])
        talk.ask("set", #"{"path":"t.b","value":\#(many)}"#)
        talk.ask("set", #"{"path":"t.b","value":[3]}"#)
        #expect(talk.value("t.a") == "[3]" && failing(talk) == [])
    }

    // MARK: Order

    @Test func `a binding to an element waits for the bindings to the arrays around it`() {
        let talk = talk(
            [("r", #"{"t":1}"#), ("q", "[0]"), ("s", "[4,5]"), ("n", "[[1,2],[3]]"), ("p", "[8]")],
            binding: ("r.t", "s.0"),
            ("q", "s"),
            ("r.t", "n.0.0"),
            ("p", "n.0")
        )
        talk.watch("s", "n")
        let writes = [set("r.t", "2"), set("q", "[7]"), set("p", "[9,6]")].joined(separator: ",")
        let result = #"{"revision":9,"changed":true}"#
        #expect(
            talk.ask("transaction", #"{"operations":[\#(writes)]}"#)
                == #"{"revision":9,"changed":true,"results":[\#(result),\#(result),\#(result)]}"#
        )
        #expect(
            Set(talk.events()) == [
                #""path":"s","reason":"valueChanged","new":[2],"old":[1],"revision":9"#,
                #""path":"n","reason":"valueChanged","new":[[2,6],[3]],"old":[[1],[3]],"revision":9"#,
            ]
        )
        #expect(failing(talk) == [])
    }

    @Test func `a binding to an element waits for no binding to that element or beside it`() {
        let talk = talk(
            [("a", "1"), ("b", "2"), ("s", "[0,0]")],
            binding: ("a", "s.0"),
            ("b", "s.0"),
            ("b", "s.1")
        )
        talk.watch("s.0", "s.1")
        let writes = [set("a", "3"), set("b", "4")].joined(separator: ",")
        _ = talk.ask("transaction", #"{"operations":[\#(writes)]}"#)
        // The last binding's value stays.
        #expect(
            talk.events() == [
                #""path":"s.0","reason":"valueChanged","new":4,"old":2,"revision":7"#,
                #""path":"s.1","reason":"valueChanged","new":4,"old":2,"revision":7"#,
            ]
        )
    }

    // MARK: Re-binding

    @Test func `the source wins in a new array, even over an equal element`() {
        let talk = talk(
            [("m", "[0,1]"), ("src", "7"), ("n", "[[1,2]]")],
            binding: ("src", "m.1"),
            ("src", "n.0.1")
        )
        _ = talk.ask("set", #"{"path":"m.1","value":5}"#)
        _ = talk.ask("set", #"{"path":"n.0.1","value":5}"#)
        talk.watch("m", "n")
        #expect(talk.ask("set", #"{"path":"m","value":[3,5]}"#) == #"{"revision":8,"changed":true}"#)
        #expect(talk.ask("set", #"{"path":"n.0","value":[4,5]}"#) == #"{"revision":9,"changed":true}"#)
        #expect(
            talk.events() == [
                #""path":"m","reason":"valueChanged","new":[3,7],"old":[0,5],"revision":8"#,
                #""path":"n","reason":"valueChanged","new":[[4,7]],"old":[[1,5]],"revision":9"#,
            ]
        )
    }

    @Test func `an element keeps a client's value in an equal array, beside edits and when equal ones move`()
    {
        let talk = talk([("m", "[0,1]"), ("src", "7")], binding: ("src", "m.1"))
        talk.watch("m", options: #","distinct":false"#)
        for (method, params, value) in [
            ("set", #""path":"m.1","value":5"#, "[0,5]"), ("set", #""path":"m","value":[0,5]"#, "[0,5]"),
            ("set", #""path":"m.0","value":5"#, "[5,5]"),
            ("insert", #""path":"m","value":5,"index":0"#, "[5,5,5]"),
            ("insert", #""path":"m","value":6,"index":0"#, "[6,5,5,5]"),
            ("insert", #""path":"m","value":6,"index":0"#, "[6,7,5,5,5]"),
        ] {
            _ = talk.ask(method, "{\(params)}")
            #expect(talk.value("m") == value, "\(method) \(params)")
        }
    }

    // MARK: Nesting

    @Test func `a binding that would nest an array deeper than a value may fails`() {
        let talk = talk(
            [("l", "[0,0]"), ("z", #"{"x":[],"y":0}"#)],
            binding: ("l", "l.0"),
            ("z.@unionOfObjects", "z.x")
        )
        for value in 0..<100 {
            talk.ask("set", #"{"path":"l.1","value":\#(value)}"#)
            talk.ask("set", #"{"path":"z.y","value":\#(value)}"#)
        }
        #expect(failing(talk) == [1, 2])
        #expect(
            talk.ask("bindings", "{}").contains(
                #""message":"the array at l.0 would nest deeper than 64 levels (maxDepth)""#
            )
        )
        #expect(talk.value("l").hasPrefix(String(repeating: "[", count: 64) + "0"))
        #expect(talk.value("z.x").hasPrefix(String(repeating: "[", count: 64)))
        talk.ask("set", #"{"path":"l","value":[1,2]}"#)
        #expect(talk.value("l") == "[[1,2],2]" && failing(talk) == [2])
    }

    @Test func `the levels around a binding's target count`() {
        let talk = Conversation((0...70).map { ("v\($0)", "[0]") })
        for index in 0..<70 {
            talk.ask("bind", #"{"source":"v\#(index)","target":"v\#(index + 1).0"}"#)
        }
        #expect(failing(talk) == [64])
        #expect(
            talk.value("v63") == String(repeating: "[", count: 64) + "0" + String(repeating: "]", count: 64)
        )
        #expect(talk.value("v65") == "[[0]]")
    }
}
