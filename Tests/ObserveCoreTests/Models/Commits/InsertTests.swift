// SPDX-License-Identifier: MIT
// `insert`: new values, and models that are already elsewhere in the tree.

import Testing

@testable import ObserveCore

struct InsertTests {
    @Test(arguments: [
        (
            #"{"path":"t.r","value":9}"#, "[1,2,[3,4],9]",
            #""new":[9],"old":[],"kind":"insertion","indexes":[3]"#
        ),
        (
            #"{"path":"t.r","value":{"x":1},"index":3}"#, #"[1,2,[3,4],{"x":1}]"#,
            #""new":[{"x":1}],"old":[],"kind":"insertion","indexes":[3]"#
        ),
        (
            #"{"path":"t.r","value":9,"index":0}"#, "[9,1,2,[3,4]]",
            #""new":[9],"old":[],"kind":"insertion","indexes":[0]"#
        ),
        (
            #"{"path":"t.r","value":null,"index":1}"#, "[1,null,2,[3,4]]",
            #""new":[null],"old":[],"kind":"insertion","indexes":[1]"#
        ),
        (
            #"{"path":"t.r.2","value":[],"index":1}"#, "[1,2,[3,[],4]]",
            #""new":[[3,[],4]],"old":[[3,4]],"kind":"replacement","indexes":[2]"#
        ),
        (
            #"{"path":["t","r",2],"value":5}"#, "[1,2,[3,4,5]]",
            #""new":[[3,4,5]],"old":[[3,4]],"kind":"replacement","indexes":[2]"#
        ),
    ])
    func `insert adds a value at its index`(params: String, result: String, event: String) {
        let talk = Conversation([("t", #"{"r":[1,2,[3,4]]}"#)])
        talk.watch("t.r")
        #expect(talk.ask("insert", params) == #"{"revision":2,"changed":true}"#)
        #expect(talk.value("t.r") == result)
        #expect(talk.events() == [#""path":"t.r","reason":"valueChanged",\#(event),"revision":2"#])
    }

    @Test func `insert adds to empty, root and nested arrays`() {
        let talk = Conversation([("r", "[]"), ("g", "[[1],[2]]")])
        talk.watch("r", "g.1", "g.1.0", "g.1.1")
        talk.ask("insert", #"{"path":"r","value":1}"#)
        talk.ask("insert", #"{"path":"g.1","value":0,"index":0}"#)
        #expect(
            talk.events() == [
                #""path":"r","reason":"valueChanged","new":[1],"old":[],"kind":"insertion","indexes":[0],"revision":3"#,
                #""path":"g.1","reason":"valueChanged","new":[0],"old":[],"kind":"insertion","indexes":[0],"revision":4"#,
                #""path":"g.1.0","reason":"pathChanged","new":0,"old":2,"changedAt":"g.1","revision":4"#,
                #""path":"g.1.1","reason":"pathChanged","new":2,"old":null,"changedAt":"g.1","revision":4"#,
            ]
        )
    }

    @Test func `insert links to the target instead of copying it`() {
        let talk = Conversation([("lib", #"{"a":{"t":"A"},"b":{"t":"B"}}"#), ("q", #"{"items":[]}"#)])
        talk.watch("q.items.0.t", "q.items")
        talk.ask("insert", #"{"path":"q.items","target":"lib.a"}"#)
        talk.ask("insert", #"{"path":"q.items","target":"lib.b","index":0}"#)
        talk.ask("insert", #"{"path":"q.items","target":"lib.b"}"#)
        #expect(talk.value("q.items") == #"[{"t":"B"},{"t":"A"},{"t":"B"}]"#)
        #expect(talk.instance("q.items.1") == talk.instance("lib.a"))
        #expect(talk.instance("q.items.0") == talk.instance("lib.b"))
        _ = talk.events()
        talk.ask("set", #"{"path":"lib.b.t","value":"C"}"#)
        #expect(
            talk.events() == [
                #""path":"q.items.0.t","reason":"valueChanged","new":"C","old":"B","revision":6"#
            ]
        )
        // The reference is strong: the model outlives its root.
        talk.ask("remove", #"{"path":"lib"}"#)
        #expect(talk.value("q.items.2.t") == #""C""#)
        talk.ask("remove", #"{"path":"q"}"#)
        #expect(talk.hub.tree.modelCount == 0)
    }

    @Test(arguments: [
        (#"{"path":"t.n","value":1}"#, #"1 {"name":"notFound","path":"t.n"}"#),
        (#"{"path":"t.none","value":1}"#, #"1 {"name":"notFound","path":"t.none"}"#),
        (#"{"path":"none","value":1}"#, #"1 {"name":"notFound","path":"none"}"#),
        (#"{"path":"t.n.r","value":1}"#, #"1 {"name":"notFound","path":"t.n"}"#),
        (#"{"path":"t.r.7","value":1}"#, #"1 {"name":"notFound","path":"t.r.7"}"#),
        (#"{"path":"t.r.1","value":1}"#, #"1 {"name":"notFound","path":"t.r.1"}"#),
        (#"{"path":"t.s","value":1}"#, #"2 {"name":"typeMismatch","path":"t.s"}"#),
        (#"{"path":"t","value":1}"#, #"2 {"name":"typeMismatch","path":"t"}"#),
        (#"{"path":"t.r.0","value":1}"#, #"2 {"name":"typeMismatch","path":"t.r.0"}"#),
        (#"{"path":"t.s.x","value":1}"#, #"2 {"name":"typeMismatch","path":"t.s"}"#),
        (#"{"path":"observed.x","value":1}"#, #"3 {"name":"readOnly","path":"observed.x"}"#),
        (#"{"path":"t.r","value":1,"index":4}"#, #"1 {"name":"notFound","path":"t.r"}"#),
        (#"{"path":"t.r","value":1,"index":9223372036854775807}"#, #"1 {"name":"notFound","path":"t.r"}"#),
        (#"{"path":"t.r","value":1,"index":9223372036854775808}"#, "-32602"),
        (#"{"path":"t.r","value":1,"index":-1}"#, "-32602"),
        (#"{"path":"t.r","value":1,"index":1.0}"#, "-32602"),
        (#"{"path":"t.r","value":1,"index":"1"}"#, "-32602"),
        (#"{"path":"t.r","value":1,"index":null}"#, "-32602"),
        (#"{"path":"t.r"}"#, "-32602"),
        (#"{"value":1}"#, "-32602"),
        (#"{"path":"t.r","value":1,"target":"t"}"#, "-32602"),
        (#"{"path":"t.r","value":1e999}"#, "-32602"),
        (#"{"path":"t.r","value":1,"weak":true}"#, "-32602"),
        (#"{"path":"t.r.*","value":1}"#, "-32602"),
        (#"{"path":"t.r.@count","value":1}"#, #"3 {"name":"readOnly","path":"t.r.@count"}"#),
        (#"{"path":"t.r","target":"t.**"}"#, "-32602"),
        (#"{"path":"t.r","target":"t"}"#, #"7 {"name":"referenceCycle","path":"t.r"}"#),
        (#"{"path":"t.r","target":"t.n"}"#, #"1 {"name":"notFound","path":"t.n"}"#),
        (#"{"path":"t.r","target":"t.s"}"#, #"2 {"name":"typeMismatch","path":"t.s"}"#),
        (#"{"path":"t.r","target":"t.r"}"#, #"2 {"name":"typeMismatch","path":"t.r"}"#),
        (
            #"{"path":"t.r","value":1,"ifRevision":0}"#,
            #"4 {"name":"conflict","path":"t.r","value":["x",null,[]],"revision":1}"#
        ),
        (
            #"{"path":"t.r","value":1,"ifValue":[]}"#,
            #"4 {"name":"conflict","path":"t.r","value":["x",null,[]],"revision":1}"#
        ),
    ])
    func `a refused request changes nothing`(params: String, refusal: String) {
        let tree = #"{"r":["x",null,[]],"s":"text","n":null}"#
        let talk = Conversation([("t", tree)])
        talk.watch("t.r")
        #expect(talk.refusal("insert", params) == refusal)
        #expect(talk.value("t") == tree)
        #expect(talk.events().isEmpty)
        #expect(talk.revision == 1)
    }

    @Test func `insert succeeds if its conditions hold`() {
        let talk = Conversation([("t", "[1]")])
        #expect(
            talk.ask("insert", #"{"path":"t","value":2,"ifRevision":1,"ifValue":[1.0]}"#)
                == #"{"revision":2,"changed":true}"#
        )
    }

    @Test func `errors name the path and the value found there`() {
        let talk = Conversation([("t", #"{"s":"x","r":[1]}"#)])
        #expect(talk.ask("insert", #"{"path":"t.s","value":1}"#).contains("t.s is a string"))
        #expect(talk.ask("insert", #"{"path":"t.no","value":1}"#).contains("t.no is null"))
        #expect(
            talk.ask("insert", #"{"path":"t.r","value":1,"index":5}"#)
                .contains("t.r has 1 element, so nothing can be inserted at 5")
        )
    }
}
