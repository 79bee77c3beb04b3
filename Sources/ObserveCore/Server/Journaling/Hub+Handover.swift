// SPDX-License-Identifier: MIT
// Hands the tree over to the next program of the process, and takes it over. Independent of descriptors and processes.

extension Hub {
    /// The tree and its history for the next program.
    ///
    /// - Parameter withTree: false if the next program reads the tree from the state's folder.
    func handover(socket: FileIdentity?, withTree: Bool) -> [UInt8] {
        flushBatch()
        if withTree { journalGate.journal?.cancelSnapshot() }
        return Handover.text(
            of: tree,
            epoch: epoch,
            revision: revision,
            socket: socket,
            withTree: withTree,
            clockOffset: clockOffset
        )
    }

    /// Restores the tree in the handover, if it has one, and its history.
    func takeOver(_ handover: Handover) throws(StateError) {
        if handover.hasTree {
            let conditions = StartConditions(
                durability: .commit,
                boot: "",
                clockOffset: clockOffset,
                freshEpoch: epoch
            )
            let (journal, _) = try Recovery.open(tree, on: handover.disk, conditions)
            tree.stopRecording()
            continueHistory(journal.epoch)
        }
        if let breakage = handover.breakage { return resume(after: breakage) }
        try handover.restoreHistory(of: tree, epoch: epoch, revision: revision)
    }

    /// Ends all temporary values of connections, and makes all marks due. From then on only requests make commits,
    /// so that every client can see the last one before its connection ends.
    func finishCommits() {
        for session in sessions.inOrder { endAllLifetimes(of: session.number) }
        for session in sessions.inOrder { releaseAll(of: session) }
        timers = TimerQueue()
        flushBatch()
    }
}
