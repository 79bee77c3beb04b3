// SPDX-License-Identifier: MIT
// Failures of the journal: while it fails, writes are refused. Independent of files.

extension Hub {
    /// Throws while commits can't be kept.
    @inline(__always)
    func requireJournal() throws(WireError) {
        if journalGate.journal != nil { try requireWorkingJournal() }
    }

    private func requireWorkingJournal() throws(WireError) {
        if isRefusing { throw journalUnavailable }
    }

    /// Why a write is refused that could not be kept.
    var journalUnavailable: WireError {
        WireError(
            .unavailable,
            "the journal can't be written (\(journalGate.diskError)), so nothing can be changed now"
        )
    }

    /// Whether writes are refused now.
    var isRefusing: Bool { journalGate.isRefusing(at: clock()) }

    func noteFailure() {
        let isFirst = journalGate.noteFailure(until: clock().adding(milliseconds: 100))
        scheduleSync()
        guard isFirst else { return }
        Log.shared.error(
            "the journal can't be written: \(journalGate.diskError); writes are refused until it can"
        )
    }

    func noteSuccess() {
        if journalGate.noteSuccess() { Log.shared.info("the journal can be written again") }
    }

    /// Schedules the next sync, if the journal needs one at a time.
    func scheduleSync() {
        guard !journalGate.isSyncDue, let journal = journalGate.journal,
            journal.durability != .commit || journal.hasFailedSync
        else { return }
        journalGate.isSyncDue = true
        schedule(.syncJournal, at: clock().adding(milliseconds: 1000))
    }
}
