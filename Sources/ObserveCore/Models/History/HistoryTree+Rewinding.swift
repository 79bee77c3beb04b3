// SPDX-License-Identifier: MIT
// Rewinds and redoes kept commits, with the references that their values hold; reads the tree in between.

extension HistoryTree {
    /// Restores all properties to before the commit with that number. Returns the position there. Redo the commits before any write.
    func rewind(before first: Int) -> HistoryPosition {
        var position = history.end
        if first < history.commits.end { selections.firstRewound = history.commits[first].revision }
        for number in (first..<history.commits.end).reversed() {
            let start = history.start(of: number)
            for index in (start.released..<position.released).reversed() {
                count(rewound: history.released[index])
                records.restore(history.released[index])
            }
            for index in (start.orderChange..<position.orderChange).reversed() {
                rewind(history.orderChanges[index])
            }
            for index in (start.touch..<position.touch).reversed() { exchange(index, isRewound: true) }
            for index in (start.restored..<position.restored).reversed() {
                let restored = history.restored[index]
                forEachProperty(of: restored) { selections.revisions[$0.number] = $1 }
                count(rewound: restored.model)
                records.release(restored.model)
            }
            position = start
        }
        records.unreferenced.removeAll()
        let (touches, orderChanges) = (history.touches.end, history.orderChanges.end)
        records.effort.count(16 * (touches - position.touch + orderChanges - position.orderChange))
        return position
    }

    /// Counts the way of a released or restored model, back and forth.
    private func count(rewound model: ModelID) {
        records.effort.count(4 + 2 * Int(records.models[model].count))
    }

    func rewind(_ change: OrderChange) {
        if change.wasPresent {
            records.enlist(change.property, after: change.previous)
        } else {
            records.delist(change.property)
        }
    }

    /// Redoes a commit, and makes its touches those of the open commit.
    func redo(_ commit: PastCommit, at position: inout HistoryPosition) {
        for index in position.restored..<commit.end.restored {
            let restored = history.restored[index]
            forEachProperty(of: restored) { id, _ in
                selections.revisions[id.number] = commit.revision
            }
            records.restore(restored.model)
        }
        for index in position.orderChange..<commit.end.orderChange {
            let change = history.orderChanges[index]
            if change.wasPresent { records.delist(change.property) } else { records.enlist(change.property) }
            pending.orderChanges.append(change)
        }
        for index in position.touch..<commit.end.touch {
            exchange(index, isRewound: false)
            let touch = history.touches[index]
            pending.touches.append(touch)
            records.properties[touch.property].touch = Int32(pending.touches.count)
        }
        for index in position.released..<commit.end.released { records.release(history.released[index]) }
        position = commit.end
        records.unreferenced.removeAll()
    }

    /// Forgets the touches of a redone commit, without freeing what the history still refers to.
    func forgetRedone() {
        for index in pending.touches.indices {
            records.properties[pending.touches[index].property].touch = 0
            if records.isSelection(pending.touches[index].property) {
                records.recycle(pending.touches[index].old)
            }
        }
        pending.touches.removeAll()
        if !pending.places.isEmpty { pending.places = [:] }
        pending.orderChanges.removeAll()
    }

    /// Swaps the values of the property and of its touch: rewinding gives the property the old one, redoing the new one.
    private func exchange(_ index: Int, isRewound: Bool) {
        let id = history.touches[index].property
        // An equal value may have had another form.
        guard
            history.touches[index].isChanged
                || !history.touches[index].old.hasForm(of: records.properties[id].slot)
        else { return }
        let revision = revision(of: id)
        selections.revisions[id.number] = history.touches[index].oldRevision
        history.touches[index].oldRevision = revision
        if let edit = history.touches[index].edit {
            // Only the element moves: the arrays may be large.
            var value = records.properties[id].value
            records.setValue(.null, of: id)
            let isWeak = records.properties[id].isWeak
            var (gone, new) = (edit.old, history.touches[index].old)
            if isRewound {
                let added = edit.kind == .removal ? .absent : element(of: value, edit.path + [edit.index])
                (gone, new) = (added, edit.old)
            }
            history.touches[index].old = isRewound ? gone : .absent
            records.dereference(gone, from: id, isWeak: isWeak)
            records.reference(new, from: id, isWeak: isWeak)
            edit.apply(new, to: &value, isReverted: isRewound)
            records.setValue(value, of: id)
        } else {
            let (isWeak, wasWeak) = (records.properties[id].isWeak, history.touches[index].wasWeak)
            records.dereference(records.properties[id].slot, from: id, isWeak: isWeak)
            records.reference(history.touches[index].old, from: id, isWeak: wasWeak)
            // Text belongs to its current holder.
            records.exchange(&history.touches[index].old, of: id)
            records.properties[id].isWeak = wasWeak
            history.touches[index].wasWeak = isWeak
        }
    }

    /// Runs `body` while the tree is as it was at that revision, which the history has. `body` only reads.
    ///
    /// - Cost: proportional to the later commits, not to the tree.
    func read<Result, E: Error>(at past: UInt64, _ body: () throws(E) -> Result) throws(E) -> Result {
        precondition(pending.touches.isEmpty, "the past was read in the middle of a commit")
        guard let first = history.firstCommit(after: past, records.horizon), first < history.commits.end
        else { return try body() }
        let present = revision
        var position = rewind(before: first)
        revision = past
        defer {
            for number in first..<history.commits.end {
                redo(history.commits[number], at: &position)
                forgetRedone()
            }
            selections.forgetRewound()
            revision = present
        }
        return try body()
    }
}

extension History {
    /// The revision at that time, in milliseconds since 1970; nil if the history does not go back that far. If the clock was set
    /// back, the newest commit that claims to be old enough decides.
    ///
    /// - Parameter start: from which time on the tree has had the commits without a time.
    func revision(at time: Int64, start: Int64, _ horizon: UInt64) -> UInt64? {
        for number in (commits.first..<commits.end).reversed() {
            let made = authors[commits[number].author].time
            if (made == 0 ? start : made) <= time { return commits[number].revision }
        }
        return (horizonTime == 0 ? start : horizonTime) <= time ? horizon : nil
    }
}
