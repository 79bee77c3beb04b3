// SPDX-License-Identifier: MIT
// Bounds of a slow client's memory: `delivery: "every"`, initial events, unread requests.

import Testing

@testable import ObserveCore

@Suite struct SlowClientBoundTests {
    private let stage = SlowClientStage()

    // MARK: Every

    @Test func `with delivery every all changes wait, complete and in order`() {
        let client = stage.sleepingClient(#""path":"a.r","delivery":"every","prior":true,"old":true"#)
        stage.set("a.r.0", "9")
        stage.remove("a.r.1")
        stage.set("a.r", "0")
        #expect(
            stage.wake(client) == [
                #""path":"a.r","reason":"valueChanged","old":[1],"kind":"replacement","indexes":[0],"prior":true,"revision":3,"more":true"#,
                #""path":"a.r","reason":"valueChanged","new":[9],"old":[1],"kind":"replacement","indexes":[0],"revision":3"#,
                #""path":"a.r","reason":"valueChanged","old":[2],"kind":"removal","indexes":[1],"prior":true,"revision":4,"more":true"#,
                #""path":"a.r","reason":"valueChanged","new":[],"old":[2],"kind":"removal","indexes":[1],"revision":4"#,
                #""path":"a.r","reason":"valueChanged","old":[9,3],"prior":true,"revision":5,"more":true"#,
                #""path":"a.r","reason":"valueChanged","new":0,"old":[9,3],"revision":5"#,
            ]
        )
    }

    @Test(arguments: [#""path":"a.x","delivery":"every""#, #""paths":["a.x","b"],"delivery":"every""#])
    func `a slow client with delivery every gets goodbye`(params: String) {
        let client = stage.sleepingClient(params)
        for value in 1...200 {
            stage.set("a.x", "\(value)")
            #expect(client.session.output.count <= stage.limits.clients.maxOutboxBytes + 500)
        }
        #expect(client.session.delivery.closing == .overflow)
        #expect(stage.hub.clients.metrics.sessionsOverflowed == 1)
        client.send(#"{"id":3,"method":"ping"}"#)
        let lines = stage.wake(client)
        #expect(lines.last == #"{"jsonrpc":"2.0","method":"goodbye","params":{"reason":"overflow"}}"#)
        for (index, line) in lines.dropLast().enumerated() {
            #expect(line.hasPrefix(#""path":"a.x","reason":"valueChanged","new":\#(index + 1),"#))
        }
        #expect(lines.count > 20)
        client.close()
        stage.writer.close()
        #expect(stage.hub.clientRecords == Hub.noClientRecords)
    }

    @Test(arguments: [false, true])
    func `a commit whose first event is sent at once is sent wholly, but for long values`(isOwn: Bool) throws
    {
        let stage = SlowClientStage(foldAfterBytes: 80)
        let client = SlowClient(stage.hub, token: 1)
        for path in ["a.x", "a.y", "a.m.k"] { stage.subscribe(client, #""path":"\#(path)","prior":true"#) }
        let long = String(repeating: "long", count: 40)
        func merge(_ number: Int, _ text: String) {
            let value = #"{"x":\#(number),"y":"\#(text)","m":{"k":\#(number)}}"#
            let line = #"{"method":"merge","params":{"path":"a","value":\#(value)}}"#
            if isOwn { client.send(line) } else { stage.writer.send(line) }
        }
        func fallAsleep() {
            client.wake()
            _ = client.take()
            client.sleep(after: 1)
            client.send(#"{"id":"z","method":"ping"}"#)
        }
        /// Each event's revision, path and value; a prior event's old value.
        func wake() throws -> [String] {
            client.wake()
            return try client.take().dropFirst().map { line in
                let event = try Value(json: line)["params"]
                let value =
                    event?["prior"] == nil ? "\(event?["new"] ?? .null)" : "not \(event?["old"] ?? .null)"
                return "\(event?["revision"] ?? .null) \(event?["path"]?.string ?? "-") \(value)"
            }
        }
        fallAsleep()
        merge(5, "short")
        merge(6, "marked")
        #expect(
            try wake() == [
                "3 a.x not 0", "3 a.x 5", "3 a.y not 0", #"3 a.y "short""#, "3 a.m.k not 1", "3 a.m.k 5",
                "4 a.x 6", #"4 a.y "marked""#, "4 a.m.k 6",
            ]
        )
        fallAsleep()
        merge(7, long)
        #expect(
            try wake() == [
                "5 a.x not 6", "5 a.x 7", "5 a.m.k not 6", "5 a.m.k 7", #"5 a.y "\#(long)""#,
            ]
        )
    }

    @Test func `a client that overflows by its own writes gets goodbye last`() {
        let client = stage.sleepingClient(#""path":"a.x","delivery":"every""#)
        for value in 1...200 {
            client.send(#"{"id":3,"method":"set","params":{"path":"a.x","value":\#(value)}}"#)
        }
        // The hub stops reading requests before the answers overflow, so the writer adds events.
        for value in 201...400 { stage.set("a.x", "\(value)") }
        let lines = stage.wake(client)
        #expect(lines.last == #"{"jsonrpc":"2.0","method":"goodbye","params":{"reason":"overflow"}}"#)
        #expect(lines.count { $0.contains("goodbye") } == 1)
    }

    @Test func `a batch that overflows ends with goodbye instead of its answer`() {
        let client = stage.sleepingClient(#""path":"a.x","delivery":"every""#)
        let sets = (1...200).map { #"{"id":\#($0),"method":"set","params":{"path":"a.x","value":\#($0)}}"# }
        client.send("[\(sets.joined(separator: ","))]")
        #expect(client.session.delivery.closing == .overflow)
        let lines = stage.wake(client)
        #expect(lines.last == #"{"jsonrpc":"2.0","method":"goodbye","params":{"reason":"overflow"}}"#)
    }

    @Test func `a client that overflows gets no event of its marks`() {
        let client = stage.sleepingClient(#""paths":["a.x","a.y","a.m.k"],"initial":false"#)
        stage.subscribe(client, #""path":"a.y","delivery":"every","old":true,"initial":false"#)
        stage.set("a.y", "\"\(String(repeating: "y", count: 3000))\"")
        let sets = [("a.x", "1"), ("a.y", "0"), ("a.m.k", "2")].map { path, value in
            #"{"method":"set","params":{"path":"\#(path)","value":\#(value)}}"#
        }
        _ = stage.writer.ask(
            #"{"id":1,"method":"transaction","params":{"operations":[\#(sets.joined(separator: ","))]}}"#
        )
        #expect(client.session.delivery.closing == .overflow)
        let lines = stage.wake(client)
        #expect(!lines.contains { $0.contains(#""path":"a.x""#) }, "\(lines)")
        #expect(lines.last == #"{"jsonrpc":"2.0","method":"goodbye","params":{"reason":"overflow"}}"#)
    }

    @Test
    func `goodbye follows what the client did not know, also of later changes`() {
        let client = stage.sleepingClient(#""path":"b""#)
        stage.subscribe(client, #""paths":["a.**","b"]"#)
        stage.remove("b")
        stage.hub.clients.sendGoodbye(.idle, to: client.session)
        stage.set("a.x", "5")
        #expect(
            stage.wake(client).dropFirst() == [
                #"{"jsonrpc":"2.0","method":"change","params":{"subscription":2,"path":"a","reason":"initial","new":{"x":5,"y":0,"m":{"k":1},"r":[1,2,3]},"revision":4,"more":true}}"#,
                #"{"jsonrpc":"2.0","method":"change","params":{"subscription":2,"path":"b","reason":"initial","new":null,"revision":4}}"#,
                #""path":"b","reason":"sourceDeleted","new":null,"revision":4"#,
                #"{"jsonrpc":"2.0","method":"goodbye","params":{"reason":"idle"}}"#,
            ]
        )
    }

    @Test(arguments: [false, true])
    func `a frame of several turns repeats a value only in its last event`(hasOther: Bool) {
        let client = stage.sleepingClient(#""paths":["a.x","a.y","a.m.k"]"#)
        stage.set("a.x", "8")
        stage.set("a.y", "9")
        if hasOther { stage.set("a.m.k", "7") }
        stage.hub.clients.sessions.turns.turn = 1
        stage.hub.clients.beginTurn()
        stage.hub.clients.catchUp(client.session, isAsked: true)
        stage.hub.clients.endTurn()
        stage.set("a.y", "0")
        let last =
            hasOther
            ? #""path":"a.m.k","reason":"valueChanged","new":7,"revision":6"#
            : #""path":"a.y","reason":"valueChanged","new":0,"revision":5,"coalesced":2"#
        #expect(
            stage.wake(client) == [
                #""path":"a.x","reason":"valueChanged","new":8,"revision":\#(hasOther ? 5 : 4),"more":true"#,
                last,
            ]
        )
    }

    /// An attacker found it: requests behind a long frame were lost.
    @Test(arguments: [4000, 20_000, 60_000])
    func `requests behind initial events are answered in their order`(maxOutboxBytes: Int) {
        var limits = ServerLimits()
        limits.clients.foldAfterBytes = 0
        limits.clients.maxOutboxBytes = maxOutboxBytes
        let members = (0..<300).map { #""p\#($0)":"\#(String(repeating: "x", count: 300))""# }
        let hub = Hub.with([("a", "{\(members.joined(separator: ","))}")], limits: limits)
        let client = SlowClient(hub, token: 1, room: 1000)
        let pings = (1...200).map { #"{"id":\#($0),"method":"ping"}"# }
        client.send(
            ([#"{"id":0,"method":"subscribe","params":{"path":"a.*"}}"#] + pings).joined(separator: "\n")
        )
        var ids: [Int64] = []
        for _ in 0..<2000 where client.session.hasOutput || client.isPaused {
            client.wake(3000)
            for line in client.take() {
                if let id = (try? Value(json: line))?["id"]?.int { ids.append(id) }
            }
        }
        #expect(ids == Array(0...200))
    }

    @Test(arguments: ["c.*", "c.**", "**", "c.*.v"], [false, true])
    func `names that come and go take no memory`(pattern: String, replacesRoot: Bool) {
        stage.set("c", "{}")
        let client = stage.sleepingClient(#""path":"\#(pattern)","old":true"#)
        for index in 0..<200 {
            if replacesRoot {
                stage.remove("c")
                stage.set("c", #"{"n\#(index)":{"v":1}}"#)
                stage.remove("c")
                stage.set("c", "{}")
            } else {
                stage.set("c.n\(index)", #"{"v":1}"#)
                stage.remove("c.n\(index)")
            }
        }
        #expect(client.waitingMarks < 20)
        client.close()
    }

    // MARK: Bounds

    @Test func `initial events never overflow, since the hub renders them as the client reads`() {
        for index in 0..<10_000 { stage.set("a.p\(index)", "\"\(index) is a number\"") }
        let client = stage.sleepingClient(#""path":"b""#)
        let paths = (0..<10_000).map { "\"a.p\($0)\"" }.joined(separator: ",")
        stage.subscribe(client, #""paths":[\#(paths)]"#)
        stage.subscribe(client, #""paths":[\#(paths)],"delivery":"every""#)
        // A frame that has begun continues up to `maxOutboxBytes`.
        #expect(client.session.output.count < 4600)
        #expect(client.session.delivery.closing == nil)
        var lines: [String] = []
        while client.session.hasOutput {
            client.wake(1000)
            #expect(client.session.output.count < 4600)
            lines += client.take()
        }
        #expect(lines.count == 1 + 2 + 20_000)
        #expect(lines.last?.contains(#""path":"a.p9999""#) == true)
    }

    @Test func `the server reads no requests while too many answers wait`() {
        let client = SlowClient(stage.hub, token: 1, room: 0)
        for id in 0..<1000 { client.send(#"{"id":\#(id),"method":"ping"}"#) }
        #expect(client.isPaused)
        #expect(client.session.output.count <= stage.limits.clients.maxOutboxBytes + 100)
        stage.set("b", "7")
        client.send(#"{"id":1000,"method":"get","params":{"path":"b"}}"#)
        stage.set("b", "8")
        var lines: [String] = []
        while lines.count < 1001, client.session.hasOutput {
            client.wake(777)
            #expect(client.session.output.count <= stage.limits.clients.maxOutboxBytes + 100)
            lines += client.take()
        }
        #expect(lines.count == 1001)
        for id in 0..<1000 { #expect(lines[id] == #"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#) }
        #expect(lines[1000].contains(#""value":8"#))
        #expect(!client.isPaused)
    }

    /// Before, one commit had no bound, since its frame waits for its end.
    @Test(arguments: [false, true])
    func `a frame beyond maxOutboxBytes ends with marked paths, also if their values return`(returns: Bool) {
        let client = SlowClient(stage.hub, token: 1)
        stage.subscribe(client, #""paths":["a.x","a.y"],"initial":false"#)
        _ = client.take()
        let long = String(repeating: "x", count: 4100)
        let merge = #"{"method":"merge","params":{"path":"a","value":{"x":"\#(long)","y":"\#(long)"}}}"#
        stage.writer.send(merge)
        #expect(client.session.output.count < 4400)
        if returns { stage.set("a.y", "0") }
        client.wake()
        let tail = #""reason":"valueChanged","new":"#
        #expect(
            client.take().map { $0.replacing(long, with: "long") } == [
                #"{"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"a.x",\#(tail)"long","revision":3,"more":true}}"#,
                #"{"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"a.y",\#(tail)"#
                    + (returns ? #"0,"revision":4,"coalesced":2}}"# : #""long","revision":3}}"#),
            ]
        )
    }

    /// As above: with a journal, nothing leaves before the flush.
    @Test(arguments: [true, false])
    func `events of a commit that is not flushed take no more than maxOutboxBytes`(isFramed: Bool) throws {
        let daemon = try JournaledHub()
        daemon.ask("set", #""path":"m","value":{"t":0}"#)
        daemon.ask("set", #""path":"r","value":{}"#)
        for number in 0..<100 { daemon.ask("link", #""path":"r.k\#(number)","target":"m""#) }
        let paths = (0..<100).map { #""r.k\#($0).t""# }
        if isFramed {
            daemon.ask("subscribe", #""paths":[\#(paths.joined(separator: ","))],"initial":false"#, 2)
        } else {
            for path in paths { daemon.ask("subscribe", #""path":\#(path),"initial":false"#, 2) }
        }
        let long = String(repeating: "x", count: 175_000)
        daemon.client().push(#"{"method":"set","params":{"path":"m.t","value":"\#(long)"}}"#)
        let client = daemon.client(2)
        #expect(client.session.output.count < daemon.hub.clients.limits.maxOutboxBytes + 176_000)
        let events = client.take()
        #expect(events.count == 100 && Set(events.map { $0.prefix(100) }).count == 100)
        #expect(events.dropLast().allSatisfy { $0.hasSuffix(#""more":true}}"#) == isFramed })
        #expect(events.last?.hasSuffix(#""more":true}}"#) == false)
    }

    @Test func `coalescing takes bounded memory for any number of writes`() {
        let client = stage.sleepingClient(#""paths":["a.x","a.y","a.m","a.m.k","b"],"old":true"#)
        for value in 0..<2000 {
            stage.set("a.x", "\(value)")
            stage.set("a.m", #"{"k":\#(value)}"#)
            stage.set("b", "[\(value)]")
            #expect(client.session.output.count < 200)
            #expect(client.waitingMarks <= 11)
        }
        #expect(stage.wake(client).count == 4)
        #expect(
            stage.hub.clients.metrics.eventsCoalesced == 4 * 1999 - 1,
            "the first value of a.x is what it was"
        )
        #expect(stage.hub.tree.modelCount == 2)
    }

    @Test(arguments: [1, 2, 3, 7, 64, 1000])
    func `a client that reads in pieces gets every change once`(piece: Int) {
        let client = SlowClient(stage.hub, token: 5, room: piece)
        stage.subscribe(client, #""paths":["a.x","a.y"],"old":true,"initial":false"#)
        var lines: [String] = []
        for value in 1...50 {
            stage.set("a.x", "\(value)")
            stage.set("a.y", "\(value)")
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

    @Test func `a sleeping client does not delay others`() {
        let client = stage.sleepingClient(#""path":"a.x""#)
        let awake = SlowClient(stage.hub, token: 2)
        stage.subscribe(awake, #""path":"a.x","initial":false"#)
        for value in 1...100 { stage.set("a.x", "\(value)") }
        stage.hub.clients.sessions.dirty.removeAll()
        awake.drain()
        #expect(awake.take().count == 101)
        #expect(stage.wake(client).count == 1)
    }
}
