// SPDX-License-Identifier: MIT
// Disks that have no space, or are broken. Independent of files.

extension Journaling {
    var journalUnavailable: WireError {
        let why = "the journal can't be written (\(clients.gate.diskError)), so nothing can be changed now"
        return WireError(.unavailable, why)
    }

    func noteRefusal() {
        guard refusals.note(at: clients.clock()) else { return }
        Log.shared.error(
            "the journal can't be written: \(clients.gate.diskError); writes are refused until it can"
        )
    }

    func noteSuccess() { if refusals.noteSuccess() { Log.shared.info("the journal can be written again") } }

    // MARK: Broken disks

    /// Ends all sessions: the disk is broken. Drops the waiting bytes that show commits which are not flushed.
    func breakOff() {
        guard let journal = clients.gate.journal, breakage == nil else { return }
        let isReadable = journal.isReadable
        let next = isReadable ? "continuing from what it has kept" : "nor can it be read; ending"
        Log.shared.error("the journal's disk is broken: \(clients.gate.diskError); \(next)")
        let flushed = clients.gate.needsFlush ? clients.gate.baseRevision : clients.revision
        // Without a batch, all output shows flushed commits.
        if journal.needsFlush {
            for session in clients.sessions.dirty { clients.cut(session, to: session.output.flushedCount) }
        }
        // With `none`, flushed commits may be lost.
        let safe = journal.durability == .none ? nil : flushed
        let reason: CloseReason = isReadable ? .journalFailed : .shutdown
        let batch = clients.gate.batch
        proof.fail(at: clients.clock())
        let (place, wait) = (journal.flushedPlace, proof.milliseconds)
        breakage = Breakage(place: place, revision: flushed, wait: wait, isReadable: isReadable)
        clients.gate.endBatch()
        journal.abandon()
        tree.stopRecording()
        for session in clients.sessions.inOrder {
            end(session, reason, resumingAt: isReadable ? safe : nil, batch)
        }
    }

    /// - Parameter revision: from which a client resumes that has had all events up to it; nil if that is unknown.
    /// - Parameter batch: the first that is dropped.
    private func end(
        _ session: Session,
        _ reason: CloseReason,
        resumingAt revision: UInt64?,
        _ batch: UInt64
    ) {
        let isBehind = session.hasMarks && !session.marks.isEmpty || session.suspended != nil
        session.suspended = nil
        session.forgetMarks()
        let closing = session.delivery.closing
        // Its line is in the output already.
        if session.delivery.isOver, session.delivery.further.closedInBatch < batch { return }
        session.delivery.closing = nil
        clients.sendGoodbye(closing ?? reason, to: session, resumingAt: isBehind ? nil : revision)
    }

    func resume(after breakage: Breakage) {
        proof = Breakage.delay(breakage.wait)
        scheduleSync(in: breakage.wait)
    }

    // MARK: Periodic work

    func scheduleSync() {
        guard let journal = clients.gate.journal, journal.durability != .commit else { return }
        scheduleSync(in: 1000)
    }

    func scheduleSync(in milliseconds: UInt64) {
        guard !isSyncDue else { return }
        isSyncDue = true
        clients.schedule(.syncJournal, at: clients.clock().adding(milliseconds: milliseconds))
    }
}

/// The commits for which the journal had no room, and what the log says of them.
struct JournalRefusals {
    /// It had no room for a commit since the last call of ``pop()``. The tree has rolled it back.
    private var hasRefused = false
    /// Whether the log says so. It says it at most once a second.
    private var hasSaid = false
    private var isSilentUntil = MonotonicTime(nanoseconds: 0)

    /// Notes a commit without room. Returns whether the log says so.
    mutating func note(at now: MonotonicTime) -> Bool {
        hasRefused = true
        if hasSaid || now < isSilentUntil { return false }
        isSilentUntil = now.adding(milliseconds: 1000)
        hasSaid = true
        return true
    }

    mutating func pop() -> Bool { exchange(&hasRefused, with: false) }

    /// Notes that a batch is flushed. Returns whether the log is to say so.
    mutating func noteSuccess() -> Bool { exchange(&hasSaid, with: false) }
}
