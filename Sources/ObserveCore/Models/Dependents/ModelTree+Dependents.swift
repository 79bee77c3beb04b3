// SPDX-License-Identifier: MIT
// Who reads which property: the edges from properties to readers, and who is behind when one is assigned. Evaluates
// nothing.

extension ModelTree {
    // MARK: Edges

    /// The first edge of a property that is read.
    private func firstEdge(of id: PropertyID) -> EdgeID? {
        dependents.edgeIndex.find(pairHash(id, ModelTree.edgeSalt, seed: records.seed)) {
            dependents.edges[$0].property == id
        }
    }

    private static var edgeSalt: Int32 { 0x65 }
    private static var dependentSalt: Int32 { 0x72 }

    /// The computed property's reader.
    func computedDependent(of id: PropertyID) -> DependentID? {
        guard records.properties[id].flags.contains(.computed) else { return nil }
        return dependents.dependentIndex.find(pairHash(id, ModelTree.dependentSalt, seed: records.seed)) {
            dependents.records[$0].property == id
        }
    }

    func indexComputed(_ dependent: DependentID) {
        dependents.dependentIndex.insert(
            pairHash(dependents.records[dependent].property, ModelTree.dependentSalt, seed: records.seed),
            dependent
        )
    }

    func unindexComputed(_ dependent: DependentID) {
        dependents.dependentIndex.remove(
            pairHash(dependents.records[dependent].property, ModelTree.dependentSalt, seed: records.seed),
            dependent
        )
    }

    /// The reader comes through the property.
    func depend(on id: PropertyID, _ cursor: inout EdgeCursor) {
        let known = cursor.next
        if known != .noRecord, dependents.edges[known].property == id,
            dependents.edges[known].isTarget == cursor.isTarget
        {
            cursor.last = known
            cursor.next = dependents.edges[known].nextOfDependent
            return
        }
        let fresh = dependents.edges.allocate()
        dependents.edges[fresh].property = id
        dependents.edges[fresh].dependent = cursor.dependent
        dependents.edges[fresh].isTarget = cursor.isTarget
        // First: among those that are dropped next may be the one that kept an absent property.
        link(fresh, to: id)
        dropRest(&cursor)
        if cursor.last == .noRecord {
            dependents.records[cursor.dependent].firstEdge = fresh
        } else {
            dependents.edges[cursor.last].nextOfDependent = fresh
        }
        cursor.last = fresh
    }

    /// Forgets the properties that the reader came through before, behind those it came through now.
    func dropRest(_ cursor: inout EdgeCursor) {
        var edge = cursor.next
        guard edge != .noRecord else { return }
        cursor.next = .noRecord
        if cursor.last == .noRecord {
            dependents.records[cursor.dependent].firstEdge = .noRecord
        } else {
            dependents.edges[cursor.last].nextOfDependent = .noRecord
        }
        while edge != .noRecord {
            let next = dependents.edges[edge].nextOfDependent
            unlink(edge)
            dependents.edges.free(edge)
            edge = next
        }
    }

    /// The list's head stays where it is, so that the index need not be changed.
    private func link(_ edge: EdgeID, to id: PropertyID) {
        guard let first = firstEdge(of: id) else {
            dependents.edgeIndex.insert(pairHash(id, ModelTree.edgeSalt, seed: records.seed), edge)
            records.properties[id].flags.insert(.read)
            return
        }
        let second = dependents.edges[first].next
        dependents.edges[edge].previous = first
        dependents.edges[edge].next = second
        dependents.edges[first].next = edge
        if second != .noRecord { dependents.edges[second].previous = edge }
    }

    private func unlink(_ edge: EdgeID) {
        let (id, next, previous) = (
            dependents.edges[edge].property, dependents.edges[edge].next, dependents.edges[edge].previous
        )
        if next != .noRecord { dependents.edges[next].previous = previous }
        if previous != .noRecord {
            dependents.edges[previous].next = next
            return
        }
        let hash = pairHash(id, ModelTree.edgeSalt, seed: records.seed)
        dependents.edgeIndex.remove(hash, edge)
        if next != .noRecord {
            dependents.edgeIndex.insert(hash, next)
        } else {
            records.properties[id].flags.remove(.read)
            freeIfUnused(id)
        }
    }

    // MARK: Falling behind

    /// The property was assigned: its readers are stale, and what these feed may become so.
    func markDependents(of id: PropertyID) {
        var edge = firstEdge(of: id) ?? .noRecord
        while edge != .noRecord {
            if dependents.edges[edge].dependent == bindings.writing {
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
            if other != dependent, other != bindings.writing { mark(other, .maybeStale, edge) }
            edge = dependents.edges[edge].next
        }
    }

    // MARK: Following paths

    func release(_ path: ReadPath) {
        for name in path.names { records.names.release(name) }
        for name in path.observedOperator?.keyPath ?? [] { records.names.release(name) }
    }

    /// Follows the path from the model, through whatever is read there now, and makes what it comes through the
    /// reader's dependencies.
    func trace(_ path: ReadPath, from model: ModelID, _ cursor: inout EdgeCursor) -> TracedPlace {
        var place = TracedPlace()
        place.value = .model(model)
        for index in path.names.indices {
            switch place.value {
            case .model(let model):
                place.holder = propertyOrPlaceholder(model, path.names[index])
                if !place.indices.isEmpty { place.indices = [] }
                place.value = read(place.holder, &cursor)
            case .array(let array):
                place.indices.append(path.indices[index])
                place.value = array.element(path.indices[index])
            default: return TracedPlace()
            }
        }
        guard let observedOperator = path.observedOperator else { return place }
        traceElements(of: place, observedOperator.keyPath, &cursor)
        return TracedPlace(value: evaluate(observedOperator, over: place.value))
    }

    /// What the property holds, as the reader finds it: through one that is being computed from it, null.
    private func read(_ id: PropertyID, _ cursor: inout EdgeCursor) -> StoredValue {
        if records.properties[id].flags.contains(.computed), isBeingComputed(id, for: &cursor) {
            return .null
        }
        depend(on: id, &cursor)
        return records.properties[id].value
    }

    /// Makes what an operator looks at in each element the reader's dependencies.
    private func traceElements(of place: TracedPlace, _ keyPath: [NameID], _ cursor: inout EdgeCursor) {
        switch place.value {
        case .array(let array):
            for element in array.elements { traceElement(element, keyPath, &cursor) }
        case .model(let model):
            let members = records.names.intern(dependents.membersName.view)
            depend(on: propertyOrPlaceholder(model, members), &cursor)
            records.names.release(members)
            records.models[model].isMembersRead = true
            var id = records.models[model].first
            while id != .noRecord {
                if !records.properties[id].isWeak { traceElement(read(id, &cursor), keyPath, &cursor) }
                id = records.properties[id].next
            }
        default: return
        }
    }

    private func traceElement(_ element: StoredValue, _ keyPath: [NameID], _ cursor: inout EdgeCursor) {
        var value = element
        for name in keyPath {
            switch value {
            case .model(let model): value = read(propertyOrPlaceholder(model, name), &cursor)
            case .array(let array): value = array.element(records.names.text(name).arrayIndex ?? -1)
            default: return
            }
        }
    }
}
