// SPDX-License-Identifier: MIT
// Records commits, so that they survive a restart. Independent of where and in which format.

/// Called for each commit when its changes are final, before any observer is notified.
protocol CommitRecorder: AnyObject {
    /// Records the commit under way from ``PendingCommit/touches``, ``PendingCommit/orderChanges`` and
    /// ``UndoState/created``. If it changed anything, its revision is ``ModelTree/pendingRevision``.
    func record(_ tree: ModelTree)
    /// Records a commit that only assigns a scalar to one property. The property holds the scalar already;
    /// the commit has no touches.
    func record(_ tree: ModelTree, scalar json: JSONView, of id: PropertyID)
}

extension ModelTree {
    /// Records every commit from now on.
    func record(with recorder: any CommitRecorder) {
        precondition(history.commitLimit > 0, "commits that may have to be undone are kept in the history")
        self.hooks.recorder = recorder
        hooks.isRecorded = true
    }
}
