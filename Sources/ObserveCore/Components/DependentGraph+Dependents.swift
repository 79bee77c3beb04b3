// SPDX-License-Identifier: MIT
// Queues stale dependents, marks updated ones as fresh, and orders the updates of bindings.

extension DependentGraph {
    func cursor(of dependent: DependentID) -> EdgeCursor {
        EdgeCursor(dependent: dependent, next: records[dependent].firstEdge)
    }

    /// Whether the binding's end on this edge's path is an array element: an assignment of the array may lead it elsewhere.
    func isElement(_ edge: EdgeID) -> Bool { end(on: edge).depth > 0 }

    /// The place of the binding's end on this edge's path.
    func end(on edge: EdgeID) -> BoundPlace {
        edges[edge].isTarget ? records[edges[edge].dependent].target : records[edges[edge].dependent].source
    }

    /// Whether the binding may write its source. A new binding may not: it lets the source win.
    func mayWriteSource(_ dependent: DependentID) -> Bool {
        records[dependent].isTwoWay && records[dependent].binding?.last.isNew != true
    }

    mutating func enqueue(_ dependent: DependentID) {
        records[dependent].isQueued = true
        if records[dependent].number == 0 {
            staleComputed.append(dependent)
        } else {
            staleBindings.append(dependent)
            areBindingsSorted = false
        }
    }

    mutating func markFresh(_ dependent: DependentID) {
        guard records[dependent].state != .fresh else { return }
        staleCount -= 1
        updateCount &+= 1
        if records[dependent].number != 0 { pendingBindings -= 1 }
        records[dependent].state = .fresh
    }

    /// Dequeues the binding with the lowest number.
    mutating func nextBinding() -> DependentID? {
        if !areBindingsSorted, staleBindings.count > 1 {
            // Sorted outside of the graph, since the comparison reads the graph's records.
            var bindings: [DependentID] = []
            swap(&bindings, &staleBindings)
            bindings.sort { records[$0].number > records[$1].number }
            swap(&bindings, &staleBindings)
        }
        areBindingsSorted = true
        guard let dependent = staleBindings.popLast() else { return nil }
        records[dependent].isQueued = false
        return dependent
    }

    /// Whether an end that the writer may write is an array which holds the other binding's target.
    func writes(_ writer: DependentID, around dependent: DependentID) -> Bool {
        guard let binding = records[writer].binding, let other = records[dependent].binding
        else { return false }
        let indices = other.targetPath.indices.suffix(records[dependent].target.depth)
        func isAround(_ end: BoundPlace, _ path: ReadPath) -> Bool {
            end.slot == records[dependent].target.slot && end.depth < indices.count
                && path.indices.suffix(end.depth).elementsEqual(indices.prefix(end.depth))
        }
        return isAround(records[writer].target, binding.targetPath)
            || mayWriteSource(writer) && isAround(records[writer].source, binding.sourcePath)
    }
}
