// SPDX-License-Identifier: MIT
// The journal's work beside the batches: periodic syncs, repairs, snapshots. Independent of files.

extension Hub {
    /// Repairs the journal if a sync failed, writes its waiting lines, and starts a sync on another thread.
    func syncJournal() {
        journalGate.isSyncDue = false
        guard let journal = journalGate.journal else { return }
        do throws(DiskError) {
            if journal.hasFailedSync { try journal.repair() }
            if !journal.needsFlush { try journal.write() }
            noteSuccess()
        } catch {
            return noteFailure()
        }
        startJournalWork(isSyncDue: true)
        if journal.isWorking != nil, journal.durability == .interval { scheduleSync() }
    }

    private func startJournalWork(isSyncDue: Bool) {
        guard let worker = journalGate.worker, let work = journalGate.journal?.popWork(isSyncDue: isSyncDue)
        else {
            return
        }
        worker(work)
    }

    func finishJournalWork(_ error: DiskError?) {
        measuringSlice("what follows from a snapshot's part") {
            journalGate.journal?.finish(error)
            startJournalWork(isSyncDue: false)
        }
        guard let error else { return }
        if journalGate.journal?.failure == nil {
            return Log.shared.warning(
                "no snapshot could be taken: \(error); the journal continues without it"
            )
        }
        noteFailure()
    }

    /// Whether the journal has work for an idle moment: to begin a snapshot, or to render its next slice.
    var wantsJournalStep: Bool { journalGate.journal?.wantsStep ?? false }

    /// Begins a snapshot, or renders slices of it for about half a millisecond.
    func stepJournal() {
        guard let journal = journalGate.journal else { return }
        let what: StaticString = journal.snapshot == nil ? "beginning a snapshot" : "a slice of a snapshot"
        measuringSlice(what) {
            let end = clock().adding(nanoseconds: 500_000)
            journal.step { clock() >= end }
            startJournalWork(isSyncDue: false)
        }
        if journal.failure != nil { noteFailure() }
    }

    private func measuringSlice(_ what: StaticString, _ body: () -> Void) {
        let (start, work) = (clock(), ProcessorTime.ofThread)
        body()
        let (time, effort) = (start.nanoseconds(until: clock()), ProcessorTime.ofThread &- work)
        journalGate.noteSlice(time, work: effort)
        if effort > 2_000_000 {
            Log.shared.debug("\(what) took \(time / 1000) µs, \(effort / 1000) of them at work")
        }
    }

    /// Flushes and closes the journal, at the orderly end of the process.
    func closeJournal() {
        guard let journal = journalGate.journal else { return }
        flushBatch()
        do throws(DiskError) { try journal.close() } catch {
            Log.shared.error("the journal could not be closed: \(error)")
        }
        tree.stopRecording()
        journalGate.close()
    }
}
