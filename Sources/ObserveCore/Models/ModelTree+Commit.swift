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
        precondition(touches.isEmpty, "a commit was begun inside another")
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
        if !unreferenced.isEmpty { settle() }
    }

    /// The revision that the commit under way will have.
    var pendingRevision: UInt64 { revision + 1 }

    private func finish() -> Bool {
        if !unreferenced.isEmpty { settle() }
        if cyclicBindings > 0, changedInCommit { retryCyclicBindings() }
        if staleCount > 0 || !refreshed.isEmpty { settleReaders() }
        hosted?.exchange()
        let changed = changedInCommit
        if isRecorded { recordCommit() }
        if changed { revision += 1 }
        if !touches.isEmpty { tell() }
        // What was shadowed may die without a commit, and the history know it.
        if history.commitLimit > 0, !touches.isEmpty || !dying.isEmpty { remember() }
        clear()
        return changed
    }

    private func rollBack() {
        if !touches.isEmpty { knownPaths.forget() }
        if !dying.isEmpty { revive() }
        for index in orderChanges.indices.reversed() {
            let change = orderChanges[index]
            if change.wasPresent {
                enlist(change.property, after: change.previous)
            } else {
                delist(change.property)
            }
            models[properties[change.property].model].removalRevision = change.oldRemovalRevision
        }
        for index in touches.indices.reversed() {
            let touch = touches[index]
            let id = touch.property
            let (current, old) = (properties[id].slot, before(id))
            dereference(current, from: id, isWeak: properties[id].isWeak)
            reference(old, from: id, isWeak: touch.oldFlags.contains(.weak))
            setValue(old, of: id)
            properties[id].isWeak = touch.oldFlags.contains(.weak)
            properties[id].revision = touch.oldRevision
        }
        if !savedOverlays.isEmpty { restoreOverlays() }
        settle()
        if staleCount > 0 || !refreshed.isEmpty { forgetStaleReaders() }
        clear()
    }

    /// Forgets the commit and frees what it left without use.
    func clear() {
        for index in touches.indices {
            let property = touches[index].property
            properties[property].touch = 0
            freeIfUnused(property)
            if case .text(let text) = touches[index].old { texts.release(text) }
        }
        touches.removeAll()
        orderChanges.removeAll()
        unreferenced.removeAll()
        changedInCommit = false
        if !refreshed.isEmpty { refreshed.removeAll(keepingCapacity: true) }
        if !savedOverlays.isEmpty { savedOverlays.removeAll() }
        if isRecorded { undoing.endCommit() }
        if !dying.isEmpty { bury() }
    }

    /// Notes that the property is being assigned, and what it held before the commit.
    func touch(_ id: PropertyID) -> Int {
        let known = Int(properties[id].touch)
        if known != 0 {
            touches[known - 1].cause = cause
            return known - 1
        }
        if isWitnessed { tellWitnesses(ofAssigning: id) }
        let text = pooled(properties[id].slot)
        touches.append(
            Touch(
                property: id,
                old: text.isNone ? properties[id].slot : .text(text),
                oldFlags: properties[id].flags,
                oldRevision: properties[id].revision,
                cause: cause
            )
        )
        properties[id].touch = Int32(touches.count)
        return touches.count - 1
    }

    /// What the property held before the commit under way; text is lent.
    func before(_ id: PropertyID) -> StoredValue {
        let known = Int(properties[id].touch)
        if known == 0 { return properties[id].slot }
        guard let edit = touches[known - 1].edit, !edit.isEqual else { return touches[known - 1].old }
        guard case .array(let array) = properties[id].slot else { return .absent }
        return .array(edit.undone(array))
    }

    /// Gives the property a value that differs from the one it has, for good.
    func assign(_ id: PropertyID, _ new: StoredValue, isWeak: Bool = false) {
        if properties[id].flags.contains(.overlaid) { clearOverlays(id) }
        change(id, new, isWeak: isWeak || properties[id].flags.contains(.declaredWeak))
    }

    /// The same, whatever lies below the value.
    func change(_ id: PropertyID, _ new: StoredValue, isWeak: Bool) {
        let touched = touch(id)
        keepWhole(touched)
        touches[touched].edits = .none
        touches[touched].isChanged = true
        let old = properties[id].slot
        reference(new, from: id, isWeak: isWeak)
        dereference(old, from: id, isWeak: properties[id].isWeak)
        if old.isAbsent != new.isAbsent { reorder(id, wasPresent: !old.isAbsent) }
        if new.isAbsent { knownPaths.forget() } else if old.isContainer { knownPaths.forget(through: id) }
        setValue(new, of: id)
        if properties[id].isWeak != isWeak {
            properties[id].isWeak = isWeak
            markMemberReaders(of: properties[id].model)
        }
        properties[id].revision = pendingRevision
        changedInCommit = true
        if properties[id].flags.contains(.read) { markReaders(of: id) }
    }

    /// Notes that the property was assigned the value that it has: some observers want to hear of it.
    func assignEqual(_ id: PropertyID) {
        if properties[id].flags.contains(.overlaid) { clearOverlays(id) }
        noteEqual(id)
    }

    func noteEqual(_ id: PropertyID) {
        guard notesEqualAssignments else { return }
        let touched = touch(id)
        if !touches[touched].isChanged { touches[touched].edits = .none }
        touches[touched].isAssignedEqual = true
    }

    /// Notes that an element was assigned the value that it has.
    func assignEqual(_ id: PropertyID, _ edit: ArrayEdit) {
        if properties[id].flags.contains(.overlaid) { clearOverlays(id) }
        guard notesEqualAssignments else { return }
        let touched = touch(id)
        // What was assigned as a whole has been assigned there as well.
        if touches[touched].isAssignedEqual || isWhole(touched) { return }
        keepWhole(touched)
        touches[touched].edits.add(edit)
    }

    /// Changes one element of the array that the property holds, or of one nested in it, without copying the others.
    func edit(_ id: PropertyID, _ edit: ArrayEdit, new: StoredValue) {
        if properties[id].flags.contains(.overlaid) { clearOverlays(id) }
        let touched = touch(id)
        if !isWhole(touched) {
            keepWhole(touched)
            touches[touched].edits.add(edit)
            touches[touched].isChanged = true
            if touches[touched].edit != nil { touches[touched].old = .absent }
        }
        if edit.old.isContainer || edit.kind == .insertion || edit.kind == .removal {
            knownPaths.forget(through: id)
        }
        reference(new, from: id, isWeak: false)
        if case .model(let model) = new { expect(model, at: edit.index) }
        dereference(edit.old, from: id, isWeak: false)
        var value = properties[id].value
        setValue(.null, of: id)
        apply(edit, new, to: &value, level: 0)
        setValue(value, of: id)
        properties[id].revision = pendingRevision
        changedInCommit = true
        if properties[id].flags.contains(.read) { markReaders(of: id) }
    }

    /// Whether the property was given another value as a whole: then what its elements were given says no more.
    private func isWhole(_ touched: Int) -> Bool {
        touches[touched].isChanged && touches[touched].edits.isEmpty
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
        guard let edit = touches[touched].edit, !edit.isEqual else { return }
        touches[touched].old = before(touches[touched].property)
    }

    private func reorder(_ id: PropertyID, wasPresent: Bool) {
        let model = properties[id].model
        if isWitnessed { tellWitnesses(ofReordering: model) }
        orderChanges.append(
            OrderChange(
                property: id,
                previous: properties[id].previous,
                wasPresent: wasPresent,
                oldRemovalRevision: models[model].removalRevision
            )
        )
        if wasPresent {
            delist(id)
            models[model].removalRevision = pendingRevision
        } else {
            enlist(id, after: models[model].last)
        }
        markMemberReaders(of: model)
    }
}
