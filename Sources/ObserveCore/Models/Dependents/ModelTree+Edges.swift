// SPDX-License-Identifier: MIT
// The edges from properties to the dependents that read them.

extension ModelTree {
    /// The first edge of the property; nil if no dependent reads it.
    func firstEdge(of id: PropertyID) -> EdgeID? {
        dependents.edgeIndex.find(pairHash(id, ModelTree.edgeSalt, seed: records.seed)) {
            dependents.edges[$0].property == id
        }
    }

    /// The dependent of a computed property; nil for other properties.
    func computedDependent(of id: PropertyID) -> DependentID? {
        guard records.properties[id].flags.contains(.computed) else { return nil }
        return dependents.dependentIndex.find(pairHash(id, ModelTree.dependentSalt, seed: records.seed)) {
            dependents.records[$0].property == id
        }
    }

    static var edgeSalt: Int32 { 0x65 }

    static var dependentSalt: Int32 { 0x72 }

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

    /// Records that the dependent reads the property.
    @inline(__always)
    func depend(on id: PropertyID, _ cursor: inout EdgeCursor) {
        let known = cursor.next
        if known != .noRecord, dependents.edges[known].property == id,
            dependents.edges[known].isTarget == cursor.isTarget
        {
            cursor.last = known
            cursor.next = dependents.edges[known].nextOfDependent
        } else {
            addEdge(to: id, &cursor)
        }
    }

    private func addEdge(to id: PropertyID, _ cursor: inout EdgeCursor) {
        let fresh = dependents.edges.allocate()
        dependents.edges[fresh].property = id
        dependents.edges[fresh].dependent = cursor.dependent
        dependents.edges[fresh].isTarget = cursor.isTarget
        // Link before dropping: the dropped edges may include the only one that keeps an absent property.
        link(fresh, to: id)
        dropRest(&cursor)
        if cursor.last == .noRecord {
            dependents.records[cursor.dependent].firstEdge = fresh
        } else {
            dependents.edges[cursor.last].nextOfDependent = fresh
        }
        cursor.last = fresh
    }

    /// Drops the edges that the dependent has not read again, once it has followed its paths. If the commit may look at nothing
    /// more, it may have missed some inputs: it keeps the former ones.
    func finishReading(_ cursor: inout EdgeCursor) {
        let isWhole = !records.effort.isExhausted && !cursor.isShort
        let former = isWhole ? 0 : dependents.records[cursor.dependent].elementInputs
        dependents.setElementInputs(max(former, cursor.elementInputs), of: cursor.dependent)
        if isWhole { dropRest(&cursor) }
    }

    /// Counts inputs of a dependent in containers, before it reads them.
    ///
    /// - Returns: false if they would be too many.
    func mayFollow(_ inputs: Int, _ cursor: inout EdgeCursor) -> Bool {
        guard cursor.isRecording else { return true }
        let total = cursor.elementInputs + inputs
        // A million by default, whose edges take 28 MB.
        let mayHave = dependents.mayHave(total, cursor.dependent, limit: 8 * limits.maxElements)
        if mayHave { cursor.elementInputs = total } else { cursor.isShort = true }
        return mayHave
    }

    /// Drops the edges that the dependent has not read again.
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
            records.effort.count(2)
            edge = next
        }
    }

    /// Links the edge after the first one, so that the index need not change.
    func link(_ edge: EdgeID, to id: PropertyID) {
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

    func unlink(_ edge: EdgeID) {
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

    /// If the property is computed and not fresh, queues its update before that of the cursor's dependent.
    ///
    /// - Returns: whether the property's own update is under way. It then has no value for this dependent.
    func isBeingComputed(_ id: PropertyID, for cursor: inout EdgeCursor) -> Bool {
        guard let dependent = computedDependent(of: id) else { return false }
        if dependent == cursor.dependent || dependents.records[dependent].isActive {
            cursor.isCyclic = true
            return true
        }
        if dependents.records[dependent].state != .fresh {
            dependents.updates.updating.append(dependent)
            cursor.mustWait = true
        }
        return false
    }

    /// Whether any binding or computed property is stale or maybe stale.
    var hasStaleDependents: Bool {
        @inline(__always) get { dependents.staleCount > 0 }
    }
}
