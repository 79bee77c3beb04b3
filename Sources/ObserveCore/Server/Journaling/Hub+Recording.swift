// SPDX-License-Identifier: MIT
// Records commits in the journal. Output leaves only after the flush of the commits that it shows. Independent of
// files and of the journal's format.
//
// The *batch* begins with the first unflushed commit. The gate keeps its requests, and each session knows how much
// of its output is older. If the journal refuses the batch, the tree undoes it, and the hub cuts the outputs. Then
// the hub executes the requests again, and refuses their writes. So every client gets its answers, and none has
// seen a lost commit.

extension Hub: CommitRecorder {
    /// Records every commit from now on. Call it before the first connection.
    ///
    /// - Parameter journal: opened with the hub's tree.
    /// - Parameter afterEnd: called after each commit that ends the temporary values of an earlier connection.
    func keep(_ journal: Journal, afterEnd: () -> Void = {}) {
        journalGate.open(journal)
        tree.record(with: self)
        continueHistory(journal.epoch, afterEnd: afterEnd)
        if journal.failure != nil { noteFailure() }
    }

    /// Continues the history of a restored tree, and the lifetimes of its values.
    func continueHistory(_ name: String, afterEnd: () -> Void = {}) {
        epoch = name
        act(for: nil)
        sessions.reserve(numbersUpTo: tree.reader.temporaryOwners.last ?? 0)
        for owner in tree.reader.temporaryOwners {
            endAllLifetimes(of: owner)
            afterEnd()
        }
        for number in tree.reader.timedValues {
            if let end = tree.end(ofTimed: number) { schedule(.endLifetime(number), at: end) }
        }
    }

    func record(_ commit: CommitView) {
        guard let journal = journalGate.journal else { return }
        if !journal.needsFlush { markOutputs() }
        journal.record(commit)
    }

    @inline(__always)
    func record(_ commit: CommitView, scalar json: JSONView, of id: PropertyID) {
        _ = journalGate.withJournal { journal in
            if !journal.needsFlush { markOutputs() }
            journal.record(commit, scalar: json, of: id)
        }
    }

    /// Notes how much of each output shows only flushed commits.
    private func markOutputs() {
        for session in sessions.dirty { session.output.markFlushed() }
    }
}
