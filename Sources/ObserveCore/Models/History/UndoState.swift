// SPDX-License-Identifier: MIT
// State for undoing the last commits.

/// State for undoing the last commits, in addition to the history.
@safe
struct UndoState: ~Copyable {
    /// Whether a recorder gets every commit: only then can commits have to be undone.
    var isRecording = false
    /// The number of the first commit that may still be undone.
    var pinned = Int.max
    /// The tree's revision before it.
    var revision: UInt64 = 0
    /// The number of the first commit after those that ``ModelTree/markPinned()`` set apart, the revision
    /// before it, and the count of ``revisions`` then.
    var mark = Int.max
    var markRevision: UInt64 = 0
    var markCount = 0
    /// The models that the commit under way has made.
    var created = Scratch<ModelID>()
    /// The bindings that it has made.
    var bound: [Int32] = []
    /// For each touch since ``ModelTree/pin()``, the property's revision before it.
    var revisions = Scratch<UInt64>()
    /// The stacks of temporary values that were changed since then, as they were.
    var temporaryValues: [PropertyID: [TemporaryValue]] = [:]
    /// The bindings that were made since then.
    var bindings: [Int32] = []
    /// Whether commits are being undone now.
    var isUnderWay = false

    var isPinned: Bool { pinned != .max }

    mutating func keep(_ stack: [TemporaryValue], of id: PropertyID) {
        if temporaryValues[id] == nil { temporaryValues[id] = stack }
    }

    mutating func keepBindings() {
        if !bound.isEmpty { bindings += bound }
    }

    mutating func endCommit() {
        if !created.isEmpty { created.removeAll() }
        if !bound.isEmpty { bound.removeAll() }
        if !isPinned { revisions.removeAll() }
    }
}
