// SPDX-License-Identifier: MIT
// Runs and finishes commits. The writes themselves check whether they are allowed.

extension ModelTree {
    /// Runs `body` as one commit. All of its writes take effect together; if it throws, the tree rolls them back. If the recorder
    /// refuses the commit, likewise, but without an error: its owner knows. Returns whether anything changed; then the commit has
    /// incremented ``revision``.
    @discardableResult @inline(__always)
    func commit<E: Error>(_ body: () throws(E) -> Void) throws(E) -> Bool {
        try write(body)
        addConsequences()
        return finish()
    }

    @inline(__always) func write<E: Error>(_ body: () throws(E) -> Void) throws(E) {
        precondition(pending.touches.isEmpty, "a commit was begun inside another")
        do throws(E) {
            try body()
        } catch {
            rollBack()
            throw error
        }
    }

    /// Finishes the commit after ``addConsequences()``, or rolls it back if its recorder refuses it.
    @inline(__always) func finish() -> Bool { hosted == nil ? finishTree() : finishHosted() }

    /// Observers of Swift models get their notifications after all others.
    private func finishHosted() -> Bool {
        var changed = false
        notifyingAfterwards { changed = finishTree() }
        return changed
    }

    /// Ends one of several writes in a commit: releases the models that it left without a strong reference. The next write sees
    /// the tree as if the earlier ones had been commits of their own.
    func endOperation() { releaseUnreferenced() }

    /// Adds the consequences of the writes: releases models, and updates bindings and computed properties.
    @inline(__always) func addConsequences() {
        releaseUnreferenced()
        if pending.hasChanged, dependents.needsRetry { retryDependents() }
        updateDependents()
    }

    private func finishTree() -> Bool {
        hosted?.exchange()
        let changed = pending.hasChanged
        if !isRecorded() {
            rollBackUpdated()
            return false
        }
        if changed { revision += 1 }
        if pending.formerTypes != nil { history.typeRevision = revision }
        if !pending.touches.isEmpty { notify(.live) }
        // A commit without a change may release a shadowed model; the history must record that too.
        if history.commitLimit > 0, !pending.touches.isEmpty || !pending.releasedModels.isEmpty { remember() }
        clear()
        return changed
    }

    /// Clears the open commit's state, and frees the records that nothing uses any more.
    func clear() {
        forgetTouches()
        pending.hasChanged = false
        if pending.ranShort { (records.computedUnder.ranShort, pending.ranShort) = (true, false) }
        forgetSavedStacks()
        if pending.formerTypes != nil { pending.formerTypes = nil }
        if pending.formerLimits != nil { pending.formerLimits = nil }
        if !pending.created.isEmpty { pending.created.removeAll() }
        if !pending.restored.isEmpty { forgetRestored() }
        if !pending.bound.isEmpty { pending.bound.removeAll() }
        if !dependents.bindings.former.isEmpty { dependents.bindings.forgetFormer() }
        if !dependents.updates.retried.isEmpty { dependents.updates.retried.removeAll() }
        freeUnusedSelections()
        if !pending.releasedModels.isEmpty {
            removeDependentsOfReleased()
            freeReleased()
        }
        assert(pending.isIdle && dependents.isIdle)
    }

    /// If the commit rolled back, the models that it had brought back are released again.
    private func forgetRestored() {
        for model in pending.restored.keys where records.models[model].isReleased {
            dropReaders(ofReleased: model)
        }
        pending.restored.removeAll()
    }

    @inline(__always)
    var allowsFastPath: Bool { hosted == nil && !dependents.needsRetry && history.commitLimit > 0 }
}
