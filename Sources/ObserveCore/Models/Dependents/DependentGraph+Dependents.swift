// SPDX-License-Identifier: MIT
// HEADER

extension DependentGraph {
    func cursor(of dependent: DependentID) -> EdgeCursor {
        EdgeCursor(dependent: dependent, next: records[dependent].firstEdge)
    }

    /// Whether the binding's end is in the array there: what is assigned there may lead on instead.
    func isElement(_ edge: EdgeID) -> Bool {
        let dependent = edges[edge].dependent
        return edges[edge].isTarget
            ? records[dependent].isTargetElement : records[dependent].isSourceElement
    }

    /// A new one lets the source win, so there it writes nothing.
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

    /// The reader is as it should be.
    mutating func markFresh(_ dependent: DependentID) {
        guard records[dependent].state != .fresh else { return }
        staleCount -= 1
        updateCount &+= 1
        if records[dependent].number != 0 { pendingBindings -= 1 }
        records[dependent].state = .fresh
    }
}
