// SPDX-License-Identifier: MIT
// The order in which bindings are updated.

extension DependentGraph {
    /// Dequeues the binding with the lowest number.
    mutating func nextBinding() -> DependentID? {
        if !areBindingsSorted {
            staleBindings = staleBindings.sorted {
                records[$0].number > records[$1].number
            }
            areBindingsSorted = true
        }
        guard let dependent = staleBindings.popLast() else { return nil }
        records[dependent].isQueued = false
        return dependent
    }
}
