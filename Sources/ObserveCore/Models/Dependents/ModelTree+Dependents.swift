// SPDX-License-Identifier: MIT
// Who reads which property: the edges from properties to readers, and who is behind when one is assigned. Evaluates
// nothing.

extension ModelTree {
    // MARK: Edges

    // MARK: Falling behind

    /// The property was assigned: its readers are stale, and what these feed may become so.
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

    /// The reader is to be looked at, whatever it depends on.
    func markStale(_ dependent: DependentID) {
        mark(dependent, .stale)
        spread()
    }

    /// A property came to the model, left it, or became weak or strong: operators over its values are stale.
    func markMemberDependents(of model: ModelID) {
        if let members = members(of: model) { markDependents(of: members) }
    }

    /// What stands for which properties the model has, if somebody reads that.
    private func members(of model: ModelID) -> PropertyID? {
        guard records.models[model].isMembersRead, let name = records.names.find(dependents.membersName.view)
        else { return nil }
        return property(model, name)
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
            // Where a computed property that may change leads is found out at once.
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

    /// Whether the edge leads to the very property that the binding carries from or to. That may also lie on the way there,
    /// where paths come twice through one property.
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

    /// Those that depend on what these readers give are suspect, and so on.
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
        if let id = property(slot.model, slot.name) { markMaybeStale(of: id, besides: dependent) }
        // What is not there yet, or weak, may become one of those that an operator looks at.
        if let id = members(of: slot.model) { markMaybeStale(of: id, besides: dependent) }
    }

    private func markMaybeStale(of id: PropertyID, besides dependent: DependentID) {
        guard records.properties[id].flags.contains(.read), let first = firstEdge(of: id) else { return }
        // Where all are suspect already, many that may write one property would look at each other again and again.
        if dependents.edges[first].markedAt == dependents.updateCount { return }
        dependents.edges[first].markedAt = dependents.updateCount
        var edge = first
        while edge != .noRecord {
            let other = dependents.edges[edge].dependent
            if other != dependent, other != dependents.bindings.writing { mark(other, .maybeStale, edge) }
            edge = dependents.edges[edge].next
        }
    }

    // MARK: Following paths

    func release(_ path: ReadPath) {
        for name in path.names { records.names.release(name) }
        for name in path.observedOperator?.keyPath ?? [] { records.names.release(name) }
    }
}

extension ModelTree {
    /// The binding that is writing has assigned something that it reads itself.
    func noteOwnWrite(_ edge: EdgeID) {
        if dependents.edges[edge].isTarget != dependents.bindings.isWritingTarget || !isEnd(edge) {
            dependents.bindings.hasWrittenItself = true
        }
    }
}
