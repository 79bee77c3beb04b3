// SPDX-License-Identifier: MIT
// Records commits in the journal. Output leaves only after their flush. Independent of files and of the journal's format.

extension Journaling: CommitRecorder {
    /// Records every commit from now on. Call it before the first connection.
    /// - Parameter journal: opened with the server's tree.
    /// - Parameter afterEnd: called after each commit that ends the temporary values of an earlier connection.
    func keep(_ journal: Journal, afterEnd: () -> Void = {}) {
        clients.gate.journal = journal
        tree.record(with: self)
        continueHistory(journal.epoch, afterEnd: afterEnd)
        flushBatch()
        if journal.failure != nil { noteRefusal() }
        _ = refusals.pop()
    }

    /// Continues the history of a restored tree, and the lifetimes of its values.
    func continueHistory(_ name: String, afterEnd: () -> Void = {}) {
        epoch = name
        clients.act(for: nil)
        clients.sessions.reserve(numbersUpTo: tree.reader.temporaryOwners.last ?? 0)
        for owner in tree.reader.temporaryOwners {
            endLifetimes(of: owner, atMost: .max)
            afterEnd()
        }
        for number in tree.reader.timedValues {
            if let end = tree.end(ofTimed: number) { clients.schedule(.endLifetime(number), at: end) }
        }
    }

    func record(_ commit: CommitView) -> Bool { record { $0.record(commit) } }

    @inline(__always) func hasRoom(forScalar json: JSONView, of id: PropertyID) -> Bool {
        clients.gate.withJournal { $0.hasRoom(forScalar: json, of: id) } ?? true
    }

    @inline(__always) func record(_ commit: CommitView, scalar json: JSONView, of id: PropertyID) {
        if !clients.gate.needsFlush { beginBatch() }
        _ = clients.gate.withJournal { $0.record(commit, scalar: json, of: id) }
    }

    /// - Returns: false if the journal has no room for it.
    func recordUnbinding(_ binding: Int32) -> Bool { record { $0.recordUnbinding(binding) } }

    @inline(__always) private func record(_ line: (Journal) -> Bool) -> Bool {
        guard let journal = clients.gate.journal else { return true }
        let isFirst = !journal.needsFlush
        guard line(journal) else {
            noteRefusal()
            return false
        }
        if isFirst { beginBatch() }
        return true
    }

    /// Begins the batch, and notes how much of each output shows only flushed commits.
    private func beginBatch() {
        clients.gate.beginBatch(at: clients.revision)
        for session in clients.sessions.dirty { session.output.markFlushed() }
    }

    /// Changes the tree between requests, with the daemon as the author.
    /// - Errors: the journal has no room for a commit of `body`, which is rolled back.
    func change(_ body: (ModelTree) -> Void) throws(DiskError) {
        guard clients.gate.acceptsWrites else { throw clients.gate.diskError }
        body(tree)
        guard !refusals.pop(), flushBatch() else { throw clients.gate.diskError }
    }
}
