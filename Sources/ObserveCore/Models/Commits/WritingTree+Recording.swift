// SPDX-License-Identifier: MIT
// Passes commits to the recorder, if the tree has one.

extension WritingTree {
    func record(with recorder: any CommitRecorder) { hooks.recorder = recorder }

    func stopRecording() { hooks.recorder = nil }

    /// Passes the open commit to the recorder, if the tree has one and any of the commit must survive a restart: a change, a new
    /// binding, a changed stack of temporary values, other declared types or limits. Returns false if the recorder refuses it.
    @inline(__always) func isRecorded() -> Bool {
        guard hooks.isRecording,
            pending.hasChanged || !stacks.saved.isEmpty || !pending.bound.isEmpty
                || pending.formerTypes != nil || pending.formerLimits != nil
        else { return true }
        return hooks.recorder?.record(CommitView(self)) ?? true
    }
}
