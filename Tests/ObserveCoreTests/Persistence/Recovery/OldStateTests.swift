// SPDX-License-Identifier: MIT
// Recovery from files of former versions: of version 1, whose lines are not linked, and of version 2 with snapshots that
// have each property as it was when it was written. Daemons of these versions made those in Tests/OldState.

import Testing

@testable import ObserveCore

@Suite struct OldStateTests {
    /// A folder of files, and the state that a daemon of their version restored from them.
    private struct OldState {
        let disk = SimulatedDisk(seed: 1)
        let durability: Durability
        let expected: String

        init(_ name: String) throws {
            let tests = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
            let folder = "/\(tests)/OldState/\(name)/"
            for file in ["snapshot", "journal-1", "journal-2"] {
                if let bytes = try? Platform.readFile(folder + file, limitBytes: 1 << 20) {
                    disk.place(file, bytes)
                }
            }
            expected = String(
                decoding: try Platform.readFile(folder + "expected", limitBytes: 1 << 20),
                as: UTF8.self
            )
            durability = try #require(Durability(rawValue: String(name.prefix { $0 != "-" })))
        }

        func start() throws -> JournaledHub {
            try JournaledHub(durability, on: disk, declaring: OldStateTests.declare)
        }
    }

    private static func declare(in tree: ModelTree) throws {
        var title = PropertyDeclaration("title", "String")
        title.computed = "{a}: {b}"
        let film = TypeDeclaration(
            "Film",
            [PropertyDeclaration("a", "Int"), title, PropertyDeclaration("b", "String?")]
        )
        #expect(tree.declare([film]).isEmpty)
        try tree.declare(root: "t", type: "[String: Film]")
    }

    static let names = [
        "commit-journal", "commit-snapshot", "interval-journal", "interval-snapshot", "interval-closed",
        "none-journal", "none-snapshot",
    ]

    @Test(arguments: names)
    func `state of version 1 is restored, and continues in linked lines`(name: String) throws {
        let old = try OldState(name)
        let file = name.hasSuffix("journal") ? "journal-1" : "journal-2"
        let before = try #require(old.disk.contents(file))
        let daemon = try old.start()
        #expect(daemon.dump == old.expected)
        #expect(daemon.tree.faults() == [])
        daemon.ask("set", #""path":"r0.n","value":"after""#)
        if old.durability == .none { try daemon.openJournal?.write() }
        let after = String(decoding: try #require(daemon.disk.contents(file)), as: UTF8.self)
        let whole = String(decoding: before, as: UTF8.self).prefix { $0 != "\0" }
        #expect(after.hasPrefix(whole))
        // A daemon of version 1 refuses a file with this line.
        let added = after.dropFirst(whole.count).split(separator: "\n")
        #expect(added.first?.dropFirst(CheckedLine.headPrefix).hasPrefix(#""linked":{"epoch":"#) == true)
        let state = daemon.dump
        for _ in 0..<2 {
            try daemon.kill()
            #expect(daemon.dump == state)
            if old.durability == .none { try daemon.openJournal?.write() }
        }
        try daemon.snapshot()
        let journal = try #require(daemon.openJournal).file.name
        #expect(daemon.disk.contents(file) == nil)
        for (name, version) in [("snapshot", #""snapshot":2,"#), (journal, #""journal":2,"#)] {
            let text = String(decoding: try #require(daemon.disk.contents(name)), as: UTF8.self)
            #expect(text.dropFirst(CheckedLine.headPrefix).hasPrefix(version))
        }
        try daemon.restart()
        #expect(daemon.dump == state)
        #expect(daemon.value("r0.n") == #""after""#)
    }

    @Test(arguments: ["commit-fuzzy", "interval-fuzzy", "none-fuzzy"])
    func `a snapshot that commits changed while it was written is restored`(name: String) throws {
        let old = try OldState(name)
        let daemon = try old.start()
        #expect(daemon.dump == old.expected)
        #expect(daemon.tree.faults() == [])
        try daemon.snapshot()
        try daemon.restart()
        #expect(daemon.dump == old.expected)
    }

    /// If nothing can be written, the old files stay as they are.
    @Test func `state of version 1 is carried over once the disk has space`() throws {
        let old = try OldState("interval-journal")
        old.disk.isFull = true
        let before = try #require(old.disk.contents("journal-1"))
        let daemon = try old.start()
        #expect(daemon.disk.contents("journal-1") == before)
        #expect(daemon.ask("set", #""path":"r0.n","value":1"#).hasPrefix(#""error":{"code":8"#))
        old.disk.isFull = false
        daemon.clock.pass(milliseconds: 200, in: daemon.hub)
        #expect(daemon.ask("set", #""path":"r0.n","value":2"#).hasPrefix(#""result""#))
        try daemon.kill()
        #expect(daemon.value("r0.n") == "2")
    }

    /// The line that links the lines behind it is in its place only.
    @Test func `recovery refuses lines of version 1 behind linked ones`() throws {
        let old = try OldState("interval-journal")
        let daemon = try old.start()
        daemon.ask("set", #""path":"r0.n","value":1"#)
        let bytes = try #require(daemon.disk.contents("journal-1"))
        let lines = bytes.split(separator: 0x0A).map { Array($0) + [0x0A] }
        let linked = lines.count - 2
        for number in [1, linked] {
            var other = lines
            other.insert(lines[number], at: linked + 1)
            let disk = SimulatedDisk(seed: 1)
            disk.place("journal-1", Array(other.joined()))
            let place = lines[...linked].reduce(0) { $0 + $1.count }
            #expect(throws: StateError.damaged("journal-1", line: linked + 2, offset: place)) {
                try JournaledHub(.interval, on: disk, declaring: OldStateTests.declare)
            }
        }
    }
}
