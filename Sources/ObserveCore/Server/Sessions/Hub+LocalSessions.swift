// SPDX-License-Identifier: MIT
// Sessions of clients in the same process. Independent of their requests.

extension Hub {
    /// Opens a session for a client in this process, which sets its transport.
    func openLocal() -> Session {
        let session = Session(token: 0, peer: writer.process, limits: limits)
        open(session)
        return session
    }

    /// Sends everything that waits for the session, as an event loop does at the end of a turn.
    func finishTurn(of session: Session) {
        flushBatch()
        sessions.dirty.removeAll { $0 === session }
        session.output.endDirty()
        repeat {
            catchUp(session)
            session.transport?.flush(session)
        } while session.hasOutput
    }
}
