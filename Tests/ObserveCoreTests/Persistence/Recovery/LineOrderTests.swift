// SPDX-License-Identifier: MIT
// Recovery from files with a missing, a doubled or a moved line.

import Testing

@testable import ObserveCore

@Suite struct LineOrderTests {
    private struct Files {
        var all: [String: [UInt8]]
        let durability: Durability
        var boot = "boot"

        /// The last journal, which alone a crash can have cut off.
        var lastJournal: String { all.keys.filter { $0 != "snapshot" }.max() ?? "" }

        func open() throws(StateError) -> String {
            let disk = SimulatedDisk(seed: 1)
            for (name, bytes) in all { disk.place(name, bytes) }
            let tree = ModelTree()
            tree.keepHistory(commits: 10)
            let conditions = StartConditions(
                durability: durability,
                boot: boot,
                clockOffset: 1_000_000,
                freshEpoch: "e"
            )
            _ = try Recovery.open(tree, on: disk, conditions)
            tree.hooks.isRecording = false
            return tree.stateDump
        }
    }

    /// Random commits over two processes. The first ended in order, maybe after a snapshot; or the machine did after the
    /// beginning of one, with everything on the disk.
    private func written(_ durability: Durability, seed: UInt64) throws -> Files {
        let daemon = try JournaledHub(durability, on: SimulatedDisk(seed: seed))
        daemon.openJournal?.file.largestPiece = 200
        var writes = StateWrites(seed: seed)
        func write() {
            daemon.ask("set", #""path":"r","value":{"a":{},"list":[{}]}"#)
            for number in 0..<12 {
                daemon.client(3).push(writes.request(in: daemon.tree))
                if number % 3 == 0 { _ = daemon.client(3).take() }
            }
            _ = daemon.client(3).take()
        }
        write()
        if seed % 2 == 0 {
            try daemon.snapshot(write)
            write()
        }
        if seed % 3 == 0 {
            try daemon.beginNextJournal()
            write()
            try daemon.openJournal?.write()
            try daemon.rebootSynced()
        } else {
            try daemon.restart()
        }
        daemon.openJournal?.file.largestPiece = 200
        write()
        if durability == .none { try daemon.openJournal?.write() }
        var files = Files(all: [:], durability: durability, boot: daemon.boot)
        for name in try daemon.disk.names() { files.all[name] = daemon.disk.contents(name) }
        return files
    }

    @Test(arguments: Durability.allCases, seeds(6, usually: 1))
    func `recovery refuses a missing, doubled or moved line, and names its place`(
        durability: Durability,
        seed: UInt64
    ) throws {
        let files = try written(durability, seed: seed)
        _ = try files.open()
        for (name, bytes) in files.all {
            let (lines, _) = LineDamage.lines(of: bytes)
            for (index, damage) in lines.indices.flatMap({ index in LineDamage.allCases.map { (index, $0) } })
            {
                guard let (changed, place) = damage.applied(to: bytes, line: index) else { continue }
                var other = files
                other.all[name] = changed
                do throws(StateError) {
                    let found = try other.open()
                    let isTail = name == files.lastJournal && place.isTail(durability, isPowerLost: false)
                    #expect(isTail, "\(name), line \(index + 1) \(damage): \(found)")
                } catch {
                    switch error {
                    case .damaged(name, line: place.line + 1, offset: place.offset): break
                    case .incomplete("snapshot", line: place.line + 1, offset: place.offset): break
                    // The next journal's first line says where the one before ended.
                    case .inconsistent(let next, line: 1, why: _) where place.isLastRemoved && next > name:
                        break
                    default: Issue.record("\(name), line \(index + 1) \(damage): \(error)")
                    }
                }
            }
        }
    }

    /// Another daemon's files with the same names and revisions.
    @Test func `recovery refuses a journal that does not belong to the other files`() throws {
        func files(_ value: String) throws -> (snapshot: [UInt8], before: [UInt8], after: [UInt8]) {
            let daemon = try JournaledHub(.interval)
            daemon.ask("set", #""path":"a","value":"\#(value)""#)
            try daemon.beginNextJournal()
            daemon.ask("set", #""path":"a","value":"new""#)
            let files = (
                before: try #require(daemon.disk.contents("journal-1")),
                after: try #require(daemon.disk.contents("journal-2"))
            )
            let other = try JournaledHub(.interval)
            other.ask("set", #""path":"a","value":"\#(value)""#)
            try other.snapshot()
            return (try #require(other.disk.contents("snapshot")), files.before, files.after)
        }
        let mine = try files("x")
        var other = try files("y")
        // Not all epochs have the same number of digits.
        while other.before.count != mine.before.count { other = try files("y") }
        func open(_ all: [String: [UInt8]]) throws -> String {
            try Files(all: all, durability: .interval).open()
        }
        _ = try open(["journal-1": mine.before, "journal-2": mine.after])
        #expect(
            throws: StateError.inconsistent(
                "journal-2",
                line: 1,
                why: "it continues another journal-1 than the one here"
            )
        ) { try open(["journal-1": mine.before, "journal-2": other.after]) }
        #expect(
            throws: StateError.inconsistent(
                "journal-2",
                line: 1,
                why: "the snapshot belongs to another journal-2"
            )
        ) { try open(["snapshot": mine.snapshot, "journal-2": other.after]) }
    }

    @Test func `the last line of a closed journal counts the lines`() throws {
        let daemon = try JournaledHub(.interval)
        daemon.ask("set", #""path":"a","value":1"#)
        daemon.hub.journaling.closeJournal()
        let journal = String(decoding: try #require(daemon.disk.contents("journal-1")), as: UTF8.self)
        #expect(journal.hasSuffix("\"stop\":1,\"lines\":3}\n"))
        let other = journal.resealed(line: 3, #""lines":3"#, #""lines":4"#)
        #expect(throws: StateError.inconsistent("journal-1", line: 3, why: "it counts 4 lines")) {
            try Files(all: ["journal-1": Array(other.utf8)], durability: .interval).open()
        }
    }
}
