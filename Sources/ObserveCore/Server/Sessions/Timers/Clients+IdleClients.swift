// SPDX-License-Identifier: MIT
// Closes connections whose clients begin a line, a dump or a load and then send nothing. Independent of sockets.

extension Clients {
    /// How long a client may leave a line, a dump or a load unfinished.
    private static let longestIdle: UInt64 = 60_000_000_000

    /// Notes the end of a turn in which bytes came from the session, or waiting ones were executed.
    @inline(__always)
    func noteInput(of session: Session) { if session.isUnfinished { noteUnfinished(session) } }

    @inline(never) private func noteUnfinished(_ session: Session) {
        let now = clock()
        session.input.lastTime = now
        guard !session.input.isWatchedForIdleness else { return }
        session.input.isWatchedForIdleness = true
        scheduleEndIdle(of: session, after: now)
    }

    private func scheduleEndIdle(of session: Session, after last: MonotonicTime) {
        schedule(.endIdle(session.number), at: last.adding(nanoseconds: Clients.longestIdle))
    }

    func endIdle(_ number: Int32, at now: MonotonicTime) {
        guard let session = sessions[number] else { return }
        session.input.isWatchedForIdleness = false
        guard session.isUnfinished, session.delivery.closing == nil else { return }
        if session.input.lastTime.nanoseconds(until: now) < Clients.longestIdle {
            session.input.isWatchedForIdleness = true
            scheduleEndIdle(of: session, after: session.input.lastTime)
        } else {
            sendGoodbye(.idle, to: session)
            dropUnfinished(of: session)
        }
    }
}

extension Session {
    /// Whether the client has begun a line, a dump or a load. False while complete lines wait: then the daemon has not finished.
    var isUnfinished: Bool {
        input.lines.isWithinLine || !input.lines.hasLines && (intake != nil || dump != nil)
    }
}
