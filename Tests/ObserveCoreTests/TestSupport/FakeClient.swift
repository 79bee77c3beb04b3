// SPDX-License-Identifier: MIT
// A client without a socket: its requests go directly to a hub, and an array takes its lines.

@testable import ObserveCore

/// One session of a hub, whose client reads all its output, or nothing while ``isAsleep``.
final class FakeClient: Transport {
    let hub: Hub
    let session: Session
    /// Received lines that the test has not taken yet.
    private var arrived: [UInt8] = []
    var isAsleep = false {
        didSet { if !isAsleep { wake() } }
    }

    init(_ hub: Hub, token: UInt64 = 1, grant: Grant? = nil, user: UInt32? = nil) {
        self.hub = hub
        var peer = PeerCredentials.invented(token)
        if let user { peer = PeerCredentials(pid: peer.pid, uid: user, gid: peer.gid) }
        session = Session(token: token, peer: peer, grant: grant, limits: hub.clients.limits)
        session.transport = self
        hub.clients.open(session)
    }

    func flush(_ session: Session) {
        if isAsleep { return hub.clients.block(session) }
        let waiting =
            hub.clients.waitingOutput(of: session).array
        arrived += waiting
        _ = hub.clients.sent(waiting.count, to: session)
    }

    private func wake() {
        session.delivery.isBlocked = false
        finishTurn()
    }

    /// Finishes a turn as the event loop does.
    func finishTurn() {
        hub.journaling.flushBatch()
        hub.clients.sessions.dirty.removeAll { $0 === session }
        session.output.endDirty()
        repeat {
            if session.delivery.isBlocked { return }
            hub.journaling.catchUp(session)
            flush(session)
        } while session.hasOutput && !session.delivery.isBlocked
    }

    /// Sends bytes; returns whether the hub accepts more.
    @discardableResult
    func send(bytes: [UInt8]) -> Bool {
        let more = ByteView.with(bytes) { hub.receive($0, from: session) }
        if !session.delivery.isBlocked { finishTurn() }
        hub.clients.noteInput(of: session)
        hub.countBytes(of: session)
        return more
    }

    /// Sends no more. The last line may lack its line feed.
    func endInput() {
        session.input.lines.endLine()
        send(bytes: [])
    }

    @discardableResult
    func send(_ lines: String...) -> Bool {
        var more = true
        for line in lines { more = send(bytes: Array((line + "\n").utf8)) }
        return more
    }

    /// Sends bytes as the event loop does, in turns of so many units. `between` is called after each turn but the last.
    func send(_ text: String, turn: UInt64, between: () -> Void = {}) {
        hub.clients.sessions.turns.turn = turn
        var input = Array(text.utf8)
        while true {
            hub.clients.beginTurn()
            let isDone = ByteView.with(input) { hub.receive($0, from: session) }
            hub.clients.endTurn()
            let isSuspended = session.suspended != nil
            let isLast = !isSuspended && session.input.lines.keptBytes == 0
            if isDone || isLast || session.delivery.closing != nil { return }
            input = []
            between()
        }
    }

    /// Sends one line, whose answer arrives with the next ``take()``.
    func push(_ line: String) {
        _ = ByteView.with(Array((line + "\n").utf8)) { hub.receive($0, from: session) }
    }

    /// The lines received since the last call.
    func take() -> [String] {
        finishTurn()
        defer { arrived = [] }
        return arrived.takeLines()
    }

    /// Sends one line and returns the received lines.
    func ask(_ line: String) -> [String] {
        send(line)
        return take()
    }

    func close() { hub.closeWhole(session) }
}

extension PeerCredentials {
    /// Invented credentials for a client without a socket.
    static func invented(_ token: UInt64) -> PeerCredentials {
        PeerCredentials(pid: 1000 + Int32(token), uid: 500 + UInt32(token), gid: 100)
    }
}

extension Hub {
    /// Ends a session, and all of its subscriptions at once.
    func closeWhole(_ session: Session) {
        close(session)
        while !clients.sessions.departing.isEmpty { clients.continueClosing() }
    }

    /// A hub with these roots, given as JSON.
    static func with(
        _ roots: [(String, String)],
        limits: ServerLimits = ServerLimits(),
        clock: TestClock = TestClock()
    ) -> Hub {
        let hub = Hub(limits: limits, now: clock.now, clock: { clock.read() })
        hub.clients.writer.timeOfDay = { clock.timeOfDay }
        for (name, json) in roots {
            do { try hub.tree.define(root: name, json: json) } catch { fatalError("\(error)") }
        }
        return hub
    }
}
