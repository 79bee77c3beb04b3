// SPDX-License-Identifier: MIT
// The methods that write and subscribe; sends an answer, and the events that follow it. Independent of the request's line.

/// The methods that write and subscribe. Transactions and batches, which execute other methods, are in ``Hub``.
@safe class RequestMethods: ReadingMethods {
    /// Begins to replace this program by its newest version. The answer to the request with that `id` follows later. Nil if this
    /// program can't be replaced.
    final var beginUpgrade: ((_ session: Session, _ id: [UInt8]?) -> Void)?

    /// Sends the answer, if there is one, and then the missed and initial events of new subscriptions.
    /// - Parameter isOfRequest: the session's client has caught up before the request. The events of its own commit precede
    ///   the answer.
    final func finishAnswer(to session: Session, isOfRequest: Bool = false) {
        if !clients.registry.following.resumptions.isEmpty, session.delivery.closing == nil {
            completeResumptions(of: session)
        }
        // This request has closed its session, and `goodbye` is the last line.
        if session.delivery.closing != nil { return clients.registry.following = FollowingEvents() }
        if !answer.isEmpty {
            if isOfRequest { clients.catchUpWholly(session) }
            if session.delivery.closing != nil { return clients.registry.following = FollowingEvents() }
            answer.append(0x0A)
            clients.write(to: session) { $0.append(answer.view) }
        }
        if !clients.registry.following.isEmpty {
            for resumption in clients.registry.following.resumptions { finish(resumption, to: session) }
            clients.sendInitial(to: session)
            clients.registry.following = FollowingEvents()
        }
        clients.endEventGroup()
    }
}
