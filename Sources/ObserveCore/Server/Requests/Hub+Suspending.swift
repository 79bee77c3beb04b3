// SPDX-License-Identifier: MIT
// Continues batches and requests in later turns of their clients. Independent of methods.

extension Hub {
    /// Continues the session's suspended line, if there is one.
    ///
    /// - Returns: whether it is done.
    func continueLine(of session: Session) -> Bool {
        guard let line = clients.sessions.popLine(of: session) else { return true }
        answer.removeAll()
        if let position = line.position { return continueBatch(line, at: position, session) }
        handle(line.text.view, from: session)
        return clients.sessions.suspendedLine(of: session) == nil
    }

    /// Executes the rest of all lines that were begun. Before an upgrade: each request that was executed gets its answer.
    func finishSuspended() {
        // A load waits for another that is built, so all take several passes.
        var isDone = false
        while !isDone {
            isDone = true
            for session in clients.sessions.inOrder {
                guard let line = clients.sessions.suspendedLine(of: session) else { continue }
                if !line.isBegun {
                    clients.sessions.popLine(of: session)
                    continue
                }
                clients.catchUpWholly(session)
                clients.act(for: session)
                if !continueLine(of: session) { isDone = false }
                clients.act(for: nil)
            }
        }
    }
}
