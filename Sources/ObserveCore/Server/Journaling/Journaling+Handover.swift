// SPDX-License-Identifier: MIT
// Hands the tree over to the next program of the process, and takes it over. Independent of descriptors and processes.

extension Journaling {
    func handover(socket: FileIdentity?, withTree: Bool) -> [UInt8] {
        flushBatch()
        return Handover.text(
            of: tree,
            epoch: epoch,
            revision: clients.revision,
            socket: socket,
            withTree: withTree,
            clockOffset: clients.clockOffset
        )
    }

    /// Restores the tree in the handover, if it has one, and continues the history's name, unless computed values may be others.
    func restore(from handover: Handover) throws(StateError) {
        if handover.hasTree {
            try handover.restore(tree, WallClock(offset: clients.clockOffset))
            if !tree.forgetInexactHistory() { continueHistory(handover.epoch) }
        }
        if let breakage = handover.breakage { resume(after: breakage) }
    }

    /// Ends all temporary values of connections, and makes all marks due. From then on only requests make commits, so that every
    /// client can see the last one before its connection ends.
    func finishCommits() {
        for session in clients.sessions.inOrder { endLifetimes(of: session.number, atMost: .max) }
        clients.releaseAll()
        clients.timers = TimerQueue()
        flushBatch()
    }
}
