// SPDX-License-Identifier: MIT
// A full disk: the hub refuses writes, serves all else, and accepts writes as soon as there is space.

import Testing

@testable import ObserveCore

@Suite struct FailingDiskTests {
    private static let refused = #""error":{"code":8,"#

    @Test(arguments: [Durability.commit, .interval])
    func `while the disk is full the hub refuses writes with 8, without events`(
        durability: Durability
    ) throws {
        let daemon = try JournaledHub(durability, reserving: 0)
        daemon.ask("set", #""path":"a","value":{"n":1}"#)
        _ = daemon.client(2).ask(#"{"id":1,"method":"subscribe","params":{"path":"a.**"}}"#)
        let before = daemon.dump
        daemon.disk.isFull = true
        for (method, params) in [
            ("set", #""path":"a.n","value":2"#), ("merge", #""path":"a","value":{"n":2}"#),
            ("remove", #""path":"a""#), ("increment", #""path":"a.n""#),
            ("link", #""path":"a.me","target":"a","weak":true"#),
            ("transaction", #""operations":[{"method":"set","params":{"path":"a.n","value":2}}]"#),
            ("bind", #""source":"a.n","target":"a.m""#),
        ] {
            #expect(daemon.ask(method, params).hasPrefix(FailingDiskTests.refused), "\(method)")
        }
        #expect(daemon.dump == before)
        #expect(daemon.tree.faults() == [])
        #expect(daemon.value("a.n") == "1")
        #expect(daemon.client(2).take() == [])
        #expect(daemon.ask("subscribe", #""path":"a.n""#, 3).contains(#""new":1"#))

        daemon.disk.isFull = false
        #expect(daemon.ask("set", #""path":"a.n","value":3"#) == #""result":{"revision":2,"changed":true}"#)
        #expect(daemon.client(2).take().count == 1)
        try daemon.kill()
        #expect(daemon.value("a.n") == "3")
    }

    @Test func `each request of a batch is refused by itself`() throws {
        let daemon = try JournaledHub(reserving: 0)
        daemon.ask("set", #""path":"a","value":{"n":1}"#)
        let reader = daemon.client(2)
        _ = reader.ask(#"{"id":1,"method":"subscribe","params":{"path":"a.n"}}"#)
        daemon.disk.isFull = true
        let client = daemon.client(3)
        client.push(#"{"id":1,"method":"get","params":{"path":"a.n"}}"#)
        client.push(#"{"method":"set","params":{"path":"a","value":{"n":5}}}"#)
        client.push(#"[{"id":2,"method":"set","params":{"path":"a.n","value":2}},{"id":3,"method":"ping"}]"#)
        client.push(#"{"id":4,"method":"get","params":{"path":"a.n"}}"#)
        #expect(daemon.tree.revision == 1)
        let said = client.take()
        #expect(said.count == 3)
        #expect(said[0] == #"{"jsonrpc":"2.0","id":1,"result":{"value":1,"revision":1}}"#)
        #expect(said[1].hasPrefix(#"[{"jsonrpc":"2.0","id":2,"error":{"code":8"#))
        #expect(said[1].hasSuffix(#"{"jsonrpc":"2.0","id":3,"result":{}}]"#))
        #expect(said[2] == #"{"jsonrpc":"2.0","id":4,"result":{"value":1,"revision":1}}"#)
        #expect(reader.take() == [])
        #expect(daemon.tree.faults() == [])
    }

    /// The disk has space for one of the commits, and the journal's own room.
    @Test func `a smaller commit may still fit`() throws {
        let daemon = try JournaledHub(.commit)
        daemon.openJournal?.file.largestPiece = 4096
        daemon.ask("set", #""path":"a","value":1"#)
        daemon.disk.isFull = true
        let long = String(repeating: "x", count: 8000)
        #expect(daemon.ask("set", #""path":"b","value":"\#(long)""#).hasPrefix(FailingDiskTests.refused))
        #expect(daemon.ask("set", #""path":"a","value":2"#) == #""result":{"revision":2,"changed":true}"#)
        try daemon.kill()
        #expect(daemon.value("a") == "2")
        #expect(daemon.value("b") == "null")
    }

    @Test func `a refused commit makes no pattern match too many paths`() throws {
        let daemon = try JournaledHub(reserving: 0)
        daemon.ask("set", #""path":"a","value":{}"#)
        var limits = TreeLimits()
        limits.maxMatches = 2
        daemon.tree.adopt(limits)
        let client = daemon.client(2)
        _ = client.ask(#"{"id":1,"method":"subscribe","params":{"path":"a.*"}}"#)
        daemon.disk.isFull = true
        let value = #""path":"a","value":{"b":1,"c":2,"d":3}"#
        #expect(daemon.ask("merge", value, 3).hasPrefix(FailingDiskTests.refused))
        #expect(client.take() == [])
    }

    @Test func `a subscription after a refused write in a batch is made once`() throws {
        let daemon = try JournaledHub(reserving: 0)
        daemon.ask("set", #""path":"a","value":{"n":1}"#)
        daemon.disk.isFull = true
        let client = daemon.client(3)
        client.push(#"{"id":1,"method":"set","params":{"path":"a.n","value":2}}"#)
        client.push(#"{"id":2,"method":"subscribe","params":{"path":"a.n"}}"#)
        let said = client.take()
        #expect(said.count == 3)
        #expect(said[0].contains(#""id":1,"error":{"code":8"#))
        #expect(said[1].contains(#""subscription":1,"revision":1"#))
        #expect(said[2].contains(#""reason":"initial","new":1"#))
    }

    @Test func `a temporary value expires once the disk has space again`() throws {
        let daemon = try JournaledHub(reserving: 0)
        daemon.ask("set", #""path":"a","value":1"#)
        daemon.ask("set", #""path":"a","value":2,"lifetime":"connection""#, 2)
        daemon.ask("set", #""path":"b","value":2,"lifetime":10"#, 3)
        daemon.disk.isFull = true
        daemon.client(2).close()
        daemon.clock.pass(milliseconds: 50, in: daemon.hub)
        #expect(daemon.value("a") == "2")
        #expect(daemon.value("b") == "2")
        daemon.disk.isFull = false
        daemon.clock.pass(milliseconds: 2000, in: daemon.hub)
        #expect(daemon.value("a") == "1")
        #expect(daemon.value("b") == "null")
        try daemon.kill()
        #expect(daemon.value("a") == "1")
    }

    /// One written commit, and one refused while the first one's event is delayed.
    @Test(arguments: [#""debounce":100"#, #""throttle":100"#])
    func `a delayed event shows no refused commit`(pace: String) throws {
        let daemon = try JournaledHub(reserving: 0)
        daemon.ask("set", #""path":"a","value":{"n":1,"m":1}"#)
        for (number, path) in [(UInt64(2), "a.n"), (3, "a.**"), (4, "a.*")] {
            _ = daemon.client(number).ask(
                #"{"id":1,"method":"subscribe","params":{"path":"\#(path)","old":true,\#(pace)}}"#
            )
        }
        daemon.clock.pass(milliseconds: 1, in: daemon.hub)
        daemon.ask("set", #""path":"a.n","value":2"#)
        daemon.disk.isFull = true
        for _ in 1...3 {
            daemon.clock.pass(milliseconds: 1, in: daemon.hub)
            #expect(
                daemon.ask("set", #""path":"a.n","value":3"#).hasPrefix(FailingDiskTests.refused)
            )
            #expect(daemon.ask("get", #""path":"a.n""#, 2).contains(#""value":2,"revision":2"#))
        }
        daemon.disk.isFull = false
        daemon.clock.pass(milliseconds: 200, in: daemon.hub)
        for number in UInt64(2)...4 {
            let events = daemon.client(number).take().filter { $0.contains("\"change\"") }
            #expect(events.count == 1, "\(events)")
            #expect(events.last?.contains(#""new":2,"old":1,"revision":2}"#) == true, "\(events)")
        }
        daemon.ask("set", #""path":"a.m","value":5"#)
        daemon.clock.pass(milliseconds: 200, in: daemon.hub)
        #expect(daemon.client(2).take() == [])
        #expect(daemon.client(4).take().map { $0.contains(#""revision":3}"#) } == [true])
    }

    @Test(arguments: [Durability.commit, .interval])
    func `the journal continues though finishing a snapshot failed`(durability: Durability) throws {
        let daemon = try JournaledHub(durability)
        daemon.ask("set", #""path":"a","value":1"#)
        let journal = try #require(daemon.openJournal)
        journal.rotation.isWanted = true
        daemon.work { if case .snapshot = journal.isWorking { true } else { false } }
        daemon.disk.failures = 1000
        daemon.hub.journaling.finishJournalWork(daemon.disk.doWork())
        daemon.disk.failures = 0
        #expect(daemon.ask("set", #""path":"a","value":2"#).contains("result"))
        try daemon.losePower(seed: 3)
        #expect(durability == .interval || daemon.value("a") == "2")
    }

    /// If a snapshot does not fit the disk, the journal continues without it and removes its file.
    @Test func `the journal cancels a snapshot that does not fit the disk, and refuses no write`() throws {
        let daemon = try JournaledHub()
        daemon.ask("set", #""path":"a","value":1"#)
        let journal = try #require(daemon.openJournal)
        journal.rotation.isWanted = true
        while daemon.disk.contents(StateFile.freshSnapshot)?.isEmpty ?? true {
            if journal.popWork(isSyncDue: false) != nil {
                daemon.hub.journaling.finishJournalWork(daemon.disk.doWork())
            }
            _ = journal.step { true }
            if journal.snapshot?.view.isDone == true { daemon.disk.isFull = true }
            if journal.isWorking == nil, journal.rotation.mustRemoveParts { break }
        }
        daemon.disk.isFull = false
        let mustRemoveParts = journal.rotation.mustRemoveParts
        #expect(mustRemoveParts)
        #expect(daemon.ask("set", #""path":"a","value":2"#).contains("result"))
        #expect(journal.popWork(isSyncDue: false) != nil)
        daemon.hub.journaling.finishJournalWork(daemon.disk.doWork())
        #expect(daemon.disk.contents(StateFile.freshSnapshot) == nil)
        try daemon.kill()
        #expect(daemon.value("a") == "2")
    }
}
