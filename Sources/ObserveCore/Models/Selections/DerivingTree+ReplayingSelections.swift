// SPDX-License-Identifier: MIT
// Evaluates the selections on replayed paths after each replayed commit. Independent of what replays.

extension DerivingTree {
    /// From now on, new nodes are for a replay.
    func beginReplayingSelections() {
        selections.isReplaying = true
        selections.replayRoom = SelectionTable.mostReplayed
        selections.freeSteps = SelectionTable.freeOfReplay
    }

    /// Whether the replay has not needed too many steps yet.
    var mayReplaySelections: Bool { selections.replayRoom >= 0 }

    /// Counts the steps of nodes that a replay is about to make, if there is one. Returns false if these are too many.
    func mayReplay(steps: Int) -> Bool {
        guard selections.isReplaying else { return true }
        selections.replayRoom -= max(0, steps - selections.freeSteps)
        selections.freeSteps = max(0, selections.freeSteps - steps)
        return mayReplaySelections
    }

    /// Gives the selection its value at the replayed revision. ``endReplayingSelections()`` restores the present one, if any.
    func beginReplay(of id: PropertyID, isKnown: Bool) {
        if selections.replayed.index(forKey: id) == nil {
            selections.replayed[id] = .some(isKnown ? records.properties[id].value : nil)
        } else if records.properties[id].bound != .noRecord {
            // The redone commits have kept it up to date.
            return
        }
        fill(id, with: replayedValue(of: id))
    }

    /// An evaluation that takes long counts as several: one takes up to 64 steps of work, and each further one 32.
    private func replayedValue(of id: PropertyID) -> StoredValue {
        guard let dependent = dependents.computedDependent(of: id, in: records), selections.replayRoom >= 0
        else { return .null }
        allowElements()
        let before = records.effort.steps
        defer { selections.replayRoom -= max(0, Int(records.effort.steps &- before) - 64) >> 5 }
        var cursor = EdgeCursor.none
        return compute(dependent, &cursor)
    }

    /// Makes the changes of the selections touches of the redone commit.
    func redoSelections() {
        if selections.replayed.isEmpty { return }
        let cause = pending.cause
        pending.cause = .consequence
        defer { pending.cause = cause }
        for id in selections.replayed.keys.sorted() where records.properties[id].bound != .noRecord {
            selections.replayRoom -= 1
            let value = replayedValue(of: id)
            if records.properties[id].slot.equals(value) { continue }
            pending.touches[touch(id)].isChanged = true
            fill(id, with: value)
        }
    }

    /// Gives all selections their present values again.
    func endReplayingSelections() {
        selections.isReplaying = false
        selections.forgetRewound()
        for (id, value) in selections.replayed { if let value { fill(id, with: value) } }
        selections.replayed = [:]
        freeUnusedSelections()
    }
}
