// SPDX-License-Identifier: MIT
// Queues stale dependents, and marks updated ones as fresh.

extension DependentGraph {
    func cursor(of dependent: DependentID) -> EdgeCursor {
        EdgeCursor(dependent: dependent, next: records[dependent].firstEdge)
    }

    /// Whether the binding's end on this edge's path is an array element: an assignment of the array may lead
    /// the path to another element.
    func isElement(_ edge: EdgeID) -> Bool {
        let dependent = edges[edge].dependent
        return edges[edge].isTarget
            ? records[dependent].targetDepth > 0 : records[dependent].sourceDepth > 0
    }

    /// Whether the binding may write its source. A new binding may not: it lets the source win.
    func mayWriteSource(_ dependent: DependentID) -> Bool {
        records[dependent].isTwoWay && records[dependent].binding?.isNew != true
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

    /// Marks the dependent as up to date.
    mutating func markFresh(_ dependent: DependentID) {
        guard records[dependent].state != .fresh else { return }
        staleCount -= 1
        updateCount &+= 1
        if records[dependent].number != 0 { pendingBindings -= 1 }
        records[dependent].state = .fresh
    }
}
