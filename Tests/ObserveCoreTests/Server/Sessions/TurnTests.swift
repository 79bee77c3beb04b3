// SPDX-License-Identifier: MIT
// Turns: a client's requests are executed in pieces, with the same results.

import Testing

@testable import ObserveCore

@Suite struct TurnTests {
    private static let roots = [("a", #"{"x":0,"y":{"k":1},"n":[1,2,3]}"#)]

    /// Sends bytes as the event loop does, in turns of so many units. `between` is called after each turn but the last.
    private func send(_ text: String, _ client: FakeClient, turn: UInt64, between: () -> Void = {}) {
        client.hub.sessions.turns.turn = turn
        var input = Array(text.utf8)
        while true {
            client.hub.beginTurn()
            let isDone = ByteView.with(input) { client.hub.receive($0, from: client.session) }
            client.hub.endTurn()
            let isSuspended = client.hub.sessions.suspendedBatch(of: client.session) != nil
            let isLast = !isSuspended && client.session.lines.keptBytes == 0
            if isDone || isLast || client.session.delivery.closing != nil { return }
            input = []
            between()
        }
    }

    private static func line(_ id: Int, _ method: String, _ params: String) -> String {
        #"{"id":\#(id),"method":"\#(method)","params":{\#(params)}}"#
    }

    private static let requests = [
        line(1, "subscribe", #""paths":["a.x","a.*","a.n.@sum"]"#),
        line(2, "set", #""path":"a.x","value":1"#),
        line(3, "set", #""path":"a.y","value":{"k":2,"l":[1]}"#),
        line(4, "get", #""path":"a.none""#),
        line(5, "insert", #""path":"a.n","value":7"#),
        #"{"method":"set","params":{"path":"a.x","value":2}}"#,
        "1",
        line(6, "subscribe", #""path":"a.y.**","tag":"t""#),
        line(7, "set", #""path":"a.y.k","value":3"#),
        line(8, "unsubscribe", #""subscription":1"#),
        line(9, "set", #""path":"a.x","value":4"#),
    ]

    private func epochless(_ lines: [String], _ hub: Hub) -> [String] {
        lines.map { $0.replacing(hub.epoch, with: "EPOCH") }
    }

    @Test(arguments: [1, 15, 40, 100_000] as [UInt64])
    func `turns of any length give the same lines`(turn: UInt64) {
        let (whole, parts) = (Hub.with(Self.roots), Hub.with(Self.roots))
        let (one, other) = (FakeClient(whole), FakeClient(parts))
        let text = Self.requests.joined(separator: "\n") + "\n"
        one.send(bytes: Array(text.utf8))
        var turns = 1
        send(text, other, turn: turn) { turns += 1 }
        #expect(epochless(other.take(), parts) == epochless(one.take(), whole))
        #expect(turn != 1 || turns == Self.requests.count)
        #expect(turn != 100_000 || turns == 1)
    }

    @Test(arguments: [1, 15, 40, 100_000] as [UInt64])
    func `a batch is one line in turns of any length`(turn: UInt64) {
        let (whole, parts) = (Hub.with(Self.roots), Hub.with(Self.roots))
        let (one, other) = (FakeClient(whole), FakeClient(parts))
        let text = "[" + Self.requests.joined(separator: ", ") + "]\n"
        one.send(bytes: Array(text.utf8))
        var turns = 1
        send(text, other, turn: turn) { turns += 1 }
        #expect(epochless(other.take(), parts) == epochless(one.take(), whole))
        #expect(other.session.figures.requests == one.session.figures.requests)
        #expect(turn != 1 || turns == Self.requests.count)
    }

    @Test func `others write between two requests of a batch, and events follow its answer`() {
        let hub = Hub.with(Self.roots)
        let (client, other) = (FakeClient(hub, token: 1), FakeClient(hub, token: 2))
        let batch = [
            Self.line(1, "subscribe", #""path":"a.x""#), Self.line(2, "get", #""path":"a.x""#),
            Self.line(3, "get", #""path":"a.x""#),
        ]
        var value = 0
        send("[\(batch.joined(separator: ","))]\n", client, turn: 1) {
            value += 1
            _ = other.ask(Self.line(9, "set", #""path":"a.x","value":\#(value)"#))
            #expect(client.take().isEmpty)
        }
        let lines = client.take()
        #expect(value == 2 && lines.count == 2, "\(lines)")
        #expect(
            lines[0].contains(#""id":2,"result":{"value":1,"#)
                && lines[0].contains(#""id":3,"result":{"value":2,"#)
        )
        #expect(lines[1].contains(#""path":"a.x","reason":"initial","new":2,"revision":"#))
    }

    @Test func `a suspended batch has no event of another client's subscription`() {
        let hub = Hub.with([("a", #"{"x":0,"y":1}"#), ("b", "7")])
        let (first, second) = (FakeClient(hub, token: 1), FakeClient(hub, token: 2))
        let writer = FakeClient(hub, token: 3)
        let ping = Self.line(8, "ping", "")
        let batches = [#""path":"a.*""#, #""path":"b""#].map {
            "[\(Self.line(1, "subscribe", $0)),\(ping),\(ping)]\n"
        }
        var isFirst = true
        send(batches[0], first, turn: 1) {
            guard isFirst else { return }
            isFirst = false
            // The attachments of these paths are free then, and the next subscription has one of them.
            _ = writer.ask(Self.line(9, "merge", #""path":"a","value":{"x":null,"y":null}"#))
            _ = writer.ask(Self.line(9, "remove", #""path":"a.x""#))
            _ = writer.ask(Self.line(9, "remove", #""path":"a.y""#))
            hub.beginTurn()
            _ = ByteView.with(Array(batches[1].utf8)) { hub.receive($0, from: second.session) }
            hub.endTurn()
            #expect(hub.sessions.suspendedBatch(of: second.session) != nil)
        }
        #expect(first.take().count == 1)
        send("", second, turn: 1)
        let lines = second.take()
        #expect(lines.count == 2 && lines[1].contains(#""path":"b","reason":"initial","new":7"#), "\(lines)")
    }

    @Test func `before an upgrade, suspended batches are answered`() {
        let hub = Hub.with(Self.roots)
        let client = FakeClient(hub, token: 1)
        hub.sessions.turns.turn = 1
        hub.beginTurn()
        let requests = (1...5).map { Self.line($0, "increment", #""path":"a.x""#) }
        _ = ByteView.with(Array("[\(requests.joined(separator: ","))]\n".utf8)) {
            hub.receive($0, from: client.session)
        }
        hub.endTurn()
        #expect(client.hub.sessions.suspendedBatch(of: client.session) != nil && client.take().isEmpty)
        hub.finishBatches()
        let lines = client.take()
        let last = #""id":5,"result":{"revision":6,"changed":true,"value":5}}]"#
        #expect(lines.count == 1 && lines[0].hasSuffix(last), "\(lines)")
    }

    @Test func `requests that a refused batch repeats are executed in one turn`() throws {
        let daemon = try JournaledHub()
        daemon.ask("set", #""path":"a","value":0"#)
        daemon.hub.sessions.turns.turn = 1
        let (other, client) = (daemon.client(2), daemon.client(3))
        daemon.disk.isFull = true
        let batch = (1...3).map { Self.line($0, "set", #""path":"a","value":\#($0)"#) }.joined(separator: ",")
        // Whole, so that it waits for the flush. The next client's turn is over when the journal refuses it.
        _ = ByteView.with(Array("[\(batch)]\n".utf8)) { daemon.hub.receive($0, from: other.session) }
        daemon.hub.beginTurn()
        _ = ByteView.with(Array("[\(batch)]\n".utf8)) { daemon.hub.receive($0, from: client.session) }
        daemon.hub.endTurn()
        let lines = other.take()
        #expect(lines.count == 1 && lines[0].contains(#"{"jsonrpc":"2.0","id":3,"error""#), "\(lines)")
        #expect(daemon.hub.sessions.suspendedBatch(of: other.session) == nil)
    }

    @Test func `of a client that has gone, the hub executes what may change the state`() {
        let hub = Hub.with(Self.roots)
        let (client, other) = (FakeClient(hub, token: 1), FakeClient(hub, token: 2))
        client.session.hasLeft = true
        let sets = [Self.line(1, "get", #""path":"a""#), Self.line(2, "set", #""path":"a.x","value":5"#)]
        send(
            sets.joined(separator: "\n") + "\n[" + sets[0] + "," + Self.line(3, "remove", #""path":"a.n""#)
                + "]\n",
            client,
            turn: 1
        )
        #expect(client.take().allSatisfy { !$0.contains(#""id":1,"#) })
        #expect(other.ask(Self.line(1, "get", #""path":"a""#))[0].contains(#"{"value":{"x":5,"y":{"k":1}},"#))
    }

    @Test func `a session with many subscriptions ends in several turns, and hears nothing more`() {
        let hub = Hub.with(Self.roots)
        let (client, writer) = (FakeClient(hub, token: 1), FakeClient(hub, token: 2))
        for _ in 0..<100 { client.send(Self.line(1, "subscribe", #""path":"a.x""#)) }
        client.send(Self.line(1, "subscribe", #""path":"a.**""#))
        _ = client.take()
        hub.sessions.turns.turn = 50
        hub.close(client.session)
        var turns = 1
        while !hub.sessions.departing.isEmpty {
            turns += 1
            _ = writer.ask(Self.line(2, "set", #""path":"a.x","value":\#(turns)"#))
            hub.continueClosing()
        }
        #expect(turns > 5)
        #expect(!client.session.hasOutput)
        #expect(hub.metrics.subscriptions == 0)
        writer.close()
        #expect(hub.clientRecords == Hub.noClientRecords)
    }
}
