// SPDX-License-Identifier: MIT
// X

/// The observed collection operators, and which of them a commit has made stale.
struct OperatorTable: ~Copyable {
    /// What is computed at the nodes that stand for collection operators.
    var byNode: [NodeID: ObservedOperator] = [:]
    /// How many components the longest path behind an observed operator has had.
    var longestPath = 0
    /// How often each name stands in a path behind an observed operator.
    var lookedAt: [NameID: Int] = [:]
    /// The operators whose inputs the telling under way has found changed, in the order found.
    var stale: [NodeID] = []
    var staleness: [NodeID: Staleness] = [:]
}
