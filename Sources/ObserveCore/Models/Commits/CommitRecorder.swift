// SPDX-License-Identifier: MIT
// Who keeps a record of commits, so that they outlive the process. Knows nothing of where, or in which form.

/// Called once per commit that does something, before any observer is notified.
protocol CommitRecorder: AnyObject {
    /// The commit is complete.
    func record(_ commit: CommitView)
    /// The same for a commit that only gives one property a scalar, which it holds already; it has no entries.
    func record(_ commit: CommitView, scalar json: JSONView, of id: PropertyID)
}

extension ModelTree {
    /// Has every commit from now on recorded.
    func record(with recorder: any CommitRecorder) {
        precondition(history.commitLimit > 0, "commits that may have to be undone are kept in the history")
        self.hooks.recorder = recorder
        history.undoing.isRecording = true
    }
}
