// SPDX-License-Identifier: MIT
// get with `at`: each kind of path, times, access, refusals, and the cost. The oracle tests compare random trees.

import Testing

@testable import ObserveCore

@Suite struct PastReadingTests {
    private let clock = TestClock()

    private func get(_ client: FakeClient, _ path: String, at moment: Int) -> String {
        let line = client.ask(
            #"{"id":1,"method":"get","params":{"path":\#(Value.string(path).json),"at":\#(moment)}}"#
        )
        return String((line.first ?? "").dropFirst(#"{"jsonrpc":"2.0","id":1,"#.count).dropLast())
    }

    private func set(_ client: FakeClient, _ path: String, _ json: String, _ more: String = "") {
        let answer = client.ask(
            #"{"id":1,"method":"set","params":{"path":"\#(path)","value":\#(json)\#(more)}}"#
        )
        #expect(answer.last?.contains(#""result""#) == true, "\(answer)")
    }

    @Test func `removed models, elements, weak references and operators are as they were`() {
        let client = FakeClient(Hub.with([("a", #"{"m":{"x":1},"r":[1,[2,3],{"k":4}]}"#)]))
        _ = client.ask(#"{"id":1,"method":"link","params":{"path":"a.w","target":"a.m","weak":true}}"#)
        set(client, "a.r.1.0", "20")
        _ = client.ask(#"{"id":1,"method":"remove","params":{"path":"a.r.0"}}"#)
        set(client, "a.m", "null")
        set(client, "a.n", #"{"x":5}"#)
        #expect(get(client, "a.w.x", at: 4) == #""result":{"value":1,"revision":4}"#)
        #expect(get(client, "a.w.x", at: 5) == #""result":{"value":null,"nilAt":"a.w","revision":5}"#)
        #expect(
            get(client, "a", at: 2) == #""result":{"value":{"m":{"x":1},"r":[1,[2,3],{"k":4}]},"revision":2}"#
        )
        #expect(get(client, "a.r", at: 3) == #""result":{"value":[1,[20,3],{"k":4}],"revision":3}"#)
        #expect(get(client, "a.r.@count", at: 4) == #""result":{"value":2,"revision":4}"#)
        #expect(get(client, "a.@count", at: 1) == #""result":{"value":2,"revision":1}"#)
        #expect(get(client, "a", at: 0) == #""result":{"value":null,"revision":0}"#)
        #expect(get(client, "a.n.x", at: 6) == #""result":{"value":5,"revision":6}"#)
        #expect(client.hub.tree.revision == 6 && client.hub.tree.faults().isEmpty)
    }

    @Test func `several paths are of one past revision, and the root observed has none`() {
        let client = FakeClient(Hub.with([("a", #"{"x":1,"y":2}"#)]))
        set(client, "a.x", "10")
        set(client, "a.y", "20")
        #expect(
            client.ask(#"{"id":1,"method":"get","params":{"paths":["a.x","a.y"],"at":2}}"#)
                == [#"{"jsonrpc":"2.0","id":1,"result":{"values":[{"value":10},{"value":2}],"revision":2}}"#]
        )
        for paths in [#""path":"observed.connections""#, #""paths":["a.x","observed"]"#] {
            let answer = client.ask(#"{"id":1,"method":"get","params":{\#(paths),"at":2}}"#)[0]
            #expect(
                answer.contains(#""code":-32602,"message":"the daemon's own root observed has no history""#)
            )
        }
        #expect(get(client, "a.x", at: 3).contains("10"))
    }

    @Test func `computed properties, conditions and choices are as they were`() throws {
        let client = try SelectionTranscriptTests.client()
        set(client, "media.players.mpv.status", #""Playing""#)
        set(client, "media.players.vlc.status", #""Paused""#)
        set(client, "hall.celsius", "25.0")
        _ = client.ask(#"{"id":1,"method":"remove","params":{"path":"media.players.vlc"}}"#)
        // Paths that are observed now have properties of their own for conditions.
        _ = client.ask(
            #"{"id":1,"method":"subscribe","params":{"path":"media.players.@latest[status == 'Playing'].title"}}"#
        )
        let latest = "media.players.@latest[status == 'Playing'].title"
        for (path, values) in [
            ("media.line", [#""Brazil""#, #""Alien""#, #""Alien""#]),
            (latest, [#""Brazil""#, #""Alien""#, #""Alien""#]),
            ("media.players.@count[status == 'Playing']", ["1", "2", "1"]),
            ("media.players.vlc[status == 'Playing'].volume", ["50", "50", "null"]),
        ] {
            for (index, value) in values.enumerated() {
                let answer = get(client, path, at: index + 2)
                #expect(
                    answer.hasPrefix(#""result":{"value":\#(value)"#),
                    "\(path) at \(index + 2): \(answer)"
                )
            }
        }
        #expect(get(client, "hall.heating", at: 4) == #""result":{"value":true,"revision":4}"#)
        #expect(get(client, "hall.heating", at: 5) == #""result":{"value":false,"revision":5}"#)
        #expect(
            get(client, "hall.unknown", at: 4).contains(
                #""code":1,"message":"hall.unknown: Room has no property unknown"#
            )
        )
        #expect(client.hub.tree.faults().isEmpty)
    }

    @Test func `the age of a match counts as work if it has changed since`() {
        let models = (0..<500).map { #""p\#($0)":{"n":1}"# }.joined(separator: ",")
        let client = FakeClient(Hub.with([("r", "{\(models)}"), ("x", "0")]))
        let former = Int(client.hub.tree.revision)
        for index in 0..<500 { set(client, "r.p\(index).n", "2") }
        func steps(_ path: String, at moment: Int) -> Int {
            let before = client.hub.tree.records.effort.steps
            #expect(get(client, path, at: moment).contains(#""result""#))
            return Int(client.hub.tree.records.effort.steps - before)
        }
        let choice = "r.@latest[n > 0].n"
        let (now, then) = (former + 500, former)
        let present = steps(choice, at: now) - steps("x", at: now)
        #expect(steps(choice, at: then) - steps("x", at: then) > present + 500)
    }

    @Test func `a time is the newest commit of then`() {
        let hub = Hub.with([("a", #"{"x":0}"#)], clock: clock)
        let client = FakeClient(hub)
        clock.pass(milliseconds: 10_000, in: hub)
        set(client, "a.x", "1")
        clock.pass(milliseconds: 1000, in: hub)
        set(client, "a.x", "2")
        set(client, "a.t", "5", #","lifetime":500"#)
        clock.pass(milliseconds: 1000, in: hub)
        func value(_ milliseconds: Int, _ path: String = "a.x") -> String {
            String(get(client, path, at: -milliseconds).dropFirst(#""result":{"value":"#.count).prefix(1))
        }
        #expect(
            [1, 999, 1000, 1001, 2000, 2001, 12_000].map { value($0) } == ["2", "2", "2", "1", "1", "0", "0"]
        )
        #expect([400, 500, 501, 1000, 1001].map { value($0, "a.t") } == ["n", "n", "5", "5", "n"])
        #expect(
            get(client, "a.x", at: -12_001).hasPrefix(
                #""error":{"code":1,"message":"-12001 ms are before the history"#
            )
        )
        // What the history has forgotten had a time.
        hub.tree.records.limits.maxHistoryCommits = 2
        hub.clients.adopt(ServerLimits())
        hub.tree.history.commitLimit = 1
        set(client, "a.x", "3")
        #expect(value(499) == "2" && value(1) == "2")
        #expect(get(client, "a.x", at: -501).contains(#""data":{"name":"notFound","oldest":5}"#))
    }

    @Test func `beyond the history and in the future there is nothing`() {
        var limits = ServerLimits()
        limits.tree.maxHistoryCommits = 10
        let client = FakeClient(Hub.with([("a", "0")], limits: limits))
        for value in 1...20 { set(client, "a", "\(value)") }
        #expect(
            get(client, "a", at: 10)
                == #""error":{"code":1,"message":"revision 10 is before the history; the oldest that can be asked for is revision 11","#
                + #""data":{"name":"notFound","oldest":11}}"#
        )
        #expect(get(client, "a", at: 11) == #""result":{"value":10,"revision":11}"#)
        #expect(get(client, "a", at: 21) == #""result":{"value":20,"revision":21}"#)
        #expect(
            get(client, "a", at: 22).contains(
                #"revision 22 is in the future: the present one is 21; the oldest"#
            )
        )
        for faulty in ["1.5", #""3""#, "null", "true"] {
            let answer = client.ask(#"{"id":1,"method":"get","params":{"path":"a","at":\#(faulty)}}"#)[0]
            #expect(
                answer.contains(#""code":-32602,"message":"the param at is a revision, or a negative number"#)
            )
        }
        #expect(get(client, "a", at: .min).contains(#""oldest":11"#))
    }

    @Test func `the present access rules hold, for the path as it is written`() {
        let hub = Hub.with([("a", #"{"open":{"x":1},"secret":{"x":2}}"#)])
        let writer = FakeClient(hub)
        _ = writer.ask(#"{"id":1,"method":"link","params":{"path":"a.open.way","target":"a.secret"}}"#)
        set(writer, "a.open", #"{"x":3}"#)
        let client = FakeClient(hub, token: 2, grant: Grant(read: [PathPrefix(["a", "open"])], write: []))
        #expect(get(client, "a.open.x", at: 1) == #""result":{"value":1,"revision":1}"#)
        #expect(get(client, "a.open.way.x", at: 2) == #""result":{"value":2,"revision":2}"#)
        for path in ["a", "a.secret.x", "a.secret"] {
            #expect(get(client, path, at: 1).hasPrefix(#""error":{"code":5"#))
            #expect(get(client, path, at: 99).hasPrefix(#""error":{"code":1"#))
        }
    }

    @Test func `a batch sees the past of its own writes`() {
        let client = FakeClient(Hub.with([("a", "1")]))
        let lines = client.ask(
            #"[{"id":1,"method":"set","params":{"path":"a","value":2}},{"id":2,"method":"get","params":{"path":"a","at":1}},{"id":3,"method":"set","params":{"path":"a","value":3}},{"id":4,"method":"get","params":{"path":"a","at":2}}]"#
        )
        #expect(lines[0].contains(#""id":2,"result":{"value":1,"revision":1}"#))
        #expect(lines[0].contains(#""id":4,"result":{"value":2,"revision":2}"#))
    }

    @Test func `the way back counts as work`() {
        let client = FakeClient(Hub.with([("a", "0")]))
        for value in 1...900 { client.push(#"{"method":"set","params":{"path":"a","value":\#(value)}}"#) }
        client.hub.clients.beginTurn()
        client.push(#"{"id":1,"method":"get","params":{"path":"a","at":900}}"#)
        #expect(!client.hub.clients.isTurnOver)
        for _ in 0..<2 { client.push(#"{"id":1,"method":"get","params":{"path":"a","at":2}}"#) }
        #expect(client.hub.clients.isTurnOver)
        client.hub.clients.endTurn()
    }

    @Test func `a smaller limit forgets the oldest commits`() {
        let client = FakeClient(Hub.with([("a", "0")]))
        for value in 1...50 { set(client, "a", "\(value)") }
        var limits = ServerLimits()
        limits.tree.maxHistoryCommits = 5
        client.hub.clients.adopt(limits)
        set(client, "a", "51")
        #expect(client.hub.tree.history.commits.count == 5)
        limits.tree.maxHistoryCommits = 1000
        limits.tree.maxHistoryBytes = 100
        client.hub.clients.adopt(limits)
        for value in 1...5 { set(client, "a", #""\#(String(repeating: "x", count: 30))\#(value)""#) }
        #expect(client.hub.tree.history.textBytes <= 100)
        #expect(client.hub.tree.history.commits.count == 3)
    }
}
