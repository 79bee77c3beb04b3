// SPDX-License-Identifier: MIT
// JSON Merge Patch after RFC 7396, and the values that it preserves.

import Testing

@testable import ObserveCore

struct MergeTests {
    /// RFC 7396, Appendix A, "Example Test Cases": original, patch, result.
    private static let appendixA = [
        (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
        (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
        (#"{"a":"b"}"#, #"{"a":null}"#, #"{}"#),
        (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
        (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
        (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
        (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
        (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
        (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
        (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#),
        (#"{"a":"foo"}"#, #"null"#, #"null"#),
        (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
        (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
        (#"[1,2]"#, #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
        (#"{}"#, #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ]

    @Test(arguments: appendixA)
    func `merge follows the RFC's examples`(original: String, patch: String, result: String) {
        let talk = Conversation([("t", original)])
        #expect(talk.ask("merge", #"{"path":"t","value":\#(patch)}"#) == #"{"revision":2,"changed":true}"#)
        #expect(talk.value("t") == result)
    }

    @Test(arguments: appendixA)
    func `merge follows the RFC's examples for a property and an element`(
        original: String,
        patch: String,
        result: String
    ) {
        let talk = Conversation([("t", #"{"p":{"x":1,"q":\#(original)},"r":[0,\#(original),2]}"#)])
        talk.ask("merge", #"{"path":"t","value":{"p":{"q":\#(patch)}}}"#)
        // In an outer patch, null removes the member.
        #expect(talk.value("t.p") == (patch == "null" ? #"{"x":1}"# : #"{"x":1,"q":\#(result)}"#))
        talk.ask("merge", #"{"path":"t.r.1","value":\#(patch)}"#)
        #expect(talk.value("t.r") == "[0,\(result),2]")
    }

    @Test(arguments: [
        // Of several members with one name only the last counts.
        (#"{"a":{"b":1}}"#, #"{"a":{"c":2},"a":{"d":3}}"#, #"{"a":{"b":1,"d":3}}"#),
        (#"{"a":{"b":1}}"#, #"{"a":null,"\u0061":{"d":3}}"#, #"{"a":{"b":1,"d":3}}"#),
        (#"{"a":1,"b":2}"#, #"{"a":5,"c":3,"a":null}"#, #"{"b":2,"c":3}"#),
        // Nulls in arrays are values.
        (#"{}"#, #"{"a":[null,{"b":null}]}"#, #"{"a":[null,{"b":null}]}"#),
        (#"{"a":[1]}"#, #"{"a":{"b":[{"c":null}],"d":null}}"#, #"{"a":{"b":[{"c":null}]}}"#),
        (#"null"#, #"{"a":{"b":null,"c":1}}"#, #"{"a":{"c":1}}"#),
        (#"5"#, #"{}"#, #"{}"#),
        (#"{"a":5}"#, #"{"a":{}}"#, #"{"a":{}}"#),
        (#"{"a\nb":1}"#, #"{"a\u000ab":{"é":2}}"#, #"{"a\nb":{"é":2}}"#),
    ])
    func `merge follows the RFC's text`(original: String, patch: String, result: String) {
        let talk = Conversation([("t", original)])
        talk.ask("merge", #"{"path":"t","value":\#(patch)}"#)
        #expect(talk.value("t") == result)
    }

    @Test(arguments: [
        ("{}", "{}"),
        (#"{"a":1,"b":{"c":[1,{}]}}"#, #"{"a":1.0}"#),
        (#"{"a":1,"b":{"c":2}}"#, #"{"b":{}}"#),
        (#"{"a":1,"b":{"c":2}}"#, #"{"x":null,"b":{"c":2.0,"y":null}}"#),
        (#"{"a":[1,"x"]}"#, #"{"a":[1.0,"\u0078"]}"#),
        (#"{"a":null}"#, #"{"b":null}"#),
    ])
    func `a patch without changes makes no commit`(original: String, patch: String) {
        let talk = Conversation([("t", original)])
        #expect(
            talk.ask("merge", #"{"path":"t","value":\#(patch)}"#) == #"{"revision":1,"changed":false}"#
        )
        #expect(talk.value("t") == original)
    }

    @Test func `a merge keeps the models' identity, and is one commit`() {
        let talk = Conversation([("t", #"{"p":{"q":{"x":1},"n":1},"r":[{"x":1}]}"#)])
        let (p, q, r) = (talk.instance("t.p"), talk.instance("t.p.q"), talk.instance("t.r.0"))
        talk.watch("t", "t.p", "t.p.q", "t.p.q.x", "t.p.n", "t.p.q.z")
        #expect(
            talk.ask("merge", #"{"path":"t","value":{"p":{"q":{"x":2,"z":{"a":1}},"n":null}}}"#)
                == #"{"revision":2,"changed":true}"#
        )
        #expect(talk.instance("t.p") == p)
        #expect(talk.instance("t.p.q") == q)
        #expect(
            talk.events().sorted() == [
                #""path":"t.p.n","reason":"valueChanged","new":null,"old":1,"revision":2"#,
                #""path":"t.p.q.x","reason":"valueChanged","new":2,"old":1,"revision":2"#,
                #""path":"t.p.q.z","reason":"valueChanged","new":{"a":1},"old":null,"revision":2"#,
            ]
        )
        talk.watch("t.r", "t.r.0.x")
        talk.ask("merge", #"{"path":"t.r.0","value":{"x":2}}"#)
        #expect(talk.instance("t.r.0") == r)
        #expect(
            talk.events() == [#""path":"t.r.0.x","reason":"valueChanged","new":2,"old":1,"revision":3"#]
        )
    }

    @Test func `merge replaces an element that is not a model`() {
        let talk = Conversation([("t", "[1,[2],3]")])
        talk.watch("t", "t.1.a")
        talk.ask("merge", #"{"path":"t.1","value":{"a":5,"b":null}}"#)
        #expect(
            talk.events() == [
                #""path":"t","reason":"valueChanged","new":[{"a":5}],"old":[[2]],"kind":"replacement","indexes":[1],"revision":2"#,
                #""path":"t.1.a","reason":"pathChanged","new":5,"old":null,"changedAt":"t.1","revision":2"#,
            ]
        )
    }

    @Test func `merge changes a weak reference's target, and the reference stays weak`() {
        let talk = Conversation([("m", #"{"x":1}"#), ("t", "{}")])
        talk.ask("link", #"{"path":"t.w","target":"m","weak":true}"#)
        talk.ask("merge", #"{"path":"t","value":{"w":{"x":2}}}"#)
        talk.ask("merge", #"{"path":"t.w","value":{"y":3}}"#)
        #expect(talk.value("m") == #"{"x":2,"y":3}"#)
        #expect(talk.ask("describe", #"{"path":"t.w"}"#).contains(#""weak":true"#))
        // Without a target, merge makes a new model with a strong reference.
        talk.ask("remove", #"{"path":"m"}"#)
        talk.ask("merge", #"{"path":"t","value":{"w":{"z":1}}}"#)
        #expect(talk.value("t") == #"{"w":{"z":1}}"#)
    }

    @Test func `merge changes a shared model once for each of its names`() {
        let talk = Conversation([("t", #"{"a":{"x":1}}"#)])
        talk.ask("link", #"{"path":"t.b","target":"t.a"}"#)
        talk.ask("merge", #"{"path":"t","value":{"a":{"x":2,"y":1},"b":{"y":null,"z":3}}}"#)
        #expect(talk.value("t.a") == #"{"x":2,"z":3}"#)
        #expect(talk.instance("t.a") == talk.instance("t.b"))
    }

    @Test(arguments: [
        (#"{"path":"t.n.x","value":{"a":1}}"#, #"1 {"name":"notFound","path":"t.n"}"#),
        (#"{"path":"t.no.x","value":{"a":1}}"#, #"1 {"name":"notFound","path":"t.no"}"#),
        (#"{"path":"t.s.x","value":{"a":1}}"#, #"2 {"name":"typeMismatch","path":"t.s"}"#),
        (#"{"path":"t.r.2","value":{"a":1}}"#, #"1 {"name":"notFound","path":"t.r.2"}"#),
        (#"{"path":"t.r.x","value":{"a":1}}"#, #"1 {"name":"notFound","path":"t.r.x"}"#),
        (#"{"path":"t.n.x","value":5}"#, #"1 {"name":"notFound","path":"t.n"}"#),
        (#"{"path":"observed.x","value":{}}"#, #"3 {"name":"readOnly","path":"observed.x"}"#),
        (#"{"path":"t","value":{"s":1,"y":1e-999}}"#, "-32602"),
        (#"{"path":"t","value":{"s":1,"y":[2e-324]}}"#, "-32602"),
        (#"{"path":"t","value":{"s":1,"z":{"y":99999999999999999999}}}"#, "-32602"),
        (#"{"path":"t","value":{"s":1,"n":{"y":1e999}}}"#, "-32602"),
        (#"{"path":"t","value":{"s":1},"parents":true}"#, "-32602"),
        (#"{"path":"t"}"#, "-32602"),
        (#"{"value":{}}"#, "-32602"),
        (#"{"path":"t.*","value":{}}"#, "-32602"),
        (#"{"path":"t.@count","value":{}}"#, #"3 {"name":"readOnly","path":"t.@count"}"#),
        (
            #"{"path":"t","value":{"s":1},"ifRevision":0}"#,
            #"4 {"name":"conflict","path":"t","value":\#(tree),"revision":1}"#
        ),
        (
            #"{"path":"t.s","value":{},"ifValue":"y"}"#,
            #"4 {"name":"conflict","path":"t.s","value":"x","revision":1}"#
        ),
    ])
    func `a refused request changes nothing`(params: String, refusal: String) {
        let talk = Conversation([("t", MergeTests.tree)])
        talk.watch("t.s", "t.z", "t.n")
        #expect(talk.refusal("merge", params) == refusal)
        #expect(talk.value("t") == MergeTests.tree)
        #expect(talk.events().isEmpty)
        #expect(talk.revision == 1)
    }

    private static let tree = #"{"s":"x","n":null,"r":[1,2]}"#

    @Test func `merge limits the depth, even through existing models`() {
        var limits = ServerLimits()
        limits.tree.maxDepth = 4
        let talk = Conversation([("t", "{}")], limits: limits)
        let three = #"{"a":{"a":{"a":1}}}"#
        #expect(
            talk.ask("merge", #"{"path":"t","value":{"a":\#(three)}}"#) == #"{"revision":2,"changed":true}"#
        )
        #expect(
            talk.refusal("merge", #"{"path":"t","value":{"a":{"a":\#(three)}}}"#)
                == #"6 {"name":"limitExceeded"}"#
        )
        #expect(
            talk.refusal("merge", #"{"path":"t","value":{"a":[[\#(three)]]}}"#)
                == #"6 {"name":"limitExceeded"}"#
        )
        #expect(talk.revision == 2)
    }

    @Test func `a failed merge frees its new models`() {
        let talk = Conversation([("t", "{}")])
        let before = talk.hub.tree.modelCount
        #expect(talk.refusal("merge", #"{"path":"t","value":{"a":{"b":{"c":[{}]}},"d":1e999}}"#) == "-32602")
        #expect(talk.hub.tree.modelCount == before)
        talk.ask("merge", #"{"path":"t","value":{"a":{"b":{"c":[{}]}}}}"#)
        #expect(talk.hub.tree.modelCount == before + 3)
        talk.ask("merge", #"{"path":"t","value":{"a":{"b":null}}}"#)
        #expect(talk.hub.tree.modelCount == before + 1)
    }
}
