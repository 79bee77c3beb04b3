// SPDX-License-Identifier: MIT
// What a reader that falls behind may cost: `delivery: "every"`, initial events, requests that are not read.

import Testing

@testable import ObserveCore

@Suite struct SlowClientBoundTests {
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

    // MARK: Every

    @Test func `every change waits, in order and whole`() {
        let client = sleeper(#""path":"a.r","delivery":"every","prior":true,"old":true"#)
        set("a.r.0", "9")
        remove("a.r.1")
        set("a.r", "0")
        #expect(
            wake(client) == [
                #""path":"a.r","reason":"valueChanged","old":[1],"kind":"replacement","indexes":[0],"prior":true,"revision":3"#,
                #""path":"a.r","reason":"valueChanged","new":[9],"old":[1],"kind":"replacement","indexes":[0],"revision":3"#,
                #""path":"a.r","reason":"valueChanged","old":[2],"kind":"removal","indexes":[1],"prior":true,"revision":4"#,
                #""path":"a.r","reason":"valueChanged","new":[],"old":[2],"kind":"removal","indexes":[1],"revision":4"#,
                #""path":"a.r","reason":"valueChanged","old":[9,3],"prior":true,"revision":5"#,
                #""path":"a.r","reason":"valueChanged","new":0,"old":[9,3],"revision":5"#,
            ]
        )
    }

    @Test(arguments: [#""path":"a.x","delivery":"every""#, #""paths":["a.x","b"],"delivery":"every""#])
    func `a reader of every change that falls behind is told goodbye`(params: String) {
        let client = sleeper(params)
        for value in 1...200 {
            set("a.x", "\(value)")
            #expect(client.session.waitingBytes <= limits.clients.maxOutboxBytes + 500)
        }
        #expect(client.session.delivery.closing == .overflow)
        #expect(hub.metrics.sessionsOverflowed == 1)
        client.send(#"{"id":3,"method":"ping"}"#)
        let lines = wake(client)
        #expect(lines.last == #"{"jsonrpc":"2.0","method":"goodbye","params":{"reason":"overflow"}}"#)
        for (index, line) in lines.dropLast().enumerated() {
            #expect(line.hasPrefix(#""path":"a.x","reason":"valueChanged","new":\#(index + 1),"#))
        }
        #expect(lines.count > 20)
        client.close()
        writer.close()
        #expect(hub.held == Hub.heldByNobody)
    }

    @Test func `a client that overflows by its own write gets goodbye last`() {
        let client = sleeper(#""path":"a.x","delivery":"every""#)
        for value in 1...200 {
            client.send(#"{"id":3,"method":"set","params":{"path":"a.x","value":\#(value)}}"#)
        }
        // Requests are not read any more by the time that answers and events would overflow: wake it a little.
        for value in 201...400 { set("a.x", "\(value)") }
        let lines = wake(client)
        #expect(lines.last == #"{"jsonrpc":"2.0","method":"goodbye","params":{"reason":"overflow"}}"#)
        #expect(lines.count { $0.contains("goodbye") } == 1)
    }

    @Test func `a batch that overflows ends with goodbye, not with its answer`() {
        let client = sleeper(#""path":"a.x","delivery":"every""#)
        let sets = (1...200).map { #"{"id":\#($0),"method":"set","params":{"path":"a.x","value":\#($0)}}"# }
        client.send("[\(sets.joined(separator: ","))]")
        #expect(client.session.delivery.closing == .overflow)
        let lines = wake(client)
        #expect(lines.last == #"{"jsonrpc":"2.0","method":"goodbye","params":{"reason":"overflow"}}"#)
    }

    // MARK: Bounds

    @Test func `initial events never overflow, and are made as the reader takes them`() {
        for index in 0..<10_000 { set("a.p\(index)", "\"\(index) is a number\"") }
        let client = sleeper(#""path":"b""#)
        let paths = (0..<10_000).map { "\"a.p\($0)\"" }.joined(separator: ",")
        subscribe(client, #""paths":[\#(paths)]"#)
        subscribe(client, #""paths":[\#(paths)],"delivery":"every""#)
        #expect(client.session.waitingBytes < 2000)
        #expect(client.session.delivery.closing == nil)
        var lines: [String] = []
        while client.session.hasOutput {
            client.wake(1000)
            #expect(client.session.waitingBytes < 2000)
            lines += client.take()
        }
        #expect(lines.count == 1 + 2 + 20_000)
        #expect(lines.last?.contains(#""path":"a.p9999""#) == true)
    }

    @Test func `requests are not read while too many answers wait`() {
        let client = SlowClient(hub, token: 1, room: 0)
        for id in 0..<1000 { client.send(#"{"id":\#(id),"method":"ping"}"#) }
        #expect(client.isPaused)
        #expect(client.session.waitingBytes <= limits.clients.maxOutboxBytes + 100)
        set("b", "7")
        client.send(#"{"id":1000,"method":"get","params":{"path":"b"}}"#)
        set("b", "8")
        var lines: [String] = []
        while lines.count < 1001, client.session.hasOutput {
            client.wake(777)
            #expect(client.session.waitingBytes <= limits.clients.maxOutboxBytes + 100)
            lines += client.take()
        }
        #expect(lines.count == 1001)
        for id in 0..<1000 { #expect(lines[id] == #"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#) }
        #expect(lines[1000].contains(#""value":8"#))
        #expect(!client.isPaused)
    }

    @Test func `folding takes a bounded room however much is written`() {
        let client = sleeper(#""paths":["a.x","a.y","a.m","a.m.k","b"],"old":true"#)
        for value in 0..<2000 {
            set("a.x", "\(value)")
            set("a.m", #"{"k":\#(value)}"#)
            set("b", "[\(value)]")
            #expect(client.session.waitingBytes < 200)
            #expect(client.waitingEntries.alive <= 11)
            #expect(client.waitingEntries.all <= 140)
        }
        #expect(wake(client).count == 4)
        #expect(hub.metrics.eventsCoalesced == 4 * 1999 - 1, "the first value of a.x is what it was")
        #expect(hub.tree.modelCount == 2)
    }

    @Test(arguments: [1, 2, 3, 7, 64, 1000])
    func `a piece at a time, nothing is lost or doubled`(piece: Int) {
        let client = SlowClient(hub, token: 5, room: piece)
        subscribe(client, #""paths":["a.x","a.y"],"old":true,"initial":false"#)
        var lines: [String] = []
        for value in 1...50 {
            set("a.x", "\(value)")
            set("a.y", "\(value)")
            client.wake(piece)
            lines += client.take()
        }
        client.wake()
        lines += client.take()
        var sum: Int64 = 0
        for line in lines.dropFirst() {
            guard let event = (try? Value(json: line))?["params"], event["path"] == "a.y" else { continue }
            sum += event["coalesced"]?.int ?? 1
        }
        #expect(sum == 50)
        #expect(lines.last?.contains(#""path":"a.y","reason":"valueChanged","new":50,"#) == true)
    }

    @Test func `others are not slowed by a sleeper`() {
        let client = sleeper(#""path":"a.x""#)
        let awake = SlowClient(hub, token: 2)
        subscribe(awake, #""path":"a.x","initial":false"#)
        for value in 1...100 { set("a.x", "\(value)") }
        hub.sessions.dirty.removeAll()
        awake.drain()
        #expect(awake.take().count == 101)
        #expect(wake(client).count == 1)
    }
}
