// SPDX-License-Identifier: MIT
// State for undoing the last commits. Data only.

/// State for undoing the last commits, in addition to the history.
@safe
struct UndoState: ~Copyable {
    /// Whether a recorder gets every commit: only then may the tree have to undo commits.
    var isRecording = false
    /// The number of the first commit that the tree may still have to undo.
    var pinned = Int.max
    /// The tree's revision before that commit.
    var revision: UInt64 = 0
    /// The number of the first commit after ``ModelTree/markPinned()``, the revision before it, and the count
    /// of ``revisions`` then.
    var mark = Int.max
    var markRevision: UInt64 = 0
    var markCount = 0
    /// The models that the open commit has made.
    var created = Scratch<ModelID>()
    /// The bindings that the open commit has made.
    var bound: [Int32] = []
    /// For each touch since ``ModelTree/pin()``, the property's revision before it.
    var revisions = Scratch<UInt64>()
    /// The stacks of temporary values that changed since ``ModelTree/pin()``, as they were before.
    var temporaryValues: [PropertyID: TemporaryStack] = [:]
    /// The bindings made since ``ModelTree/pin()``.
    var bindings: [Int32] = []
    /// The declared types before the commits since ``ModelTree/pin()``, if one replaced them.
    var formerTypes: FormerTypes?
    /// Whether the tree is undoing commits now.
    var isUnderWay = false

    /// Holds between commits.
    var isIdle: Bool { created.isEmpty && bound.isEmpty }

    var isPinned: Bool { pinned != .max }

    mutating func keep(_ stack: TemporaryStack, of id: PropertyID) {
        if temporaryValues[id] == nil { temporaryValues[id] = stack }
    }

    mutating func keep(_ types: FormerTypes) {
        formerTypes = formerTypes.map { $0.followed(by: types) } ?? types
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
