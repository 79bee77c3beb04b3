// SPDX-License-Identifier: MIT
// Marks the dependents of assigned properties as stale, and their own dependents as maybe stale. Computes nothing.

extension DependentGraph {
    /// Marks the assigned property's dependents as stale, and the dependents that these feed as maybe stale.
    mutating func markDependents(of id: PropertyID, in store: borrowing Records) {
        var edge = firstEdge(of: id, in: store) ?? .noRecord
        while edge != .noRecord {
            if edges[edge].dependent == bindings.writing {
                // The binding that is writing has assigned a property that it reads.
                let isOwnEnd = edges[edge].isTarget == bindings.isWritingTarget && isEnd(edge, in: store)
                if !isOwnEnd { bindings.hasWrittenItself = true }
            } else {
                mark(edges[edge].dependent, .stale, edge, in: store)
            }
            edge = edges[edge].next
        }
        spread(in: store)
    }

    /// Marks the dependent as stale without a change of an input. An unread one is maybe stale: evaluated if looks are left.
    mutating func markStale(_ dependent: DependentID, isUnread: Bool = false, in store: borrowing Records) {
        mark(dependent, isUnread ? .maybeStale : .stale, in: store)
        spread(in: store)
    }

    /// Marks the dependents of the model's set of properties as stale. Call if a property joined, left, or became weak or strong.
    mutating func markMemberDependents(of model: ModelID, in store: borrowing Records) {
        if let members = members(of: model, in: store) { markDependents(of: members, in: store) }
    }

    /// The property that stands for the model's set of properties; nil if no dependent reads the set.
    func members(of model: ModelID, in store: borrowing Records) -> PropertyID? {
        guard store.models[model].isMembersRead, let name = store.names.find(membersName.view)
        else { return nil }
        return store.property(model, name)
    }

    private mutating func mark(
        _ dependent: DependentID,
        _ state: DependentRecord.State,
        _ edge: EdgeID = .noRecord,
        in store: borrowing Records
    ) {
        let wasFresh = records[dependent].state == .fresh
        if wasFresh {
            staleCount += 1
            spreading.append(dependent)
        }
        if wasFresh || state == .stale { records[dependent].state = state }
        if !records[dependent].isQueued { enqueue(dependent) }
        if records[dependent].number == 0 { return }
        if wasFresh { pendingBindings += 1 }
        if edge == .noRecord {
            // Not for an unread binding: finding its ends before its turn could use up the looks of all.
            if state == .stale { records[dependent].hasMoved = true }
        } else if edges[edge].isTarget || records[dependent].isTwoWay,
            !isEnd(edge, in: store) || isElement(edge)
        {
            // If a computed property on the way may change, the binding finds its ends again at once.
            if state == .stale || store.properties[edges[edge].property].flags.contains(.computed) {
                records[dependent].hasMoved = true
            }
        }
        if wasFresh || records[dependent].hasMoved, !records[dependent].isUnlocated {
            records[dependent].isUnlocated = true
            unlocated.append(dependent)
        }
    }

    /// Whether the edge leads to the property that the binding propagates from or to, not through it on the way there.
    func isEnd(_ edge: EdgeID, in store: borrowing Records) -> Bool {
        let (record, id) = (edges[edge], edges[edge].property)
        let slot = Slot(model: store.properties[id].model, name: store.properties[id].name)
        guard end(on: edge).slot == slot else { return false }
        let next = record.nextOfDependent
        return next == .noRecord || edges[next].isTarget != record.isTarget
    }

    /// Marks the dependents of all queued dependents as maybe stale, and the dependents of those in turn.
    mutating func spread(in store: borrowing Records) {
        while let dependent = spreading.popLast() {
            if records[dependent].number == 0 {
                markMaybeStale(of: records[dependent].property, besides: dependent, in: store)
            } else {
                markMaybeStale(of: records[dependent].target.slot, besides: dependent, in: store)
                if mayWriteSource(dependent) {
                    markMaybeStale(of: records[dependent].source.slot, besides: dependent, in: store)
                }
            }
        }
    }

    private mutating func markMaybeStale(
        of slot: Slot,
        besides dependent: DependentID,
        in store: borrowing Records
    ) {
        guard slot.model != .noRecord else { return }
        if let id = store.property(slot.model, slot.name) {
            markMaybeStale(of: id, besides: dependent, in: store)
        }
        // The write may also change the model's set of properties.
        if let id = members(of: slot.model, in: store) {
            markMaybeStale(of: id, besides: dependent, in: store)
        }
    }

    private mutating func markMaybeStale(
        of id: PropertyID,
        besides dependent: DependentID,
        in store: borrowing Records
    ) {
        guard store.properties[id].flags.contains(.read), let first = firstEdge(of: id, in: store)
        else { return }
        // All are maybe stale already. Unchecked, many possible writers of one property would mark each other repeatedly.
        if edges[first].markedAt == updateCount { return }
        edges[first].markedAt = updateCount
        var edge = first
        while edge != .noRecord {
            let other = edges[edge].dependent
            if other != dependent, other != bindings.writing { mark(other, .maybeStale, edge, in: store) }
            edge = edges[edge].next
        }
    }
}
