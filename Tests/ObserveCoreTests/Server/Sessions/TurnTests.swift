// SPDX-License-Identifier: MIT
// Turns: a client's requests are executed in pieces, with the same results.

import Testing

@testable import ObserveCore

@Suite struct TurnTests {
    private static let roots = [("a", #"{"x":0,"y":{"k":1},"n":[1,2,3]}"#)]

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
        lines.map { $0.replacing(hub.journaling.epoch, with: "EPOCH") }
    }

    @Test(arguments: [1, 15, 40, 100_000] as [UInt64])
    func `turns of any length give the same lines`(turn: UInt64) {
        let (whole, parts) = (Hub.with(Self.roots), Hub.with(Self.roots))
        let (one, other) = (FakeClient(whole), FakeClient(parts))
        let text = Self.requests.joined(separator: "\n") + "\n"
        one.send(bytes: Array(text.utf8))
        var turns = 1
        other.send(text, turn: turn) { turns += 1 }
        #expect(epochless(other.take(), parts) == epochless(one.take(), whole))
        // The initial events of a subscription to several paths take turns of their own.
        #expect(turn != 1 || turns >= Self.requests.count)
        #expect(turn != 100_000 || turns == 1)
    }

    @Test(arguments: [1, 15, 40, 100_000] as [UInt64])
    func `a batch is one line in turns of any length`(turn: UInt64) {
        let (whole, parts) = (Hub.with(Self.roots), Hub.with(Self.roots))
        let (one, other) = (FakeClient(whole), FakeClient(parts))
        let text = "[" + Self.requests.joined(separator: ", ") + "]\n"
        one.send(bytes: Array(text.utf8))
        var turns = 1
        other.send(text, turn: turn) { turns += 1 }
        #expect(epochless(other.take(), parts) == epochless(one.take(), whole))
        #expect(other.session.figures.requests == one.session.figures.requests)
        // The initial events of a subscription to several paths take turns of their own.
        #expect(turn != 1 || turns >= Self.requests.count)
    }

    @Test(arguments: [#""path":"a.*""#, #""path":"a.*.k""#, #""path":"a.*.*""#, "", "batch"], [false, true])
    func `an unsubscribe takes turns, and no event follows its answer`(kind: String, isShared: Bool) {
        let members = (0..<40).map { #""p\#($0)":{"k":0,"l":0}"# }.joined(separator: ",")
        let hub = Hub.with([("a", "{\(members)}")])
        let (client, other) = (FakeClient(hub, token: 1), FakeClient(hub, token: 2))
        let literal = #""paths":["# + (0..<40).map { #""a.p\#($0).k""# }.joined(separator: ",") + "]"
        let params = (kind.isEmpty || kind == "batch" ? literal : kind) + #","initial":false"#
        _ = client.ask(Self.line(1, "subscribe", params))
        if isShared { _ = other.ask(Self.line(1, "subscribe", params)) }
        let end = Self.line(2, "unsubscribe", #""subscription":1"#)
        var turns = 0
        func write() {
            // Matches that end next, matches that have ended, and new ones.
            for name in ["p\(turns)", "p\(4 * turns % 40)", "p\((4 * turns + 5) % 40)", "new\(turns)"] {
                other.send(#"{"method":"remove","params":{"path":"a.\#(name)"}}"#)
                other.send(#"{"method":"set","params":{"path":"a.\#(name)","value":{"k":\#(turns)}}}"#)
                other.send(#"{"method":"set","params":{"path":"a.\#(name).k","value":-1}}"#)
            }
            #expect(hub.tree.faults() == [])
        }
        client.send((kind == "batch" ? "[\(end)]" : end) + "\n", turn: 1) {
            turns += 1
            write()
        }
        #expect(turns >= 5)
        let answer = #"{"jsonrpc":"2.0","id":2,"result":{}}"#
        // Silent from the request on: some of its events without the others would be of no commit.
        #expect(client.take() == [kind == "batch" ? "[\(answer)]" : answer])
        write()
        #expect(client.take().isEmpty)
        #expect(client.session.subscriptions.isEmpty && client.session.subscriptions.pathCount == 0)
        if !isShared { #expect(!hub.tree.reader.isObserved) }
        #expect(hub.tree.faults() == [])
        #expect(client.ask(Self.line(3, "subscribe", params)).last?.contains(#""subscription":2,"#) == true)
        #expect(hub.tree.faults() == [])
    }

    @Test func `others write between two requests of a batch, and events follow its answer`() {
        let hub = Hub.with(Self.roots)
        let (client, other) = (FakeClient(hub, token: 1), FakeClient(hub, token: 2))
        let batch = [
            Self.line(1, "subscribe", #""path":"a.x""#), Self.line(2, "get", #""path":"a.x""#),
            Self.line(3, "get", #""path":"a.x""#),
        ]
        var value = 0
        client.send("[\(batch.joined(separator: ","))]\n", turn: 1) {
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
        first.send(batches[0], turn: 1) {
            guard isFirst else { return }
            isFirst = false
            // The attachments of these paths are free then, and the next subscription has one of them.
            _ = writer.ask(Self.line(9, "merge", #""path":"a","value":{"x":null,"y":null}"#))
            _ = writer.ask(Self.line(9, "remove", #""path":"a.x""#))
            _ = writer.ask(Self.line(9, "remove", #""path":"a.y""#))
            hub.clients.beginTurn()
            _ = ByteView.with(Array(batches[1].utf8)) { hub.receive($0, from: second.session) }
            hub.clients.endTurn()
            #expect(second.session.suspended != nil)
        }
        #expect(first.take().count == 1)
        second.send("", turn: 1)
        let lines = second.take()
        #expect(lines.count == 2 && lines[1].contains(#""path":"b","reason":"initial","new":7"#), "\(lines)")
    }

    @Test func `before an upgrade, suspended batches are answered`() {
        let hub = Hub.with(Self.roots)
        let client = FakeClient(hub, token: 1)
        hub.clients.sessions.turns.turn = 1
        hub.clients.beginTurn()
        let requests = (1...5).map { Self.line($0, "increment", #""path":"a.x""#) }
        _ = ByteView.with(Array("[\(requests.joined(separator: ","))]\n".utf8)) {
            hub.receive($0, from: client.session)
        }
        hub.clients.endTurn()
        #expect(client.session.suspended != nil && client.take().isEmpty)
        hub.finishSuspended()
        let lines = client.take()
        let last = #""id":5,"result":{"revision":6,"changed":true,"value":5}}]"#
        #expect(lines.count == 1 && lines[0].hasSuffix(last), "\(lines)")
    }

    @Test func `of a client that has gone, the hub executes what may change the state`() {
        let hub = Hub.with(Self.roots)
        let (client, other) = (FakeClient(hub, token: 1), FakeClient(hub, token: 2))
        client.session.input.hasLeft = true
        let sets = [Self.line(1, "get", #""path":"a""#), Self.line(2, "set", #""path":"a.x","value":5"#)]
        client.send(
            sets.joined(separator: "\n") + "\n[" + sets[0] + "," + Self.line(3, "remove", #""path":"a.n""#)
                + "]\n",
            turn: 1
        )
        #expect(client.take().allSatisfy { !$0.contains(#""id":1,"#) })
        #expect(other.ask(Self.line(1, "get", #""path":"a""#))[0].contains(#"{"value":{"x":5,"y":{"k":1}},"#))
    }

    /// Before, they delayed others by what they look at and do not show.
    @Test func `explain and bindings count the bindings, the paths and the patterns that they visit`() {
        let hub = Hub.with(Self.roots)
        let client = FakeClient(hub, token: 1)
        for number in 1...50 {
            client.send(Self.line(1, "bind", #""source":"a.x","target":"a.t\#(number)""#))
            client.send(Self.line(1, "subscribe", #""path":"a.y.k\#(number)","initial":false"#))
            client.send(Self.line(1, "subscribe", #""path":"*.none","initial":false"#))
        }
        func work(_ path: String) -> UInt64 {
            let before = hub.tree.reader.work
            client.send(Self.line(1, "explain", #""path":"\#(path)""#))
            return hub.tree.reader.work - before
        }
        // Both directions visit all bindings.
        #expect(work("other.none") >= 2 * 50 * 2 + 50 / 2)
        // The bindings as edges, then all of them; and the paths below.
        #expect(work("a.x") >= 2 * 50 * 2 + 50 / 2)
        #expect(work("a.y") >= 50 * 2 + 50 + 50 / 2)
        let guest = FakeClient(hub, token: 2, grant: Grant(read: [PathPrefix(["other"])], write: []))
        hub.clients.sessions.turns.turn = 100
        hub.clients.beginTurn()
        guest.push(Self.line(1, "bindings", ""))
        let isTurnOver = hub.clients.isTurnOver
        hub.clients.endTurn()
        #expect(isTurnOver && guest.take()[0].contains(#""bindings":[]"#))
    }

    /// Parts of a value, with a part that comes alone and a fault in one.
    private static let loads = [
        line(1, "load", #""path":"a.l","text":"[1,2,[3,\"x\"],","last":false"#),
        line(2, "load", #""part":1,"text":"{\"k\":[4,5,6,7,8,9,10,11]},12,13,14]""#),
        line(3, "load", #""path":"a.m","text":"{\"n\":[1,2,3,4,5,6,7,8],\"o\":true}""#),
        line(4, "load", #""path":"a.m","text":"[1,2,3,4,5,6,7,8,9,10,11,x]""#),
        line(5, "load", #""path":"a.m.none.k","text":"[1,2,3,4,5,6,7,8,9,10,11]""#),
        #"{"method":"load","params":{"path":"a.n","text":"[1,2,3,4,5,6,7,8,9]"}}"#,
        line(6, "load", #""part":1,"text":"7""#),
        line(7, "get", #""path":"a""#),
    ]

    @Test(arguments: [1, 15, 40, 100_000] as [UInt64], [false, true])
    func `a load in turns of any length is one commit with one answer`(turn: UInt64, isBatch: Bool) throws {
        let (whole, parts) = (try JournaledHub(), try JournaledHub())
        for daemon in [whole, parts] {
            daemon.ask("set", #""path":"a","value":{"n":0}"#)
            daemon.client(2).send(Self.line(1, "subscribe", #""paths":["a.**"],"initial":false"#))
        }
        let text =
            isBatch ? "[\(Self.loads.joined(separator: ","))]\n" : Self.loads.joined(separator: "\n") + "\n"
        whole.client(3).send(bytes: Array(text.utf8))
        var turns = 1
        parts.client(3).send(text, turn: turn) { turns += 1 }
        #expect(epochless(parts.client(3).take(), parts.hub) == epochless(whole.client(3).take(), whole.hub))
        #expect(epochless(parts.client(2).take(), parts.hub) == epochless(whole.client(2).take(), whole.hub))
        #expect(parts.client(3).session.figures.requests == whole.client(3).session.figures.requests)
        #expect(parts.client(3).session.intake == nil)
        #expect(turn != 1 || turns > 2 * Self.loads.count)
        #expect(turn != 100_000 || turns == 1)
        for daemon in [whole, parts] { try daemon.restart() }
        #expect(parts.dump == whole.dump)
    }

    /// Sends a line for one turn, after which its load is suspended.
    private func begin(_ line: String, _ client: FakeClient) {
        client.hub.clients.sessions.turns.turn = 1
        client.hub.clients.beginTurn()
        _ = ByteView.with(Array((line + "\n").utf8)) { client.hub.receive($0, from: client.session) }
        client.hub.clients.endTurn()
        #expect(client.session.suspended != nil)
        #expect(client.session.intake?.isComplete == true)
    }

    private static let longLoad = line(
        2,
        "load",
        #""path":"a.l","text":"[1,2,{\"k\":{\"l\":3}},{},5,6,7,8,9,10,11,12,13]""#
    )

    @Test func `others write while a load is suspended, and its commit comes later`() {
        let hub = Hub.with(Self.roots)
        let (client, other) = (FakeClient(hub, token: 1), FakeClient(hub, token: 2))
        begin(Self.longLoad, client)
        #expect(client.take().isEmpty)
        #expect(other.ask(Self.line(1, "set", #""path":"a.x","value":1"#))[0].contains(#""revision":2"#))
        client.send("", turn: 1)
        #expect(client.take() == [#"{"jsonrpc":"2.0","id":2,"result":{"revision":3,"changed":true}}"#])
        #expect(hub.tree.faults() == [])
    }

    @Test func `a suspended load of a closed connection leaves nothing`() {
        let hub = Hub.with(Self.roots)
        let client = FakeClient(hub)
        let before = (hub.tree.stateDump, hub.tree.usedBytes)
        begin(Self.longLoad, client)
        hub.clients.account(client.session)
        #expect(hub.clients.sessions.buffered.total > 0)
        client.close()
        #expect(client.session.intake == nil && client.session.suspended == nil)
        #expect(hub.clients.sessions.buffered.total == 0 && hub.clientRecords == Hub.noClientRecords)
        #expect((hub.tree.stateDump, hub.tree.usedBytes) == before)
    }

    @Test func `before an upgrade, a suspended load is answered`() {
        let hub = Hub.with(Self.roots)
        let client = FakeClient(hub)
        begin(Self.longLoad, client)
        hub.finishSuspended()
        #expect(client.take() == [#"{"jsonrpc":"2.0","id":2,"result":{"revision":2,"changed":true}}"#])
    }

    private func takeTurn(_ client: FakeClient) {
        client.hub.clients.beginTurn()
        _ = client.hub.receive(ByteView(""), from: client.session)
        client.hub.clients.endTurn()
    }

    /// Sends a load, and lets it have turns until the first of its arrays is begun.
    private func beginBuilding(_ line: String, _ client: FakeClient) {
        begin(line, client)
        while case .value(_, let value) = client.session.intake?.content, !value.isBuilding {
            takeTurn(client)
        }
        takeTurn(client)
        #expect(client.session.suspended != nil)
    }

    /// Gives each a turn, again and again, until neither has a suspended line.
    private func finish(_ clients: FakeClient...) {
        for _ in 0..<1000 where clients.contains(where: { $0.session.suspended != nil }) {
            for client in clients { takeTurn(client) }
        }
    }

    private static let shortLoad = line(3, "load", #""path":"a.m","text":"[1,2,3]""#)

    @Test func `one load is built at a time, and the next one when it is assigned or dropped`() {
        let hub = Hub.with(Self.roots)
        let (first, second) = (FakeClient(hub, token: 1), FakeClient(hub, token: 2))
        beginBuilding(Self.longLoad, first)
        begin(Self.shortLoad, second)
        finish(first, second)
        #expect(first.take() == [#"{"jsonrpc":"2.0","id":2,"result":{"revision":2,"changed":true}}"#])
        #expect(second.take() == [#"{"jsonrpc":"2.0","id":3,"result":{"revision":3,"changed":true}}"#])
        beginBuilding(Self.longLoad.replacing("[1,", with: "[0,"), first)
        begin(Self.shortLoad.replacing("[1,", with: "[0,"), second)
        first.close()
        finish(second)
        #expect(second.take() == [#"{"jsonrpc":"2.0","id":3,"result":{"revision":4,"changed":true}}"#])
        #expect(hub.tree.faults() == [])
    }

    @Test func `the models of a dropped load are freed before the next one is built`() {
        let hub = Hub.with(Self.roots)
        let (first, second) = (FakeClient(hub, token: 1), FakeClient(hub, token: 2))
        let before = (hub.tree.stateDump, hub.tree.usedBytes, hub.tree.modelCount)
        beginBuilding(Self.longLoad, first)
        for _ in 0..<100 where hub.tree.records.staging.modelCount < 3 { takeTurn(first) }
        #expect((hub.tree.stateDump, hub.tree.usedBytes, hub.tree.modelCount) == before)
        #expect(hub.tree.faults() == [] && !hub.tree.hasUnfreed)
        first.close()
        #expect(hub.tree.faults() == [] && hub.tree.hasUnfreed && hub.tree.records.staging.modelCount == 3)
        begin(Self.shortLoad, second)
        finish(second)
        #expect(second.take() == [#"{"jsonrpc":"2.0","id":3,"result":{"revision":2,"changed":true}}"#])
        #expect(hub.tree.faults() == [] && !hub.tree.hasUnfreed && hub.tree.records.staging.modelCount == 0)
    }

    @Test func `the load of a session that gets a goodbye is dropped, and the next one is built`() {
        let hub = Hub.with(Self.roots)
        let (first, second) = (FakeClient(hub, token: 1), FakeClient(hub, token: 2))
        beginBuilding(Self.longLoad, first)
        hub.clients.sendGoodbye(.overflow, to: first.session)
        hub.clients.account(first.session)
        begin(Self.shortLoad, second)
        finish(second)
        #expect(second.take() == [#"{"jsonrpc":"2.0","id":3,"result":{"revision":2,"changed":true}}"#])
        #expect(first.session.suspended == nil)
    }

    @Test func `before an upgrade, loads that wait for another are answered`() {
        let hub = Hub.with(Self.roots)
        let (first, second) = (FakeClient(hub, token: 1), FakeClient(hub, token: 2))
        beginBuilding(Self.longLoad, second)
        begin(Self.shortLoad, first)
        hub.finishSuspended()
        #expect(second.take() == [#"{"jsonrpc":"2.0","id":2,"result":{"revision":2,"changed":true}}"#])
        #expect(first.take() == [#"{"jsonrpc":"2.0","id":3,"result":{"revision":3,"changed":true}}"#])
    }

    @Test func `a load whose client has gone is loaded, and one that the journal refuses leaves nothing`()
        throws
    {
        let daemon = try JournaledHub(reserving: 0)
        daemon.ask("set", #""path":"a","value":{}"#)
        begin(Self.longLoad, daemon.client(2))
        daemon.client(2).session.input.hasLeft = true
        daemon.client(2).send("", turn: 1)
        #expect(daemon.value("a.l.12") == "13")
        begin(Self.longLoad.replacing("[1,", with: "[0,"), daemon.client(3))
        daemon.disk.isFull = true
        daemon.client(3).send("", turn: 1)
        #expect(daemon.client(3).take().allSatisfy { $0.contains(#""id":2,"error":{"code":8,"#) })
        #expect(daemon.value("a.l.0") == "1")
        #expect(daemon.tree.faults() == [])
    }

    @Test(arguments: ["get", "describe", "explain"])
    func `the daemon's own figures count what they take`(method: String) {
        let client = FakeClient(Hub.with([]))
        var turns = 1
        let line = Self.line(1, method, #""path":"observed.version""#) + "\n"
        client.send(String(repeating: line, count: 16), turn: 10_000) { turns += 1 }
        #expect(turns > 1 && client.take().count == 16)
    }

    @Test(arguments: ["\"path\":\"s.none\"", "\"paths\":[\"s.none\"]"])
    func `a refusal counts the names that it looked at`(params: String) throws {
        let hub = Hub.with([])
        let properties = (0..<100).map { PropertyDeclaration("property\($0)", "Int") }
        #expect(hub.tree.declare([TypeDeclaration("Wide", properties)]) == [])
        try hub.tree.declare(root: "s", type: "Wide?")
        let client = FakeClient(hub)
        var turns = 1
        let line = Self.line(1, "get", params) + "\n"
        client.send(String(repeating: line, count: 16), turn: 10_000) { turns += 1 }
        #expect(turns > 1 && client.take().allSatisfy { $0.contains("has no property") })
    }

    @Test func `an explanation that would be too long is refused before it is made`() throws {
        let client = FakeClient(Hub.with([]))
        let name = "\"" + String(repeating: "a", count: 16_000) + "\""
        let path = Array(repeating: name, count: 60).joined(separator: ",")
        var turns = 1
        let requests = [Self.line(1, "explain", "\"path\":[\(path)]"), Self.line(2, "status", ""), ""]
        client.send(requests.joined(separator: "\n"), turn: 100_000) { turns += 1 }
        #expect(turns > 1 && client.take()[0].contains(#""code":6"#))
    }

    @Test func `a short write counts what its dependents take`() {
        let elements = (0..<300).map { "\"p\($0)\":{\"n\":\($0)}" }.joined(separator: ",")
        let hub = Hub.with([("a", "{\(elements)}")])
        let (client, reader) = (FakeClient(hub, token: 1), FakeClient(hub, token: 2))
        _ = reader.ask(Self.line(1, "subscribe", #""path":"a.@latest[n != 5].n","initial":false"#))
        let writes = (0..<20).map { Self.line($0, "set", #""path":"a.p7.n","value":\#($0 - 50)"#) + "\n" }
            .joined()
        var turns = 1
        client.send(writes, turn: 1_000) { turns += 1 }
        #expect(turns > 5)
        #expect(client.take().count == 20)
    }
}
