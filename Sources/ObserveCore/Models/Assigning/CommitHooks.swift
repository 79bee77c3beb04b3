// SPDX-License-Identifier: MIT
// The objects that a tree calls during a commit.

struct CommitHooks: ~Copyable {
    /// Receives every change on an observed path. Its `deinit` must call ``ModelTree/notify(_:)`` with nil.
    @safe unowned(unsafe) var sink: (any ChangeSink)?
    /// Records every commit for a restart. Must live as long as the tree, or until ``ModelTree/stopRecording()``.
    @safe unowned(unsafe) var recorder: (any CommitRecorder)? { didSet { isRecording = recorder != nil } }
    /// Whether there is a recorder. Faster to check on each write.
    var isRecording = false
    /// The hooks to call before each change; each belongs to a read view in progress.
    var preUpdateHooks: [any PreUpdateHook] = [] { didSet { hasPreUpdateHooks = !preUpdateHooks.isEmpty } }
    /// Whether there are any of them. Faster to check on each write.
    private(set) var hasPreUpdateHooks = false
}

/// Models outside of the tree, which agree with it at the end of each commit.
protocol CommitExchange: AnyObject {
    /// Assigns the tree's changes to the other models, and theirs to the tree, until both agree. Part of the open commit.
    func exchange()
    /// Whether the type of the tree's model is a class of the others.
    func hasClass(_ model: ModelID) -> Bool
}

/// Called once per commit that does something, before any observer is notified.
protocol CommitRecorder: AnyObject {
    /// Records a complete commit. Returns false if there is not enough room: then the tree rolls it back.
    func record(_ commit: CommitView) -> Bool
    /// Whether there surely is room for a commit that assigns the property the scalar `json` alone.
    func hasRoom(forScalar json: JSONView, of id: PropertyID) -> Bool
    /// Records such a commit. The property already holds the scalar; the commit has no entries.
    func record(_ commit: CommitView, scalar json: JSONView, of id: PropertyID)
}
