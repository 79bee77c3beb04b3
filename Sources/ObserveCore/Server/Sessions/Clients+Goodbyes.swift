// SPDX-License-Identifier: MIT
// Goodbyes to clients that may be behind: they catch up first.

extension Clients {
    /// Sends `goodbye` when the client has caught up. Nothing follows it, and no further request is read.
    func sendGoodbye(_ reason: CloseReason, to session: Session) {
        // A sudden end also ends a client that is catching up before another goodbye: its next events might be wrong.
        if reason.isSudden, session.delivery.awaitsGoodbye { session.delivery.closing = nil }
        guard session.delivery.closing == nil else { return }
        if reason.isLast { releaseAll(of: session) }
        // The present may be forbidden to the client, or too much for it.
        guard session.delivery.isBehind, !session.input.hasLeft, !reason.isSudden else {
            return sendGoodbye(reason, to: session, resumingAt: reason == .upgrade ? revision : nil)
        }
        session.delivery.closing = reason
        session.delivery.awaitsGoodbye = true
        // The loop watches whether the client reads.
        beginOutput(of: session)
    }

    /// Sends the `goodbye` of a client that has caught up.
    func finishGoodbye(to session: Session) {
        guard session.delivery.awaitsGoodbye, let reason = session.delivery.closing else { return }
        session.delivery.closing = nil
        sendGoodbye(reason, to: session, resumingAt: reason == .upgrade ? revision : nil)
    }
}
