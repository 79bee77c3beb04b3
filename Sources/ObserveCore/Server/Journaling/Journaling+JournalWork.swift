// SPDX-License-Identifier: MIT
// The journal's work beside the batches: periodic syncs, proofs, snapshots. Independent of files.

extension Journaling {
    /// Proves a disk that was broken. Writes the waiting lines, and starts a sync on another thread.
    func syncJournal() {
        isSyncDue = false
        guard let journal = clients.gate.journal, breakage == nil else { return }
        if journal.needsProof {
            do throws(DiskError) { try journal.prove() } catch {
                proof.fail(at: clients.clock())
                return scheduleSync(in: proof.milliseconds)
            }
            proof.connect(at: clients.clock())
            // The program before this one said that the disk is broken.
            _ = refusals.noteSuccess()
            Log.shared.info("the journal can be written again")
        }
        do throws(DiskError) { if !journal.needsFlush { try journal.write() } } catch { return breakOff() }
        startJournalWork(isSyncDue: true)
        if journal.isWorking != nil, journal.durability == .interval { scheduleSync() }
    }

    private func startJournalWork(isSyncDue: Bool) {
        guard let worker, let work = clients.gate.journal?.popWork(isSyncDue: isSyncDue) else { return }
        worker(work)
    }

    func finishJournalWork(_ error: DiskError?) {
        measuringSlice("what follows from a snapshot's part") {
            clients.gate.journal?.finish(error)
            startJournalWork(isSyncDue: false)
        }
        guard let error else { return }
        if clients.gate.journal?.isBroken == true { return breakOff() }
        warn(ofSnapshot: error)
    }

    private func warn(ofSnapshot error: DiskError) {
        Log.shared.warning("no snapshot could be taken: \(error); the journal continues without it")
    }

    /// Whether the journal has work for an idle moment: to begin a snapshot, or to render its next slice.
    var wantsJournalStep: Bool { clients.gate.journal?.wantsStep ?? false }

    /// Begins a snapshot, or renders slices of it for about half a millisecond.
    func stepJournal() {
        guard let journal = clients.gate.journal else { return }
        let what: StaticString = journal.snapshot == nil ? "beginning a snapshot" : "a slice of a snapshot"
        measuringSlice(what) {
            let end = clients.clock().adding(nanoseconds: 500_000)
            if let error = journal.step(until: { clients.clock() >= end }), !journal.isBroken {
                warn(ofSnapshot: error)
            }
            startJournalWork(isSyncDue: false)
        }
        if journal.isBroken { breakOff() }
    }

    private func measuringSlice(_ what: StaticString, _ body: () -> Void) {
        let (start, work) = (clients.clock(), ProcessorTime.ofThread)
        body()
        let (time, effort) = (start.nanoseconds(until: clients.clock()), ProcessorTime.ofThread &- work)
        longestSlice = (max(longestSlice.time, time), max(longestSlice.work, effort))
        if effort > 2_000_000 {
            Log.shared.debug("\(what) took \(time / 1000) µs, \(effort / 1000) of them at work")
        }
    }

    /// Flushes and closes the journal, at the orderly end of the process.
    func closeJournal() {
        guard let journal = clients.gate.journal, flushBatch() else { return }
        do throws(DiskError) { try journal.close() } catch {
            Log.shared.error("the journal could not be closed: \(error)")
        }
        tree.stopRecording()
        clients.gate.journal = nil
    }
}
