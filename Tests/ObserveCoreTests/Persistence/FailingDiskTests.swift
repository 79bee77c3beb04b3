// SPDX-License-Identifier: MIT
// A disk that takes no more: writes are refused, everything else goes on, and it mends by itself.

import Testing

@testable import ObserveCore

@Suite struct FailingDiskTests {
    private static let refused = #""error":{"code":8,"#

    @Test(arguments: [Durability.commit, .interval])
    func `while the disk is full, writes are refused with 8 and nobody is told of them`(
        durability: Durability
    ) throws {
        let kept = try KeptHub(durability)
        kept.ask("set", #""path":"a","value":{"n":1}"#)
        _ = kept.client(2).ask(#"{"id":1,"method":"subscribe","params":{"path":"a.**"}}"#)
        let before = kept.dump
        kept.disk.isFull = true
        for (method, params) in [
            ("set", #""path":"a.n","value":2"#), ("merge", #""path":"a","value":{"n":2}"#),
            ("remove", #""path":"a""#), ("increment", #""path":"a.n""#),
            ("link", #""path":"a.me","target":"a","weak":true"#),
            ("transaction", #""operations":[{"method":"set","params":{"path":"a.n","value":2}}]"#),
            ("bind", #""source":"a.n","target":"a.m""#),
        ] {
            #expect(kept.ask(method, params).hasPrefix(FailingDiskTests.refused), "\(method)")
            kept.clock.pass(milliseconds: 200, in: kept.hub)
        }
        #expect(kept.dump == before)
        #expect(kept.tree.faults() == [])
        #expect(kept.value("a.n") == "1")
        #expect(kept.client(2).take() == [])
        #expect(kept.ask("subscribe", #""path":"a.n""#, 3).contains(#""new":1"#))

        kept.disk.isFull = false
        kept.clock.pass(milliseconds: 200, in: kept.hub)
        #expect(kept.ask("set", #""path":"a.n","value":3"#) == #""result":{"revision":2,"changed":true}"#)
        #expect(kept.client(2).take().count == 1)
        try kept.kill()
        #expect(kept.value("a.n") == "3")
    }

    @Test func `a batch is refused as a whole, and each of its requests is answered as if it had not been`()
        throws
    {
        let kept = try KeptHub()
        kept.ask("set", #""path":"a","value":{"n":1}"#)
        let reader = kept.client(2)
        _ = reader.ask(#"{"id":1,"method":"subscribe","params":{"path":"a.n"}}"#)
        kept.disk.isFull = true
        let (first, second) = (kept.client(3), kept.client(4))
        first.push(#"{"id":1,"method":"get","params":{"path":"a.n"}}"#)
        first.push(#"{"id":2,"method":"set","params":{"path":"a.n","value":2}}"#)
        second.push(#"{"id":1,"method":"get","params":{"path":"a.n"}}"#)
        second.push(#"{"method":"set","params":{"path":"a","value":{"n":5}}}"#)
        first.push(#"{"id":3,"method":"get","params":{"path":"a.n"}}"#)
        #expect(kept.tree.revision == 3)
        let said = first.take()
        #expect(said.count == 3)
        #expect(said[0] == #"{"jsonrpc":"2.0","id":1,"result":{"value":1,"revision":1}}"#)
        #expect(said[1].contains(#""id":2,"error":{"code":8"#))
        #expect(said[2] == #"{"jsonrpc":"2.0","id":3,"result":{"value":1,"revision":1}}"#)
        #expect(second.take() == [#"{"jsonrpc":"2.0","id":1,"result":{"value":1,"revision":1}}"#])
        #expect(reader.take() == [])
        #expect(kept.tree.revision == 1)
        #expect(kept.tree.faults() == [])
    }

    @Test func `a subscription that comes after a write in the batch is made once`() throws {
        let kept = try KeptHub()
        kept.ask("set", #""path":"a","value":{"n":1}"#)
        kept.disk.isFull = true
        let client = kept.client(3)
        client.push(#"{"id":1,"method":"set","params":{"path":"a.n","value":2}}"#)
        client.push(#"{"id":2,"method":"subscribe","params":{"path":"a.n"}}"#)
        let said = client.take()
        #expect(said.count == 3)
        #expect(said[0].contains(#""id":1,"error":{"code":8"#))
        #expect(said[1].contains(#""subscription":1,"revision":1"#))
        #expect(said[2].contains(#""reason":"initial","new":1"#))
    }

    @Test func `what was to end ends when there is room again`() throws {
        let kept = try KeptHub()
        kept.ask("set", #""path":"a","value":1"#)
        kept.ask("set", #""path":"a","value":2,"lifetime":"connection""#, 2)
        kept.ask("set", #""path":"b","value":2,"lifetime":10"#, 3)
        kept.disk.isFull = true
        kept.client(2).close()
        kept.clock.pass(milliseconds: 50, in: kept.hub)
        #expect(kept.value("a") == "2")
        #expect(kept.value("b") == "2")
        kept.disk.isFull = false
        kept.clock.pass(milliseconds: 2000, in: kept.hub)
        #expect(kept.value("a") == "1")
        #expect(kept.value("b") == "null")
        try kept.kill()
        #expect(kept.value("a") == "1")
    }

    @Test func `after a sync has failed nothing is taken until what was written is written again`() throws {
        let kept = try KeptHub()
        kept.ask("set", #""path":"a","value":1"#)
        kept.disk.failures = 1000
        let journal = try #require(kept.hub.journalGate.journal)
        #expect(journal.popWork(isSyncDue: true) != nil)
        kept.hub.finishJournalWork(kept.disk.doWork())
        #expect(kept.ask("set", #""path":"a","value":2"#).hasPrefix(FailingDiskTests.refused))
        kept.clock.pass(milliseconds: 5000, in: kept.hub)
        #expect(kept.ask("set", #""path":"a","value":2"#).hasPrefix(FailingDiskTests.refused))
        #expect(kept.value("a") == "1")
        kept.disk.failures = 0
        kept.clock.pass(milliseconds: 1100, in: kept.hub)
        #expect(kept.ask("set", #""path":"a","value":2"#).contains("result"))
        try kept.kill()
        #expect(kept.value("a") == "2")
    }

    /// One commit that is kept, and one that is undone while the first is held back: with each, what is told at last.
    @Test(arguments: [#""debounce":100"#, #""throttle":100"#])
    func `what is held back over a batch that was undone shows the commits before it`(pace: String) throws {
        let kept = try KeptHub()
        kept.ask("set", #""path":"a","value":{"n":1,"m":1}"#)
        for (number, path) in [(UInt64(2), "a.n"), (3, "a.**"), (4, "a.*")] {
            _ = kept.client(number).ask(
                #"{"id":1,"method":"subscribe","params":{"path":"\#(path)","old":true,\#(pace)}}"#
            )
        }
        kept.clock.pass(milliseconds: 1, in: kept.hub)
        kept.ask("set", #""path":"a.n","value":2"#)
        kept.disk.isFull = true
        for _ in 1...3 {
            kept.clock.pass(milliseconds: 1, in: kept.hub)
            #expect(
                kept.ask("set", #""path":"a.n","value":3"#).hasPrefix(FailingDiskTests.refused)
            )
            #expect(kept.ask("get", #""path":"a.n""#, 2).contains(#""value":2,"revision":2"#))
        }
        kept.disk.isFull = false
        kept.clock.pass(milliseconds: 200, in: kept.hub)
        for number in UInt64(2)...4 {
            let told = kept.client(number).take().filter { $0.contains("\"change\"") }
            #expect(told.count == 1, "\(told)")
            #expect(told.last?.contains(#""new":2,"old":1,"revision":2}"#) == true, "\(told)")
        }
        kept.ask("set", #""path":"a.m","value":5"#)
        kept.clock.pass(milliseconds: 200, in: kept.hub)
        #expect(kept.client(2).take() == [])
        #expect(kept.client(4).take().map { $0.contains(#""revision":3}"#) } == [true])
    }

    @Test(arguments: [Durability.commit, .interval])
    func `after the end of a snapshot has failed, service resumes by itself`(durability: Durability) throws {
        let kept = try KeptHub(durability)
        kept.ask("set", #""path":"a","value":1"#)
        let journal = try #require(kept.hub.journalGate.journal)
        journal.isSnapshotWanted = true
        while true {
            if journal.popWork(isSyncDue: false) != nil {
                if case .snapshot = journal.isWorking { break }
                journal.finish(kept.disk.doWork())
            }
            journal.step { true }
        }
        kept.disk.failures = 1000
        kept.hub.finishJournalWork(kept.disk.doWork())
        #expect(kept.ask("set", #""path":"a","value":2"#).hasPrefix(FailingDiskTests.refused))
        #expect(kept.value("a") == "1")
        kept.clock.pass(milliseconds: 5000, in: kept.hub)
        #expect(kept.ask("set", #""path":"a","value":2"#).hasPrefix(FailingDiskTests.refused))
        kept.disk.failures = 0
        kept.clock.pass(milliseconds: 1100, in: kept.hub)
        #expect(kept.ask("set", #""path":"a","value":2"#).contains("result"))
        try kept.losePower(seed: 3)
        #expect(durability == .interval || kept.value("a") == "2")
    }

    /// A sync that fails makes the system forget what it was for: the next finds nothing to do, which is no promise.
    @Test func `a snapshot does not take the others' place when a sync has failed beside its own`() throws {
        let kept = try KeptHub(.commit)
        kept.ask("set", #""path":"a","value":1"#)
        let journal = try #require(kept.hub.journalGate.journal)
        journal.isSnapshotWanted = true
        while true {
            if journal.popWork(isSyncDue: false) != nil {
                if case .seal = journal.isWorking { break }
                journal.finish(kept.disk.doWork())
            }
            journal.step { true }
        }
        kept.disk.failures = 1000
        #expect(kept.ask("set", #""path":"a","value":2"#).hasPrefix(FailingDiskTests.refused))
        kept.disk.failures = 0
        journal.finish(kept.disk.doWork())
        #expect(journal.hasFailedSync)
        #expect(journal.snapshot?.isSealed == false)
        try journal.repair()
        #expect(journal.popWork(isSyncDue: false) != nil)
        #expect(journal.isWorking == .seal(failures: journal.syncFailures))
        journal.finish(kept.disk.doWork())
        #expect(journal.snapshot?.isSealed == true)
        try kept.losePower(seed: 3)
        #expect(kept.value("a") == "1")
    }

    /// The journal goes on without a snapshot for which there is no room, and what was written of it goes away.
    @Test func `a snapshot for which there is no room is given up, and nothing is refused for it`() throws {
        let kept = try KeptHub()
        kept.ask("set", #""path":"a","value":1"#)
        let journal = try #require(kept.hub.journalGate.journal)
        journal.isSnapshotWanted = true
        while kept.disk.contents(StateFile.freshSnapshot)?.isEmpty ?? true {
            if journal.popWork(isSyncDue: false) != nil { kept.hub.finishJournalWork(kept.disk.doWork()) }
            journal.step { true }
            if journal.snapshot?.writer.isDone == true { kept.disk.isFull = true }
            if journal.isWorking == nil, journal.mustTidy { break }
        }
        kept.disk.isFull = false
        #expect(journal.mustTidy)
        #expect(kept.ask("set", #""path":"a","value":2"#).contains("result"))
        #expect(journal.popWork(isSyncDue: false) != nil)
        kept.hub.finishJournalWork(kept.disk.doWork())
        #expect(kept.disk.contents(StateFile.freshSnapshot) == nil)
        try kept.kill()
        #expect(kept.value("a") == "2")
    }

    /// Part of what was refused has come to the disk, and that it was cut off has not: what is written again, and torn
    /// when the power goes, must not have whole lines of that behind it.
    @Test func `nothing that was refused lies behind what is written again after a sync has failed`() throws {
        for seed in 1...100 as ClosedRange<UInt64> {
            let kept = try KeptHub(.interval, on: SimulatedDisk(seed: seed))
            let journal = try #require(kept.hub.journalGate.journal)
            kept.ask("set", #""path":"a","value":1"#)
            #expect(journal.popWork(isSyncDue: true) != nil)
            journal.finish(kept.disk.doWork())
            kept.disk.isFull = true
            let client = kept.client(2)
            for number in 2...6 {
                client.push(#"{"id":1,"method":"set","params":{"path":"a","value":\#(number)}}"#)
            }
            #expect(client.take().count == 5)
            kept.disk.isFull = false
            kept.clock.pass(milliseconds: 200, in: kept.hub)
            #expect(kept.ask("set", #""path":"a","value":"another""#).hasPrefix(#""result""#))
            #expect(journal.popWork(isSyncDue: true) != nil)
            kept.disk.failures = 1000
            journal.finish(kept.disk.doWork())
            #expect(journal.hasFailedSync)
            kept.disk.failures = 0
            kept.disk.isFull = true
            #expect(throws: DiskError.self) { try journal.repair() }
            try kept.losePower(seed: seed)
            // As long as the disk fails, what was refused may be found, in order.
            #expect((1...6).map { "\($0)" }.contains(kept.value("a")) || kept.value("a") == #""another""#)
        }
    }
}
