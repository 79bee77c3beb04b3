// SPDX-License-Identifier: MIT
// A client that takes only so many bytes, as a full socket would have it. Knows nothing of what they say.

@testable import ObserveCore

/// One session of a hub behind a "socket" with room for ``room`` bytes; behaves as the event loop does around it.
final class SlowClient: Transport {
    let hub: Hub
    let session: Session
    /// How many bytes the socket takes before it is full.
    private(set) var room = 0
    private var arrived: [UInt8] = []
    /// What the client has sent while its requests are not read.
    private var unread: [UInt8] = []
    private(set) var isPaused = false
    private(set) var isClosed = false
    /// How many bytes the socket has taken.
    private(set) var taken = 0

    init(_ hub: Hub, token: UInt64, room: Int = .max) {
        self.hub = hub
        self.room = room
        session = Session(token: token, peer: .invented(token), limits: hub.limits)
        session.transport = self
        hub.open(session)
    }

    func flush(_ session: Session) {
        if session.delivery.isBlocked { return }
        let waiting = hub.waitingOutput(of: session).array
        let count = min(room, waiting.count)
        arrived += waiting.prefix(count)
        taken += count
        if room != .max { room -= count }
        if !hub.sent(count, to: session) { session.delivery.isBlocked = true }
    }

    /// The socket is full now, or will be after so many bytes.
    func sleep(after bytes: Int = 0) { room = bytes }

    /// The client has read: there is room for `bytes` again.
    func wake(_ bytes: Int = .max) {
        guard !isClosed else { return }
        room = bytes
        session.delivery.isBlocked = false
        drain()
    }

    /// The end of the event loop's turn.
    func drain() {
        hub.sessions.dirty.removeAll { $0 === session }
        session.output.endDirty()
        while session.hasOutput, !session.delivery.isBlocked {
            if session.delivery.isQueueing { hub.refill(session) }
            flush(session)
        }
        resume()
    }

    private func resume() {
        guard isPaused, session.delivery.closing == nil,
            session.waitingBytes <= hub.limits.maxOutboxBytes / 2
        else { return }
        isPaused = false
        receive([])
        if !isPaused, !unread.isEmpty {
            let input = unread
            unread = []
            receive(input)
        }
        if !session.delivery.isBlocked, session.hasOutput { drain() }
    }

    private func receive(_ input: [UInt8]) {
        isPaused = !ByteView.with(input) { hub.receive($0, from: session) }
    }

    /// Sends lines; they are carried out now, or when the hub wants requests again.
    func send(_ lines: String...) {
        guard session.delivery.closing == nil, !isClosed else { return }
        let input = Array(lines.map { $0 + "\n" }.joined().utf8)
        if isPaused {
            unread += input
        } else {
            receive(input)
        }
        if !session.delivery.isBlocked { drain() }
    }

    /// The whole lines that have arrived since the last time.
    func take() -> [String] {
        guard let end = arrived.lastIndex(of: 0x0A) else { return [] }
        let lines = arrived[..<end].split(separator: 0x0A, omittingEmptySubsequences: false)
        arrived.removeFirst(end + 1)
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        hub.close(session)
    }

    /// How many entries wait in the outbox, and how many its array has.
    var waitingEntries: (alive: Int, all: Int) {
        for child in Mirror(reflecting: session.outbox).children where child.label == "entries" {
            guard let entries = child.value as? [OutboxEntry] else { continue }
            return (entries.count { $0.attachment != .noRecord || $0.lines != nil }, entries.count)
        }
        return (-1, -1)
    }
}

extension Hub {
    /// What a hub holds for its clients: all of it must be gone with them.
    var held: [Int] {
        [
            attachments.count, tree.paths.observers.count, tree.paths.nodes.count, subscriptionCount, sessions.count,
            freshAttachments.count,
        ]
    }

    /// What a hub without clients holds: the trie's root.
    static let heldByNobody = [0, 0, 1, 0, 0, 0]
}
