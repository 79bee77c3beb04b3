// SPDX-License-Identifier: MIT
// X

/// Callbacks of a commit: the sink, the recorder, and pre-update hooks.
struct CommitHooks: ~Copyable {
    /// Told of every change on an observed path; it takes itself away before it goes.
    @safe unowned(unsafe) var sink: (any ChangeSink)?
    /// Who keeps a record of every commit, for when the process is gone; it takes itself away before it goes.
    @safe unowned(unsafe) var recorder: (any CommitRecorder)?
    /// Whether there is one.
    var isRecorded = false
    /// Who takes a picture of the tree now.
    var preUpdateHooks: [any PreUpdateHook] = []
    /// Whether there is anybody.
    var hasPreUpdateHooks = false
}
