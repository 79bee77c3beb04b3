// SPDX-License-Identifier: MIT
// Opens and closes sessions, with a goodbye to clients that may be behind: they catch up first. Independent of sockets.

extension Clients {
    func open(_ session: Session) {
        session.figures.openedAt = clock()
        sessions.open(session)
        count(work: Cost.connection)
    }

    /// Counts an open session among the admitted ones; false, after a `goodbye`, if the limits refuse it.
    func admit(_ session: Session) -> Bool {
        if sessions.admissions.add(session, limits) { return true }
        sendGoodbye(.tooManyConnections, to: session)
        return false
    }

    /// Sends `goodbye` when the client has caught up. Nothing follows it, and no further request is read.
    func sendGoodbye(_ reason: CloseReason, to session: Session) {
        // A sudden end also ends a client that is catching up before another goodbye: its next events might be wrong.
        if reason.skipsCatchingUp, session.delivery.awaitsGoodbye { session.delivery.closing = nil }
        guard session.delivery.closing == nil else { return }
        // The present may be forbidden to the client, or too much for it.
        guard session.delivery.isBehind, !session.input.hasLeft, !reason.skipsCatchingUp
        else { return sendGoodbye(reason, to: session, resumingAt: reason == .upgrade ? revision : nil) }
        session.delivery.closing = reason
        session.delivery.awaitsGoodbye = true
        // The loop watches whether the client reads.
        beginOutput(of: session)
    }

    func finishGoodbye(to session: Session) {
        guard session.delivery.awaitsGoodbye, let reason = session.delivery.closing else { return }
        session.delivery.closing = nil
        sendGoodbye(reason, to: session, resumingAt: reason == .upgrade ? revision : nil)
    }

    /// Ends a session and its dump. Its subscriptions send nothing more: see ``endSubscriptions(of:)``.
    func close(_ session: Session) {
        sessions.close(session)
        count(work: Cost.connection)
        if session.delivery.closing == nil { session.delivery.closing = .peerClosed }
        session.delivery.awaitsGoodbye = false
        session.delivery.isBehind = false
        if session.hasMarks { session.marks.end() }
        removeMootReleases(of: session)
        metrics.subscriptions -= session.subscriptions.count
        freeBuffers(of: session)
    }

    /// Ends the subscriptions of a closed session. Many take several turns: see ``continueClosing()``.
    func endSubscriptions(of session: Session) {
        beginTurn()
        defer { endTurn() }
        if !removeSubscriptions(of: session) { sessions.departing.append(session) }
    }

    /// Removes more subscriptions of closed sessions, for one turn.
    func continueClosing() {
        guard let session = sessions.departing.first else { return }
        beginTurn()
        defer { endTurn() }
        if removeSubscriptions(of: session) { sessions.departing.removeFirst() }
    }

    /// Removes subscriptions until the turn is over. Returns whether none is left.
    private func removeSubscriptions(of session: Session) -> Bool {
        if !removeEnding(of: session) { return false }
        while let id = session.subscriptions.popCompound() {
            session.subscriptions.endingCompound = id
            if !removeEnding(of: session) || isTurnOver { return false }
        }
        while let first = session.subscriptions.popLiteral() {
            session.subscriptions.ending = first
            if !removeEnding(of: session) || isTurnOver { return false }
        }
        while !discardPrepared(64, of: session) {
            count(work: 64 * Cost.attachment)
            if isTurnOver { return false }
        }
        session.forgetMarks()
        return true
    }
}
