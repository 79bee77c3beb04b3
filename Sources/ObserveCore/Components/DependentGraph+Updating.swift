// SPDX-License-Identifier: MIT
// The order in which bindings are updated.

extension DependentGraph {
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
        guard let binding = records[writer].binding, let other = records[dependent].binding else {
            return false
        }
        let indices = other.targetPath.indices.suffix(records[dependent].targetDepth)
        func isAround(_ end: Slot, _ path: ReadPath, _ depth: Int) -> Bool {
            end == records[dependent].target && depth < indices.count
                && path.indices.suffix(depth).elementsEqual(indices.prefix(depth))
        }
        return isAround(records[writer].target, binding.targetPath, records[writer].targetDepth)
            || mayWriteSource(writer)
                && isAround(records[writer].source, binding.sourcePath, records[writer].sourceDepth)
    }
}
