// SPDX-License-Identifier: MIT
// The objects that a tree calls during a commit.

/// Callbacks of a commit: the sink, the recorder, and pre-update hooks.
struct CommitHooks: ~Copyable {
    /// Receives every change on an observed path; unregisters itself before it is deallocated.
    @safe unowned(unsafe) var sink: (any ChangeSink)?
    /// Records every commit, so that it survives a restart; unregisters itself before it is deallocated.
    @safe unowned(unsafe) var recorder: (any CommitRecorder)?
    /// Called before each change; each belongs to a read view in progress.
    var preUpdateHooks: [any PreUpdateHook] = []
    /// Whether ``preUpdateHooks`` has any.
    var hasPreUpdateHooks = false
}
