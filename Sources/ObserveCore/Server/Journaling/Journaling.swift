// SPDX-License-Identifier: MIT
// Keeps the commits of a tree in a journal. Independent of requests, and of threads.

/// Without a journal, every commit is finished at once.
final class Journaling {
    let clients: Clients
    let tree: ModelTree
    /// Names this history of the tree.
    var epoch: String
    var refusals = JournalRefusals()
    /// The disk is broken: the tree makes no commit any more, and another program continues from the disk.
    var breakage: Breakage?
    /// When a disk that was broken is tried next.
    var proof = Breakage.delay()
    /// Whether the timer queue holds the next sync.
    var isSyncDue = false
    /// Of the slices of snapshots, the longest time and the most processor time, in nanoseconds.
    var longestSlice: (time: UInt64, work: UInt64) = (0, 0)
    /// Runs work on another thread, and then calls ``finishJournalWork(_:)`` on the server's queue.
    var worker: ((@escaping @Sendable () -> DiskError?) -> Void)?

    init(_ clients: Clients) {
        self.clients = clients
        tree = clients.tree
        epoch = String(UInt64.random(in: 1 << 40..<1 << 48), radix: 36)
    }

    deinit { tree.stopRecording() }

    /// The last commit had no room, or the disk is broken or not proved yet.
    var isFailing: Bool { clients.gate.journal?.failure != nil }
}
