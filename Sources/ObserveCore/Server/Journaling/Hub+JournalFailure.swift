// SPDX-License-Identifier: MIT
// Failures of the journal. While it fails, the hub refuses writes. Independent of files.

extension Hub {
    /// Throws while the hub refuses writes.
    @inline(__always)
    func requireJournal() throws(WireError) {
        if journalGate.journal != nil { try requireWorkingJournal() }
    }

    private func requireWorkingJournal() throws(WireError) {
        if isRefusing { throw journalUnavailable }
    }

    /// The error of a write while the journal fails.
    var journalUnavailable: WireError {
        WireError(
            .unavailable,
            "the journal can't be written (\(journalGate.diskError)), so nothing can be changed now"
        )
    }

    /// Whether the hub refuses writes now.
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

    /// Schedules the next periodic sync, if the journal needs one.
    func scheduleSync() {
        guard !journalGate.isSyncDue, let journal = journalGate.journal,
            journal.durability != .commit || journal.hasFailedSync
        else { return }
        journalGate.isSyncDue = true
        schedule(.syncJournal, at: clock().adding(milliseconds: 1000))
    }
}
