// SPDX-License-Identifier: MIT
// Who keeps a record of commits, so that they outlive the process. Knows nothing of where, or in which form.

/// Told of each commit when it is settled, and before anyone else is told.
protocol CommitRecorder: AnyObject {
    /// The commit under way has come to what it does: see ``ModelTree/touches``, ``ModelTree/orderChanges`` and
    /// ``UndoState/created``; ``ModelTree/pendingRevision`` is its own, if it changed anything.
    func record(_ tree: ModelTree)
    /// The same for a commit that does nothing but to give one property a scalar, which it holds already; no touch tells
    /// of it.
    func record(_ tree: ModelTree, scalar json: JSONView, of id: PropertyID)
}

extension ModelTree {
    /// Has every commit from now on recorded.
    func record(with recorder: any CommitRecorder) {
        precondition(history.commitLimit > 0, "commits that may have to be undone are kept in the history")
        self.hooks.recorder = recorder
        hooks.isRecorded = true
    }
}
