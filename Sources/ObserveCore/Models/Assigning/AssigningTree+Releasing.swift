// SPDX-License-Identifier: MIT
// Releases models without strong references, and restores them if the commit rolls back.

extension AssigningTree {
    /// Releases the models without strong references, nulls the weak references to them, and drops their own. Their records stay
    /// until the history forgets the commit, or without a history until observers are notified: an event may show an old value.
    @inline(__always) func releaseUnreferenced() { if !records.unreferenced.isEmpty { releaseModels() } }

    private func releaseModels() {
        var next = 0
        var nulled: [PropertyID] = []
        while next < records.unreferenced.count {
            let model = records.unreferenced[next]
            next += 1
            guard records.models[model].strongReferences == 0, !records.models[model].isReleased else {
                continue
            }
            willRelease(model)
            records.models[model].isReleased = true
            pending.releasedModels.append(model)
            records.effort.count(6 + 4 * Int(records.models[model].count))
            runHooks { $0.didRelease(model) }
            for referrer in records.weakReferrers.isEmpty ? [] : records.weakReferrers.sorted(of: model) {
                let isCounted = !records.isSelection(referrer)
                while records.weakReferrers.remove(referrer, from: model, isCounted: isCounted) {}
                let touched = touch(referrer)
                pending.touches[touched].cause = .consequence
                if let dependent = dependents.computedDependent(of: referrer, in: records) {
                    dependents.markStale(dependent, in: records)
                    continue
                }
                pending.touches[touched].isChanged = true
                nulled.append(referrer)
                paths.known.forget(through: referrer)
                records.setValue(.null, of: referrer)
                records.properties[referrer].revision = pendingRevision
                if records.properties[referrer].flags.contains(.read) {
                    dependents.markDependents(of: referrer, in: records)
                }
            }
            records.release(model)
            forEachStack(in: model) { releaseStack($0) }
        }
        records.unreferenced.removeAll()
        // A commit without a write may release a model, if a shadowed value expires. A nulled reference in a
        // released model is not a change.
        if !pending.hasChanged {
            pending.hasChanged = nulled.contains { !records.models[records.properties[$0].model].isReleased }
        }
    }

    /// Reverts ``releaseUnreferenced()`` when the commit rolls back: counts the released models' references again. After the
    /// rollback of the writes, the tree releases the commit's new models again.
    func restoreReleased() {
        for index in pending.releasedModels.indices {
            let model = pending.releasedModels[index]
            records.effort.count(6 + 6 * Int(records.models[model].count))
            records.unreferenced.append(model)
            records.restore(model)
            forEachStack(in: model) { countStack($0) }
        }
        pending.releasedModels.removeAll()
    }
}
