// SPDX-License-Identifier: MIT
// Marks the dependents of assigned properties as stale, and their own dependents as maybe stale. Computes
// nothing.

extension ModelTree {
    // MARK: Marking

    /// Marks the assigned property's dependents as stale, and the dependents that these feed as maybe stale.
    func markDependents(of id: PropertyID) {
        var edge = firstEdge(of: id) ?? .noRecord
        while edge != .noRecord {
            if dependents.edges[edge].dependent == dependents.bindings.writing {
                noteOwnWrite(edge)
            } else {
                mark(dependents.edges[edge].dependent, .stale, edge)
            }
            edge = dependents.edges[edge].next
        }
        spread()
    }

    /// Marks the dependent as stale, without a change of an input.
    func markStale(_ dependent: DependentID) {
        mark(dependent, .stale)
        spread()
    }

    /// Marks the dependents of the model's set of properties as stale. Call if a property joined, left, or
    /// became weak or strong.
    func markMemberDependents(of model: ModelID) {
        if let members = members(of: model) { markDependents(of: members) }
    }

    /// The property that stands for the model's set of properties; nil if no dependent reads the set.
    func members(of model: ModelID) -> PropertyID? {
        guard records.models[model].isMembersRead, let name = records.names.find(membersName.view)
        else { return nil }
        return records.property(model, name)
    }

    private func mark(_ dependent: DependentID, _ state: DependentRecord.State, _ edge: EdgeID = .noRecord) {
        let known = dependents.records[dependent].state
        if known == .fresh { dependents.staleCount += 1 }
        if known == .fresh || state == .stale { dependents.records[dependent].state = state }
        if !dependents.records[dependent].isQueued { dependents.enqueue(dependent) }
        if dependents.records[dependent].number != 0 {
            markBinding(dependent, wasFresh: known == .fresh, state, edge)
        }
        if known == .fresh { dependents.spreading.append(dependent) }
    }

    private func markBinding(
        _ dependent: DependentID,
        wasFresh: Bool,
        _ state: DependentRecord.State,
        _ edge: EdgeID
    ) {
        if wasFresh { dependents.pendingBindings += 1 }
        if edge == .noRecord {
            dependents.records[dependent].hasMoved = true
        } else if dependents.edges[edge].isTarget || dependents.records[dependent].isTwoWay,
            !isEnd(edge) || dependents.isElement(edge)
        {
            // If a computed property on the way may change, the binding finds its ends again at once.
            if state == .stale
                || records.properties[dependents.edges[edge].property].flags.contains(.computed)
            {
                dependents.records[dependent].hasMoved = true
            }
        }
        if wasFresh || dependents.records[dependent].hasMoved, !dependents.records[dependent].isUnlocated {
            dependents.records[dependent].isUnlocated = true
            dependents.unlocated.append(dependent)
        }
    }

    /// Whether the edge leads to the property that the binding carries from or to. A path that passes through
    /// that property twice also has an edge to it on the way.
    func isEnd(_ edge: EdgeID) -> Bool {
        let (record, id) = (dependents.edges[edge], dependents.edges[edge].property)
        let end =
            record.isTarget
            ? dependents.records[record.dependent].target : dependents.records[record.dependent].source
        guard end == Slot(model: records.properties[id].model, name: records.properties[id].name) else {
            return false
        }
        let next = record.nextOfDependent
        return next == .noRecord || dependents.edges[next].isTarget != record.isTarget
    }

    /// Marks the dependents of all queued dependents as maybe stale, and the dependents of those in turn.
    func spread() {
        while let dependent = dependents.spreading.popLast() {
            if dependents.records[dependent].number == 0 {
                markMaybeStale(of: dependents.records[dependent].property, besides: dependent)
            } else {
                markMaybeStale(of: dependents.records[dependent].target, besides: dependent)
                if dependents.mayWriteSource(dependent) {
                    markMaybeStale(of: dependents.records[dependent].source, besides: dependent)
                }
            }
        }
    }

    private func markMaybeStale(of slot: Slot, besides dependent: DependentID) {
        guard slot.model != .noRecord else { return }
        if let id = records.property(slot.model, slot.name) { markMaybeStale(of: id, besides: dependent) }
        // The write may also change the model's set of properties.
        if let id = members(of: slot.model) { markMaybeStale(of: id, besides: dependent) }
    }

    private func markMaybeStale(of id: PropertyID, besides dependent: DependentID) {
        guard records.properties[id].flags.contains(.read), let first = firstEdge(of: id) else { return }
        // All are maybe stale already. Without this check, many possible writers of one property would mark
        // each other repeatedly.
        if dependents.edges[first].markedAt == dependents.updateCount { return }
        dependents.edges[first].markedAt = dependents.updateCount
        var edge = first
        while edge != .noRecord {
            let other = dependents.edges[edge].dependent
            if other != dependent, other != dependents.bindings.writing { mark(other, .maybeStale, edge) }
            edge = dependents.edges[edge].next
        }
    }
}

extension ModelTree {
    /// Records that the binding that is writing has assigned a property that it reads.
    func noteOwnWrite(_ edge: EdgeID) {
        if dependents.edges[edge].isTarget != dependents.bindings.isWritingTarget || !isEnd(edge) {
            dependents.bindings.hasWrittenItself = true
        }
    }
}
