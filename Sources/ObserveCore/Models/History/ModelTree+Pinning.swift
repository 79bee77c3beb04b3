// SPDX-License-Identifier: MIT
// Pins the last commits in the history until their batch is flushed: they may still have to be undone.

extension ModelTree {
    /// Makes the tree able to undo all commits from now on together, until ``unpin()``. No effect if an earlier
    /// call still holds.
    func pin() {
        guard !history.undoing.isPinned else { return }
        history.undoing.pinned = history.commits.end
        history.undoing.revision = revision
        history.undoing.revisions.removeAll()
    }

    /// Makes the commits since ``pin()`` permanent.
    func unpin() {
        guard history.undoing.isPinned else { return }
        history.undoing.pinned = .max
        history.undoing.revisions.removeAll()
        if !history.undoing.temporaryValues.isEmpty { history.undoing.temporaryValues.removeAll() }
        if !history.undoing.bindings.isEmpty { history.undoing.bindings.removeAll() }
        if history.undoing.formerTypes != nil { history.undoing.formerTypes = nil }
        forgetBeyondLimits()
    }

    /// Marks the end of the commits so far: ``unpinMarked()`` makes them permanent without the later ones.
    ///
    /// - Returns: false if they changed temporary values or types, or made bindings: those effects have no mark.
    func markPinned() -> Bool {
        guard history.undoing.isPinned, history.undoing.temporaryValues.isEmpty,
            history.undoing.bindings.isEmpty, history.undoing.formerTypes == nil
        else {
            return false
        }
        history.undoing.mark = history.commits.end
        history.undoing.markRevision = revision
        history.undoing.markCount = history.undoing.revisions.count
        return true
    }

    /// Makes the commits before the mark permanent.
    func unpinMarked() {
        history.undoing.pinned = history.undoing.mark
        history.undoing.revision = history.undoing.markRevision
        history.undoing.revisions.removeFirst(history.undoing.markCount)
        forgetBeyondLimits()
    }
}
