// SPDX-License-Identifier: MIT
// Marks operators as stale, and checks which names they read.

extension OperatorTable {
    /// Marks the operator since a component before it was assigned.
    mutating func markStale(_ node: NodeID, _ descent: Descent) {
        if staleness[node] == nil { stale.append(node) }
        staleness[node] = Staleness(descent: descent, cause: .anything)
    }

    /// Whether any operator's path may contain these names in sequence.
    func isLookedAt(_ way: [NameID]) -> Bool {
        way.count <= longestPath && way.allSatisfy { lookedAt[$0] != nil }
    }
}
