// SPDX-License-Identifier: MIT
// HEADER

extension OperatorTable {
    /// What stands before the operator was assigned.
    mutating func markStale(_ node: NodeID, _ descent: Descent) {
        if staleness[node] == nil { stale.append(node) }
        staleness[node] = Staleness(descent: descent, cause: .anything)
    }

    /// Whether the path behind some operator may have these names in it, one after the other.
    func isLookedAt(_ way: [NameID]) -> Bool {
        way.count <= longestPath && way.allSatisfy { lookedAt[$0] != nil }
    }
}
