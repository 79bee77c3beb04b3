// SPDX-License-Identifier: MIT
// Flushes the open batch. Independent of files.

extension Journaling {
    /// Notes an executed request of the open batch.
    @inline(__always)
    func noteUnflushed(_ line: ByteView) {
        clients.gate.note(line)
        if clients.gate.mustFlush { flushFull() }
    }

    @inline(never)
    private func flushFull() {
        flushBatch()
        for session in clients.sessions.dirty
        where session.output.count > clients.limits.foldAfterBytes && !session.delivery.isBlocked {
            session.transport?.flush(session)
        }
    }

    /// Flushes the open batch at the configured durability. Call it between requests, and before sending any
    /// output.
    ///
    /// - Returns: false if the disk is broken: see ``breakOff()``.
    @discardableResult
    func flushBatch() -> Bool {
        guard let journal = clients.gate.journal, breakage == nil else { return breakage == nil }
        guard journal.needsFlush else { return true }
        do throws(DiskError) { try journal.flush() } catch {
            breakOff()
            return false
        }
        clients.gate.endBatch()
        noteSuccess()
        scheduleSync()
        return true
    }

    /// Sends the client the due events, as far as one turn allows.
    ///
    /// - Parameter isAsked: the client waits for it: a request of it is to be executed.
    /// - Returns: whether none is left.
    @discardableResult
    func catchUp(_ session: Session, isAsked: Bool = false) -> Bool {
        guard session.delivery.isBehind else { return true }
        // If the disk breaks, a client that resumes from the last flushed revision has had the events that follow.
        guard flushBatch() else { return true }
        return clients.catchUp(session, isAsked: isAsked)
    }
}
