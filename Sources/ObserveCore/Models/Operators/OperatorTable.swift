// SPDX-License-Identifier: MIT
// The state of all observed collection operators.

/// The observed collection operators, and which of them a commit has made stale.
struct OperatorTable: ~Copyable {
    var byNode: [NodeID: ObservedOperator] = [:]
    /// The length of the longest operator's path so far.
    var longestPath = 0
    /// How often each name occurs in operators' paths.
    var lookedAt: [NameID: Int] = [:]
    /// The operators that the running notification has found stale, in the order found.
    private(set) var stale: [(observedOperator: ObservedOperator, staleness: Staleness)] = []
    /// Whether an operator adjusts its value by one element instead of evaluating all; tests turn this off.
    var adjustsValues = true

    /// Holds between notifications.
    var isIdle: Bool { stale.isEmpty }

    /// Marks the operator, unless it is stale already: then its cause becomes `.anything`.
    mutating func markStale(_ observedOperator: ObservedOperator, _ staleness: Staleness) {
        if let index = observedOperator.staleIndex {
            stale[index].staleness.cause = .anything
        } else {
            observedOperator.staleIndex = stale.count
            stale.append((observedOperator, staleness))
        }
    }

    /// Marks the node's operator after an assignment of a component before it.
    mutating func markStale(_ node: NodeID, _ descent: Descent) {
        guard let observedOperator = byNode[node] else { return }
        let staleness = Staleness(descent: descent, cause: .anything)
        markStale(observedOperator, staleness)
        if let index = observedOperator.staleIndex { stale[index].staleness = staleness }
    }

    mutating func forgetStale() {
        for index in stale.indices { stale[index].observedOperator.staleIndex = nil }
        stale.removeAll(keepingCapacity: true)
    }

    /// Whether an operator's path may contain these names in sequence. Necessary, not sufficient.
    func isLookedAt(_ way: [NameID]) -> Bool {
        way.count <= longestPath && way.allSatisfy { lookedAt[$0] != nil }
    }
}
