// SPDX-License-Identifier: MIT
// The order in which bindings are updated.

extension DependentGraph {
    /// Dequeues the binding with the lowest number.
    mutating func nextBinding() -> DependentID? {
        if !areBindingsSorted {
            // Sorted outside of the graph, since the comparison reads the graph's records.
            var bindings: [DependentID] = []
            swap(&bindings, &staleBindings)
            bindings.sort { records[$0].number > records[$1].number }
            swap(&bindings, &staleBindings)
            areBindingsSorted = true
        }
        guard let dependent = staleBindings.popLast() else { return nil }
        records[dependent].isQueued = false
        return dependent
    }
}
