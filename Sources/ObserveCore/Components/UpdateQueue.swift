// SPDX-License-Identifier: MIT
// The queues of the running update, and the places that bindings may write to.

/// The running update of stale dependents; empty between commits, apart from ``unread``.
struct UpdateQueue: ~Copyable {
    /// The bindings that may still write each property in this commit.
    var pendingWriters: [Slot: PendingWriters] = [:]
    /// The computed properties and the bindings that are being updated: each waits for those after it.
    var updating = Scratch<DependentID>()
    var waitingBindings = Scratch<DependentID>()
    /// The dependents that the current search for writers has yet to visit, and the search's number.
    var feeders = Scratch<DependentID>()
    var search: UInt32 = 0
    var isUnderWay = false
    /// Whether a rollback makes dependents record their inputs again; they keep their values.
    var isRestoring = false
    /// Dependents that may lack inputs, since a rollback had no looks left for them. The next change that has some updates them.
    var unread: Set<DependentID> = []
    /// Those of them that the open commit has updated.
    var retried: [DependentID] = []

    var isIdle: Bool {
        pendingWriters.isEmpty && updating.isEmpty && waitingBindings.isEmpty && feeders.isEmpty
            && !isUnderWay && !isRestoring
    }

    mutating func noteWriter(_ dependent: DependentID, of place: BoundPlace) {
        guard place.slot.model != .noRecord else { return }
        pendingWriters[place.slot, default: PendingWriters()].add(dependent, depth: place.depth)
        let model = Slot(model: place.slot.model)
        pendingWriters[model, default: PendingWriters()].add(dependent, depth: place.depth)
    }
}
