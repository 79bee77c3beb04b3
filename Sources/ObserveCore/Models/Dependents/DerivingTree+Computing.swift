// SPDX-License-Identifier: MIT
// Adds and removes computed properties, and stores their values. Independent of the order of updates.

extension DerivingTree {
    /// Adds a computed property to a new model: null until a write of the same commit reads it, or until the commit's end.
    func addComputed(_ name: NameID, to model: ModelID, _ computation: Computation) {
        let id = propertyOrPlaceholder(model, name)
        precondition(records.properties[id].slot.isAbsent, "a property that is there was made computed")
        records.enlist(id)
        records.setValue(.null, of: id)
        records.properties[id].flags.formUnion([.weak, .computed, .pending])
        records.properties[id].revision = pendingRevision
        addDependent(id, computation)
    }

    func addDependent(_ id: PropertyID, _ computation: Computation?) {
        dependents.markStale(dependents.add(id, computation, in: records), in: records)
    }

    /// Removes the dependents of all released models, and what others read of these. Call before freeing any: they may read each other.
    func removeDependentsOfReleased() {
        guard dependents.records.count > 0 else { return }
        for index in pending.releasedModels.indices {
            removeDependents(ofReleased: pending.releasedModels[index])
            dropReaders(ofReleased: pending.releasedModels[index])
        }
    }

    /// Drops what other dependents still read of a released model. Some of them may belong to other released models.
    func dropReaders(ofReleased model: ModelID) {
        forEachProperty(of: model) {
            guard records.properties[$0].flags.contains(.read) else { return }
            dependents.dropReaders(ofReleased: $0, in: &records)
        }
    }

    /// Removes the dependents of a model that is about to be freed. Other released models may still read this one.
    func removeDependents(ofReleased model: ModelID) {
        forEachProperty(of: model) { removeDependent(of: $0) }
    }

    func removeDependent(of id: PropertyID) {
        guard let dependent = dependents.computedDependent(of: id, in: records) else { return }
        dependents.remove(dependent, in: &records)
    }

    /// Stores the computed value: as a change of the commit, unless the commit made the property.
    ///
    /// An equal value of another form changes nothing, but replaces the former one: the next start computes that form.
    func store(_ value: StoredValue, of dependent: DependentID) {
        let id = dependents.records[dependent].property
        let old = records.properties[id].slot
        let isNew = records.properties[id].flags.contains(.pending)
        records.properties[id].flags.remove(.pending)
        let writer = pending.cause
        pending.cause = .consequence
        defer { pending.cause = writer }
        if old.equals(value) {
            noteRevision(of: id, value)
            assignEqual(id)
            if old.hasForm(of: value) { return }
            // For a rollback.
            _ = touch(id)
            records.setValue(value, of: id)
            if records.properties[id].flags.contains(.read) { dependents.markDependents(of: id, in: records) }
            return
        }
        if !isNew {
            pending.touches[touch(id)].isChanged = true
            pending.hasChanged = true
        }
        records.dereference(old, from: id, isWeak: true)
        records.reference(value, from: id, isWeak: true)
        if old.isContainer { paths.known.forget(through: id) }
        records.setValue(value, of: id)
        noteRevision(of: id, value)
        if records.properties[id].flags.contains(.read) { dependents.markDependents(of: id, in: records) }
    }

    /// Sets the revision of a computed property that the commit has changed: within the commit, the value may have
    /// become that from before again. If it was not there before, it has changed also if it is null: the history has its record.
    private func noteRevision(of id: PropertyID, _ value: StoredValue) {
        let touched = Int(records.properties[id].touch) - 1
        guard touched >= 0, pending.touches[touched].isChanged else { return }
        let isAsBefore = !pending.touches[touched].old.isAbsent && pending.touches[touched].old.equals(value)
        records.properties[id].revision = isAsBefore ? pending.touches[touched].oldRevision : pendingRevision
    }
}
