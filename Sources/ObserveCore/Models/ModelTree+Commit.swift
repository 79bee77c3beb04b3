// SPDX-License-Identifier: MIT
// A commit: what it touched, how it ends, how it is undone. Decides nothing about which writes are allowed.

/// A property that the commit under way assigned, and what it held before.
struct Touch {
    let property: PropertyID
    /// What it held before the commit; while there is an ``edit`` the array is not kept whole (see ``ModelTree/before(_:)``).
    var old: StoredValue
    var oldFlags: PropertyRecord.Flags
    let oldRevision: UInt64
    /// The one change to the array that the property holds, if that is all that happened to it; else the one
    /// assignment of an equal element.
    var edit: ArrayEdit?
    /// It was given another value.
    var isChanged = false
    /// It was also assigned an equal value, as a whole or, beside another write, in an element.
    var isAssignedEqual = false
    /// It left the property absent.
    var isRemoval = false
    /// Who assigned it last.
    var cause = ChangeCause.writer
}

/// One insertion, removal or replacement of an element, in the array that a property holds or in one nested in it.
final class ArrayEdit {
    let kind: ChangeKind
    /// The indices that lead from the property's array to the one that was changed.
    let path: [Int]
    let index: Int
    /// The element before: absent for an insertion.
    let old: StoredValue
    /// A replacement by an equal element, which changed nothing.
    let isEqual: Bool

    init(kind: ChangeKind, path: [Int], index: Int, old: StoredValue, isEqual: Bool = false) {
        self.kind = kind
        self.path = path
        self.index = index
        self.old = old
        self.isEqual = isEqual
    }

    /// The array as it was before this edit made it what it is.
    func undone(_ array: StoredArray, level: Int = 0) -> StoredArray {
        var elements = array.elements
        if level < path.count {
            guard case .array(let inner) = elements[path[level]] else { return array }
            elements[path[level]] = .array(undone(inner, level: level + 1))
        } else {
            switch kind {
            case .insertion: elements.remove(at: index)
            case .removal: elements.insert(old, at: index)
            case .replacement, .setting: elements[index] = old
            }
        }
        return StoredArray(elements)
    }
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
        return finish()
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
        let changed = changedInCommit
        if !unreferenced.isEmpty { settle() }
        if changed { revision += 1 }
        if !touches.isEmpty {
            tell()
            if history.commitLimit > 0 { remember() }
        }
        clear()
        return changed
    }

    private func rollBack() {
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
            let (current, old) = (properties[id].value, before(id))
            // In this order: a weak reference back to where it was before is one entry in a set.
            dereference(current, from: id, isWeak: properties[id].isWeak)
            reference(old, from: id, isWeak: touch.oldFlags.contains(.weak))
            properties[id].value = old
            properties[id].isWeak = touch.oldFlags.contains(.weak)
            properties[id].revision = touch.oldRevision
        }
        settle()
        clear()
    }

    /// Forgets the commit and frees what it left without use.
    private func clear() {
        for index in touches.indices {
            let property = touches[index].property
            properties[property].touch = 0
            freeIfUnused(property)
        }
        touches.removeAll()
        orderChanges.removeAll()
        unreferenced.removeAll()
        changedInCommit = false
        if !dying.isEmpty { bury() }
    }

    /// Notes that the property is being assigned, and what it held before the commit.
    func touch(_ id: PropertyID) -> Int {
        let known = Int(properties[id].touch)
        if known != 0 {
            touches[known - 1].cause = cause
            return known - 1
        }
        touches.append(
            Touch(
                property: id,
                old: properties[id].value,
                oldFlags: properties[id].flags,
                oldRevision: properties[id].revision,
                cause: cause
            )
        )
        properties[id].touch = Int32(touches.count)
        return touches.count - 1
    }

    /// What the property held before the commit under way.
    func before(_ id: PropertyID) -> StoredValue {
        let known = Int(properties[id].touch)
        if known == 0 { return properties[id].value }
        guard let edit = touches[known - 1].edit else { return touches[known - 1].old }
        guard case .array(let array) = properties[id].value else { return .absent }
        return .array(edit.undone(array))
    }

    /// Gives the property a value that differs from the one it has.
    func assign(_ id: PropertyID, _ new: StoredValue, isWeak: Bool = false) {
        let touched = touch(id)
        makeWhole(touched)
        touches[touched].isChanged = true
        let old = properties[id].value
        reference(new, from: id, isWeak: isWeak)
        dereference(old, from: id, isWeak: properties[id].isWeak)
        if old.isAbsent != new.isAbsent { reorder(id, wasPresent: !old.isAbsent) }
        properties[id].value = new
        properties[id].isWeak = isWeak
        properties[id].revision = pendingRevision
        changedInCommit = true
    }

    /// Notes that the property was assigned the value that it has: some observers want to hear of it.
    func assignEqual(_ id: PropertyID) {
        guard notesEqualAssignments else { return }
        let touched = touch(id)
        if !touches[touched].isChanged { makeWhole(touched) }
        touches[touched].isAssignedEqual = true
    }

    /// Notes that an element was assigned the value that it has.
    func assignEqual(_ id: PropertyID, _ edit: ArrayEdit) {
        guard notesEqualAssignments else { return }
        guard properties[id].touch == 0 else { return assignEqual(id) }
        touches[touch(id)].edit = edit
    }

    /// Changes one element of the array that the property holds, or of one nested in it, without copying the others.
    func edit(_ id: PropertyID, _ edit: ArrayEdit, new: StoredValue) {
        let isFirst = properties[id].touch == 0
        let touched = touch(id)
        if touches[touched].isChanged {
            makeWhole(touched)
        } else {
            touches[touched].old = .absent
            touches[touched].edit = edit
            touches[touched].isChanged = true
            if !isFirst { touches[touched].isAssignedEqual = true }
        }
        reference(new, from: id, isWeak: false)
        dereference(edit.old, from: id, isWeak: false)
        var value = properties[id].value
        properties[id].value = .null
        apply(edit, new, to: &value, level: 0)
        properties[id].value = value
        properties[id].revision = pendingRevision
        changedInCommit = true
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

    /// After a second write in one commit the array's edit is a setting: keeps the old array whole from now on.
    private func makeWhole(_ touched: Int) {
        guard touches[touched].edit != nil else { return }
        touches[touched].old = before(touches[touched].property)
        touches[touched].edit = nil
    }

    private func reorder(_ id: PropertyID, wasPresent: Bool) {
        let model = properties[id].model
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
    }
}
