// SPDX-License-Identifier: MIT
// The queues of an update under way.

/// The update of stale dependents that is under way; empty between commits.
struct UpdateQueue: ~Copyable {
    /// The bindings that may still write each property in this commit.
    var pendingWriters: [Slot: PendingWriters] = [:]
    /// Computed properties, and bindings, whose update is under way: each waits for those after it.
    var updating = Scratch<DependentID>()
    var waitingBindings = Scratch<DependentID>()
    /// The computed properties that the current search has yet to visit, and its number.
    var feeders = Scratch<DependentID>()
    var search: UInt32 = 0
    var isUnderWay = false
    /// Dependents of a rolled-back commit record their inputs again, and keep their values.
    var isRestoring = false
}
