// SPDX-License-Identifier: MIT
// Few links make many paths: the cost and the limit of patterns.

import Testing

@testable import ObserveCore

struct SharingTests {
    /// `n0` is a model with `x`; each further root refers twice to the one before.
    private func diamonds(_ levels: Int, limits: ServerLimits = ServerLimits()) -> Conversation {
        let talk = Conversation([("n0", #"{"x":0}"#)], limits: limits)
        for level in 1...levels { add(level, to: talk) }
        return talk
    }

    private func add(_ level: Int, to talk: Conversation) {
        talk.ask("set", #"{"path":"n\#(level)","value":{}}"#)
        for side in ["l", "r"] {
            talk.ask("link", #"{"path":"n\#(level).\#(side)","target":"n\#(level - 1)"}"#)
        }
    }

    @Test func `a change with few paths sends an event for each`() {
        let talk = diamonds(3)
        talk.watch("n3.**")
        talk.ask("set", #"{"path":"n0.x","value":1}"#)
        let paths = ["l", "r"].flatMap { a in
            ["l", "r"].flatMap { b in ["l", "r"].map { "n3.\(a).\(b).\($0).x" } }
        }
        #expect(
            talk.events().map(\.withoutMore).sorted()
                == paths.map { #""path":"\#($0)","reason":"valueChanged","new":1,"old":0,"revision":11"# }
        )
    }

    @Test func `a change with a thousand million paths sends one event`() {
        var limits = ServerLimits()
        limits.tree.maxRenderedBytes = 10_000
        let talk = diamonds(30, limits: limits)
        talk.watch("n30.**", "n29.**")
        talk.watch("**")
        for value in 1...2 {
            talk.ask("set", #"{"path":"n0.x","value":\#(value)}"#)
            let events = talk.events().map(\.withoutMore)
            #expect(events.count == 2 + 31, "\(events)")
            for path in ["n30", "n29"] {
                let event =
                    #""path":"\#(path)","reason":"valueChanged","truncated":true,"revision":\#(91 + value)"#
                #expect(events.count { $0 == event } == 2)
            }
        }
    }

    @Test(arguments: [(10_000, 10_000), (10_001, 1)])
    func `up to ten thousand changes below a path send separate events, more send one`(
        count: Int,
        events: Int
    ) {
        var limits = ServerLimits()
        limits.clients.maxLineBytes = 8 << 20
        limits.tree.maxRenderedBytes = 8 << 20
        let talk = Conversation([("t", #"{"m":{}}"#)], limits: limits)
        talk.watch("t.m.**")
        let operations = (0..<count).map { #"{"method":"set","params":{"path":"t.m.k\#($0)","value":1}}"# }
        talk.ask("transaction", #"{"operations":[\#(operations.joined(separator: ","))]}"#)
        let sent = talk.events()
        #expect(sent.count == events)
        if events == 1 {
            #expect(sent[0].hasPrefix(#""path":"t.m","reason":"valueChanged","new":{"k0":1,"k1":1,"#))
        }
    }

    // MARK: Wildcards

    private var narrow: ServerLimits {
        var limits = ServerLimits()
        limits.tree.maxMatches = 100
        return limits
    }

    @Test func `the hub refuses a pattern with too many matches, and frees it`() {
        let talk = diamonds(10, limits: narrow)
        let held = talk.hub.clientRecords
        let path = "n10" + String(repeating: ".*", count: 9)
        for params in [#"{"path":"\#(path)"}"#, #"{"paths":["n3.*.*","\#(path)","n2.*"]}"#] {
            #expect(talk.refusal("subscribe", params) == #"6 {"name":"limitExceeded","path":"\#(path)"}"#)
            #expect(talk.hub.clientRecords == held)
            #expect(talk.hub.tree.patternFaults().isEmpty && talk.hub.tree.faults().isEmpty)
        }
        let batch =
            #"[{"id":1,"method":"subscribe","params":{"path":"n0.x"}},{"id":2,"method":"subscribe","params":{"path":"\#(path)"}},{"id":3,"method":"subscribe","params":{"path":"n2.*.l.x"}}]"#
        let lines = talk.client.ask(batch)
        #expect(lines.count == 4, "\(lines)")
        #expect(lines[0].contains(#""subscription":2,"#) && !lines[0].contains(#""subscription":3,"#))
        #expect(lines.dropFirst().allSatisfy { $0.contains(#""reason":"initial","new":0"#) })
    }

    @Test func `a container beyond the limit is refused without a node for each of its elements`() {
        let elements = (0...100).map(String.init).joined(separator: ",")
        let talk = Conversation([("r", "{\"a\":[\(elements)]}")], limits: narrow)
        let held = talk.hub.clientRecords
        #expect(
            talk.refusal("subscribe", #"{"path":"r.a.*"}"#) == #"6 {"name":"limitExceeded","path":"r.a.*"}"#
        )
        #expect(talk.hub.clientRecords == held)
        talk.ask("set", #"{"path":"r.a","value":[1]}"#)
        let greedy = FakeClient(talk.hub, token: 3)
        _ = greedy.ask(#"{"id":1,"method":"subscribe","params":{"path":"r.*.*","initial":false}}"#)
        #expect(greedy.session.delivery.closing == nil)
        talk.ask("set", "{\"path\":\"r.b\",\"value\":[\(elements)]}")
        #expect(greedy.session.delivery.closing == .tooManyMatches)
        #expect(talk.hub.tree.recordCounts.nodes < 110)
        greedy.close()
        #expect(talk.hub.tree.patternFaults().isEmpty, "\(talk.hub.tree.patternFaults())")
    }

    @Test func `goodbye cuts the frame of a pattern that grows beyond the limit`() {
        let talk = Conversation([("r", #"{"a":{}}"#)], limits: narrow)
        let greedy = FakeClient(talk.hub, token: 3)
        _ = greedy.ask(#"{"id":1,"method":"subscribe","params":{"path":"r.a.*"}}"#)
        let members = (0...100).map { "\"m\($0)\":1" }.joined(separator: ",")
        talk.ask("merge", "{\"path\":\"r.a\",\"value\":{\(members)}}")
        let lines = greedy.take()
        #expect(lines.count > 1 && lines.last?.contains("tooManyMatches") == true)
        #expect(lines.dropLast().allSatisfy { $0.contains(#""more":true"#) })
        greedy.close()
        #expect(talk.hub.tree.patternFaults().isEmpty, "\(talk.hub.tree.patternFaults())")
    }

    private func members(_ name: String, _ count: Int) -> String {
        (0..<count).map { "\"\(name)\($0)\":1" }.joined(separator: ",")
    }

    /// - Parameter isLeaving: it catches up before another goodbye.
    @Test(arguments: [false, true])
    func `a client that is behind gets goodbye without the matches below the limit`(isLeaving: Bool) {
        var limits = narrow
        limits.clients.foldAfterBytes = 0
        let talk = Conversation(
            [("r", #"{"a":{"id":1}}"#), ("s", "{\"a\":{\(members("s", 94))}}")],
            limits: limits
        )
        let greedy = SlowClient(talk.hub, token: 3)
        greedy.send(#"{"id":1,"method":"subscribe","params":{"path":"*.a.*"}}"#)
        _ = greedy.take()
        greedy.sleep()
        talk.ask("set", #"{"path":"r.a.id","value":0}"#)
        talk.ask("merge", #"{"path":"r.a","value":{"id":2,"y":{"k":1},"z":1}}"#)
        if isLeaving { talk.hub.clients.sendGoodbye(.idle, to: greedy.session) }
        talk.ask("set", "{\"path\":\"r.a\",\"value\":{\"id\":3,\"x\":0,\(members("m", 20))}}")
        talk.ask("set", #"{"path":"r.a","value":{"id":4}}"#)
        greedy.wake()
        let lines = greedy.take()
        #expect(lines.last?.contains("tooManyMatches") == true, "\(lines)")
        #expect(!lines.contains { $0.contains(#""revision":5"#) }, "\(lines)")
    }

    @Test func `a client whose pattern grows beyond the limit gets goodbye, the others continue`() {
        let talk = diamonds(4, limits: narrow)
        let greedy = FakeClient(talk.hub, token: 3)
        let pattern = "top" + String(repeating: ".*", count: 12) + ".x"
        let answer = greedy.ask(
            #"{"id":1,"method":"subscribe","params":{"paths":["\#(pattern)","top.*","n0.*"],"initial":false}}"#
        )
        #expect(answer.count == 1 && answer[0].contains(#""subscription":1"#))
        talk.watch("top.*")
        for level in 5...12 { add(level, to: talk) }
        #expect(greedy.take().isEmpty)
        talk.ask("set", #"{"path":"top","value":{}}"#)
        talk.ask("link", #"{"path":"top.a","target":"n12"}"#)
        let goodbye = #""method":"goodbye","params":{"reason":"tooManyMatches"}"#
        #expect(greedy.take().last?.contains(goodbye) == true)
        #expect(talk.events().count == 1)
        // Until the hub closes it, the pattern keeps its matches.
        talk.ask("remove", #"{"path":"n12.l"}"#)
        talk.ask("remove", #"{"path":"top.a"}"#)
        #expect(talk.events().count == 1)
        talk.ask("link", #"{"path":"top.b","target":"n11"}"#)
        greedy.close()
        #expect(talk.hub.tree.patternFaults().isEmpty, "\(talk.hub.tree.patternFaults())")
        #expect(talk.hub.tree.faults().isEmpty)
        talk.watcher.close()
        #expect(talk.hub.tree.recordCounts.observers == 0 && talk.hub.tree.recordCounts.wildcards == 0)
        #expect(talk.hub.tree.recordCounts.nodes == 1 && talk.hub.tree.recordCounts.patterns == 0)
    }
}
