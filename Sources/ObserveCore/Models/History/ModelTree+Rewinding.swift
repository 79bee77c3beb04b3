// SPDX-License-Identifier: MIT
// Rewinds and redoes kept commits, one after another, without counting references.

/// A position in the history's queues, between two commits.
struct HistoryPosition {
    var touch: Int
    var orderChange: Int
}

extension ModelTree {
    /// Restores all properties to before the commit with that number, without counting references. Redo the
    /// commits before any write.
    func rewind(to position: inout HistoryPosition, before first: Int) {
        for number in (first..<history.commits.end).reversed() {
            for _ in 0..<history.commits[number].orderChanges {
                position.orderChange -= 1
                let change = history.orderChanges[position.orderChange]
                if change.wasPresent {
                    enlist(change.property, after: change.previous)
                } else {
                    delist(change.property)
                }
            }
            for _ in 0..<history.commits[number].touches {
                position.touch -= 1
                exchange(position.touch, isUndone: true)
            }
        }
    }

    /// Redoes a commit, and makes its touches those of the open commit.
    func redo(_ commit: PastCommit, at position: inout HistoryPosition) {
        for _ in 0..<commit.orderChanges {
            let change = history.orderChanges[position.orderChange]
            if change.wasPresent {
                delist(change.property)
            } else {
                enlist(change.property, after: records.models[records.properties[change.property].model].last)
            }
            position.orderChange += 1
        }
        for _ in 0..<commit.touches {
            exchange(position.touch, isUndone: false)
            let touch = history.touches[position.touch].touch
            pending.touches.append(touch)
            records.properties[touch.property].touch = Int32(pending.touches.count)
            position.touch += 1
        }
    }

    /// Forgets the touches of a redone commit, without freeing what the history still refers to.
    func forgetRedone() {
        for index in pending.touches.indices { records.properties[pending.touches[index].property].touch = 0 }
        pending.touches.removeAll()
    }

    /// Swaps the values of the property and of its touch: undoing gives the property the old value, redoing
    /// the new one.
    private func exchange(_ index: Int, isUndone: Bool) {
        let id = history.touches[index].property
        guard history.touches[index].isChanged else { return }
        if let edit = history.touches[index].edit {
            // Only the element moves: the arrays may be large.
            var value = records.properties[id].value
            setValue(.null, of: id)
            let element = history.touches[index].old
            history.touches[index].old = .absent
            if isUndone {
                history.touches[index].old = revert(edit, in: &value, level: 0)
            } else {
                apply(edit, element, to: &value, level: 0)
            }
            setValue(value, of: id)
        } else {
            let isWeak = records.properties[id].isWeak
            // Text belongs to its current holder.
            swap(&records.properties[id].slot, &history.touches[index].old)
            records.properties[id].isWeak = history.touches[index].wasWeak
            history.touches[index].wasWeak = isWeak
        }
    }

    /// Reverts the edit.
    ///
    /// - Returns: the element that the edit had added; absent for a removal.
    private func revert(_ edit: ArrayEdit, in value: inout StoredValue, level: Int) -> StoredValue {
        guard case .array(var array) = value else { return .absent }
        value = .null
        if !isKnownUniquelyReferenced(&array) { array = StoredArray(array.elements) }
        defer { value = .array(array) }
        if level < edit.path.count {
            return revert(edit, in: &array.elements[edit.path[level]], level: level + 1)
        }
        switch edit.kind {
        case .insertion: return array.elements.remove(at: edit.index)
        case .removal:
            array.elements.insert(edit.old, at: edit.index)
            return .absent
        case .replacement, .setting:
            let new = array.elements[edit.index]
            array.elements[edit.index] = edit.old
            return new
        }
    }
}
