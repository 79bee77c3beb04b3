// SPDX-License-Identifier: MIT
// Continues batches and requests in later turns of their clients. Independent of methods.

extension Hub {
    /// Continues the session's suspended line, if there is one.
    ///
    /// - Returns: whether it is done.
    func continueLine(of session: Session) -> Bool {
        guard sessions.suspendedLine(of: session) != nil else { return true }
        // If the disk breaks, a client that resumes from the last flushed revision has had its initial events.
        flushBatch()
        guard let line = sessions.popLine(of: session) else { return true }
        answer.removeAll()
        if let first = line.sentInitial {
            if session.hasLeft || session.delivery.closing != nil { return true }
            sendInitial(of: line.following.attachments, from: first, to: session)
            endMoment()
            return sessions.suspendedLine(of: session) == nil
        }
        if let position = line.position { return continueBatch(line, at: position, session) }
        execute(line.text.view, session)
        if reply.popSuspended() {
            sessions.suspend(line, of: session)
            return false
        }
        countWork(of: line.text.view, answer.count)
        finishAnswer(to: session)
        if journalGate.needsFlush { noteUnflushed(line.text.view) }
        return true
    }

    /// Executes the rest of all suspended lines. Before an upgrade: each request that was executed gets its answer.
    func finishSuspended() {
        // A load waits for another that is built, so all take several passes.
        var isDone = false
        while !isDone {
            isDone = true
            for session in sessions.inOrder where sessions.suspendedLine(of: session) != nil {
                act(for: session)
                if !continueLine(of: session) { isDone = false }
                act(for: nil)
            }
        }
    }
}
