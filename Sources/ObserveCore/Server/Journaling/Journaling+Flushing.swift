// SPDX-License-Identifier: MIT
// Flushes the open batch. Independent of files.

extension Journaling {
    @inline(__always) func noteUnflushed(_ line: ByteView) {
        clients.gate.note(line)
        if clients.gate.mustFlush { flushFull() }
    }

    @inline(never) private func flushFull() {
        flushBatch()
        for session in clients.sessions.dirty
        where session.output.count > clients.limits.foldAfterBytes && !session.delivery.isBlocked {
            session.transport?.flush(session)
        }
    }

    /// Flushes the open batch at the configured durability: between requests, and before any output is sent. Returns false if the
    /// disk is broken: see ``breakOff()``.
    @discardableResult func flushBatch() -> Bool {
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

    /// Flushes the batch that the client's due events may show, and calls ``Clients/catchUp(_:isAsked:)``.
    @discardableResult func catchUp(_ session: Session, isAsked: Bool = false) -> Bool {
        guard session.delivery.isBehind else { return true }
        // If the disk breaks, a client that resumes from the last flushed revision has had the events that follow.
        guard flushBatch() else { return true }
        return clients.catchUp(session, isAsked: isAsked)
    }
}
