// SPDX-License-Identifier: MIT
// Opens and closes sessions. Independent of sockets.

extension Hub {
    func open(_ session: Session) {
        session.figures.openedAt = clock()
        sessions.open(session)
    }

    /// Ends a session with its subscriptions, its dump and its temporary values.
    func close(_ session: Session) {
        sessions.close(session)
        for pacer in session.delivery.pacers.values { pacer.end() }
        session.delivery.pacers = [:]
        session.outbox = Outbox()
        session.delivery.isQueueing = false
        metrics.subscriptions -= session.subscriptions.count
        session.subscriptions.literal.forEach { removeAttachments(from: $0) }
        for id in session.subscriptions.patterns.values { removePatterns(of: id) }
        session.subscriptions.literal = SubscriptionTable()
        session.subscriptions.patterns = [:]
        session.outbox.below = [:]
        session.endDump()
        session.intake = nil
        if session.output.hasRange { endBroadcastRange(of: session) }
        recycleOutput(of: session)
        endLifetimes(of: session.number)
    }
}
