// SPDX-License-Identifier: MIT
// Models released when their last strong reference is gone, restored, and freed.

extension ModelTree {
    /// Finds out which models died in this commit, makes weak references to them null, and lets go of what they held.
    /// Their own records stay as they are until the commit has been told: an event may show an old value.
    func releaseUnreferenced() {
        var next = 0
        var nulled: [PropertyID] = []
        while next < pending.unreferenced.count {
            let model = pending.unreferenced[next]
            next += 1
            guard records.models[model].strongReferences == 0, !records.models[model].isReleased else {
                continue
            }
            records.models[model].isReleased = true
            pending.releasedModels.append(model)
            if hooks.hasPreUpdateHooks { hooks.runPreUpdateHooks(ofReleased: model) }
            let referrers = records.weakReferrers.sorted(of: model)
            records.weakReferrers.removeAll(of: model)
            for referrer in referrers {
                let touched = touch(referrer)
                pending.touches[touched].cause = .consequence
                if let dependent = computedDependent(of: referrer) {
                    markStale(dependent)
                    continue
                }
                pending.touches[touched].isChanged = true
                nulled.append(referrer)
                paths.known.forget(through: referrer)
                setValue(.null, of: referrer)
                records.properties[referrer].revision = pendingRevision
                if records.properties[referrer].flags.contains(.read) { markDependents(of: referrer) }
            }
            var id = records.models[model].first
            while id != .noRecord {
                if records.properties[id].slot.isContainer {
                    dereference(records.properties[id].slot, from: id, isWeak: records.properties[id].isWeak)
                }
                if records.properties[id].flags.contains(.isTemporary) { releaseShadowed(id) }
                id = records.properties[id].next
            }
        }
        pending.unreferenced.removeAll()
        // Even if no value was written: the end of a shadowed value lets go of a model. One that died with what it
        // referred to shows nobody a change.
        if !pending.hasChanged {
            pending.hasChanged = nulled.contains { !records.models[records.properties[$0].model].isReleased }
        }
    }

    /// Takes back what ``releaseUnreferenced()`` did before the commit was given up: the dead hold again what they held. Which of
    /// them stay dead, being the commit's own, is found out when the writes are undone.
    func restoreReleased() {
        for index in pending.releasedModels.indices {
            let model = pending.releasedModels[index]
            records.models[model].isReleased = false
            pending.unreferenced.append(model)
            var id = records.models[model].first
            while id != .noRecord {
                reference(records.properties[id].slot, from: id, isWeak: records.properties[id].isWeak)
                if records.properties[id].flags.contains(.isTemporary) { restoreShadowed(id) }
                id = records.properties[id].next
            }
        }
        pending.releasedModels.removeAll()
    }

    /// Frees the models that died, with their properties.
    func freeReleased() {
        removeDependentsOfReleased()
        for index in pending.releasedModels.indices { freeReleased(pending.releasedModels[index]) }
        pending.releasedModels.removeAll()
    }

    func freeReleased(_ model: ModelID) {
        var id = records.models[model].first
        while id != .noRecord {
            let next = records.properties[id].next
            precondition(records.properties[id].bound == .noRecord, "a path is still bound to a dead model")
            precondition(!records.properties[id].flags.contains(.read), "a dead model is still read")
            if records.properties[id].flags.contains(.isTemporary) { temporary.freeShadowed(id) }
            free(id)
            id = next
        }
        records.models.free(model)
    }

    /// Before any of them is freed, as they may read one another.
    func removeDependentsOfReleased() {
        guard dependents.records.count > 0 else { return }
        for index in pending.releasedModels.indices {
            removeDependents(ofReleased: pending.releasedModels[index])
        }
    }
}
