// SPDX-License-Identifier: MIT
// A client without a socket: what it sends goes straight into a hub, what it is sent stands in an array.

@testable import ObserveCore

/// One session of a hub, whose client takes all it is offered, or nothing while ``isAsleep``.
final class FakeClient: Transport {
    let hub: Hub
    let session: Session
    /// Whole lines that have arrived and were not yet looked at.
    private var arrived: [UInt8] = []
    var isAsleep = false {
        didSet { if !isAsleep { wake() } }
    }

    init(_ hub: Hub, token: UInt64 = 1, grant: Grant? = nil) {
        self.hub = hub
        session = Session(token: token, peer: .invented(token), grant: grant, limits: hub.limits)
        session.transport = self
        hub.open(session)
    }

    func flush(_ session: Session) {
        if isAsleep { return hub.block(session) }
        let waiting = hub.waitingOutput(of: session).array
        arrived += waiting
        _ = hub.sent(waiting.count, to: session)
    }

    private func wake() {
        session.delivery.isBlocked = false
        settle()
    }

    /// What the event loop does at the end of a turn.
    func settle() {
        hub.flushBatch()
        hub.sessions.dirty.removeAll { $0 === session }
        session.output.endDirty()
        repeat {
            if session.delivery.isBlocked { return }
            if session.delivery.isQueueing { hub.refill(session) }
            flush(session)
        } while session.hasOutput && !session.delivery.isBlocked
    }

    /// Sends bytes as they are; returns whether the hub wants more.
    @discardableResult
    func send(bytes: [UInt8]) -> Bool {
        let more = ByteView.with(bytes) { hub.receive($0, from: session) }
        if !session.delivery.isBlocked { settle() }
        return more
    }

    @discardableResult
    func send(_ lines: String...) -> Bool {
        var more = true
        for line in lines { more = send(bytes: Array((line + "\n").utf8)) }
        return more
    }

    /// Sends one line, of which nothing comes before the next ``take()``.
    func push(_ line: String) {
        _ = ByteView.with(Array((line + "\n").utf8)) { hub.receive($0, from: session) }
    }

    /// The lines that have arrived since the last time.
    func take() -> [String] {
        settle()
        defer { arrived = [] }
        return String(decoding: arrived, as: UTF8.self).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        .dropLast().map(String.init)
    }

    /// Sends one line and returns what arrives of it.
    func ask(_ line: String) -> [String] {
        send(line)
        return take()
    }

    func close() { hub.close(session) }
}

extension PeerCredentials {
    /// Who is at the other end where there is none.
    static func invented(_ token: UInt64) -> PeerCredentials {
        PeerCredentials(pid: 1000 + Int32(token), uid: 500 + UInt32(token), gid: 100)
    }
}

extension Hub {
    /// A hub with these roots, given as JSON.
    static func with(
        _ roots: [(String, String)],
        limits: ServerLimits = ServerLimits(),
        clock: TestClock = TestClock()
    ) -> Hub {
        let hub = Hub(limits: limits, now: clock.now, clock: { clock.now })
        for (name, json) in roots {
            do { try hub.tree.define(root: name, json: json) } catch { fatalError("\(error)") }
        }
        return hub
    }
}
