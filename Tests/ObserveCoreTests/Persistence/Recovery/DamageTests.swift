// SPDX-License-Identifier: MIT
// Recovery from files that were cut, damaged, lost or exchanged.

import Testing

@testable import ObserveCore

@Suite struct DamageTests {
    /// A journal with a dozen commits, and the state after each.
    private func written(_ durability: Durability) throws -> (bytes: [UInt8], states: Set<String>) {
        let daemon = try JournaledHub(durability)
        var states: Set<String> = [daemon.dump]
        for n in 1...12 {
            daemon.ask("set", #""path":"r\#(n % 3)","value":{"n":\#(n),"list":["\#(n)",{}]}"#)
            states.insert(daemon.dump)
        }
        return (daemon.disk.contents("journal-1") ?? [], states)
    }

    private func open(
        _ journal: [UInt8]?,
        snapshot: [UInt8]? = nil,
        more: [String: [UInt8]] = [:],
        boot: String = "boot",
        salvages: Bool = false,
        on disk: SimulatedDisk = SimulatedDisk(seed: 1)
    ) throws(StateError) -> (dump: String, notes: [String], isResumable: Bool) {
        if let journal { disk.place("journal-1", journal) }
        if let snapshot { disk.place("snapshot", snapshot) }
        for (name, bytes) in more { disk.place(name, bytes) }
        let tree = ModelTree()
        tree.keepHistory(commits: 10)
        var conditions = StartConditions(durability: .interval, boot: boot, clockOffset: 0, freshEpoch: "e")
        conditions.salvages = salvages
        let opened = try Recovery.open(tree, on: disk, conditions)
        tree.hooks.isRecording = false
        return (tree.stateDump, opened.notes, opened.journal.epoch != "e")
    }

    /// All places of a file, or some of them in a debug build.
    private func places(_ places: Range<Int>) -> StrideTo<Int> {
        stride(from: places.lowerBound, to: places.upperBound, by: many(1, usually: 47))
    }

    /// Under `commit` zeros follow the last line: the journal allocates space in advance.
    @Test(arguments: [Durability.interval, .commit])
    func `recovery from a journal cut anywhere restores a prefix`(durability: Durability)
        throws
    {
        let (bytes, states) = try written(durability)
        let first = try #require(bytes.firstIndex(of: 0x0A)) + 1
        let end = try #require(bytes.lastIndex(of: 0x0A)) + 1
        #expect((bytes.count > end) == (durability == .commit))
        var last = 0
        for count in Array(places(first..<end)) + [end, min(end + 1, bytes.count), bytes.count] {
            let found = try open(Array(bytes.prefix(count)))
            #expect(states.contains(found.dump), "cut at \(count)")
            let revision = Int(found.dump.prefix { $0 != "\n" }.dropFirst()) ?? -1
            #expect(revision >= last)
            last = revision
            let isWhole = count > end || bytes[count - 1] == 0x0A
            #expect(found.notes.isEmpty == isWhole, "cut at \(count): \(found.notes)")
            // A whole line without its line feed may have been damaged.
            let isLine = count < bytes.count && bytes[count] == 0x0A
            #expect(found.isResumable == !isLine, "cut at \(count)")
            // Zeros may follow, and under `commit` a loss of power leaves the same.
            let zeros = Array(bytes.prefix(count)) + [0, 0, 0]
            #expect(try open(zeros).isResumable == !isLine, "cut at \(count)")
            if durability == .commit {
                #expect(try open(zeros, boot: "another").isResumable == !isLine, "cut at \(count)")
            }
        }
        #expect(last == 12)
    }

    @Test func `recovery removes a journal with a lost beginning, and its successor`()
        throws
    {
        let (bytes, states) = try written(.interval)
        let more = ["journal-2": Array(bytes.prefix(20)), "journal-3": bytes]
        let found = try open(bytes, more: more, boot: "another")
        #expect(states.contains(found.dump))
        #expect(
            found.notes.filter {
                $0.hasSuffix("follows commits that were lost with the power: it is removed")
            }
            .map { $0.prefix(9) } == ["journal-2", "journal-3"]
        )
        #expect(throws: StateError.damaged("journal-2", line: 1, offset: 0)) { try open(bytes, more: more) }
        // The previous journal was not begun either, nor was the last.
        let neither = try open(bytes, more: ["journal-2": [0x7B], "journal-3": [0x7B]], boot: "another")
        #expect(states.contains(neither.dump))
    }

    /// Pages reach the disk in any order, so a power loss can take lines before whole ones. A later line says how much
    /// was synced: damage before that is none of the power's.
    @Test func `a power loss under interval may take lines that were not synced, and no others`() throws {
        let daemon = try JournaledHub(.interval)
        let journal = try #require(daemon.openJournal)
        var states: Set<String> = []
        var synced = 0
        for n in 1...12 {
            daemon.ask("set", #""path":"n","value":\#(n)"#)
            if n >= 5 { states.insert(daemon.dump) }
            guard n == 5 else { continue }
            synced = try #require(daemon.disk.contents("journal-1")).count
            #expect(journal.popWork(isSyncDue: true) != nil)
            journal.finish(daemon.disk.doWork())
        }
        let bytes = try #require(daemon.disk.contents("journal-1"))
        let first = try #require(bytes.firstIndex(of: 0x0A)) + 1
        for place in places(first..<bytes.count) {
            var spoilt = bytes
            spoilt[place] = 0
            if place < synced {
                #expect(throws: StateError.self, "byte \(place)") { try open(spoilt, boot: "another") }
            } else {
                let found = try open(spoilt, boot: "another")
                #expect(states.contains(found.dump) && !found.notes.isEmpty, "byte \(place)")
            }
        }
    }

    /// The start line is in the last journal, and the damage may be in the one before.
    @Test func `under interval no damage before a start of the present boot counts as lost with the power`()
        throws
    {
        let daemon = try JournaledHub(.interval)
        func write(_ numbers: ClosedRange<Int>) {
            for n in numbers { daemon.ask("set", #""path":"n","value":\#(n)"#) }
        }
        write(1...3)
        try daemon.beginNextJournal()
        write(4...6)
        try daemon.rebootSynced()
        write(7...9)
        let before = try #require(daemon.disk.contents("journal-1"))
        let last = try #require(daemon.disk.contents("journal-2"))
        func opened(_ before: [UInt8], _ last: [UInt8]) throws(StateError) -> String {
            try open(before, more: ["journal-2": last], boot: daemon.boot).dump
        }
        #expect(try opened(before, last) == daemon.dump)
        let ends = before.indices.filter { before[$0] == 0x0A }.map { $0 + 1 }
        for end in ends.dropLast() {
            #expect(throws: StateError.self, "cut at \(end)") { try opened(Array(before[..<end]), last) }
        }
        for place in places(before.indices) {
            var spoilt = before
            spoilt[place] = 0
            #expect(throws: StateError.self, "journal-1, byte \(place)") { try opened(spoilt, last) }
        }
        // With a damaged start line, nothing tells the state from one that the power left.
        let lines = LineDamage.lines(of: last).lines
        let start = lines[0...3].joined().count..<lines[0...4].joined().count
        let tail = last.count - lines[lines.count - 1].count
        for place in places(0..<tail) {
            var spoilt = last
            spoilt[place] = 0
            if start.contains(place) {
                let found = try opened(before, spoilt)
                #expect(found.hasPrefix("r6"), "journal-2, byte \(place)")
            } else {
                #expect(throws: StateError.self, "journal-2, byte \(place)") { try opened(before, spoilt) }
            }
        }
    }

    @Test(arguments: [Durability.interval, .commit])
    func `recovery fails at a changed byte before the last batch, and names its place`(
        durability: Durability
    ) throws {
        let (room, _) = try written(durability)
        let bytes = Array(room.prefix(try #require(room.lastIndex(of: 0x0A)) + 1))
        var tail = try #require(bytes.dropLast().lastIndex(of: 0x0A)) + 1
        // Its last batch begins with a line that states the safe length.
        if durability == .commit { tail = try #require(bytes.prefix(tail - 1).lastIndex(of: 0x0A)) + 1 }
        for place in places(0..<tail) {
            for bit in [0, 5] {
                var spoilt = bytes
                spoilt[place] ^= 1 << bit
                let line = bytes[..<place].count { $0 == 0x0A } + 1
                do throws(StateError) {
                    let found = try open(spoilt)
                    Issue.record("byte \(place): started with \(found)")
                } catch {
                    guard case .damaged("journal-1", line, let offset) = error else {
                        Issue.record("byte \(place): \(error)")
                        continue
                    }
                    #expect(offset <= place)
                }
            }
        }
    }

    /// The system keeps what a killed process wrote, in its order, so a crash leaves at most the beginning of a line. Pages
    /// that a loss of power takes look like damage: then no client may resume.
    @Test(arguments: [Durability.interval, .commit])
    func `a changed byte in the last commit is found`(durability: Durability) throws {
        let (room, states) = try written(durability)
        let end = try #require(room.lastIndex(of: 0x0A)) + 1
        let tail = try #require(room.prefix(end - 1).lastIndex(of: 0x0A)) + 1
        for bytes in [Array(room.prefix(end)), room] {
            let rest = end - 1..<min(bytes.count, end + 3)
            for place in Array(places(tail..<end - 1)) + Array(rest) {
                for byte in [0, 0x0A, 0x20, bytes[place] ^ 1, bytes[place] ^ 0x80] where byte != bytes[place]
                {
                    var spoilt = bytes
                    spoilt[place] = byte
                    let what: Comment = "byte \(place - tail) of \(end - tail) is \(byte)"
                    if place == end - 1, byte == 0 {
                        #expect(try !open(spoilt).isResumable, what)
                    } else {
                        let error = #expect(throws: StateError.self, what) { try open(spoilt) }
                        let line = bytes[..<min(place, end)].count { $0 == 0x0A } + 1
                        let offset = place < end ? tail : end
                        #expect(error == .damaged("journal-1", line: line, offset: offset), what)
                    }
                    let found = try open(spoilt, boot: "another")
                    #expect(states.contains(found.dump) && !found.isResumable, what)
                }
            }
        }
    }

    @Test func `the first line of the last journal is not taken for one that was never begun`() throws {
        let daemon = try JournaledHub(.commit)
        daemon.ask("set", #""path":"n","value":1"#)
        try daemon.beginNextJournal()
        let before = try #require(daemon.disk.contents("journal-1"))
        let file = try #require(daemon.disk.contents("journal-2"))
        #expect(try open(before, more: ["journal-2": file]).dump == daemon.dump)
        // Without the room behind it.
        let last = Array(file.prefix { $0 != 0 })
        for place in places(0..<last.count - 1) {
            var spoilt = last
            spoilt[place] ^= 4
            #expect(throws: StateError.damaged("journal-2", line: 1, offset: 0), "byte \(place)") {
                try open(before, more: ["journal-2": spoilt])
            }
        }
        #expect(try open(before, more: ["journal-2": Array(last.prefix(40))]).isResumable)
    }

    // MARK: Salvaging

    @Test(arguments: [Durability.interval, .commit], ["boot", "another"])
    func `salvaging keeps the commits before the damage and a copy of the file`(
        durability: Durability,
        boot: String
    ) throws {
        let daemon = try JournaledHub(durability)
        var states = [daemon.dump]
        for n in 1...4 {
            daemon.ask("set", #""path":"n","value":\#(n)"#)
            if n == 2 { try daemon.beginNextJournal() }
            states.append(daemon.dump)
        }
        let before = try #require(daemon.disk.contents("journal-1"))
        let last = try #require(daemon.disk.contents("journal-2"))
        let first = try #require(before.firstIndex(of: 0x0A)) + 1
        let end = try #require(before.lastIndex(of: 0x0A))
        try #require(first < end, "\(String(decoding: before, as: UTF8.self))")
        for place in places(first..<end) {
            var spoilt = before
            spoilt[place] ^= 2
            let disk = SimulatedDisk(seed: 1)
            do throws(StateError) {
                _ = try open(spoilt, more: ["journal-2": last], boot: boot)
                // A loss of power may have left it so.
                #expect(boot == "another")
                continue
            } catch {
                guard case .damaged("journal-1", _, let offset) = error else {
                    Issue.record("byte \(place): \(error)")
                    continue
                }
                // An earlier run has left copies of these names.
                let former = ["journal-1.damaged-at-\(offset)", "journal-2.damaged-at-0"]
                for name in former { disk.place(name, [1]) }
                let more = ["journal-2": last]
                let found = try open(spoilt, more: more, boot: boot, salvages: true, on: disk)
                #expect(!found.isResumable && states.prefix(2).contains(found.dump), "\(found)")
                #expect(found.notes.count == 3, "\(found.notes)")
                #expect(former.map(disk.contents) == [[1], [1]])
                #expect(disk.contents(former[0] + ".2") == spoilt)
                #expect(disk.contents("journal-2") == nil)
                #expect(disk.contents(former[1] + ".2") == last)
                // The next start finds nothing wrong.
                let again = try open(nil, boot: boot, on: disk)
                #expect(again.dump == found.dump && again.notes.isEmpty)
            }
        }
    }

    @Test func `recovery fails at a changed byte in a snapshot`() throws {
        let daemon = try JournaledHub()
        daemon.ask("set", #""path":"r","value":{"a":[1,2,{}],"b":"text"}"#)
        try daemon.snapshot()
        let journal = try #require(daemon.disk.contents("journal-2"))
        let snapshot = try #require(daemon.disk.contents("snapshot"))
        #expect(daemon.disk.contents("journal-1") == nil)
        #expect(try open(nil, snapshot: snapshot, more: ["journal-2": journal]).dump == daemon.dump)
        for place in places(snapshot.indices) {
            var spoilt = snapshot
            spoilt[place] ^= 4
            #expect(throws: StateError.self) {
                try self.open(nil, snapshot: spoilt, more: ["journal-2": journal])
            }
        }
    }

    @Test func `each missing or wrong file has its error message`() throws {
        let daemon = try JournaledHub()
        daemon.ask("set", #""path":"r","value":{"a":1}"#)
        let first = try #require(daemon.disk.contents("journal-1"))
        try daemon.snapshot()
        let snapshot = try #require(daemon.disk.contents("snapshot"))
        let second = try #require(daemon.disk.contents("journal-2"))
        func sentence(_ files: [String: [UInt8]]) -> String {
            do throws(StateError) { return "started: \(try open(nil, more: files).dump)" } catch {
                return "\(error)"
            }
        }
        func other(_ bytes: [UInt8], _ old: String, _ new: String) -> [UInt8] { resealed(bytes, old, new) }
        let cases: [(files: [String: [UInt8]], sentence: String)] = [
            (["snapshot": snapshot], "journal-2 is missing: the snapshot is not whole without it"),
            (["journal-2": second], "snapshot is missing: journal-2 follows it"),
            (["journal-1": []], "journal-1 is empty"),
            (["journal-1": Array("hello\n".utf8)], "journal-1 is not a journal of ours"),
            (["snapshot": [], "journal-2": second], "snapshot is empty"),
            (["snapshot": Array("hello\n".utf8), "journal-2": second], "snapshot is not a snapshot of ours"),
            (["snapshot": second, "journal-2": snapshot], "snapshot is not a snapshot, but a journal"),
            (["snapshot": snapshot, "journal-2": snapshot], "journal-2 is not a journal, but a snapshot"),
            (["journal-1": snapshot], "journal-1 is not a journal, but a snapshot"),
            (["journal-1": second], "journal-1, line 1: it is journal 2, under another's name"),
            (
                ["snapshot": snapshot, "journal-2": first],
                "journal-2, line 1: it is journal 1, under another's name"
            ),
            (
                ["journal-1": other(first, #""journal":2"#, #""journal":3"#)],
                "journal-1 is of version 3, and this is version 2"
            ),
            (
                ["snapshot": other(snapshot, #""snapshot":2"#, #""snapshot":9"#), "journal-2": second],
                "snapshot is of version 9, and this is version 2"
            ),
            (
                ["snapshot": snapshot, "journal-2": other(second, #""revision":1"#, #""revision":7"#)],
                "journal-2, line 1: it continues revision 7, and the files before it end at 1"
            ),
        ]
        for (files, expected) in cases { #expect(sentence(files) == expected) }
    }

    /// The same file with a text replaced in its first line, and matching checksums.
    private func resealed(_ bytes: [UInt8], _ old: String, _ new: String) -> [UInt8] {
        Array(String(decoding: bytes, as: UTF8.self).resealed(line: 1, old, new).utf8)
    }
}
