// SPDX-License-Identifier: MIT
// The state of all observed collection operators.

/// The observed collection operators, and which of them a commit has made stale.
struct OperatorTable: ~Copyable {
    /// The operators by their nodes.
    var byNode: [NodeID: ObservedOperator] = [:]
    /// The length of the longest operator's path so far.
    var longestPath = 0
    /// How often each name occurs in operators' paths.
    var lookedAt: [NameID: Int] = [:]
    /// The operators that the running notification has found stale, in the order found.
    var stale: [NodeID] = []
    var staleness: [NodeID: Staleness] = [:]
}
