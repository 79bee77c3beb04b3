// SPDX-License-Identifier: MIT
// Replays conversations whole, in pieces, and by two clients at once.

import Testing

@testable import ObserveCore

/// One conversation with a fresh hub.
///
/// The script has a line `= root json` for each root, `> ` before sent lines and `< ` before received ones. E stands
/// for the epoch, U for an uptime, B for the bytes in outboxes. `$` distinguishes a second client's roots.
struct Transcript: CustomTestStringConvertible {
    let title: String
    let script: String
    /// It names revisions or counts, so that two can't share a hub.
    let isAlone: Bool

    init(_ title: String, alone: Bool = false, _ script: String) {
        self.title = title
        self.script = script
        isAlone = alone
    }

    var testDescription: String { title }

    private func lines(_ mark: String, _ prefix: String) -> [String] {
        script.split(separator: "\n").filter { $0.hasPrefix(mark + " ") }.map {
            Transcript.replace("$", by: prefix, in: String($0.dropFirst(2)))
        }
    }

    func sent(_ prefix: String = "") -> [String] { lines(">", prefix) }
    func expected(_ prefix: String = "") -> [String] { lines("<", prefix) }

    func roots(_ prefix: String = "") -> [(String, String)] {
        lines("=", prefix).map { line in
            let parts = line.split(separator: " ", maxSplits: 1)
            return (String(parts[0]), String(parts[1]))
        }
    }

    static func replace(_ text: String, by other: String, in line: String) -> String {
        line.split(separator: text, omittingEmptySubsequences: false).joined(separator: other)
    }

    /// Replaces the text between `start` and the next of `ends` by `mark`.
    static func mask(_ line: String, after start: String, by mark: String) -> String {
        let parts = line.split(separator: start, omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(String(parts[0])) { result, part in
            let rest = part.drop { !",}\"".contains($0) }
            return result + start + mark + rest
        }
    }

    static func normalised(_ line: String) -> String {
        let line = mask(mask(line, after: "\"epoch\":\"", by: "E"), after: "\"uptime\":", by: "U")
        let held = mask(line, after: "\"maxBufferedBytes\":{\"max\":268435456,\"used\":", by: "U")
        let tree = mask(held, after: "\"maxTreeBytes\":{\"max\":1073741824,\"used\":", by: "U")
        return mask(tree, after: "\"outboxBytes\":", by: "B")
    }

    /// The text without numbers that another client of the hub changes.
    static func withoutCounts(_ line: String) -> String {
        ["revision", "instance", "pid", "uid"].reduce(line) { mask($0, after: "\"\($1)\":", by: "N") }
    }
}

@Suite struct TranscriptTests {
    static let all =
        Transcript.methods + Transcript.writes + Transcript.operations + Transcript.changes
        + Transcript.models + Transcript.bindings + Transcript.refusals

    private func hold(_ transcript: Transcript, pieces: [[UInt8]]) -> [String] {
        let client = FakeClient(Hub.with(transcript.roots()))
        #expect(client.hub.clients.admit(client.session))
        var lines: [String] = []
        for piece in pieces {
            client.send(bytes: piece)
            lines += client.take()
        }
        return lines.map(Transcript.normalised)
    }

    private func bytes(_ transcript: Transcript) -> [UInt8] {
        Array(transcript.sent().map { $0 + "\n" }.joined().utf8)
    }

    @Test(arguments: all)
    func `each conversation matches line by line`(transcript: Transcript) {
        let found = hold(transcript, pieces: transcript.sent().map { Array(($0 + "\n").utf8) })
        let expected = transcript.expected()
        for (line, other) in zip(found, expected) { #expect(line == other) }
        #expect(found.count == expected.count, "\(found.dropFirst(expected.count))")
    }

    @Test(arguments: all)
    func `each conversation matches whole, and byte by byte`(transcript: Transcript) {
        let bytes = bytes(transcript)
        #expect(hold(transcript, pieces: [bytes]) == transcript.expected())
        #expect(hold(transcript, pieces: bytes.map { [$0] }) == transcript.expected())
    }

    @Test(arguments: all)
    func `each conversation matches when split in two`(transcript: Transcript) {
        let bytes = bytes(transcript)
        let expected = transcript.expected()
        // The usual step is prime to the lines' lengths: over all transcripts it splits at every kind of place.
        let step = many(1, usually: 61)
        for split in stride(from: bytes.count % step, to: bytes.count, by: step)
        where hold(transcript, pieces: [Array(bytes[..<split]), Array(bytes[split...])]) != expected {
            Issue.record("split at \(split)")
            return
        }
    }

    @Test(arguments: all.filter { !$0.isAlone }, seeds(3, usually: 1))
    func `each conversation matches for two clients at once`(transcript: Transcript, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let hub = Hub.with(transcript.roots("p-") + transcript.roots("q-"))
        let clients = [FakeClient(hub, token: 1), FakeClient(hub, token: 2)]
        var unsent = [transcript.sent("p-")[...], transcript.sent("q-")[...]]
        var found: [[String]] = [[], []]
        while !unsent.allSatisfy(\.isEmpty) {
            let next = Int.random(in: 0...1, using: &random)
            guard let line = unsent[next].popFirst() else { continue }
            clients[next].send(line)
            for index in 0...1 { found[index] += clients[index].take() }
        }
        for (index, prefix) in ["p-", "q-"].enumerated() {
            let lines = found[index].map { Transcript.withoutCounts(Transcript.normalised($0)) }
            #expect(lines == transcript.expected(prefix).map(Transcript.withoutCounts), "seed \(seed)")
        }
    }

    @Test func `the titles of transcripts are unique`() {
        #expect(Set(Self.all.map(\.title)).count == Self.all.count)
    }
}
