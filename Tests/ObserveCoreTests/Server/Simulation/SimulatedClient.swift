// SPDX-License-Identifier: MIT
// One client of a simulated server: writes and reads its socket in pieces of any size. Independent of its lines' meaning.

@testable import ObserveCore

/// A client that connects, again and again, each time as a ``SimulatedTalk``.
final class SimulatedClient {
    let number: Int
    private(set) var socket: SimulatedSocket?
    private(set) var talk: SimulatedTalk?
    /// What the last connection left to resume.
    private(set) var resumable: [SimulatedMirror] = []
    private(set) var epoch = ""
    /// Bytes of requests that are not in the socket yet.
    private var outgoing: [UInt8] = []
    private var incoming: [UInt8] = []
    private(set) var isEnding = false
    private var hasHalf = false
    /// The chance to read in a step, in percent.
    var eagerness = 100
    var frames = 0
    var answers = 0
    var goodbyes: [String: Int] = [:]
    var resumed = 0

    init(_ number: Int) { self.number = number }

    var isConnected: Bool { socket != nil }
    /// Whether the client may still send requests.
    var canAsk: Bool { talk != nil && !isEnding && talk?.goodbye == nil }
    var waitingBytes: Int { outgoing.count }

    func connect(_ socket: SimulatedSocket, _ history: SimulatedHistory, lane: SimulatedLane) {
        self.socket = socket
        talk = SimulatedTalk(history, lane)
        outgoing = []
        incoming = []
        isEnding = false
        hasHalf = false
    }

    // MARK: Sending

    /// Sends a request, or several, in one line.
    func send(_ line: String, _ expected: [ExpectedAnswer]) {
        outgoing += Array((line + "\n").utf8)
        talk?.expected += expected
    }

    /// Sends the beginning of a line, which never ends.
    func sendHalf(_ line: String) {
        outgoing += Array(line.utf8)
        isEnding = true
        hasHalf = true
    }

    /// Moves bytes into the socket.
    func push(_ count: Int) {
        guard let socket else { return }
        socket.toServer += outgoing.prefix(count)
        outgoing.removeFirst(min(count, outgoing.count))
    }

    func endInput() {
        push(outgoing.count)
        isEnding = true
        if hasHalf { talk?.expected.append(ExpectedAnswer(id: 0, kind: .refused)) }
        hasHalf = false
        socket?.endInput()
    }

    // MARK: Reading

    /// Reads that many bytes.
    ///
    /// - Returns: a fault.
    func read(_ count: Int) -> String? {
        guard let socket, let talk else { return nil }
        incoming += socket.take(atMost: count)
        while let end = incoming.firstLineFeed() {
            let line = Array(incoming[..<end])
            incoming.removeFirst(end + 1)
            if let fault = talk.read(line) {
                return "client \(number): \(fault)\n  in \(String(decoding: line, as: UTF8.self))"
            }
        }
        if socket.isServerGone, socket.toClient.isEmpty { return disconnected() }
        return nil
    }

    /// The server has closed the connection, and everything is read.
    private func disconnected() -> String? {
        defer { leave() }
        guard let socket, let talk else { return nil }
        if socket.owes == .goodbye, talk.goodbye == nil {
            return "client \(number): the server closed without goodbye"
        }
        if socket.owes == .answers, !talk.expected.isEmpty {
            return "client \(number): \(talk.expected.count) requests have no answer at the end"
        }
        return nil
    }

    /// Closes the client's end at once.
    func vanish() {
        socket?.vanish()
        leave()
    }

    private func leave() {
        if let talk {
            resumable = talk.mirrors.sorted { $0.key < $1.key }.map(\.value).filter(\.isResumable)
            resumed += talk.resumed
            epoch = talk.history.epoch
            // These may stand for the answer to a request. What a broken disk dropped may be there after a crash.
            let isComplete =
                talk.goodbye.map { !["overflow", "tooManyMatches", "journalFailed"].contains($0) } ?? false
            talk.lane.end(isComplete: isComplete)
            frames += talk.mirrors.values.reduce(0) { $0 + $1.frames }
            answers += talk.answers
            if let reason = talk.goodbye { goodbyes[reason, default: 0] += 1 }
        }
        socket = nil
        talk = nil
    }

    func forgetResumable() { resumable = [] }
}
