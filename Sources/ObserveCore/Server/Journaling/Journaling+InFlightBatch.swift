// SPDX-License-Identifier: MIT
// Overlapped syncs: with `durability` "commit", a large batch syncs on another thread while the next one is made.
//
// In each session's output, bytes that show the in-flight batch precede those that show the next batch. The
// transport sends them when the sync has succeeded. If it fails, the server drops both: see ``Journaling/breakOff()``.

extension Journaling {
    /// As ``flushBatch()``, except that a large batch syncs on another thread, and the next one may gather more
    /// requests.
    func beginFlush() {
        guard clients.gate.needsFlush, !clients.gate.isInFlight else { return }
        if beginSync() || clients.gate.beginGathering() { return }
        flushBatch()
    }

    /// Begins the batch's sync on another thread, if that is faster.
    @discardableResult
    func beginSync() -> Bool {
        guard clients.fastPaths.overlappedSync, clients.gate.mayOverlap, let journal = clients.gate.journal,
            let syncer, journal.mayFly
        else { return false }
        clients.gate.stopGathering()
        do throws(DiskError) {
            let work = try journal.beginSync()
            let batch = clients.gate.beginSync(at: clients.clock(), clients.revision)
            for session in clients.sessions.dirty { session.output.markInFlight() }
            syncer.start(work, batch)
        } catch { breakOff() }
        return true
    }

    func noteSync(since start: MonotonicTime) {
        clients.gate.noteSync(took: start.nanoseconds(until: clients.clock()))
    }

    /// Called when the sync of the batch is done. The server may have waited for it already.
    func syncDidFinish(_ batch: UInt64, _ error: DiskError?) {
        if clients.gate.inFlight?.batch == batch { finishSync(error) }
    }

    /// Ends the in-flight batch.
    ///
    /// - Returns: false if the sync has failed: see ``breakOff()``.
    @discardableResult
    func finishSync(_ error: DiskError?) -> Bool {
        guard let journal = clients.gate.journal, let inFlight = clients.gate.inFlight else { return true }
        journal.finishSync(error)
        noteSync(since: inFlight.start)
        if error != nil {
            breakOff()
            return false
        }
        if journal.needsFlush {
            clients.gate.finishSync(of: inFlight)
            for session in clients.sessions.dirty { session.output.finishInFlight() }
        } else {
            clients.gate.endBatch()
        }
        noteSuccess()
        return true
    }
}
