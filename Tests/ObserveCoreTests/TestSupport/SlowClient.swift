// SPDX-License-Identifier: MIT
// A client whose socket takes only so many bytes. Independent of their content.

@testable import ObserveCore

/// One session of a hub with a "socket" that has space for ``room`` bytes. It acts like the event loop.
final class SlowClient: Transport {
    let hub: Hub
    let session: Session
    /// The socket's free space in bytes.
    private(set) var room = 0
    private var arrived: [UInt8] = []
    /// Requests sent while the hub reads none.
    private var unread: [UInt8] = []
    private(set) var isPaused = false
    private(set) var isClosed = false
    /// The number of bytes that the socket has taken.
    private(set) var taken = 0

    init(_ hub: Hub, token: UInt64, room: Int = .max) {
        self.hub = hub
        self.room = room
        session = Session(token: token, peer: .invented(token), limits: hub.clients.limits)
        session.transport = self
        hub.clients.open(session)
    }

    func flush(_ session: Session) {
        if session.delivery.isBlocked { return }
        let waiting =
            hub.clients.waitingOutput(of: session).array
        let count = min(room, waiting.count)
        arrived += waiting.prefix(count)
        taken += count
        if room != .max { room -= count }
        if !hub.clients.sent(count, to: session) { session.delivery.isBlocked = true }
    }

    /// Makes the socket full, now or after that many bytes.
    func sleep(after bytes: Int = 0) { room = bytes }

    /// Reads as a client does: the socket has space for `bytes` again.
    func wake(_ bytes: Int = .max) {
        guard !isClosed else { return }
        room = bytes
        session.delivery.isBlocked = false
        drain()
    }

    /// Finishes the event loop's turn.
    func drain() {
        hub.clients.sessions.dirty.removeAll { $0 === session }
        session.output.endDirty()
        while session.hasOutput, !session.delivery.isBlocked {
            hub.journaling.catchUp(session)
            flush(session)
        }
        // A frame that has begun continues, whatever the socket takes.
        while session.hasOpenFrame, session.output.count <= hub.clients.limits.maxOutboxBytes {
            hub.journaling.catchUp(session)
        }
        resume()
    }

    private func resume() {
        guard isPaused, session.delivery.closing == nil,
            session.output.count <= hub.clients.limits.maxOutboxBytes / 2
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

    /// Sends lines, which the hub executes now, or once it reads requests again.
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

    /// The complete lines received since the last call.
    func take() -> [String] { arrived.takeLines() }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        hub.closeWhole(session)
    }

    /// How many marks the memory of all of them would suffice for.
    var waitingMarks: Int { session.delivery.further.markedBytes / MarkedPath.bytes }
}

extension Hub {
    /// The numbers of a hub's records for its clients.
    var clientRecords: [Int] {
        [
            clients.registry.attachments.count, tree.paths.observers.count, tree.paths.nodes.count,
            clients.metrics.subscriptions,
            clients.sessions.count,
            clients.registry.following.attachments.count + clients.registry.following.held.count,
        ]
    }

    /// The numbers of a hub without clients: only the path index's root.
    static let noClientRecords = [0, 0, 1, 0, 0, 0]
}
