// SPDX-License-Identifier: MIT
// Runs, finishes and rolls back commits. The writes themselves check whether they are allowed.

extension ModelTree {
    /// Runs `body` as one commit. All of its writes take effect together; if it throws, the tree rolls them
    /// back.
    ///
    /// - Returns: whether anything changed; then the commit has incremented ``revision``.
    @discardableResult
    @inline(__always)
    func commit<E: Error>(_ body: () throws(E) -> Void) throws(E) -> Bool {
        precondition(pending.touches.isEmpty, "a commit was begun inside another")
        do throws(E) {
            try body()
        } catch {
            rollBack()
            throw error
        }
        return hosted == nil ? finish() : finishHosted()
    }

    /// Notifies the observers of Swift models after all others.
    private func finishHosted() -> Bool {
        var changed = false
        notifyingAfterwards { changed = finish() }
        return changed
    }

    /// Ends one of several writes in a commit: releases the models that it left without a strong reference.
    ///
    /// So each write sees the tree as if the writes before it had been commits of their own.
    func endOperation() {
        if !pending.unreferenced.isEmpty { releaseUnreferenced() }
    }

    private func finish() -> Bool {
        if !pending.unreferenced.isEmpty { releaseUnreferenced() }
        if dependents.bindings.cyclic > 0, pending.hasChanged { retryCyclicBindings() }
        updateDependents()
        hosted?.exchange()
        let changed = pending.hasChanged
        if history.undoing.isRecording { recordCommit() }
        if changed { revision += 1 }
        if !pending.touches.isEmpty { notify(.live) }
        // A shadowed model may be released without a change; the history must record it.
        if history.commitLimit > 0, !pending.touches.isEmpty || !pending.releasedModels.isEmpty { remember() }
        clear()
        return changed
    }

    private func rollBack() {
        if !pending.touches.isEmpty { paths.known.forget() }
        if !pending.releasedModels.isEmpty { restoreReleased() }
        for index in pending.orderChanges.indices.reversed() {
            let change = pending.orderChanges[index]
            if change.wasPresent {
                enlist(change.property, after: change.previous)
            } else {
                delist(change.property)
            }
            records.models[records.properties[change.property].model].removalRevision =
                change.oldRemovalRevision
        }
        for index in pending.touches.indices.reversed() {
            let touch = pending.touches[index]
            let id = touch.property
            let (current, old) = (records.properties[id].slot, before(id))
            dereference(current, from: id, isWeak: records.properties[id].isWeak)
            reference(old, from: id, isWeak: touch.oldFlags.contains(.weak))
            setValue(old, of: id)
            records.properties[id].isWeak = touch.oldFlags.contains(.weak)
            records.properties[id].revision = touch.oldRevision
        }
        if !temporary.saved.isEmpty { restoreStacks() }
        releaseUnreferenced()
        forgetStaleDependents()
        clear()
    }

    /// Forgets the commit and frees the records that it left unused.
    func clear() {
        for index in pending.touches.indices {
            let property = pending.touches[index].property
            records.properties[property].touch = 0
            freeIfUnused(property)
            if case .text(let text) = pending.touches[index].old { records.texts.release(text) }
        }
        pending.touches.removeAll()
        pending.orderChanges.removeAll()
        pending.unreferenced.removeAll()
        pending.hasChanged = false
        if !dependents.refreshed.isEmpty { dependents.refreshed.removeAll(keepingCapacity: true) }
        if !temporary.saved.isEmpty { temporary.saved.removeAll() }
        if history.undoing.isRecording { history.undoing.endCommit() }
        if !pending.releasedModels.isEmpty { freeReleased() }
    }
}

extension ModelTree {
    /// Passes the commit under way to the recorder if any of it must survive a restart. That may be less than
    /// a change: a binding, or a shadowed value.
    func recordCommit() {
        guard pending.hasChanged || !temporary.saved.isEmpty || !history.undoing.bound.isEmpty else { return }
        pin()
        if !temporary.saved.isEmpty {
            for (id, stack) in temporary.saved { history.undoing.keep(stack, of: id) }
        }
        history.undoing.keepBindings()
        hooks.recorder?.record(CommitView(self))
    }
}
