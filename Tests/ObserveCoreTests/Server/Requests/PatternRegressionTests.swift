// SPDX-License-Identifier: MIT
// Regressions in patterns that random requests found: each sequence once crashed the daemon, or sent wrong events.

import Testing

@testable import ObserveCore

struct PatternRegressionTests {
    @Test func `a removal of the last element under a wildcard succeeds`() {
        let client = FakeClient(.with([("a", "[1]")]))
        _ = client.ask(#"{"id":1,"method":"subscribe","params":{"path":"a.*","initial":false}}"#)
        let lines = client.ask(#"{"id":2,"method":"remove","params":{"path":"a.0"}}"#)
        #expect(lines.count == 2)
        #expect(lines.first?.contains(#""path":"a.0","reason":"pathChanged","new":null"#) == true)
    }

    @Test
    func `a pattern matches what appeared below a wildcard while another pattern there matched too much`() {
        var limits = ServerLimits()
        limits.tree.maxMatches = 1
        let full = FakeClient(.with([("a", #"{"x":1}"#)], limits: limits))
        _ = full.ask(#"{"id":1,"method":"subscribe","params":{"path":"a.*"}}"#)
        let other = FakeClient(full.hub, token: 2)
        _ = other.ask(#"{"id":1,"method":"set","params":{"path":"a.y","value":2}}"#)
        #expect(full.take().last?.contains("tooManyMatches") == true)
        _ = other.ask(#"{"id":2,"method":"remove","params":{"path":"a.x"}}"#)
        let lines = other.ask(#"{"id":3,"method":"subscribe","params":{"path":"a.*"}}"#)
        #expect(lines.count == 2)
        #expect(lines.last?.contains(#""path":"a.y","reason":"initial","new":2"#) == true)
    }

    @Test func `a subscription shows an array's edit unless another pattern of it shows the array too`() {
        let client = FakeClient(.with([("r", #"{"t":[1],"b":[[2],3],"c":{"d":[5]}}"#)]))
        let paths = #"["r.t","*.c.d","r.b.0","r.**"]"#
        _ = client.ask(#"{"method":"subscribe","params":{"paths":\#(paths),"initial":false}}"#)
        func event(_ change: String) -> String {
            let head = #"{"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"#
            return #"\#(head)\#(change),"revision":\#(client.hub.tree.revision)}}"#
        }
        let edit = #""reason":"valueChanged","new":[4],"kind":"insertion","indexes""#
        func insert(_ path: String) -> [String] {
            client.ask(#"{"method":"insert","params":{"path":"\#(path)","value":4}}"#)
        }
        _ = client.ask(#"{"method":"set","params":{"path":"r.e","value":[]}}"#)
        #expect(insert("r.e") == [event(#""r.e",\#(edit):[0]"#)])
        #expect(Set(insert("r.t")) == [event(#""r.t","reason":"valueChanged","new":[1,4]"#)])
        #expect(Set(insert("r.c.d")) == [event(#""r.c.d","reason":"valueChanged","new":[5,4]"#)])
        #expect(Set(insert("r.b")) == [event(#""r.b","reason":"valueChanged","new":[[2],3,4]"#)])
        #expect(
            Set(insert("r.b.0").map(\.withoutMore)) == [
                event(#""r.b","reason":"valueChanged","new":[[2,4],3,4]"#),
                event(#""r.b.0","reason":"valueChanged","new":[2,4]"#),
            ]
        )
    }

    private static func edits(of list: String) -> String {
        #""operations":[{"method":"set","params":{"path":"\#(list).0","value":5}},"#
            + #"{"method":"insert","params":{"path":"\#(list).1.t","value":2}}]"#
    }

    /// The array's event has what changed in its elements. Before, the edit followed, and a mirror applied it twice.
    @Test(arguments: ["r.list.@count", "*.list.7.x"])
    func `an array below one that is shown as a whole is shown as a whole`(other: String) {
        let client = FakeClient(.with([("r", #"{"list":[0,{"t":[1]}]}"#)]))
        let paths = #""paths":["r.**","\#(other)"],"initial":false"#
        _ = client.ask(#"{"method":"subscribe","params":{\#(paths)}}"#)
        let lines = client.ask(#"{"method":"transaction","params":{\#(Self.edits(of: "r.list"))}}"#)
        #expect(lines.count == 2, "\(lines)")
        let whole = [#""path":"r.list","#, #""path":"r.list.1.t","#]
        let values = [#""new":[5,{"t":[1,2]}],"revision""#, #""new":[1,2],"revision""#]
        for (line, (path, value)) in zip(lines, zip(whole, values)) {
            #expect(line.contains(path) && line.contains(value), "\(lines)")
        }
        #expect(!lines.joined().contains("kind"), "\(lines)")
    }

    @Test func `a throttled array below one that is shown as a whole is shown as a whole`() {
        let roots = [("a", #"{"r":[0,{"x":0,"t":[1]}]}"#)]
        let stage = PacedStage(roots, #""path":"a.**","throttle":100,"initial":false"#)
        stage.set("a.r.1.x", "1")
        stage.set("a.r.1.x", "2")
        stage.write("transaction", Self.edits(of: "a.r"))
        stage.pass(500)
        #expect(
            stage.events() == [
                #"0: "a.r.1.x","reason":"valueChanged","new":1,"revision":2"#,
                #"0: "a.r","reason":"valueChanged","new":[5,{"x":2,"t":[1,2]}],"revision":4,"more":true"#,
                #"0: "a.r.1.t","reason":"valueChanged","new":[1,2],"revision":4"#,
            ]
        )
    }
}
