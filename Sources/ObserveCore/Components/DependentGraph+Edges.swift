// SPDX-License-Identifier: MIT
// The edges from properties to the dependents that read them.

extension DependentGraph {
    /// The first edge of the property; nil if no dependent reads it.
    func firstEdge(of id: PropertyID, in store: borrowing Records) -> EdgeID? {
        edgeIndex.find(pairHash(id, DependentGraph.edgeSalt, seed: store.seed)) { edges[$0].property == id }
    }

    func edges(of id: PropertyID, in store: borrowing Records) -> [EdgeID] {
        var found: [EdgeID] = []
        var edge = firstEdge(of: id, in: store) ?? .noRecord
        while edge != .noRecord {
            found.append(edge)
            edge = edges[edge].next
        }
        return found
    }

    /// The dependent of a computed property; nil for other properties.
    func computedDependent(of id: PropertyID, in store: borrowing Records) -> DependentID? {
        guard store.properties[id].flags.contains(.computed) else { return nil }
        return dependentIndex.find(hash(ofComputed: id, in: store)) { records[$0].property == id }
    }

    /// Reads the place where the property's first edge is, or will be: see ``HashIndex/glance(_:)``.
    @inline(__always) func glance(at id: PropertyID, in store: borrowing Records) -> UInt32 {
        edgeIndex.glance(pairHash(id, DependentGraph.edgeSalt, seed: store.seed))
    }

    private static var edgeSalt: Int32 { 0x65 }

    private func hash(ofComputed id: PropertyID, in store: borrowing Records) -> UInt64 {
        pairHash(id, 0x72, seed: store.seed)
    }

    /// Adds the dependent of a computed property.
    mutating func add(_ id: PropertyID, _ computation: Computation?, in store: borrowing Records)
        -> DependentID
    {
        let dependent = records.allocate()
        records[dependent].property = id
        records[dependent].computation = computation
        dependentIndex.insert(hash(ofComputed: id, in: store), dependent)
        return dependent
    }

    /// Removes a dependent, and drops what it reads. If it is still queued, the queue skips it.
    mutating func remove(_ dependent: DependentID, in store: inout Records) {
        markFresh(dependent)
        var cursor = cursor(of: dependent)
        dropRest(&cursor, in: &store)
        setElementInputs(0, of: dependent)
        let id = records[dependent].property
        if id != .noRecord { dependentIndex.remove(hash(ofComputed: id, in: store), dependent) }
        records.free(dependent)
    }

    @inline(__always)
    mutating func depend(on id: PropertyID, _ cursor: inout EdgeCursor, in store: inout Records) {
        let known = cursor.next
        if known != .noRecord, edges[known].property == id, edges[known].isTarget == cursor.isTarget {
            cursor.last = known
            cursor.next = edges[known].nextOfDependent
        } else {
            addEdge(to: id, &cursor, in: &store)
        }
    }

    private mutating func addEdge(to id: PropertyID, _ cursor: inout EdgeCursor, in store: inout Records) {
        let fresh = edges.allocate()
        edges[fresh].property = id
        edges[fresh].dependent = cursor.dependent
        edges[fresh].isTarget = cursor.isTarget
        // Link before dropping: the dropped edges may include the only one that keeps an absent property.
        link(fresh, to: id, in: &store)
        dropRest(&cursor, in: &store)
        setNext(fresh, after: cursor.last, of: cursor.dependent)
        cursor.last = fresh
    }

    /// Sets the dependent's edge after `last`; its first one, if `last` is `noRecord`.
    private mutating func setNext(_ edge: EdgeID, after last: EdgeID, of dependent: DependentID) {
        if last == .noRecord {
            records[dependent].firstEdge = edge
        } else {
            edges[last].nextOfDependent = edge
        }
    }

    /// Drops the edges that the dependent has not read again, once it has followed its paths. If the commit may look at nothing
    /// more, it may have missed some inputs: it keeps the former ones. Returns whether it has all inputs.
    @discardableResult
    mutating func finishReading(_ cursor: inout EdgeCursor, in store: inout Records) -> Bool {
        let isWhole = !store.effort.isExhausted && !cursor.isShort
        let former = isWhole ? 0 : records[cursor.dependent].elementInputs
        setElementInputs(max(former, cursor.elementInputs), of: cursor.dependent)
        if isWhole {
            dropRest(&cursor, in: &store)
        } else if updates.isRestoring {
            updates.unread.insert(cursor.dependent)
        }
        return isWhole
    }

    /// Counts inputs of a dependent in containers, before it reads them, and makes room for the edges if they are many and new.
    /// Returns false if they would be too many.
    mutating func mayFollow(_ inputs: Int, _ cursor: inout EdgeCursor, in store: borrowing Records) -> Bool {
        guard cursor.isRecording else { return true }
        let total = cursor.elementInputs + inputs
        // Half a million by default, whose edges take 14 MB.
        let mayHave = mayHave(total, cursor.dependent, limit: 4 * store.limits.maxElements)
        guard mayHave else {
            cursor.isShort = true
            return false
        }
        cursor.elementInputs = total
        // The index grows by eighths: for many it would move its entries again and again.
        if inputs >= 1024, cursor.next == .noRecord { edgeIndex.reserve(inputs) }
        return true
    }

    /// Drops the edges that the dependent has not read again.
    mutating func dropRest(_ cursor: inout EdgeCursor, in store: inout Records) {
        var edge = cursor.next
        guard edge != .noRecord else { return }
        cursor.next = .noRecord
        setNext(.noRecord, after: cursor.last, of: cursor.dependent)
        while edge != .noRecord {
            let next = edges[edge].nextOfDependent
            unlink(edge, in: &store)
            edges.free(edge)
            store.effort.count(2)
            edge = next
        }
    }

    /// Drops what dependents read of a released model. Those of other released models may be removed later. Living ones have such
    /// edges only if a commit could look at nothing more: see ``finishReading(_:in:)``.
    mutating func dropReaders(ofReleased id: PropertyID, in store: inout Records) {
        while let edge = firstEdge(of: id, in: store) {
            dropReleasedInputs(of: edges[edge].dependent, in: &store)
        }
    }

    private mutating func dropReleasedInputs(of dependent: DependentID, in store: inout Records) {
        var edge = records[dependent].firstEdge
        var last = EdgeID.noRecord
        while edge != .noRecord {
            let next = edges[edge].nextOfDependent
            if !store.models[store.properties[edges[edge].property].model].isReleased {
                last = edge
            } else {
                setNext(next, after: last, of: dependent)
                unlink(edge, in: &store)
                edges.free(edge)
            }
            store.effort.count(2)
            edge = next
        }
    }

    /// Links the edge after the first one, so that the index need not change.
    private mutating func link(_ edge: EdgeID, to id: PropertyID, in store: inout Records) {
        guard store.properties[id].flags.contains(.read), let first = firstEdge(of: id, in: store) else {
            edgeIndex.insert(pairHash(id, DependentGraph.edgeSalt, seed: store.seed), edge)
            store.properties[id].flags.insert(.read)
            return
        }
        let second = edges[first].next
        edges[edge].previous = first
        edges[edge].next = second
        edges[first].next = edge
        if second != .noRecord { edges[second].previous = edge }
    }

    private mutating func unlink(_ edge: EdgeID, in store: inout Records) {
        let (id, next, previous) = (edges[edge].property, edges[edge].next, edges[edge].previous)
        if next != .noRecord { edges[next].previous = previous }
        if previous != .noRecord {
            edges[previous].next = next
            return
        }
        let hash = pairHash(id, DependentGraph.edgeSalt, seed: store.seed)
        edgeIndex.remove(hash, edge)
        if next != .noRecord {
            edgeIndex.insert(hash, next)
        } else {
            store.properties[id].flags.remove(.read)
            store.freeIfUnused(id)
        }
    }

    /// If the property is computed and not fresh, queues its update before that of the cursor's dependent. Returns whether its
    /// own update is under way: then it has no value for this dependent.
    mutating func isBeingComputed(_ id: PropertyID, for cursor: inout EdgeCursor, in store: borrowing Records)
        -> Bool
    {
        guard let dependent = computedDependent(of: id, in: store) else { return false }
        if dependent == cursor.dependent || records[dependent].isActive {
            cursor.isCyclic = true
            return true
        }
        if records[dependent].state != .fresh {
            updates.updating.append(dependent)
            cursor.mustWait = true
        }
        return false
    }
}
