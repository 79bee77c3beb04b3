// SPDX-License-Identifier: MIT
// upgrade: asks the server to replace the program, and answers when that is decided.

extension RequestMethods {
    func upgrade(_ session: Session) throws(WireError) {
        guard clients.writer.grant == nil
        else { throw WireError(.accessDenied, "only the daemon's own user and root may upgrade it") }
        guard !clients.gate.isInBatch
        else { throw .invalidRequest("upgrade can't be in a batch: its answer comes later") }
        guard !session.awaitsUpgrade
        else { throw .invalidRequest("this connection's upgrade is under way: wait for its answer") }
        guard let beginUpgrade else {
            throw WireError(.unavailable, "this server is part of another program, which can't be upgraded")
        }
        beginUpgrade(session, parsed.request.id?.array)
        session.awaitsUpgrade = true
        answer.removeAll()
    }

    /// Answers an earlier request, if its client is still connected.
    func answer(_ id: [UInt8]?, of session: Session, _ outcome: UpgradeOutcome) {
        guard clients.sessions.contains(session) else { return }
        session.awaitsUpgrade = false
        guard let id else { return }
        answer.removeAll()
        ByteView.with(id) { id in
            switch outcome {
            case .accepted(let version):
                answer.beginResponse(id: id)
                answer.append("{\"version\":", version, "}")
                answer.endResponse()
            case .refused(let reason): answer.appendErrorResponse(id: id, WireError(.unavailable, reason))
            }
        }
        finishAnswer(to: session)
    }
}

package enum UpgradeOutcome: Equatable, Sendable {
    /// The version of the next program.
    case accepted(version: String)
    /// Why the present program continues, as one sentence.
    case refused(String)
}
