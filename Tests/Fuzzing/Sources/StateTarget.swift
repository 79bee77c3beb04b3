// SPDX-License-Identifier: MIT
// Files of a state folder: a start refuses them, or has a tree that can be read, written and started again.
//
// The lines have no checksums: see `Sealing`. The directives:
//
//     !file NAME     the next lines belong to that file
//     !raw           the next lines are the file as it is
//     !commit        the daemon runs with durability `commit`
//
// If a sealed line is not JSON, only the process must survive: a matching checksum proves that the daemon wrote the line.

@testable import ObserveCore

func fuzzState(_ input: [UInt8], firstFile: String) {
    let disk = SimulatedDisk(seed: 1)
    let folder = StateInput(input, firstFile: firstFile)
    for (name, bytes) in folder.files { disk.place(name, bytes) }
    let daemon: JournaledHub
    do { daemon = try JournaledHub(folder.durability, on: disk) } catch {
        guard let error = error as? StateError else { fatalError("\(error)") }
        return require(!error.description.isEmpty, "refused without a reason")
    }
    // The next start would refuse the numbers that follow.
    let counted = max(Int64(daemon.tree.records.lastInstance), Int64(daemon.tree.revision))
    if counted > LineMembers.largestNumber - 1000 { return }
    // The daemon passes on what it reads, also to the next start.
    do {
        read(daemon)
        try restart(daemon, "the state as it was started")
        daemon.ask("set", #""path":"fuzz","value":{"x":[1,{"y":2}]}"#)
        daemon.ask("set", #""path":"fuzz.x.1.y","value":3"#)
        guard daemon.value("fuzz.x.1.y") == "3" else {
            throw Different(description: "the tree can't be written")
        }
        try restart(daemon, "the state after a write")
        try daemon.snapshot()
        daemon.ask("remove", #""path":"fuzz""#)
        try restart(daemon, "the state after a snapshot")
    } catch { require(!folder.isJSON, "\(error)") }
}

/// The next start has another tree, or fails.
private struct Different: Error, CustomStringConvertible {
    let description: String
}

/// Kills the daemon; its next start must have the same tree.
private func restart(_ daemon: JournaledHub, _ what: String) throws {
    let before = daemon.dump
    do { try daemon.kill() } catch {
        throw Different(description: "\(what) does not start: \(error)\n\(before)")
    }
    if daemon.dump != before { throw Different(description: "\(what) differs\n\(before)\n\(daemon.dump)") }
}

/// Reads everything that the state has.
private func read(_ daemon: JournaledHub) {
    daemon.ask("bindings", "")
    daemon.ask("subscribe", #""path":"**""#)
    for path in ["a", "a.x", "a.m.x", "a.l.0", "b", "t", "t.c", "t.n"] {
        for method in ["get", "describe", "explain"] { daemon.ask(method, #""path":"\#(path)""#) }
    }
    daemon.ask("set", #""path":"a.x","value":8,"lifetime":10"#)
    daemon.ask("link", #""path":"a.fuzz","target":"b""#)
    daemon.ask("bind", #""source":"a.x","target":"bound""#)
    daemon.ask("dump", #""part":0"#)
    daemon.clock.pass(milliseconds: 50, in: daemon.hub)
    daemon.hub.journaling.flushBatch()
}

/// The files of an input.
private struct StateInput {
    var files: [String: [UInt8]] = [:]
    var durability = Durability.interval
    /// Whether all lines with a checksum are JSON.
    var isJSON = true

    init(_ input: [UInt8], firstFile: String) {
        var name = firstFile
        var isRaw = false
        for part in parts(of: input) {
            switch part {
            case .bytes(let bytes) where isRaw: files[name, default: []] += bytes
            case .bytes(let bytes): add(bytes, to: name)
            case .directive(let words):
                switch words.first {
                case "file" where words.count > 1:
                    name = words[1]
                    files[name] = []
                    isRaw = false
                case "raw": isRaw = true
                case "commit": durability = .commit
                default: break
                }
            }
        }
    }

    private mutating func add(_ lines: [UInt8], to name: String) {
        files[name, default: []] += Sealing.seal(lines)
        for line in lines.split(separator: 0x0A) where line.first != UInt8(ascii: "~") {
            let text = [UInt8(ascii: "{")] + line + [UInt8(ascii: "}")]
            ByteView.with(text) { text in
                if (try? JSONScanner.validate(text, maxDepth: 512)) == nil { isJSON = false }
            }
        }
        guard name == "snapshot" else { return }
        // The journal that a snapshot needs, unless the input has one.
        let header = Sealing.journalHeader(after: Array(lines.prefix { $0 != 0x0A }))
        if files[header.name] == nil { files[header.name] = Sealing.seal(header.line) }
    }
}
