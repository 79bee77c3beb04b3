// SPDX-License-Identifier: MIT
// Passes commits to the recorder, if the tree has one.

extension ModelTree {
    /// Passes every commit from now on to the recorder.
    func record(with recorder: any CommitRecorder) {
        precondition(history.commitLimit > 0, "commits that may have to be undone are kept in the history")
        self.hooks.recorder = recorder
        history.undoing.isRecording = true
    }

    /// Passes no more commits to the recorder.
    func stopRecording() {
        history.undoing.isRecording = false
        hooks.recorder = nil
    }

    /// Passes the open commit to the recorder if any of it must survive a restart: a change, a new binding, a
    /// changed stack of temporary values, or other declared types.
    func recordCommit() {
        guard
            pending.hasChanged || !temporary.saved.isEmpty || !history.undoing.bound.isEmpty
                || pending.formerTypes != nil
        else { return }
        pin()
        if let former = pending.formerTypes { history.undoing.keep(former) }
        if !temporary.saved.isEmpty {
            for (id, stack) in temporary.saved { history.undoing.keep(stack, of: id) }
        }
        history.undoing.keepBindings()
        hooks.recorder?.record(CommitView(self))
    }
}
