// SPDX-License-Identifier: MIT
// A subscribe with many paths, and the end of many subscriptions, in several turns.

import Testing

@testable import ObserveCore

@Suite struct SubscribeTurnTests {
    private static let roots = [("a", #"{"x":0,"y":{"k":1},"n":[1,2,3]}"#)]

    private static func line(_ id: Int, _ method: String, _ params: String) -> String {
        #"{"id":\#(id),"method":"\#(method)","params":{\#(params)}}"#
    }

    @Test func `others are served before many paths are parsed, and a faulty one at the end leaves nothing`()
    {
        let hub = Hub.with(Self.roots)
        let (client, other) = (FakeClient(hub, token: 1), FakeClient(hub, token: 2))
        let paths = (0..<100).map { #""a[x != \#($0 + 1)].n.\#($0)""# }
        func subscribe(_ further: String) -> (turns: Int, lines: [String]) {
            var turns = 0
            let text = paths.joined(separator: ",") + further
            client.send(Self.line(1, "subscribe", #""paths":[\#(text)],"initial":false"#) + "\n", turn: 50) {
                turns += 1
                #expect(other.ask(Self.line(2, "ping", "")).count == 1)
            }
            return (turns, client.take())
        }
        let refused = subscribe(#","a..b""#)
        #expect(refused.turns > 5 && refused.lines.count == 1)
        #expect(refused.lines[0].contains("component 2 of the key path is empty"))
        #expect(client.session.subscriptions.isEmpty && client.session.subscriptions.further.attached == nil)
        #expect(hub.clients.metrics.subscriptions == 0)
        let made = subscribe("")
        #expect(made.turns > refused.turns && made.lines.count == 1)
        _ = other.ask(Self.line(3, "set", #""path":"a.n.2","value":4"#))
        #expect(client.take().count == 1)
        client.close()
        other.close()
        #expect(hub.clientRecords == Hub.noClientRecords && hub.tree.faults() == [])
    }

    @Test func `a path that a declared type comes to lack between the turns of a subscribe is observed`()
        throws
    {
        let hub = Hub.with(Self.roots + [("u", #"{"m":null}"#)])
        try TypedTree.declare([TypeDeclaration("T", "x: Int")], [("t", "T", nil)], in: hub.tree)
        let (client, other) = (FakeClient(hub, token: 1), FakeClient(hub, token: 2))
        var answers: [String] = []
        client.send(Self.line(1, "subscribe", #""paths":["a.*","u.m.foo"]"#) + "\n", turn: 1) {
            guard answers.isEmpty, client.session.subscriptions.further.preparation != nil else { return }
            answers = other.ask(Self.line(2, "link", #""path":"u.m","target":"t""#))
        }
        #expect(answers.first?.contains("result") == true)
        #expect(client.take().first?.contains(#""initial":4"#) == true)
        _ = client.ask(Self.line(3, "unsubscribe", #""subscription":1"#))
        client.close()
        other.close()
        #expect(hub.clientRecords == Hub.noClientRecords && hub.tree.faults() == [])
    }

    @Test func `a connection that closes while its paths are parsed leaves nothing`() {
        let hub = Hub.with(Self.roots)
        let client = FakeClient(hub)
        hub.clients.sessions.turns.turn = 1
        hub.clients.beginTurn()
        client.send(Self.line(1, "subscribe", #""paths":["a.x","a.n","a.*"]"#))
        hub.clients.endTurn()
        #expect(client.session.suspended != nil)
        client.close()
        #expect(hub.clientRecords == Hub.noClientRecords && hub.clients.metrics.subscriptions == 0)
    }

    @Test func `a session with many subscriptions ends in several turns, and hears nothing more`() {
        let hub = Hub.with(Self.roots)
        let (client, writer) = (FakeClient(hub, token: 1), FakeClient(hub, token: 2))
        for _ in 0..<100 { client.send(Self.line(1, "subscribe", #""path":"a.x""#)) }
        client.send(Self.line(1, "subscribe", #""path":"a.**""#))
        _ = client.take()
        hub.clients.sessions.turns.turn = 50
        hub.close(client.session)
        var turns = 1
        while !hub.clients.sessions.departing.isEmpty {
            turns += 1
            _ = writer.ask(Self.line(2, "set", #""path":"a.x","value":\#(turns)"#))
            hub.clients.continueClosing()
        }
        #expect(turns > 5)
        #expect(!client.session.hasOutput)
        #expect(hub.clients.metrics.subscriptions == 0)
        writer.close()
        #expect(hub.clientRecords == Hub.noClientRecords)
    }

    @Test func `a suspended subscribe of a batch whose answer became too long leaves nothing`() {
        var limits = ServerLimits()
        let hub = Hub.with(Self.roots, limits: limits)
        let client = FakeClient(hub)
        let batch = [
            Self.line(1, "get", #""path":"a""#),
            Self.line(2, "subscribe", #""paths":["a.x","a.n"],"initial":false"#),
        ]
        client.send("[\(batch.joined(separator: ","))]\n", turn: 1) {
            guard client.session.subscriptions.further.attached != nil else { return }
            limits.clients.maxOutboxBytes = 16
            hub.clients.adopt(limits)
        }
        #expect(client.take().first?.contains("maxOutboxBytes") == true)
        #expect(client.session.subscriptions.further.attached == nil && client.session.subscriptions.isEmpty)
        client.close()
        #expect(hub.clientRecords == Hub.noClientRecords)
    }

    @Test func `a suspended load of a batch whose answer became too long leaves nothing`() {
        var limits = ServerLimits()
        let hub = Hub.with(Self.roots, limits: limits)
        let client = FakeClient(hub)
        let numbers = Array(repeating: "1", count: 2000).joined(separator: ",")
        let batch = [
            Self.line(1, "get", #""path":"a""#),
            Self.line(2, "load", #""path":"a.x","text":"[\#(numbers)]""#),
        ]
        var wasSuspended = false
        client.send("[\(batch.joined(separator: ","))]\n", turn: 1) {
            guard client.session.intake != nil else { return }
            wasSuspended = true
            limits.clients.maxOutboxBytes = 16
            hub.clients.adopt(limits)
        }
        #expect(wasSuspended)
        #expect(client.take().first?.contains("maxOutboxBytes") == true)
        #expect(client.session.intake == nil)
        client.close()
        #expect(hub.clientRecords == Hub.noClientRecords)
    }

    @Test func `a single initial event counts as work of its client's turn`() {
        let elements = [String](repeating: "0", count: 20_000).joined(separator: ",")
        let client = FakeClient(Hub.with([("a", "[\(elements)]")]))
        let clients = client.hub.clients
        clients.sessions.turns.turn = 1000
        for wantsInitial in [false, true] {
            clients.beginTurn()
            client.push(Self.line(1, "subscribe", #""path":"a","initial":\#(wantsInitial)"#))
            #expect(clients.isTurnOver == wantsInitial)
            clients.endTurn()
            #expect(client.take().count == (wantsInitial ? 2 : 1))
        }
    }
}
