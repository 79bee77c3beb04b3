// SPDX-License-Identifier: MIT
// A snapshot has the state at its revision, whatever is committed while it is written.

import Testing

@testable import ObserveCore

@Suite struct SnapshotTests {
    /// The disk's snapshot, with the first line of the journal that follows.
    private static func alone(_ disk: SimulatedDisk, _ journal: String) throws -> SimulatedDisk {
        let bare = SimulatedDisk(seed: 1)
        bare.place("snapshot", try #require(disk.contents("snapshot")))
        let bytes = try #require(disk.contents(journal))
        bare.place(journal, Array(bytes.prefix { $0 != 0x0A }) + [0x0A])
        return bare
    }

    /// Begins a snapshot, and returns its journal.
    private static func begin(_ daemon: JournaledHub) throws -> Journal {
        let journal = try #require(daemon.openJournal)
        journal.rotation.isWanted = true
        while journal.snapshot == nil {
            if journal.popWork(isSyncDue: false) != nil {
                #expect(daemon.disk.doWork() == nil)
                journal.finish(nil)
            }
            journal.step { true }
        }
        return journal
    }

    private static func write(_ random: inout SeededGenerator, to daemon: JournaledHub) {
        let (root, number) = ("r\(random.next() % 4)", random.next() % 1000)
        let (method, params) =
            switch random.next() % 9 {
            case 0: ("set", #""path":"\#(root)","value":{"n":\#(number),"list":[1,{"x":2}],"deep":{"k":{}}}"#)
            case 1: ("insert", #""path":"\#(root).list","value":{"x":\#(number)},"index":0"#)
            case 2: ("remove", #""path":"\#(root).deep""#)
            case 3: ("set", #""path":"\#(root).n","value":\#(number),"lifetime":\#(100_000 + number)"#)
            case 4: ("link", #""path":"\#(root).weak","target":"r\#(number % 4)","weak":true"#)
            case 5: ("link", #""path":"\#(root).strong","target":"r\#(number % 4).deep""#)
            case 6: ("merge", #""path":"\#(root)","value":{"z\#(number % 5)":\#(number)}"#)
            case 7: ("bind", #""source":"\#(root).n","target":"r\#(number % 4).copy""#)
            default: ("set", #""path":"\#(root).n","value":\#(number)"#)
            }
        daemon.ask(method, params)
    }

    @Test(arguments: seeds(30, usually: 10))
    func `without the commits after it, a snapshot restores the state in which it began`(seed: UInt64) throws
    {
        var random = SeededGenerator(seed: seed)
        let daemon = try JournaledHub()
        for _ in 0..<50 { Self.write(&random, to: daemon) }
        let before = daemon.dump
        let journal = try Self.begin(daemon)
        let first = journal.rotation.firstNumber
        while journal.rotation.firstNumber == first {
            journal.snapshot?.view.lineBytes = 50
            for _ in 0..<4 { Self.write(&random, to: daemon) }
            daemon.hub.journaling.flushBatch()
            journal.step { true }
            if journal.popWork(isSyncDue: false) != nil {
                #expect(daemon.disk.doWork() == nil)
                journal.finish(nil)
            }
        }
        let restored = try JournaledHub(on: try Self.alone(daemon.disk, journal.file.name))
        #expect(restored.dump == before)
        #expect(restored.tree.faults() == [])
        let after = daemon.dump
        try daemon.kill()
        #expect(daemon.dump == after)
    }

    /// Then more text may wait for the disk, and a slice lasts until that is there.
    @Test func `a view that keeps too many old values is written in longer slices`() throws {
        let daemon = try JournaledHub()
        let members = (0..<2000).map { #""p\#($0)":"\#(String(repeating: "x", count: 40))""# }
        daemon.ask("set", #""path":"a","value":{\#(members.joined(separator: ","))}"#)
        let journal = try Self.begin(daemon)
        journal.rotation.mostText = 4096
        let snapshot = try #require(journal.snapshot)
        snapshot.view.lineBytes = 512
        for number in 1000..<2000 { daemon.ask("set", #""path":"a.p\#(number)","value":\#(number)"#) }
        daemon.hub.journaling.flushBatch()
        let held = snapshot.view.heldBytes
        #expect(held > 40_000)
        journal.step { true }
        #expect(snapshot.view.heldBytes == held && snapshot.text.count < 1024)
        journal.rotation.mostHeldBytes = held / 2
        journal.step { true }
        #expect(snapshot.text.count >= 4096 * 16 && !journal.wantsStep)
    }

    @Test func `a change of types cancels the snapshot, and another follows`() throws {
        let daemon = try JournaledHub { tree in
            #expect(tree.declare([TypeDeclaration("T", "x: Int")]).isEmpty)
            try tree.declare(root: "t", type: "T")
        }
        daemon.ask("set", #""path":"a","value":{"b":1}"#)
        let journal = try Self.begin(daemon)
        daemon.hub.tree.runHooks { $0.willChangeTypes() }
        journal.step { true }
        #expect(journal.snapshot == nil)
        try daemon.snapshot()
        #expect(daemon.disk.contents("snapshot") != nil)
    }
}
