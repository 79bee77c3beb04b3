// SPDX-License-Identifier: MIT
// Slow clients of a hub whose journal refuses batches.

import Testing

@testable import ObserveCore

@Suite struct UndoneEventsTests {
    private static let goodbye = #"{"jsonrpc":"2.0","method":"goodbye","params":{"reason":"commitsUndone"}}"#

    /// A client that reads nothing, and has so much output that changes wait in its outbox.
    private func sleeper(_ daemon: JournaledHub, _ number: UInt64, _ params: String) -> FakeClient {
        let client = daemon.client(number)
        _ = client.ask(#"{"id":1,"method":"subscribe","params":{\#(params)}}"#)
        _ = client.ask(#"{"id":2,"method":"subscribe","params":{"path":"text","initial":false}}"#)
        client.isAsleep = true
        let text = String(repeating: daemon.value("text").hasPrefix("\"x") ? "y" : "x", count: 70_000)
        daemon.ask("set", #""path":"text","value":"\#(text)""#)
        client.flush(client.session)
        return client
    }

    @Test(arguments: [#""paths":["a.n","a.m"]"#, #""path":"a.**""#, #""path":"a.*""#])
    func `a slow client gets no event and no answer of an undone batch`(params: String) throws {
        let daemon = try JournaledHub()
        daemon.ask("set", #""path":"a","value":{"n":1,"m":1}"#)
        let client = sleeper(daemon, 2, params)
        daemon.ask("set", #""path":"a.m","value":2"#)
        client.send(#"{"id":"before","method":"ping"}"#)
        let isQueueing = client.session.delivery.isQueueing
        #expect(isQueueing)
        daemon.disk.isFull = true
        daemon.client(3).push(#"{"id":1,"method":"set","params":{"path":"a.n","value":"undone"}}"#)
        client.push(#"{"id":"after","method":"set","params":{"path":"a.n","value":"undone, too"}}"#)
        #expect(daemon.client(3).take().last?.contains(#""code":8"#) == true)
        daemon.disk.isFull = false
        client.isAsleep = false
        let lines = client.take()
        #expect(lines.last == UndoneEventsTests.goodbye)
        #expect(lines.contains { $0.contains(#""path":"a.m","reason":"valueChanged","new":2"#) })
        // The answer came after the frame, which lost nothing: resuming may begin behind it.
        #expect(!lines.contains { $0.contains(#""path":"a.m""#) && $0.contains(#""more":true"#) })
        #expect(lines.count { $0.contains(#""id":"before""#) } == 1)
        #expect(
            !lines.contains { $0.contains("undone,") || $0.contains(#""undone""#) || $0.contains("after") }
        )
        client.close()
        #expect(daemon.tree.faults() == [])
    }

    @Test(arguments: [#""paths":["a.n","a.m"]"#, #""path":"a.**""#, #""path":"a.*""#])
    func `a frame that lost an event has no end`(params: String) throws {
        let daemon = try JournaledHub()
        daemon.ask("set", #""path":"a","value":{"n":1,"m":1}"#)
        let client = sleeper(daemon, 2, params)
        daemon.ask("set", #""path":"a.n","value":2"#)
        daemon.ask("set", #""path":"a.m","value":2"#)
        daemon.disk.isFull = true
        // Replaces the waiting event of that path.
        daemon.ask("set", #""path":"a.n","value":"undone""#, 3)
        daemon.disk.isFull = false
        client.isAsleep = false
        let lines = client.take()
        #expect(lines.last == UndoneEventsTests.goodbye)
        #expect(lines.contains { $0.contains(#""path":"a.m","reason":"valueChanged","new":2"#) })
        // Resuming must not begin behind it.
        #expect(!lines.contains { $0.contains(#""path":"a.m""#) && !$0.contains(#""more":true"#) })
        client.close()
    }

    @Test func `a waiting first event that showed an undone change does not arrive`() throws {
        let daemon = try JournaledHub()
        daemon.ask("set", #""path":"a","value":{"n":1}"#)
        let client = sleeper(daemon, 2, #""path":"a.n""#)
        client.send(#"{"id":3,"method":"subscribe","params":{"path":"a.**"}}"#)
        client.isAsleep = true
        let before = daemon.tree.revision
        daemon.disk.isFull = true
        daemon.ask("set", #""path":"a.m","value":"undone""#, 3)
        daemon.disk.isFull = false
        #expect(daemon.tree.revision == before)
        client.isAsleep = false
        let lines = client.take()
        #expect(!lines.contains { $0.contains("\"revision\":\(before + 1)") }, "\(lines)")
        client.close()
    }

    @Test(
        arguments: [#""paths":["a.n"]"#, #""path":"a.*""#, #""path":"a.**""#],
        [
            #""remove","params":{"path":"a.n"}"#, #""set","params":{"path":"a.n","value":{"k":1}}"#,
            #""set","params":{"path":"a","value":{"n":9}}"#,
        ]
    )
    func `after an undone batch, delayed events arrive as before it`(params: String, undone: String) throws {
        let daemon = try JournaledHub()
        daemon.ask("set", #""path":"a","value":{"n":1,"m":1}"#)
        let client = daemon.client(2)
        _ = client.ask(#"{"id":1,"method":"subscribe","params":{\#(params),"initial":false,"throttle":50}}"#)
        daemon.ask("set", #""path":"a.n","value":2"#)
        daemon.ask("set", #""path":"a.n","value":3"#)
        #expect(client.take().count == 1)
        daemon.disk.isFull = true
        daemon.client(3).push(#"{"id":1,"method":\#(undone)}"#)
        daemon.clock.pass(milliseconds: 60, in: daemon.hub)
        #expect(daemon.client(3).take().last?.contains(#""code":8"#) == true)
        daemon.disk.isFull = false
        daemon.clock.pass(milliseconds: 60, in: daemon.hub)
        #expect(
            client.take() == [
                #"{"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"a.n","reason":"valueChanged","new":3,"revision":3}}"#
            ]
        )
        client.close()
    }

    /// The daemon sends the initial event of a path that ceases to match before its turn. An undone batch takes it back.
    @Test(arguments: [#""remove","params":{"path":"a.n"}"#, #""set","params":{"path":"a","value":{"z":1}}"#])
    func `after an undone batch, an initial event that was sent early is sent again`(undone: String) throws {
        let daemon = try JournaledHub()
        daemon.ask("set", #""path":"a","value":{"x":1,"y":2,"n":{"k":3}}"#)
        let client = daemon.client(2)
        daemon.hub.sessions.turns.turn = 1
        func takeTurn(_ line: String) {
            daemon.hub.beginTurn()
            _ = ByteView.with(Array(line.utf8)) { daemon.hub.receive($0, from: client.session) }
            daemon.hub.endTurn()
        }
        takeTurn(#"{"id":1,"method":"subscribe","params":{"path":"a.*"}}"# + "\n")
        var lines = client.take()
        #expect(lines.count == 2 && daemon.hub.sessions.suspendedLine(of: client.session) != nil)
        daemon.disk.isFull = true
        daemon.client(3).push(#"{"id":1,"method":\#(undone)}"#)
        #expect(daemon.client(3).take().last?.contains(#""code":8"#) == true)
        daemon.disk.isFull = false
        while daemon.hub.sessions.suspendedLine(of: client.session) != nil { takeTurn("") }
        lines += client.take()
        let events = lines.dropFirst().map { $0.replacing(#","more":true"#, with: "") }.sorted()
        #expect(
            events
                == [("n", #"{"k":3}"#), ("x", "1"), ("y", "2")].map { name, value in
                    #"{"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"a.\#(name)","reason":"initial","new":\#(value),"revision":1}}"#
                }
        )
        #expect(lines.dropFirst().map { $0.contains(#""more":true"#) } == [true, true, false])
        client.close()
    }

    @Test func `a slow client whose waiting event an undone batch delayed has to connect again`() throws {
        let daemon = try JournaledHub()
        daemon.ask("set", #""path":"a","value":{"m":1}"#)
        let client = sleeper(daemon, 2, #""path":"a.*","throttle":50"#)
        daemon.ask("set", #""path":"a.n","value":2"#)
        daemon.disk.isFull = true
        daemon.ask("remove", #""path":"a.n""#, 3)
        daemon.disk.isFull = false
        client.isAsleep = false
        #expect(client.take().last == UndoneEventsTests.goodbye)
        client.close()
    }

    @Test func `a client whose batch unsubscribed before a refused write has to connect again`() throws {
        let daemon = try JournaledHub()
        daemon.ask("set", #""path":"a","value":1"#)
        let client = daemon.client(2)
        _ = client.ask(#"{"id":1,"method":"subscribe","params":{"path":"a"}}"#)
        daemon.disk.isFull = true
        let lines = client.ask(
            #"[{"id":2,"method":"unsubscribe","params":{"subscription":1}},{"id":3,"method":"set","params":{"path":"a","value":2}}]"#
        )
        #expect(lines == [UndoneEventsTests.goodbye])
        client.close()
    }

    /// Events show values that the tree had, and the last one shows the present value.
    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `with a failing disk a slow client is told the truth or that it has to connect again`(seed: UInt64)
        throws
    {
        let daemon = try JournaledHub(seed % 2 == 0 ? .commit : .interval, on: SimulatedDisk(seed: seed))
        var random = SeededGenerator(seed: seed)
        func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
        daemon.ask("set", #""path":"a","value":{"p0":0,"p1":0,"p2":0,"p3":0}"#)
        let params = [#""paths":["a.p0","a.p1","a.p2","a.p3"]"#, #""path":"a.*""#, #""path":"a.**""#][
            below(3)
        ]
        var (number, goodbyes, undone) = (UInt64(10), 0, 0)
        var client = sleeper(daemon, number, params)
        // The values of each path by the revision of their commits.
        var truth: [String: [UInt64: String]] = [:]
        var seen: [String: String] = [:]
        for step in 1...150 {
            daemon.disk.isFull = below(3) == 0
            let writer = daemon.client(3)
            for _ in 0...below(3) {
                writer.push(
                    #"{"id":"p\#(below(4))","method":"set","params":{"path":"a.p\#(below(4))","value":\#(step)}}"#
                )
            }
            if writer.take().contains(where: { $0.contains(#""code":8"#) }) { undone += 1 }
            daemon.disk.isFull = false
            daemon.clock.pass(milliseconds: 200, in: daemon.hub)
            for path in 0..<4 {
                truth["a.p\(path)", default: [:]][daemon.tree.revision] = daemon.value("a.p\(path)")
            }
            guard below(8) == 0 else { continue }
            client.isAsleep = false
            let lines = client.take()
            for line in lines {
                guard let event = try Value(json: line)["params"], let path = event["path"]?.string,
                    path != "text", let revision = event["revision"]?.int, let new = event["new"]
                else { continue }
                // Several commits of one batch have revisions between the known ones.
                if let known = truth[path]?[UInt64(revision)] { #expect(known == new.json, "\(line)") }
                seen[path] = new.json
            }
            if let last = lines.last, last.contains("goodbye") {
                #expect(last == UndoneEventsTests.goodbye)
                goodbyes += 1
                client.close()
                seen = [:]
                number += 1
            } else {
                for (path, value) in seen { #expect(value == daemon.value(path), "\(path) at step \(step)") }
                _ = client.ask(#"{"id":1,"method":"unsubscribe","params":{"subscription":1}}"#)
                client.close()
                seen = [:]
                number += 1
            }
            client = sleeper(daemon, number, params)
        }
        #expect(undone > 0 && goodbyes > 0)
    }
}
