// SPDX-License-Identifier: MIT
// Undoes commits, with their revisions and bindings. Independent of the reason.
//
// The history has the values that the commits replaced. The undo is itself a commit, without a revision of its
// own. So it updates references, dependents and the path index by the same code as any commit.

extension ModelTree {
    /// Undoes all commits since ``pin()``. The tree calls the sink for paths that begin or cease to match
    /// patterns. The sink must ignore the other calls.
    func undoPinned() {
        guard history.undoing.isPinned else { return }
        precondition(pending.touches.isEmpty, "commits were undone in the middle of another")
        history.undoing.isUnderWay = true
        for number in history.undoing.bindings.reversed() { _ = removeBinding(number) }
        let former = history.undoing.formerTypes
        if let former { removeComputed(notIn: former) }
        noteUndone()
        while history.commits.end > history.undoing.pinned { undoLastCommit() }
        restoreStacks(history.undoing.temporaryValues)
        if let former { restoreTypes(former) }
        if !pending.unreferenced.isEmpty { releaseUnreferenced() }
        // The update finds the former values again, and takes them for changes of a new commit.
        let revisions = pending.touches.indices.map { index in
            let id = pending.touches[index].property
            return (property: id, revision: records.properties[id].revision)
        }
        updateDependents()
        for (id, revision) in revisions where records.properties[id].flags.contains(.computed) {
            records.properties[id].revision = revision
        }
        if !pending.touches.isEmpty { notify(.live) }
        revision = history.undoing.revision
        // Later commits will reuse their revisions.
        forgetLastWrites()
        clear()
        history.undoing.isUnderWay = false
        unpin()
    }

    /// Touches all properties that the undo will change, so that the notification visits their paths.
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
        history.textBytes -= commit.releasedBytes
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
        history.textBytes &-= heldBytes(past)
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

    /// Restores a released model: counts its references again, and adds its computed properties' dependents.
    private func restoreReleased(_ model: ModelID) {
        history.releasedProperties -= Int(records.models[model].count)
        records.models[model].isReleased = false
        records.livingBytes &+= Records.modelBytes
        pending.unreferenced.append(model)
        var id = records.models[model].first
        while id != .noRecord {
            reference(records.properties[id].slot, from: id, isWeak: records.properties[id].isWeak)
            records.countWhole(id)
            if records.properties[id].flags.contains(.computed) { restoreComputed(id) }
            id = records.properties[id].next
        }
    }
}
