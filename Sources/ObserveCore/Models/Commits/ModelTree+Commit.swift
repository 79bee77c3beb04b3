// SPDX-License-Identifier: MIT
// A commit: what it touched, how it ends, how it is undone. Decides nothing about which writes are allowed.

/// A property that the commit under way assigned, and what it held before.
struct Touch {
    let property: PropertyID
    /// What it held before the commit; after a single edit the array is not kept (see ``ModelTree/before(_:)``). Text in the
    /// tree's ``ModelTree/texts`` is the touch's own, and then the history's.
    var old: StoredValue
    let oldFlags: PropertyRecord.Flags
    let oldRevision: UInt64
    /// What was done to single elements of the array that it holds, as long as it got no other value as a whole.
    var edits = ArrayEdits.none
    /// It was given another value.
    var isChanged = false
    /// It was also assigned an equal value, as a whole.
    var isAssignedEqual = false
    /// A mirror of what is strongly referred to sees another value. Found out when deep observers are told.
    var differsBelow = false
    /// Who assigned it last.
    var cause = ChangeCause.writer

    /// The one edit, if nothing else happened to the property.
    var edit: ArrayEdit? { if case .one(let edit) = edits { edit } else { nil } }
}

/// A property that came into its model's order, or left it.
struct OrderChange {
    let property: PropertyID
    /// Where it stood before it left; unused when it came.
    let previous: PropertyID
    let wasPresent: Bool
    let oldRemovalRevision: UInt64
}

extension ModelTree {
    /// Runs `body` as one commit: all of its writes take effect and are told at once, or, if it throws, none.
    ///
    /// - Returns: whether anything was changed; then ``revision`` was counted up.
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

    /// Those who observe Swift models are told when all others have been.
    private func finishHosted() -> Bool {
        var changed = false
        notifyingAfterwards { changed = finish() }
        return changed
    }

    /// Ends one of several writes in a commit: what it left without a strong reference is gone for those that follow.
    ///
    /// So each finds the tree as it would if those before it had been commits of their own.
    func endOperation() {
        if !pending.unreferenced.isEmpty { releaseUnreferenced() }
    }

    /// The revision that the commit under way will have.
    var pendingRevision: UInt64 { revision + 1 }

    private func finish() -> Bool {
        if !pending.unreferenced.isEmpty { releaseUnreferenced() }
        if bindings.cyclic > 0, pending.hasChanged { retryCyclicBindings() }
        if dependents.staleCount > 0 || !dependents.refreshed.isEmpty { updateDependents() }
        hosted?.exchange()
        let changed = pending.hasChanged
        if hooks.isRecorded { recordCommit() }
        if changed { revision += 1 }
        if !pending.touches.isEmpty { notify() }
        // What was shadowed may die without a commit, and the history know it.
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
        if dependents.staleCount > 0 || !dependents.refreshed.isEmpty { forgetStaleDependents() }
        clear()
    }

    /// Forgets the commit and frees what it left without use.
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
        if hooks.isRecorded { undoing.endCommit() }
        if !pending.releasedModels.isEmpty { freeReleased() }
    }

    /// Notes that the property is being assigned, and what it held before the commit.
    func touch(_ id: PropertyID) -> Int {
        let known = Int(records.properties[id].touch)
        if known != 0 {
            pending.touches[known - 1].cause = pending.cause
            return known - 1
        }
        if hooks.hasPreUpdateHooks { hooks.runPreUpdateHooks(ofAssigning: id) }
        let text = records.pooled(records.properties[id].slot)
        pending.touches.append(
            Touch(
                property: id,
                old: text.isNone ? records.properties[id].slot : .text(text),
                oldFlags: records.properties[id].flags,
                oldRevision: records.properties[id].revision,
                cause: pending.cause
            )
        )
        records.properties[id].touch = Int32(pending.touches.count)
        return pending.touches.count - 1
    }

    /// What the property held before the commit under way; text is lent.
    func before(_ id: PropertyID) -> StoredValue {
        let known = Int(records.properties[id].touch)
        if known == 0 { return records.properties[id].slot }
        guard let edit = pending.touches[known - 1].edit, !edit.isEqual else {
            return pending.touches[known - 1].old
        }
        guard case .array(let array) = records.properties[id].slot else { return .absent }
        return .array(edit.undone(array))
    }

    /// Gives the property a value that differs from the one it has, for good.
    func assign(_ id: PropertyID, _ new: StoredValue, isWeak: Bool = false) {
        if records.properties[id].flags.contains(.isTemporary) { clearTemporaryValues(id) }
        change(id, new, isWeak: isWeak || records.properties[id].flags.contains(.declaredWeak))
    }

    /// The same, whatever lies below the value.
    func change(_ id: PropertyID, _ new: StoredValue, isWeak: Bool) {
        let touched = touch(id)
        keepWhole(touched)
        pending.touches[touched].edits = .none
        pending.touches[touched].isChanged = true
        let old = records.properties[id].slot
        reference(new, from: id, isWeak: isWeak)
        dereference(old, from: id, isWeak: records.properties[id].isWeak)
        if old.isAbsent != new.isAbsent { reorder(id, wasPresent: !old.isAbsent) }
        if new.isAbsent { paths.known.forget() } else if old.isContainer { paths.known.forget(through: id) }
        setValue(new, of: id)
        if records.properties[id].isWeak != isWeak {
            records.properties[id].isWeak = isWeak
            markMemberDependents(of: records.properties[id].model)
        }
        records.properties[id].revision = pendingRevision
        pending.hasChanged = true
        if records.properties[id].flags.contains(.read) { markDependents(of: id) }
    }

    /// Notes that the property was assigned the value that it has: some observers want to hear of it.
    func assignEqual(_ id: PropertyID) {
        if records.properties[id].flags.contains(.isTemporary) { clearTemporaryValues(id) }
        noteEqual(id)
    }

    func noteEqual(_ id: PropertyID) {
        guard paths.notesEqualAssignments else { return }
        let touched = touch(id)
        if !pending.touches[touched].isChanged { pending.touches[touched].edits = .none }
        pending.touches[touched].isAssignedEqual = true
    }

    /// Notes that an element was assigned the value that it has.
    func assignEqual(_ id: PropertyID, _ edit: ArrayEdit) {
        if records.properties[id].flags.contains(.isTemporary) { clearTemporaryValues(id) }
        guard paths.notesEqualAssignments else { return }
        let touched = touch(id)
        // What was assigned as a whole has been assigned there as well.
        if pending.touches[touched].isAssignedEqual || isWhole(touched) { return }
        keepWhole(touched)
        pending.touches[touched].edits.add(edit)
    }

    /// Changes one element of the array that the property holds, or of one nested in it, without copying the others.
    func edit(_ id: PropertyID, _ edit: ArrayEdit, new: StoredValue) {
        if records.properties[id].flags.contains(.isTemporary) { clearTemporaryValues(id) }
        let touched = touch(id)
        if !isWhole(touched) {
            keepWhole(touched)
            pending.touches[touched].edits.add(edit)
            pending.touches[touched].isChanged = true
            if pending.touches[touched].edit != nil { pending.touches[touched].old = .absent }
        }
        if edit.old.isContainer || edit.kind == .insertion || edit.kind == .removal {
            paths.known.forget(through: id)
        }
        reference(new, from: id, isWeak: false)
        if case .model(let model) = new { expect(model, at: edit.index) }
        dereference(edit.old, from: id, isWeak: false)
        var value = records.properties[id].value
        setValue(.null, of: id)
        apply(edit, new, to: &value, level: 0)
        setValue(value, of: id)
        records.properties[id].revision = pendingRevision
        pending.hasChanged = true
        if records.properties[id].flags.contains(.read) { markDependents(of: id) }
    }

    /// Whether the property was given another value as a whole: then what its elements were given says no more.
    private func isWhole(_ touched: Int) -> Bool {
        pending.touches[touched].isChanged && pending.touches[touched].edits.isEmpty
    }

    func apply(_ edit: ArrayEdit, _ new: StoredValue, to value: inout StoredValue, level: Int) {
        guard case .array(var array) = value else { return }
        value = .null
        if !isKnownUniquelyReferenced(&array) { array = StoredArray(array.elements) }
        if level < edit.path.count {
            apply(edit, new, to: &array.elements[edit.path[level]], level: level + 1)
        } else {
            switch edit.kind {
            case .insertion: array.elements.insert(new, at: edit.index)
            case .removal: array.elements.remove(at: edit.index)
            case .replacement, .setting: array.elements[edit.index] = new
            }
        }
        value = .array(array)
    }

    /// Before a second write to an array in one commit: keeps the old one whole from now on.
    private func keepWhole(_ touched: Int) {
        guard let edit = pending.touches[touched].edit, !edit.isEqual else { return }
        pending.touches[touched].old = before(pending.touches[touched].property)
    }

    private func reorder(_ id: PropertyID, wasPresent: Bool) {
        let model = records.properties[id].model
        if hooks.hasPreUpdateHooks { hooks.runPreUpdateHooks(ofReordering: model) }
        pending.orderChanges.append(
            OrderChange(
                property: id,
                previous: records.properties[id].previous,
                wasPresent: wasPresent,
                oldRemovalRevision: records.models[model].removalRevision
            )
        )
        if wasPresent {
            delist(id)
            records.models[model].removalRevision = pendingRevision
        } else {
            enlist(id, after: records.models[model].last)
        }
        markMemberDependents(of: model)
    }
}
