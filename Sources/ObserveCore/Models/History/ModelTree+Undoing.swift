// SPDX-License-Identifier: MIT
// Undoes commits as if they had never been made. Independent of the reason.
//
// The history has the values that they replaced. Undoing them is one more commit, without a revision of its
// own. So references, dependents and the path index follow through the same code as for any commit.

extension ModelTree {
    /// Allows the commits from now on to be undone together, until ``unpin()``. No effect if they can be
    /// already.
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
        forgetBeyondLimits()
    }

    /// Sets the commits since ``pin()`` apart: ``unpinMarked()`` can make them permanent without the later
    /// ones.
    ///
    /// - Returns: false if some of their effects can't be separated.
    func markPinned() -> Bool {
        guard history.undoing.isPinned, history.undoing.temporaryValues.isEmpty,
            history.undoing.bindings.isEmpty
        else {
            return false
        }
        history.undoing.mark = history.commits.end
        history.undoing.markRevision = revision
        history.undoing.markCount = history.undoing.revisions.count
        return true
    }

    /// Makes the commits that were set apart permanent.
    func unpinMarked() {
        history.undoing.pinned = history.undoing.mark
        history.undoing.revision = history.undoing.markRevision
        history.undoing.revisions.removeFirst(history.undoing.markCount)
        forgetBeyondLimits()
    }

    /// Undoes all commits since ``pin()``. The sink learns which paths start or stop to match patterns; it
    /// must ignore the other changes.
    func undoPinned() {
        guard history.undoing.isPinned else { return }
        precondition(pending.touches.isEmpty, "commits were undone in the middle of another")
        history.undoing.isUnderWay = true
        for number in history.undoing.bindings.reversed() { _ = removeBinding(number) }
        noteUndone()
        while history.commits.end > history.undoing.pinned { undoLastCommit() }
        restoreStacks(history.undoing.temporaryValues)
        if !pending.unreferenced.isEmpty { releaseUnreferenced() }
        updateDependents()
        if !pending.touches.isEmpty { notify(.live) }
        revision = history.undoing.revision
        // Later commits will reuse their revisions.
        forgetLastWrites()
        clear()
        history.undoing.isUnderWay = false
        unpin()
    }

    /// Touches all properties that will get another value, so that the tree checks the paths that lead there.
    private func noteUndone() {
        var number = history.touches.end
        for commit in (history.undoing.pinned..<history.commits.end).reversed() {
            for _ in 0..<history.commits[commit].touches {
                number -= 1
                guard history.touches[number].isChanged else { continue }
                pending.touches[touch(history.touches[number].property)].isChanged = true
            }
        }
    }

    private func undoLastCommit() {
        let commit = history.commits.removeLast()
        for _ in 0..<commit.released { restoreReleased(history.released.removeLast()) }
        for _ in 0..<commit.orderChanges {
            let change = history.orderChanges.removeLast()
            if change.wasPresent {
                enlist(change.property, after: change.previous)
            } else {
                delist(change.property)
            }
            let model = records.properties[change.property].model
            records.models[model].removalRevision = change.oldRemovalRevision
            markMemberDependents(of: model)
        }
        for _ in 0..<commit.touches { undo(history.touches.removeLast()) }
    }

    private func undo(_ past: PastTouch) {
        let oldRevision = history.undoing.revisions.popLast() ?? 0
        history.textBytes &-= past.textBytes
        defer { recycle(past.old) }
        guard past.isChanged else { return }
        let id = past.property
        let (current, isWeak) = (records.properties[id].slot, records.properties[id].isWeak)
        var old = past.old
        if let edit = past.edit, case .array(let array) = current { old = .array(edit.undone(array)) }
        dereference(current, from: id, isWeak: isWeak)
        reference(old, from: id, isWeak: past.wasWeak)
        paths.known.forget()
        setValue(old, of: id)
        records.properties[id].isWeak = past.wasWeak
        records.properties[id].revision = oldRevision
        if records.properties[id].flags.contains(.read) { markDependents(of: id) }
    }

    /// Restores a released model: counts its references again, and lets its computed properties follow their
    /// inputs.
    private func restoreReleased(_ model: ModelID) {
        history.releasedProperties -= Int(records.models[model].count)
        history.textBytes -= textBytes(of: model)
        records.models[model].isReleased = false
        pending.unreferenced.append(model)
        var id = records.models[model].first
        while id != .noRecord {
            reference(records.properties[id].slot, from: id, isWeak: records.properties[id].isWeak)
            if records.properties[id].flags.contains(.computed) { followAgain(id) }
            id = records.properties[id].next
        }
    }
}
