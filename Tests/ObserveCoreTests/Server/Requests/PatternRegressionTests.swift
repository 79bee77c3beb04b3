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
}
