// SPDX-License-Identifier: MIT
// Overlapped syncs: with `durability` "commit", a large batch syncs on another thread while the next one is made.
//
// In each session's output, bytes that show the in-flight batch precede those that show the next batch. The
// transport sends them when the sync has succeeded. If it fails, the hub drops both: see ``Hub/breakOff()``.

extension Hub {
    /// As ``flushBatch()``, except that a large batch syncs on another thread, and the next one may gather more
    /// requests.
    func beginFlush() {
        guard journalGate.needsFlush, !journalGate.isInFlight else { return }
        if beginSync() || journalGate.beginGathering() { return }
        flushBatch()
    }

    /// Begins the batch's sync on another thread, if that is faster.
    @discardableResult
    func beginSync() -> Bool {
        guard fastPaths.overlappedSync, journalGate.mayOverlap, let journal = journalGate.journal,
            let syncer = journalGate.syncer, journal.mayFly
        else { return false }
        journalGate.stopGathering()
        do throws(DiskError) {
            let work = try journal.beginSync()
            let batch = journalGate.beginSync(at: clock(), revision)
            for session in sessions.dirty { session.output.markInFlight() }
            syncer.start(work, batch)
        } catch { breakOff() }
        return true
    }

    func noteSync(since start: MonotonicTime) {
        journalGate.noteSync(took: start.nanoseconds(until: clock()))
    }

    /// Called when the sync of the batch is done. The hub may have waited for it already.
    func syncDidFinish(_ batch: UInt64, _ error: DiskError?) {
        if journalGate.inFlight?.batch == batch { finishSync(error) }
    }

    /// Ends the in-flight batch.
    ///
    /// - Returns: false if the sync has failed: see ``breakOff()``.
    @discardableResult
    func finishSync(_ error: DiskError?) -> Bool {
        guard let journal = journalGate.journal, let inFlight = journalGate.inFlight else { return true }
        journal.finishSync(error)
        noteSync(since: inFlight.start)
        if error != nil {
            breakOff()
            return false
        }
        if journal.needsFlush {
            journalGate.finishSync(of: inFlight)
            for session in sessions.dirty { session.output.finishInFlight() }
        } else {
            journalGate.endBatch()
        }
        noteSuccess()
        return true
    }
}
