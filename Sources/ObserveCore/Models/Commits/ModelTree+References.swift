// SPDX-License-Identifier: MIT
// Strong and weak references: who keeps whom alive, cycles, and what happens when the last one goes.

extension ModelTree {
    /// Counts the references that `value` makes from the property.
    func reference(_ value: StoredValue, from id: PropertyID, isWeak: Bool) {
        switch value {
        case .model(let model):
            if isWeak { weakReferrers.add(id, to: model) } else { addHolder(id, of: model) }
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
            if isWeak { weakReferrers.remove(id, from: model) } else { removeHolder(id, of: model) }
        case .array(let array):
            for element in array.elements { dereference(element, from: id, isWeak: isWeak) }
        default: break
        }
    }

    private func addHolder(_ id: PropertyID, of model: ModelID) {
        switch models[model].strongReferences {
        case 0: models[model].holder = id
        case 1: models[model].otherHolder = id
        default: furtherHolders.add(id, to: model)
        }
        models[model].strongReferences += 1
    }

    private func removeHolder(_ id: PropertyID, of model: ModelID) {
        models[model].strongReferences -= 1
        if models[model].holder == id {
            models[model].holder = models[model].otherHolder
        } else if models[model].otherHolder != id {
            let wasCounted = furtherHolders.remove(id, from: model)
            precondition(wasCounted, "a strong reference was taken back that was never counted")
            return
        }
        if models[model].strongReferences < 2 {
            models[model].otherHolder = noRecord
            if models[model].strongReferences == 0 { unreferenced.append(model) }
        } else {
            guard let third = furtherHolders.removeFirst(of: model) else {
                preconditionFailure("a model has more strong references than holders")
            }
            models[model].otherHolder = third
        }
    }

    /// Whether `ancestor` is `model`, or reaches it by strong references: then a strong reference from `model` to
    /// `ancestor` would close a cycle. Looks upwards, where graphs are narrow.
    func reaches(_ ancestor: ModelID, _ model: ModelID) -> Bool {
        var model = model
        while model != ancestor {
            let holder = models[model].holder
            if holder == noRecord { return false }
            if models[model].strongReferences > 1 {
                return reachesByOneOfMany(ancestor, model)
            }
            model = properties[holder].model
        }
        return true
    }

    private func reachesByOneOfMany(_ ancestor: ModelID, _ model: ModelID) -> Bool {
        var pending = [model]
        var seen: Set<ModelID> = [model]
        var isFound = false
        while !isFound, let next = pending.popLast() {
            let ask = { [self] (holder: PropertyID) in
                let above = properties[holder].model
                if above == ancestor { isFound = true }
                if seen.insert(above).inserted { pending.append(above) }
            }
            if models[next].holder != noRecord { ask(models[next].holder) }
            if models[next].otherHolder != noRecord { ask(models[next].otherHolder) }
            furtherHolders.forEach(of: next, ask)
        }
        return isFound
    }

    /// Finds out which models died in this commit, makes weak references to them null, and lets go of what they held.
    /// Their own records stay as they are until the commit has been told: an event may show an old value.
    func releaseUnreferenced() {
        var next = 0
        var nulled: [PropertyID] = []
        while next < unreferenced.count {
            let model = unreferenced[next]
            next += 1
            guard models[model].strongReferences == 0, !models[model].isReleased else { continue }
            models[model].isReleased = true
            releasedModels.append(model)
            if hasPreUpdateHooks { runPreUpdateHooks(ofReleased: model) }
            let referrers = weakReferrers.sorted(of: model)
            weakReferrers.removeAll(of: model)
            for referrer in referrers {
                let touched = touch(referrer)
                touches[touched].cause = .consequence
                if let dependent = computedDependent(of: referrer) {
                    markStale(dependent)
                    continue
                }
                touches[touched].isChanged = true
                nulled.append(referrer)
                knownPaths.forget(through: referrer)
                setValue(.null, of: referrer)
                properties[referrer].revision = pendingRevision
                if properties[referrer].flags.contains(.read) { markDependents(of: referrer) }
            }
            var id = models[model].first
            while id != noRecord {
                if properties[id].slot.isContainer {
                    dereference(properties[id].slot, from: id, isWeak: properties[id].isWeak)
                }
                if properties[id].flags.contains(.isTemporary) { releaseShadowed(id) }
                id = properties[id].next
            }
        }
        unreferenced.removeAll()
        // Even if no value was written: the end of a shadowed value lets go of a model. One that died with what it
        // referred to shows nobody a change.
        if !changedInCommit {
            changedInCommit = nulled.contains { !models[properties[$0].model].isReleased }
        }
    }

    /// Takes back what ``releaseUnreferenced()`` did before the commit was given up: the dead hold again what they held. Which of
    /// them stay dead, being the commit's own, is found out when the writes are undone.
    func restoreReleased() {
        for index in releasedModels.indices {
            let model = releasedModels[index]
            models[model].isReleased = false
            unreferenced.append(model)
            var id = models[model].first
            while id != noRecord {
                reference(properties[id].slot, from: id, isWeak: properties[id].isWeak)
                if properties[id].flags.contains(.isTemporary) { restoreShadowed(id) }
                id = properties[id].next
            }
        }
        releasedModels.removeAll()
    }

    /// Frees the models that died, with their properties.
    func freeReleased() {
        removeDependentsOfReleased()
        for index in releasedModels.indices { freeReleased(releasedModels[index]) }
        releasedModels.removeAll()
    }

    /// Before any of them is freed, as they may read one another.
    func removeDependentsOfReleased() {
        guard dependents.count > 0 else { return }
        for index in releasedModels.indices { removeDependents(ofReleased: releasedModels[index]) }
    }

    func freeReleased(_ model: ModelID) {
        var id = models[model].first
        while id != noRecord {
            let next = properties[id].next
            precondition(properties[id].bound == noRecord, "a path is still bound to a dead model")
            precondition(!properties[id].flags.contains(.read), "a dead model is still read")
            if properties[id].flags.contains(.isTemporary) { freeShadowed(id) }
            free(id)
            id = next
        }
        models.release(model)
    }
}
