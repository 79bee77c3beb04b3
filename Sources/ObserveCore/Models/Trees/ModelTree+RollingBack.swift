// SPDX-License-Identifier: MIT
// Rolls back the open commit: restores all values, references and orders of properties from before it.

extension ModelTree {
    /// Rolls back all writes of the open commit, and removes the bindings that it has made.
    func rollBack() { rollBack { forgetStaleDependents() } }

    /// Rolls back a commit whose dependents are up to date already.
    func rollBackUpdated() {
        let touched = pending.touches.indices.map { pending.touches[$0].property }
        let reordered = pending.orderChanges.indices.map { pending.orderChanges[$0].property }
        rollBack { retrace(touched, reordered) }
    }

    private func rollBack(_ restoreDependents: () -> Void) {
        let bound = pending.bound
        records.effort.count(8 * (pending.touches.count + pending.orderChanges.count))
        if !pending.touches.isEmpty { paths.known.forget() }
        restoreRetried()
        if let former = pending.formerTypes { removeComputed(notIn: former) }
        if !pending.releasedModels.isEmpty { restoreReleased() }
        for index in pending.orderChanges.indices.reversed() {
            let change = pending.orderChanges[index]
            rewind(change)
            records.models[records.properties[change.property].model].removalRevision =
                change.oldRemovalRevision
        }
        for index in pending.touches.indices.reversed() {
            let touch = pending.touches[index]
            let id = touch.property
            let (current, old) = (records.properties[id].slot, before(id))
            records.dereference(current, from: id, isWeak: records.properties[id].isWeak)
            records.reference(old, from: id, isWeak: touch.wasWeak)
            records.setValue(old, of: id)
            records.properties[id].isWeak = touch.wasWeak
            records.properties[id].revision = touch.oldRevision
        }
        if !stacks.saved.isEmpty { restoreStacks() }
        if let former = pending.formerTypes { restoreTypes(former) }
        if let former = pending.formerLimits { records.computedUnder = former }
        // What lacked looks has its former value again.
        pending.ranShort = false
        if !pending.restored.isEmpty { releaseRestored() }
        releaseUnreferenced()
        restoreDependents()
        clear()
        for number in bound.reversed() { _ = removeBinding(number) }
    }
}
