// SPDX-License-Identifier: MIT
// Readers that fall behind: what waits for them, how it is folded, and what it costs.

import Testing

@testable import ObserveCore

@Suite struct SlowClientTests {
    private let limits: ServerLimits
    private let hub: Hub
    private let writer: FakeClient

    init() {
        var limits = ServerLimits()
        limits.clients.foldAfterBytes = 0
        limits.clients.maxOutboxBytes = 4000
        self.limits = limits
        hub = Hub.with([("a", #"{"x":0,"y":0,"m":{"k":1},"r":[1,2,3]}"#), ("b", "0")], limits: limits)
        writer = FakeClient(hub, token: 99)
    }

    private func set(_ path: String, _ value: String) {
        let answer = writer.ask(#"{"id":1,"method":"set","params":{"path":"\#(path)","value":\#(value)}}"#)
        #expect(answer.first?.contains("result") == true, "\(answer)")
    }

    private func remove(_ path: String) {
        _ = writer.ask(#"{"id":1,"method":"remove","params":{"path":"\#(path)"}}"#)
    }

    private func subscribe(_ client: SlowClient, _ params: String) {
        client.send(#"{"id":0,"method":"subscribe","params":{\#(params)}}"#)
    }

    /// A client with one subscription whose answer and initial events it has read; then it sleeps, with one byte of
    /// an earlier answer in front of it.
    private func sleeper(_ params: String) -> SlowClient {
        let client = SlowClient(hub, token: 1)
        subscribe(client, params)
        _ = client.take()
        client.sleep()
        client.send(#"{"id":"z","method":"ping"}"#)
        #expect((client.session.delivery.isBlocked) as Bool)
        return client
    }

    /// The events that wait, without what all of them say; the sleeper's own answer taken off.
    private func wake(_ client: SlowClient) -> [String] {
        client.wake()
        return client.take().filter { !$0.contains(#""id":"z""#) }.map { line in
            let head = #"{"jsonrpc":"2.0","method":"change","params":{"subscription":1,"#
            return line.hasPrefix(head) ? String(line.dropFirst(head.count).dropLast(2)) : line
        }
    }

    @Test func `changes of one path are folded into the newest`() {
        let client = sleeper(#""paths":["a.x","a.y"],"old":true"#)
        for value in 1...5 { set("a.x", "\(value)") }
        set("a.y", "1")
        set("a.x", "6")
        #expect(
            wake(client) == [
                #""path":"a.y","reason":"valueChanged","new":1,"old":0,"revision":8"#,
                #""path":"a.x","reason":"valueChanged","new":6,"old":0,"revision":9,"coalesced":6"#,
            ]
        )
        set("a.x", "7")
        #expect(wake(client) == [#""path":"a.x","reason":"valueChanged","new":7,"old":6,"revision":10"#])
    }

    @Test(arguments: [("1", "1.0"), ("\"s\"", "\"\\u0073\""), ("null", "null"), ("[1,[2]]", "[1.0,[2]]")])
    func `folded back to the last value sent, nothing is sent`(first: String, back: String) {
        set("b", first)
        let client = sleeper(#""path":"b""#)
        set("b", "99")
        set("b", back)
        #expect(wake(client) == [])
        set("b", "100")
        #expect(wake(client).count == 1)
    }

    @Test func `a model folded back to the same instance is not sent, another one is`() {
        set("b", "null")
        _ = writer.ask(#"{"id":1,"method":"link","params":{"path":"b","target":"a.m"}}"#)
        let client = sleeper(#""path":"b""#)
        set("b", "99")
        _ = writer.ask(#"{"id":1,"method":"link","params":{"path":"b","target":"a.m"}}"#)
        #expect(wake(client) == [])
        client.sleep()
        client.send(#"{"id":"z","method":"ping"}"#)
        set("b", "99")
        set("b", #"{"k":1}"#)
        #expect(
            wake(client) == [
                #""path":"b","reason":"valueChanged","new":{"k":1},"revision":8,"coalesced":2"#
            ]
        )
    }

    @Test func `an array of models folded back to the same instances is not sent`() {
        set("b", #"[0,{"k":1}]"#)
        let client = sleeper(#""path":"b""#)
        set("b.0", "1")
        set("b.0", "0")
        #expect(wake(client) == [])
        client.sleep()
        client.send(#"{"id":"z","method":"ping"}"#)
        set("b.1", #"{"k":1}"#)
        #expect(wake(client).count == 1)
    }

    @Test func `equal assignments fold too where they are wanted`() {
        let client = sleeper(#""path":"b","distinct":false"#)
        set("b", "0")
        set("b", "0")
        set("b", "1")
        set("b", "0")
        #expect(
            wake(client) == [#""path":"b","reason":"valueChanged","new":0,"revision":4,"coalesced":4"#]
        )
    }

    @Test func `pathChanged if any was, at the newest place`() {
        let client = sleeper(#""path":"a.m.k","old":true"#)
        set("a.m", #"{"k":2}"#)
        set("a.m.k", "3")
        #expect(
            wake(client) == [
                #""path":"a.m.k","reason":"pathChanged","new":3,"old":1,"changedAt":"a.m","revision":4,"coalesced":2"#
            ]
        )
        client.sleep()
        client.send(#"{"id":"z","method":"ping"}"#)
        set("a.m.k", "4")
        set("a.m", "null")
        #expect(
            wake(client) == [
                #""path":"a.m.k","reason":"pathChanged","new":null,"old":3,"changedAt":"a.m","nilAt":"a.m","revision":6,"coalesced":2"#
            ]
        )
    }

    @Test func `array deltas become a whole assignment, prior lines are dropped`() {
        let client = sleeper(#""path":"a.r","prior":true,"old":true"#)
        set("a.r.0", "9")
        remove("a.r.1")
        #expect(
            wake(client) == [
                #""path":"a.r","reason":"valueChanged","new":[9,3],"old":[1,2,3],"revision":4,"coalesced":2"#
            ]
        )
    }

    @Test func `nothing is folded across an answer`() {
        let client = sleeper(#""path":"a.x","old":true"#)
        set("a.x", "1")
        set("a.x", "2")
        client.send(#"{"id":"get","method":"get","params":{"path":"a.x"}}"#)
        set("a.x", "3")
        set("a.x", "0")
        client.send(#"{"id":"get","method":"get","params":{"path":"a.x"}}"#)
        #expect(
            wake(client) == [
                #""path":"a.x","reason":"valueChanged","new":2,"old":0,"revision":4,"coalesced":2"#,
                #"{"jsonrpc":"2.0","id":"get","result":{"value":2,"revision":4}}"#,
                #""path":"a.x","reason":"valueChanged","new":0,"old":2,"revision":6,"coalesced":2"#,
                #"{"jsonrpc":"2.0","id":"get","result":{"value":0,"revision":6}}"#,
            ]
        )
    }

    @Test func `a removed root is told, and what it becomes after that`() {
        let client = sleeper(#""path":"a.x","old":true"#)
        set("a.x", "1")
        remove("a")
        set("a", #"{"x":5}"#)
        set("a.x", "6")
        #expect(
            wake(client) == [
                #""path":"a.x","reason":"sourceDeleted","new":null,"old":0,"nilAt":"a","revision":4,"coalesced":2"#,
                #""path":"a.x","reason":"pathChanged","new":6,"old":null,"changedAt":"a","revision":6,"coalesced":2"#,
            ]
        )
    }

    @Test func `roots that come and go cost nothing`() {
        let client = sleeper(#""paths":["c","c.x","a.x"],"old":true"#)
        for value in 0..<1000 {
            set("c", #"{"x":\#(value)}"#)
            set("a.x", "\(value)")
            remove("c")
            #expect(client.waitingEntries.alive <= 7)
            #expect(client.waitingEntries.all <= 140)
        }
        let lines = wake(client)
        #expect(lines.count <= 3)
        #expect(lines.count { $0.contains("sourceDeleted") } == 2)
    }

    @Test func `initial is kept, with the newest value and revision`() {
        let client = sleeper(#""path":"b""#)
        subscribe(client, #""paths":["a.x","a.y"],"old":true"#)
        set("a.x", "1")
        set("a.x", "2")
        client.wake()
        let head = #"{"jsonrpc":"2.0","method":"change","params":{"subscription":2,"#
        #expect(
            client.take().dropFirst(2) == [
                head + #""path":"a.y","reason":"initial","new":0,"revision":2}}"#,
                head + #""path":"a.x","reason":"initial","new":2,"revision":4}}"#,
            ]
        )
    }

    @Test func `initial stays before an answer that it was before`() {
        let client = sleeper(#""path":"b""#)
        subscribe(client, #""path":"a.x""#)
        client.send(#"{"id":1,"method":"get","params":{"path":"a.x"}}"#)
        set("a.x", "1")
        client.wake()
        let head = #"{"jsonrpc":"2.0","method":"change","params":{"subscription":2,"#
        #expect(
            client.take().dropFirst(2) == [
                head + #""path":"a.x","reason":"initial","new":0,"revision":2}}"#,
                #"{"jsonrpc":"2.0","id":1,"result":{"value":0,"revision":2}}"#,
                head + #""path":"a.x","reason":"valueChanged","new":1,"revision":3}}"#,
            ]
        )
    }

    @Test func `initial of every stays exact too`() {
        let client = sleeper(#""path":"b""#)
        subscribe(client, #""path":"a.x","delivery":"every","old":true"#)
        set("a.x", "1")
        set("a.x", "2")
        client.send(#"{"id":1,"method":"get","params":{"path":"a.x"}}"#)
        set("a.x", "3")
        set("a.x", "4")
        client.wake()
        let head = #"{"jsonrpc":"2.0","method":"change","params":{"subscription":2,"#
        #expect(
            client.take().dropFirst(2) == [
                head + #""path":"a.x","reason":"initial","new":2,"revision":4}}"#,
                #"{"jsonrpc":"2.0","id":1,"result":{"value":2,"revision":4}}"#,
                head + #""path":"a.x","reason":"valueChanged","new":3,"old":2,"revision":5}}"#,
                head + #""path":"a.x","reason":"valueChanged","new":4,"old":3,"revision":6}}"#,
            ]
        )
    }

    @Test func `unsubscribing tells what was committed before, and nothing after`() {
        let client = sleeper(#""paths":["a.x","a.y","c"]"#)
        set("a.x", "1")
        set("c", "1")
        remove("c")
        set("c", "2")
        client.send(#"{"id":2,"method":"unsubscribe","params":{"subscription":1}}"#)
        set("a.x", "2")
        set("a.y", "2")
        remove("c")
        #expect(
            wake(client) == [
                #""path":"a.x","reason":"valueChanged","new":1,"revision":3"#,
                #""path":"c","reason":"sourceDeleted","new":null,"revision":5,"coalesced":2"#,
                #""path":"c","reason":"valueChanged","new":2,"revision":6"#,
                #"{"jsonrpc":"2.0","id":2,"result":{}}"#,
            ]
        )
        #expect(hub.registry.attachments.count == 0)
        #expect(hub.tree.recordCounts.observers == 0)
    }

    @Test func `closing while asleep leaves nothing`() {
        for params in [
            #""paths":["a.x","c"]"#, #""path":"a.r","delivery":"every","prior":true"#, #""path":"a.m.k.l""#,
        ] {
            let client = sleeper(params)
            set("a.x", "1")
            set("a.r", "[]")
            set("c", "1")
            remove("c")
            subscribe(client, #""paths":["a.x","b","c"]"#)
            set("b", "3")
            client.close()
            set("a.x", "2")
            set("b", "4")
        }
        writer.close()
        #expect(hub.held == Hub.heldByNobody)
    }
}
