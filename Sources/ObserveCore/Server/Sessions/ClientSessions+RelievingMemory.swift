// SPDX-License-Identifier: MIT
// Frees the buffers of the sessions that hold most, when all hold too much. Independent of sockets.

extension ClientSessions {
    /// Frees the buffers of the sessions that hold most, and sends them `goodbye`, until an eighth of the limit is free. Call it
    /// between requests, with no batch open: of the output that remains, all may leave.
    func relieveMemory() {
        for session in sessions.all { account(session) }
        guard sessions.buffered.isExceeded else { return }
        let holders = sessions.all.filter { $0.accountedBytes > 0 }.sorted {
            ($1.accountedBytes, $0.number) < ($0.accountedBytes, $1.number)
        }
        for session in holders where sessions.buffered.mustShrink { dropBuffers(of: session) }
        // Otherwise the memory of the process stays at twice the limit.
        Platform.trimMemory()
    }

    /// Frees all that waits for the session or was received from it. `goodbye` follows the last line of which it has read a part.
    private func dropBuffers(of session: Session) {
        Log.shared.warning(
            "connection \(session.number) of process \(session.author.process) held \(session.accountedBytes) bytes, most of maxBufferedBytes, and was closed"
        )
        session.forgetMarks()
        removeMootReleases(of: session)
        let awaitedGoodbye = session.delivery.awaitsGoodbye
        dropUnfinished(of: session)
        session.input.forgetLines()
        copyBroadcastRange(of: session)
        let rest = session.output.restOfLine
        let isLastLine = !awaitedGoodbye && rest.count == session.output.count
        recycleOutput(of: session)
        if !rest.isEmpty { write(to: session) { $0.append(rest.view) } }
        // After another `goodbye`, the client would take the lost requests for not executed ones.
        if session.delivery.closing == nil || !isLastLine {
            if session.delivery.closing != .overflow { metrics.sessionsOverflowed += 1 }
            session.delivery.closing = nil
            sendGoodbye(.overflow, to: session, resumingAt: nil)
        }
        session.delivery.isRelieved = true
        account(session)
    }
}
