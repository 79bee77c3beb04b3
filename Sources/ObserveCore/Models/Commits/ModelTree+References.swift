// SPDX-License-Identifier: MIT
// Strong and weak references: who keeps whom alive, cycles, and what happens when the last one goes.

extension ModelTree {
    /// Counts the references that `value` makes from the property.
    func reference(_ value: StoredValue, from id: PropertyID, isWeak: Bool) {
        switch value {
        case .model(let model):
            if isWeak { records.weakReferrers.add(id, to: model) } else { records.addHolder(id, of: model) }
        case .array(let array):
            // Weak elements are those of computed properties.
            for (index, element) in array.elements.enumerated() {
                reference(element, from: id, isWeak: isWeak)
                if case .model(let model) = element, !isWeak { expect(model, at: index) }
            }
        default: break
        }
    }

    /// Takes back the references that `value` made from the property.
    func dereference(_ value: StoredValue, from id: PropertyID, isWeak: Bool) {
        switch value {
        case .model(let model):
            if isWeak { records.weakReferrers.remove(id, from: model) } else { removeHolder(id, of: model) }
        case .array(let array):
            for element in array.elements { dereference(element, from: id, isWeak: isWeak) }
        default: break
        }
    }

    private func removeHolder(_ id: PropertyID, of model: ModelID) {
        records.models[model].strongReferences -= 1
        if records.models[model].holder == id {
            records.models[model].holder = records.models[model].otherHolder
        } else if records.models[model].otherHolder != id {
            let wasCounted = records.furtherHolders.remove(id, from: model)
            precondition(wasCounted, "a strong reference was taken back that was never counted")
            return
        }
        if records.models[model].strongReferences < 2 {
            records.models[model].otherHolder = .noRecord
            if records.models[model].strongReferences == 0 { pending.unreferenced.append(model) }
        } else {
            guard let third = records.furtherHolders.removeFirst(of: model) else {
                preconditionFailure("a model has more strong references than holders")
            }
            records.models[model].otherHolder = third
        }
    }

    /// Whether `ancestor` is `model`, or reaches it by strong references: then a strong reference from `model` to
    /// `ancestor` would close a cycle. Looks upwards, where graphs are narrow.
    func reaches(_ ancestor: ModelID, _ model: ModelID) -> Bool {
        var model = model
        while model != ancestor {
            let holder = records.models[model].holder
            if holder == .noRecord { return false }
            if records.models[model].strongReferences > 1 {
                return reachesByOneOfMany(ancestor, model)
            }
            model = records.properties[holder].model
        }
        return true
    }

    private func reachesByOneOfMany(_ ancestor: ModelID, _ model: ModelID) -> Bool {
        var pending = [model]
        var seen: Set<ModelID> = [model]
        var isFound = false
        while !isFound, let next = pending.popLast() {
            let ask = { [self] (holder: PropertyID) in
                let above = records.properties[holder].model
                if above == ancestor { isFound = true }
                if seen.insert(above).inserted { pending.append(above) }
            }
            if records.models[next].holder != .noRecord { ask(records.models[next].holder) }
            if records.models[next].otherHolder != .noRecord { ask(records.models[next].otherHolder) }
            records.furtherHolders.forEach(of: next, ask)
        }
        return isFound
    }

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

    /// Before any of them is freed, as they may read one another.
    func removeDependentsOfReleased() {
        guard dependents.records.count > 0 else { return }
        for index in pending.releasedModels.indices {
            removeDependents(ofReleased: pending.releasedModels[index])
        }
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
}
