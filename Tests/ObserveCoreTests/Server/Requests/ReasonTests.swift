// SPDX-License-Identifier: MIT
// The member `because` of explain: each manner, the past, limits and access. The oracle tests compare random trees.

import Testing

@testable import ObserveCore

@Suite struct ReasonTests {
    private func because(_ client: FakeClient, _ path: String) throws -> String {
        let line = client.ask(#"{"id":1,"method":"explain","params":{"path":"\#(path)"}}"#)[0]
        let result = try #require(try Value(json: line)["result"], "\(line)")
        return result["because"]?.json ?? "nothing"
    }

    private func ask(_ client: FakeClient, _ method: String, _ params: String) {
        let answer = client.ask(#"{"id":1,"method":"\#(method)","params":{\#(params)}}"#)
        #expect(answer.last?.contains(#""result""#) == true, "\(answer)")
    }

    private let origin = #""origin":{"pid":1001,"uid":501}"#

    @Test func `the current player changed because its status did`() throws {
        let client = try SelectionTranscriptTests.client()
        ask(client, "set", #""path":"media.players.mpv.status","value":"Playing""#)
        #expect(
            try because(client, "media.now.title")
                == #"{"revision":3,"steps":[{"path":"media.now","computed":true},{"path":"media.players.mpv.status",\#(origin)}]}"#
        )
        #expect(
            try because(client, "media.line")
                == #"{"revision":3,"steps":[{"path":"media.line","computed":true},{"path":"media.now","computed":true},{"path":"media.players.mpv.status",\#(origin)}]}"#
        )
        // The reasons are those of then, whatever has happened since.
        ask(client, "set", #""path":"media.players.vlc.title","value":"Metropolis""#)
        ask(client, "remove", #""path":"media.players.vlc""#)
        #expect(
            try because(client, "media.line").hasPrefix(
                #"{"revision":3,"steps":[{"path":"media.line","computed":true},{"path":"media.now""#
            )
        )
        ask(client, "remove", #""path":"media.players.mpv""#)
        #expect(
            try because(client, "media.line")
                == #"{"revision":6,"steps":[{"path":"media.line","computed":true},{"path":"media.now","computed":true},{"path":"media.players.mpv",\#(origin)}]}"#
        )
    }

    @Test func `bindings in both directions, released models and expired values`() throws {
        let clock = TestClock()
        let hub = Hub.with([("a", #"{"x":1,"m":{"k":1}}"#), ("b", #"{"y":null,"z":null}"#)], clock: clock)
        let client = FakeClient(hub)
        ask(client, "bind", #""source":"a.x","target":"b.y","twoWay":true"#)
        ask(client, "bind", #""source":"b.y","target":"b.z""#)
        ask(client, "link", #""path":"a.w","target":"a.m","weak":true"#)
        ask(client, "set", #""path":"a.x","value":2"#)
        #expect(
            try because(client, "b.z")
                == #"{"revision":6,"steps":[{"path":"b.z","binding":2},{"path":"b.y","binding":1},{"path":"a.x",\#(origin)}]}"#
        )
        ask(client, "set", #""path":"b.y","value":3"#)
        #expect(
            try because(client, "a.x")
                == #"{"revision":7,"steps":[{"path":"a.x","binding":1},{"path":"b.y",\#(origin)}]}"#
        )
        ask(client, "remove", #""path":"a.m""#)
        #expect(
            try because(client, "a.w.k")
                == #"{"revision":8,"steps":[{"path":"a.w","released":true,\#(origin)}]}"#
        )
        ask(client, "set", #""path":"a.x","value":9,"lifetime":50"#)
        clock.pass(milliseconds: 60, in: hub)
        #expect(
            try because(client, "b.z")
                == #"{"revision":10,"steps":[{"path":"b.z","binding":2},{"path":"b.y","binding":1},{"path":"a.x","origin":{"lifetime":50}}]}"#
        )
        ask(client, "unbind", #""binding":2"#)
        #expect(
            try because(client, "b.z")
                == #"{"revision":10,"steps":[{"path":"b.z","binding":2,"origin":{"lifetime":50,"binding":2}}]}"#
        )
        #expect(hub.tree.faults().isEmpty)
    }

    @Test func `without a change in the history there is none`() throws {
        var limits = ServerLimits()
        limits.tree.maxHistoryCommits = 2
        let client = FakeClient(Hub.with([("a", #"{"x":1}"#), ("b", "1")], limits: limits))
        for value in 2...4 { ask(client, "set", #""path":"b","value":\#(value)"#) }
        #expect(try because(client, "a.x") == "null" && because(client, "none.x") == "null")
        #expect(try because(client, "observed.connections") == "null")
        #expect(try because(client, "b.x").hasPrefix(#"{"revision":5,"steps":[{"path":"b","#))
        // Of one commit, the first on the path.
        ask(client, "set", #""path":"a","value":{"x":{"y":1}}"#)
        #expect(try because(client, "a.x.y") == #"{"revision":6,"steps":[{"path":"a",\#(origin)}]}"#)
    }

    @Test func `a chain has at most 64 steps, and no property twice`() throws {
        let client = FakeClient(Hub.with([("a", #"{"p0":0}"#)]))
        for index in 1...80 {
            ask(client, "set", #""path":"a.p\#(index)","value":0"#)
            ask(client, "bind", #""source":"a.p\#(index - 1)","target":"a.p\#(index)""#)
        }
        ask(client, "bind", #""source":"a.p80","target":"a.p0""#)
        ask(client, "set", #""path":"a.p0","value":1"#)
        let long = try Value(json: because(client, "a.p80"))["steps"]?.array ?? []
        #expect(long.count == 64 && long.last?["path"] == "a.p17" && long.last?["origin"]?["binding"] == 17)
        #expect(try Value(json: because(client, "a.p9"))["steps"]?.array?.count == 10)
    }

    @Test func `a restricted client gets the steps that it may read`() throws {
        let hub = Hub.with([("a", #"{"x":1,"y":null}"#), ("b", #"{"m":null,"n":null}"#)])
        let writer = FakeClient(hub)
        ask(writer, "bind", #""source":"a.x","target":"a.y""#)
        ask(writer, "bind", #""source":"a.y","target":"b.m""#)
        ask(writer, "bind", #""source":"b.m","target":"b.n""#)
        ask(writer, "set", #""path":"a.x","value":2"#)
        for (read, expected) in [
            ([["b"]], #"{"path":"b.n","binding":3},{"path":"b.m","binding":2}],"hidden":2}"#),
            (
                [["b", "n"], ["a", "x"]],
                #"{"path":"b.n","binding":3},{"path":"a.x",\#(origin)}],"hidden":2}"#
            ),
            ([["b", "n"]], #"{"path":"b.n","binding":3}],"hidden":3}"#),
            (
                [[]],
                #"{"path":"b.n","binding":3},{"path":"b.m","binding":2},{"path":"a.y","binding":1},{"path":"a.x",\#(origin)}]}"#
            ),
        ] {
            let client = FakeClient(hub, token: 2, grant: Grant(read: read.map(PathPrefix.init), write: []))
            #expect(try because(client, "b.n") == #"{"revision":6,"steps":[\#(expected)"#)
            client.close()
        }
        // The component that changed last is above what it may read.
        ask(writer, "set", #""path":"c","value":{"x":{"y":1}}"#)
        let client = FakeClient(hub, token: 2, grant: Grant(read: [PathPrefix(["c", "x"])], write: []))
        #expect(try because(client, "c.x.y") == #"{"revision":7,"steps":[],"hidden":1}"#)
    }

    @Test func `the way back counts as work`() throws {
        let client = FakeClient(Hub.with([("a", "0"), ("b", "0")]))
        for value in 1...900 { client.push(#"{"method":"set","params":{"path":"b","value":\#(value)}}"#) }
        client.hub.clients.beginTurn()
        for _ in 0..<2 { client.push(#"{"id":1,"method":"explain","params":{"path":"a"}}"#) }
        #expect(client.hub.clients.isTurnOver)
        client.hub.clients.endTurn()
    }
}
