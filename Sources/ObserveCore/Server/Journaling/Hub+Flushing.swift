// SPDX-License-Identifier: MIT
// Flushes the open batch. Independent of files.

extension Hub {
    /// Notes an executed request of the open batch.
    @inline(__always)
    func noteUnflushed(_ line: ByteView) {
        journalGate.note(line)
        if journalGate.isFull { flushFull() }
    }

    @inline(never)
    private func flushFull() {
        if !journalGate.isInFlight { beginSync() }
        guard journalGate.mustFlush else { return }
        flushBatch()
        for session in sessions.dirty
        where session.waitingBytes > limits.foldAfterBytes && !session.delivery.isBlocked {
            session.transport?.flush(session)
        }
    }

    /// Flushes the open batch at the configured durability. Call it between requests, and before sending any
    /// output.
    ///
    /// - Returns: false if the disk is broken: see ``breakOff()``.
    @discardableResult
    func flushBatch() -> Bool {
        guard let journal = journalGate.journal, journalGate.breakage == nil else {
            return journalGate.breakage == nil
        }
        guard journal.needsFlush else { return true }
        if journalGate.isInFlight {
            if !finishSync(journalGate.syncer?.wait()) { return false }
            if !journal.needsFlush { return true }
        }
        let start = journal.durability == .commit ? clock() : MonotonicTime(nanoseconds: 0)
        do throws(DiskError) { try journal.flush() } catch {
            breakOff()
            return false
        }
        if journal.durability == .commit { noteSync(since: start) }
        journalGate.endBatch()
        noteSuccess()
        scheduleSync()
        return true
    }
}
