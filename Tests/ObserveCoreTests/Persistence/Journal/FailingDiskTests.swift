// SPDX-License-Identifier: MIT
// A failing disk: the hub refuses writes, serves all else, and recovers by itself.

import Testing

@testable import ObserveCore

@Suite struct FailingDiskTests {
    private static let refused = #""error":{"code":8,"#

    @Test(arguments: [Durability.commit, .interval])
    func `while the disk is full the hub refuses writes with 8, without events`(
        durability: Durability
    ) throws {
        let daemon = try JournaledHub(durability)
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
            daemon.clock.pass(milliseconds: 200, in: daemon.hub)
        }
        #expect(daemon.dump == before)
        #expect(daemon.tree.faults() == [])
        #expect(daemon.value("a.n") == "1")
        #expect(daemon.client(2).take() == [])
        #expect(daemon.ask("subscribe", #""path":"a.n""#, 3).contains(#""new":1"#))

        daemon.disk.isFull = false
        daemon.clock.pass(milliseconds: 200, in: daemon.hub)
        #expect(daemon.ask("set", #""path":"a.n","value":3"#) == #""result":{"revision":2,"changed":true}"#)
        #expect(daemon.client(2).take().count == 1)
        try daemon.kill()
        #expect(daemon.value("a.n") == "3")
    }

    @Test func `a line that is too long has its answer when the batch is refused`() throws {
        let daemon = try JournaledHub()
        daemon.ask("set", #""path":"a","value":{"n":1}"#)
        var limits = daemon.hub.limits
        limits.maxLineBytes = 100
        daemon.hub.limits = limits
        let client = daemon.client(3)
        daemon.disk.isFull = true
        client.push(#"{"id":1,"method":"set","params":{"path":"a.n","value":2}}"#)
        client.push(String(repeating: "x", count: 101))
        client.push(#"{"id":2,"method":"ping"}"#)
        let lines = client.take()
        #expect(lines.count == 3)
        #expect(lines.first?.contains(FailingDiskTests.refused) == true)
        #expect(lines.dropFirst().first?.contains(#""id":null,"error""#) == true)
    }

    @Test func `the hub refuses a batch as a whole, and answers each request as without it`()
        throws
    {
        let daemon = try JournaledHub()
        daemon.ask("set", #""path":"a","value":{"n":1}"#)
        let reader = daemon.client(2)
        _ = reader.ask(#"{"id":1,"method":"subscribe","params":{"path":"a.n"}}"#)
        daemon.disk.isFull = true
        let (first, second) = (daemon.client(3), daemon.client(4))
        first.push(#"{"id":1,"method":"get","params":{"path":"a.n"}}"#)
        first.push(#"{"id":2,"method":"set","params":{"path":"a.n","value":2}}"#)
        second.push(#"{"id":1,"method":"get","params":{"path":"a.n"}}"#)
        second.push(#"{"method":"set","params":{"path":"a","value":{"n":5}}}"#)
        first.push(#"{"id":3,"method":"get","params":{"path":"a.n"}}"#)
        #expect(daemon.tree.revision == 3)
        let said = first.take()
        #expect(said.count == 3)
        #expect(said[0] == #"{"jsonrpc":"2.0","id":1,"result":{"value":1,"revision":1}}"#)
        #expect(said[1].contains(#""id":2,"error":{"code":8"#))
        #expect(said[2] == #"{"jsonrpc":"2.0","id":3,"result":{"value":1,"revision":1}}"#)
        #expect(second.take() == [#"{"jsonrpc":"2.0","id":1,"result":{"value":1,"revision":1}}"#])
        #expect(reader.take() == [])
        #expect(daemon.tree.revision == 1)
        #expect(daemon.tree.faults() == [])
    }

    @Test func `a subscription after a refused write in a batch is made once`() throws {
        let daemon = try JournaledHub()
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
        let daemon = try JournaledHub()
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

    @Test func `after a failed sync the hub refuses writes until the journal is rewritten`() throws {
        let daemon = try JournaledHub()
        daemon.ask("set", #""path":"a","value":1"#)
        daemon.disk.failures = 1000
        let journal = try #require(daemon.openJournal)
        #expect(journal.popWork(isSyncDue: true) != nil)
        daemon.hub.finishJournalWork(daemon.disk.doWork())
        #expect(daemon.ask("set", #""path":"a","value":2"#).hasPrefix(FailingDiskTests.refused))
        daemon.clock.pass(milliseconds: 5000, in: daemon.hub)
        #expect(daemon.ask("set", #""path":"a","value":2"#).hasPrefix(FailingDiskTests.refused))
        #expect(daemon.value("a") == "1")
        daemon.disk.failures = 0
        daemon.clock.pass(milliseconds: 1100, in: daemon.hub)
        #expect(daemon.ask("set", #""path":"a","value":2"#).contains("result"))
        try daemon.kill()
        #expect(daemon.value("a") == "2")
    }

    /// One written commit, and one undone while the first one's event is delayed.
    @Test(arguments: [#""debounce":100"#, #""throttle":100"#])
    func `a delayed event after an undone batch shows the commits before the batch`(pace: String) throws {
        let daemon = try JournaledHub()
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

    @Test func `an undone batch forgets the delayed events of a subscription that ended in it`() throws {
        let daemon = try JournaledHub()
        daemon.ask("set", #""path":"a","value":{"n":1}"#)
        let client = daemon.client(2)
        _ = client.ask(#"{"id":1,"method":"subscribe","params":{"path":"a.n","debounce":100}}"#)
        daemon.disk.isFull = true
        daemon.client(3).push(#"{"id":1,"method":"set","params":{"path":"a.n","value":2}}"#)
        client.close()
        #expect(
            daemon.client(3).take().last?.hasPrefix(#"{"jsonrpc":"2.0","id":1,"error":{"code":8"#) == true
        )
        #expect(daemon.tree.faults() == [])
    }

    @Test(arguments: [#""throttle":100"#, #""debounce":100"#])
    func `a delayed event does not report an undone removal of its root`(pace: String) throws {
        let daemon = try JournaledHub()
        daemon.ask("set", #""path":"a","value":{"n":1}"#)
        let client = daemon.client(2)
        _ = client.ask(#"{"id":1,"method":"subscribe","params":{"path":"a.n",\#(pace)}}"#)
        daemon.clock.pass(milliseconds: 1, in: daemon.hub)
        daemon.ask("set", #""path":"a.n","value":2"#)
        daemon.disk.isFull = true
        #expect(daemon.ask("remove", #""path":"a""#, 3).hasPrefix(FailingDiskTests.refused))
        daemon.disk.isFull = false
        daemon.clock.pass(milliseconds: 200, in: daemon.hub)
        let events = client.take().filter { $0.contains("\"change\"") }
        #expect(events.count == 1)
        #expect(events.last?.contains(#""reason":"valueChanged","new":2,"revision":2}"#) == true, "\(events)")
    }

    @Test func `requests do not overtake a JSON-RPC batch that the hub refuses`() throws {
        let daemon = try JournaledHub()
        daemon.ask("set", #""path":"a","value":{"n":1}"#)
        let client = daemon.client(3)
        daemon.hub.sessions.turns.turn = 1
        daemon.disk.isFull = true
        client.push(
            #"[{"id":1,"method":"ping"},{"id":2,"method":"ping"},{"id":3,"method":"set","params":{"path":"a.n","value":2}}]"#
        )
        client.push(#"{"id":4,"method":"set","params":{"path":"a.n","value":3}}"#)
        daemon.hub.beginTurn()
        let lines = client.take()
        daemon.hub.endTurn()
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix(#"[{"jsonrpc":"2.0","id":1,"#) == true, "\(lines)")
        client.close()
    }

    @Test func `goodbye comes though the batch in which it was sent is refused`() throws {
        let daemon = try JournaledHub()
        daemon.ask("set", #""path":"a","value":{}"#)
        var limits = TreeLimits()
        limits.maxMatches = 2
        daemon.tree.adopt(limits)
        let client = daemon.client(2)
        _ = client.ask(#"{"id":1,"method":"subscribe","params":{"path":"a.*"}}"#)
        daemon.disk.isFull = true
        #expect(
            daemon.ask("merge", #""path":"a","value":{"b":1,"c":2,"d":3}"#, 3).hasPrefix(
                FailingDiskTests.refused
            )
        )
        #expect(
            client.take() == [#"{"jsonrpc":"2.0","method":"goodbye","params":{"reason":"tooManyMatches"}}"#]
        )
    }

    @Test(arguments: [Durability.commit, .interval])
    func `the hub recovers by itself after finishing a snapshot failed`(durability: Durability) throws {
        let daemon = try JournaledHub(durability)
        daemon.ask("set", #""path":"a","value":1"#)
        let journal = try #require(daemon.openJournal)
        journal.rotation.isWanted = true
        daemon.work { if case .snapshot = journal.isWorking { true } else { false } }
        daemon.disk.failures = 1000
        daemon.hub.finishJournalWork(daemon.disk.doWork())
        #expect(daemon.ask("set", #""path":"a","value":2"#).hasPrefix(FailingDiskTests.refused))
        #expect(daemon.value("a") == "1")
        daemon.clock.pass(milliseconds: 5000, in: daemon.hub)
        #expect(daemon.ask("set", #""path":"a","value":2"#).hasPrefix(FailingDiskTests.refused))
        daemon.disk.failures = 0
        daemon.clock.pass(milliseconds: 1100, in: daemon.hub)
        #expect(daemon.ask("set", #""path":"a","value":2"#).contains("result"))
        try daemon.losePower(seed: 3)
        #expect(durability == .interval || daemon.value("a") == "2")
    }

    /// After a failed sync the system may drop the data: the next sync succeeds without writing it.
    @Test func `a snapshot does not replace the files if another sync fails meanwhile`() throws {
        let daemon = try JournaledHub(.commit)
        daemon.ask("set", #""path":"a","value":1"#)
        let journal = try #require(daemon.openJournal)
        journal.rotation.isWanted = true
        daemon.work { if case .seal = journal.isWorking { true } else { false } }
        daemon.disk.failures = 1000
        #expect(daemon.ask("set", #""path":"a","value":2"#).hasPrefix(FailingDiskTests.refused))
        daemon.disk.failures = 0
        journal.finish(daemon.disk.doWork())
        #expect(journal.hasFailedSync)
        #expect(journal.snapshot?.isSealed == false)
        try journal.repair()
        #expect(journal.popWork(isSyncDue: false) != nil)
        #expect(journal.isWorking == .seal(failures: journal.failures.syncCount))
        journal.finish(daemon.disk.doWork())
        #expect(journal.snapshot?.isSealed == true)
        try daemon.losePower(seed: 3)
        #expect(daemon.value("a") == "1")
    }

    /// If a snapshot does not fit the disk, the journal continues without it and removes its file.
    @Test func `the journal cancels a snapshot that does not fit the disk, and refuses no write`() throws {
        let daemon = try JournaledHub()
        daemon.ask("set", #""path":"a","value":1"#)
        let journal = try #require(daemon.openJournal)
        journal.rotation.isWanted = true
        while daemon.disk.contents(StateFile.freshSnapshot)?.isEmpty ?? true {
            if journal.popWork(isSyncDue: false) != nil { daemon.hub.finishJournalWork(daemon.disk.doWork()) }
            journal.step { true }
            if journal.snapshot?.writer.isDone == true { daemon.disk.isFull = true }
            if journal.isWorking == nil, journal.rotation.mustTidy { break }
        }
        daemon.disk.isFull = false
        let mustTidy = journal.rotation.mustTidy
        #expect(mustTidy)
        #expect(daemon.ask("set", #""path":"a","value":2"#).contains("result"))
        #expect(journal.popWork(isSyncDue: false) != nil)
        daemon.hub.finishJournalWork(daemon.disk.doWork())
        #expect(daemon.disk.contents(StateFile.freshSnapshot) == nil)
        try daemon.kill()
        #expect(daemon.value("a") == "2")
    }

    /// Part of a refused batch is on the disk, but its truncation is not. If a power loss tears the next batch, no
    /// complete line of the refused one may follow it.
    @Test func `no refused line follows the lines that the journal rewrites after a failed sync`() throws {
        for seed in 1...100 as ClosedRange<UInt64> {
            let daemon = try JournaledHub(.interval, on: SimulatedDisk(seed: seed))
            let journal = try #require(daemon.openJournal)
            daemon.ask("set", #""path":"a","value":1"#)
            #expect(journal.popWork(isSyncDue: true) != nil)
            journal.finish(daemon.disk.doWork())
            daemon.disk.isFull = true
            let client = daemon.client(2)
            for number in 2...6 {
                client.push(#"{"id":1,"method":"set","params":{"path":"a","value":\#(number)}}"#)
            }
            #expect(client.take().count == 5)
            daemon.disk.isFull = false
            daemon.clock.pass(milliseconds: 200, in: daemon.hub)
            #expect(daemon.ask("set", #""path":"a","value":"another""#).hasPrefix(#""result""#))
            #expect(journal.popWork(isSyncDue: true) != nil)
            daemon.disk.failures = 1000
            journal.finish(daemon.disk.doWork())
            #expect(journal.hasFailedSync)
            daemon.disk.failures = 0
            daemon.disk.isFull = true
            #expect(throws: DiskError.self) { try journal.repair() }
            try daemon.losePower(seed: seed)
            // While the disk fails, a restart may find refused commits, in order.
            #expect((1...6).map { "\($0)" }.contains(daemon.value("a")) || daemon.value("a") == #""another""#)
        }
    }
}
