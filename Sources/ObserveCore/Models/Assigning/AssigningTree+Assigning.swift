// SPDX-License-Identifier: MIT
// The assignments of a commit, with the values that they replace. Callers check whether a write is allowed.

extension AssigningTree {
    /// Records that the property is being assigned, with its value before the commit. Returns the touch's index.
    func touch(_ id: PropertyID) -> Int {
        let known = Int(records.properties[id].touch)
        if known != 0 {
            pending.touches[known - 1].cause = pending.cause
            return known - 1
        }
        willAssign(id)
        let text = records.pooled(records.properties[id].slot)
        pending.touches.append(
            Touch(
                old: text.isNone ? records.properties[id].slot : .text(text),
                wasWeak: records.properties[id].isWeak,
                property: id,
                cause: pending.cause,
                oldRevision: records.properties[id].revision
            )
        )
        records.properties[id].touch = Int32(pending.touches.count)
        return pending.touches.count - 1
    }

    private func touch(_ id: PropertyID, _ edit: ArrayEdit) -> Int {
        let known = Int(records.properties[id].touch)
        let earlier = known == 0 ? pending.cause : pending.touches[known - 1].cause
        let touched = touch(id)
        if earlier != pending.cause, pending.touches[touched].elementCauses == nil {
            pending.touches[touched].elementCauses = ElementCauses(earlier)
        }
        if let causes = pending.touches[touched].elementCauses {
            causes.note(pending.cause, at: (edit.isShift ? edit.path : edit.path + [edit.index])[...])
        }
        return touched
    }

    /// Forgets the open commit's touches, and frees the records that nothing else uses.
    func forgetTouches() {
        for index in pending.touches.indices {
            let property = pending.touches[index].property
            records.properties[property].touch = 0
            records.freeIfUnused(property)
            if case .text(let text) = pending.touches[index].old { records.texts.release(text) }
        }
        pending.touches.removeAll()
        if !pending.places.isEmpty { pending.places = [:] }
        pending.orderChanges.removeAll()
        records.unreferenced.removeAll()
        records.effort.tooLarge = nil
    }

    /// The property's value before the open commit; text is borrowed.
    func before(_ id: PropertyID) -> StoredValue {
        let known = Int(records.properties[id].touch)
        if known == 0 { return records.properties[id].slot }
        guard let edit = pending.touches[known - 1].edit else { return pending.touches[known - 1].old }
        guard case .array(let array) = records.properties[id].slot else { return .absent }
        return edit.reverted(array)
    }

    /// Assigns a permanent value that differs from the current one.
    func assign(_ id: PropertyID, _ new: StoredValue, isWeak: Bool = false) {
        if records.properties[id].flags.contains(.isStacked) { clearStack(id) }
        change(id, new, isWeak: isWeak || records.properties[id].flags.contains(.declaredWeak))
    }

    /// Assigns a different value and keeps the property's stack of temporary values.
    func change(_ id: PropertyID, _ new: StoredValue, isWeak: Bool) {
        let touched = touch(id)
        keepWhole(touched)
        pending.touches[touched].edits = .none
        pending.touches[touched].elementCauses = nil
        pending.touches[touched].isChanged = true
        let old = records.properties[id].slot
        records.reference(new, from: id, isWeak: isWeak)
        records.dereference(old, from: id, isWeak: records.properties[id].isWeak)
        if old.isAbsent != new.isAbsent { reorder(id, wasPresent: !old.isAbsent) }
        if new.isAbsent { paths.known.forget() } else if old.isContainer { paths.known.forget(through: id) }
        records.setValue(new, of: id)
        if records.properties[id].isWeak != isWeak {
            records.properties[id].isWeak = isWeak
            dependents.markMemberDependents(of: records.properties[id].model, in: records)
        }
        records.properties[id].revision = pendingRevision
        pending.hasChanged = true
        if records.properties[id].flags.contains(.read) { dependents.markDependents(of: id, in: records) }
    }

    /// Records an assignment of the property's current value: observers without `distinct` get an event.
    func assignEqual(_ id: PropertyID) {
        if records.properties[id].flags.contains(.isStacked) { clearStack(id) }
        noteEqual(id)
    }

    func assignEqual(_ id: PropertyID, _ edit: ArrayEdit) {
        if records.properties[id].flags.contains(.isStacked) { clearStack(id) }
        guard paths.notesEqualAssignments else { return }
        let touched = touch(id, edit)
        // An assignment of the whole value includes its elements.
        if pending.touches[touched].isAssignedEqual || isWhole(touched) { return }
        keepWhole(touched)
        pending.touches[touched].edits.add(edit)
    }

    func noteEqual(_ id: PropertyID) {
        guard paths.notesEqualAssignments else { return }
        let touched = touch(id)
        if !pending.touches[touched].isChanged { pending.touches[touched].edits = .none }
        pending.touches[touched].isAssignedEqual = true
    }

    /// Changes one element of the property's array, or of one nested in it, without copying the others.
    func edit(_ id: PropertyID, _ edit: ArrayEdit, new: StoredValue) {
        if records.properties[id].flags.contains(.isStacked) { clearStack(id) }
        let touched = touch(id, edit)
        if !isWhole(touched) {
            keepWhole(touched)
            pending.touches[touched].edits.add(edit)
            pending.touches[touched].isChanged = true
            if pending.touches[touched].edit != nil { pending.touches[touched].old = .absent }
        }
        if edit.old.isContainer || edit.kind == .insertion || edit.kind == .removal {
            paths.known.forget(through: id)
        }
        records.reference(new, from: id, isWeak: false)
        if case .model(let model) = new { records.expect(model, at: edit.index) }
        records.dereference(edit.old, from: id, isWeak: false)
        var value = records.properties[id].value
        records.setValue(.null, of: id)
        edit.apply(new, to: &value)
        records.setValue(value, of: id)
        records.properties[id].revision = pendingRevision
        pending.hasChanged = true
        if records.properties[id].flags.contains(.read) { dependents.markDependents(of: id, in: records) }
    }

    /// Whether the commit assigned the whole property: edits of its elements no longer matter then.
    func isWhole(_ touched: Int) -> Bool {
        pending.touches[touched].isChanged && pending.touches[touched].edits.isEmpty
    }

    /// Saves the old array as a whole. Called before the second write to an array in one commit.
    func keepWhole(_ touched: Int) {
        if pending.touches[touched].edit == nil { return }
        pending.touches[touched].old = before(pending.touches[touched].property)
    }

    func reorder(_ id: PropertyID, wasPresent: Bool) {
        let model = records.properties[id].model
        runHooks { $0.willReorder(model) }
        let (previous, removal) = (records.properties[id].previous, records.models[model].removalRevision)
        pending.orderChanges.append(
            OrderChange(property: id, previous: previous, wasPresent: wasPresent, oldRemovalRevision: removal)
        )
        if wasPresent {
            records.delist(id)
            records.models[model].removalRevision = pendingRevision
        } else {
            records.enlist(id)
        }
        dependents.markMemberDependents(of: model, in: records)
    }
}
