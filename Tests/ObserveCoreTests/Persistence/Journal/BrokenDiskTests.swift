// SPDX-License-Identifier: MIT
// A disk that fails a write for which it had room: the sessions end, and the next hub continues from what it has kept.

import Testing

@testable import ObserveCore

@Suite struct BrokenDiskTests {
    private static let refused = #""error":{"code":8,"#

    private static func goodbye(_ members: String) -> String {
        #"{"jsonrpc":"2.0","method":"goodbye","params":{"reason":"journalFailed"\#(members)}}"#
    }

    /// Three commits are flushed before the disk breaks, and one is not.
    @Test(arguments: [Durability.commit, .interval])
    func `clients hear of flushed commits alone, and of the revision to resume from`(
        durability: Durability
    ) throws {
        let daemon = try JournaledHub(durability)
        daemon.ask("set", #""path":"a","value":1"#)
        let reader = daemon.client(2)
        _ = reader.ask(#"{"id":1,"method":"subscribe","params":{"path":"a"}}"#)
        daemon.ask("set", #""path":"a","value":2"#)
        daemon.ask("set", #""path":"a","value":3"#)
        let writer = daemon.client(3)
        daemon.disk.failures = 1000
        writer.push(#"{"id":7,"method":"set","params":{"path":"a","value":4}}"#)
        #expect(writer.take() == [BrokenDiskTests.goodbye(#","revision":3"#)])
        let lines = reader.take()
        #expect(lines.map { $0.contains(#""new":2"#) } == [true, false, false])
        #expect(lines.last == BrokenDiskTests.goodbye(#","revision":3"#))

        try daemon.succeed()
        #expect(daemon.tree.revision == 3)
        #expect(daemon.value("a") == "3")
        #expect(daemon.ask("set", #""path":"a","value":5"#).hasPrefix(BrokenDiskTests.refused))
        let again = daemon.client(2)
        let answer = again.ask(
            #"{"id":1,"method":"subscribe","params":{"path":"a","since":{"revision":3,"epoch":"\#(daemon.hub.journaling.epoch)"}}}"#
        )
        #expect(answer.first?.contains(#""resumed":true,"replayed":0"#) == true, "\(answer)")
        daemon.disk.failures = 0
        daemon.clock.pass(milliseconds: 1000, in: daemon.hub)
        #expect(daemon.ask("set", #""path":"a","value":5"#) == #""result":{"revision":4,"changed":true}"#)
        #expect(again.take().count == 1)
        try daemon.losePower(seed: 3)
        #expect(daemon.value("a") == (durability == .commit ? "5" : daemon.value("a")))
    }

    @Test func `under none the goodbye has no revision, and the epoch ends`() throws {
        let daemon = try JournaledHub(.none)
        daemon.ask("set", #""path":"a","value":1"#)
        let epoch = daemon.hub.journaling.epoch
        let reader = daemon.client(2)
        _ = reader.ask(#"{"id":1,"method":"subscribe","params":{"path":"a"}}"#)
        daemon.ask("set", #""path":"a","value":2"#)
        daemon.disk.failures = 1000
        daemon.hub.journaling.syncJournal()
        let lines = reader.take()
        #expect(lines.count == 2)
        #expect(lines.last == BrokenDiskTests.goodbye(""))
        try daemon.succeed()
        #expect(daemon.hub.journaling.epoch != epoch)
    }

    /// The wait doubles, and is handed over to the next hub.
    @Test func `each failed proof doubles the wait`() throws {
        let daemon = try JournaledHub(.commit)
        daemon.ask("set", #""path":"a","value":1"#)
        daemon.disk.failures = 1000
        daemon.ask("set", #""path":"a","value":2"#)
        #expect(daemon.hub.journaling.breakage?.wait == 100)
        try daemon.succeed()
        var attempts: [UInt64] = []
        var steps = daemon.disk.steps
        for time in stride(from: UInt64(50), through: 25_000, by: 50) {
            daemon.clock.pass(milliseconds: 50, in: daemon.hub)
            if daemon.disk.steps != steps { attempts.append(time) }
            steps = daemon.disk.steps
        }
        #expect(attempts == [100, 300, 700, 1500, 3100, 6300, 12_700, 22_700])
        daemon.disk.failures = 0
        daemon.clock.pass(milliseconds: 10_000, in: daemon.hub)
        #expect(daemon.ask("set", #""path":"a","value":3"#).contains("result"))
        daemon.disk.failures = 1000
        daemon.ask("set", #""path":"a","value":4"#)
        #expect(daemon.hub.journaling.breakage?.wait == 10_000)
    }

    @Test func `a client with delayed events gets no revision, since the tree has dropped commits`() throws {
        let daemon = try JournaledHub(.commit)
        daemon.ask("set", #""path":"a","value":1"#)
        let reader = daemon.client(2)
        _ = reader.ask(#"{"id":1,"method":"subscribe","params":{"path":"a","debounce":100}}"#)
        daemon.ask("set", #""path":"a","value":2"#)
        daemon.disk.failures = 1000
        daemon.ask("set", #""path":"a","value":3"#)
        #expect(reader.take() == [BrokenDiskTests.goodbye("")])
    }

    @Test func `temporary values wait for the next hub, which ends them`() throws {
        let daemon = try JournaledHub(.commit)
        daemon.ask("set", #""path":"a","value":1"#)
        daemon.ask("set", #""path":"a","value":2,"lifetime":"connection""#, 2)
        daemon.disk.failures = 1000
        daemon.ask("set", #""path":"b","value":3"#)
        daemon.client(2).close()
        try daemon.succeed()
        #expect(daemon.value("a") == "2")
        daemon.disk.failures = 0
        daemon.clock.pass(milliseconds: 3000, in: daemon.hub)
        #expect(daemon.value("a") == "1")
        try daemon.losePower(seed: 2)
        #expect(daemon.value("a") == "1")
    }

    /// After a failed sync the system may drop the data: the next sync succeeds without writing it.
    @Test func `a snapshot does not replace the files if another sync fails meanwhile`() throws {
        let daemon = try JournaledHub(.commit)
        daemon.ask("set", #""path":"a","value":1"#)
        let journal = try #require(daemon.openJournal)
        journal.rotation.isWanted = true
        daemon.work { if case .seal = journal.isWorking { true } else { false } }
        daemon.disk.failures = 1000
        daemon.ask("set", #""path":"a","value":2"#)
        daemon.disk.failures = 0
        daemon.hub.journaling.finishJournalWork(daemon.disk.doWork())
        #expect(journal.popWork(isSyncDue: false) == nil)
        try daemon.losePower(seed: 3)
        #expect(daemon.value("a") == "1")
    }
}
