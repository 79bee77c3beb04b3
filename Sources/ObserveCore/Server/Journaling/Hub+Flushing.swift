// SPDX-License-Identifier: MIT
// Flushes the open batch, and undoes a batch that the journal refuses. Independent of files.

extension Hub {
    /// Notes an executed request of the open batch: if the journal refuses the batch, the hub executes it again.
    @inline(__always)
    func noteUnflushed(_ line: ByteView, from session: Session) {
        journalGate.note(line, from: session)
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
    /// - Returns: false if the journal refused the batch; then the hub has undone it.
    @discardableResult
    func flushBatch() -> Bool {
        guard let journal = journalGate.journal, journal.needsFlush else { return true }
        if journalGate.isInFlight {
            if !finishSync(journalGate.syncer?.wait()) { return false }
            if !journal.needsFlush { return true }
        }
        let start = journal.durability == .commit ? clock() : MonotonicTime(nanoseconds: 0)
        do throws(DiskError) { try journal.flush() } catch {
            noteFailure()
            refuseBatch()
            return false
        }
        if journal.durability == .commit { noteSync(since: start) }
        journalGate.endBatch()
        tree.unpin()
        noteSuccess()
        scheduleSync()
        return true
    }

    /// Undoes the batch. Then executes its requests again, and refuses their writes.
    func refuseBatch() {
        let (text, requests, delayed, first) = journalGate.refuseBatch()
        sessions.forgetFlushedInitial(before: first)
        tree.undoPinned()
        restore(delayed)
        for session in sessions.dirty { cut(session, to: session.output.flushedCount) }
        for session in sessions.inOrder {
            let isClosed = session.delivery.closing != nil && session.delivery.closedInBatch >= first
            if isClosed || session.delivery.queuedInBatch >= first { endAfterUndoing(session, since: first) }
        }
        let wasReexecuting = journalGate.isReexecuting
        journalGate.isReexecuting = true
        let presentWriter = unsafe writer.session
        // The requests behind a suspended JSON-RPC batch would overtake it.
        let turn = sessions.turns.pauseTurn()
        for part in requests {
            var lines = text.view.prefix(part.bytes)
            text.consume(part.bytes)
            while let end = lines.firstIndex(of: 0x0A, from: 0) {
                let line = lines.prefix(end)
                lines = lines.dropFirst(end + 1)
                guard sessions.contains(part.session), part.session.delivery.closing == nil else { break }
                act(for: part.session)
                handle(line, from: part.session)
            }
        }
        sessions.turns.resumeTurn(turn)
        act(for: presentWriter)
        journalGate.isReexecuting = wasReexecuting
    }
}
