// SPDX-License-Identifier: MIT
// Sends an answer, and the events that follow it. Independent of methods.

extension Hub {
    /// Sends the answer, if there is one, and then the missed and initial events of new subscriptions.
    func finishAnswer(to session: Session) {
        // This request has closed its session, and `goodbye` is the last line.
        if session.delivery.closing != nil { return reply.following.removeAll() }
        if !answer.isEmpty {
            answer.append(0x0A)
            session.delivery.lastRevision = revision
            send(lines: answer.view, to: session)
            if session.delivery.isQueueing { raiseBarrier(in: session) }
        }
        if !reply.following.isEmpty { sendFollowing(to: session) }
        endMoment()
    }

    private func sendFollowing(to session: Session) {
        for resumption in reply.following.resumptions { finish(resumption, to: session) }
        sendInitial(of: reply.following.attachments, from: 0, to: session)
        reply.following.removeAll()
    }
}
