// SPDX-License-Identifier: MIT
// The objects that a tree calls during a commit.

/// Callbacks of a commit: the sink, the recorder, and pre-update hooks.
struct CommitHooks: ~Copyable {
    /// Receives every change on an observed path. Its `deinit` must call ``ModelTree/notify(_:)`` with nil.
    @safe unowned(unsafe) var sink: (any ChangeSink)?
    /// Records every commit for a restart. Must live until ``ModelTree/stopRecording()``, or as long as the tree:
    /// the reference stays set, and only that call makes it unused.
    @safe unowned(unsafe) var recorder: (any CommitRecorder)?
    /// Whether there is a recorder. Faster to check on each write.
    var isRecording = false
    /// The hooks to call before each change; each belongs to a read view in progress.
    var preUpdateHooks: [any PreUpdateHook] = []
    /// Whether ``preUpdateHooks`` is not empty. Faster to check on each write.
    var hasPreUpdateHooks = false

    /// Replaces the sink.
    ///
    /// - Returns: the former sink.
    mutating func exchangeSink(_ new: (any ChangeSink)?) -> (any ChangeSink)? {
        defer { sink = new }
        return sink
    }
}

/// Models outside of the tree, which agree with it at the end of each commit.
protocol CommitExchange: AnyObject {
    /// Assigns the tree's changes to the other models, and theirs to the tree, until both agree. Part of the open commit.
    func exchange()
    /// Whether the type of the tree's model is a class of the others.
    func hasClass(_ model: ModelID) -> Bool
}
