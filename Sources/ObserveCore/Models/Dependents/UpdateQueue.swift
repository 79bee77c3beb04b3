// SPDX-License-Identifier: MIT
// X

/// The update of stale dependents that is under way; empty between commits.
struct UpdateQueue: ~Copyable {
    /// The bindings that may yet write each property in this commit.
    var pendingWriters: [Slot: PendingWriters] = [:]
    /// Computed properties, and bindings, that are being brought up to date: each waits for those behind it.
    var updating = Scratch<DependentID>()
    var waitingBindings = Scratch<DependentID>()
    /// The computed properties that the search under way is yet to look behind, and its number.
    var feeders = Scratch<DependentID>()
    var search: UInt32 = 0
    var isUnderWay = false
    /// An undone commit's computed properties are found out about anew, and keep their values.
    var isRestoring = false
}
