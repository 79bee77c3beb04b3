// SPDX-License-Identifier: MIT
// The methods that write and subscribe; sends an answer, and the events that follow it. Independent of the request's line.

/// The methods that write and subscribe. Transactions and batches, which execute other methods, are in ``Hub``.
@safe
class RequestMethods: ReadingMethods {
    /// Sends the answer, if there is one, and then the missed and initial events of new subscriptions.
    ///
    /// - Parameter isOfRequest: the session's client has caught up before the request. The events of its own commit precede
    ///   the answer.
    final func finishAnswer(to session: Session, isOfRequest: Bool = false) {
        // This request has closed its session, and `goodbye` is the last line.
        if session.delivery.closing != nil { return clients.registry.following.removeAll() }
        if !answer.isEmpty {
            if isOfRequest { clients.catchUpWholly(session) }
            if session.delivery.closing != nil { return clients.registry.following.removeAll() }
            answer.append(0x0A)
            clients.write(to: session) { $0.append(answer.view) }
        }
        if !clients.registry.following.isEmpty {
            for resumption in clients.registry.following.resumptions { finish(resumption, to: session) }
            clients.sendInitial(to: session)
            clients.registry.following.removeAll()
        }
        clients.endMoment()
    }
}
