// SPDX-License-Identifier: MIT
// The state of all observed collection operators.

/// The observed collection operators, and which of them a commit has made stale.
struct OperatorTable: ~Copyable {
    var byNode: [NodeID: ObservedOperator] = [:]
    /// The length of the longest operator's path so far.
    var longestPath = 0
    /// How often each name occurs in operators' paths.
    var lookedAt: [NameID: Int] = [:]
    /// The operators that the running notification has found stale, in the order found, and how the change reached
    /// each.
    private(set) var stale: [(observedOperator: ObservedOperator, descent: Descent)] = []
    /// Whether operators adjust their values by the changed elements instead of evaluating all; tests turn this off.
    var adjustsValues = true

    /// Holds between notifications.
    var isIdle: Bool { stale.isEmpty }

    /// Marks the operator, unless it is stale already.
    mutating func markStale(_ observedOperator: ObservedOperator, _ descent: Descent) {
        guard observedOperator.staleIndex == nil else { return }
        observedOperator.staleIndex = stale.count
        stale.append((observedOperator, descent))
    }

    /// Marks the node's operator after an assignment of a component before it.
    mutating func markStale(_ node: NodeID, _ descent: Descent) {
        guard let observedOperator = byNode[node] else { return }
        observedOperator.operands.note(nil)
        markStale(observedOperator, descent)
        if let index = observedOperator.staleIndex { stale[index].descent = descent }
    }

    mutating func forgetStale() {
        for index in stale.indices {
            stale[index].observedOperator.staleIndex = nil
            stale[index].observedOperator.operands.endNotification()
        }
        stale.removeAll(keepingCapacity: true)
    }

    /// Whether an operator's path may contain these names in sequence. Necessary, not sufficient.
    func isLookedAt(_ way: [NameID]) -> Bool {
        way.count <= longestPath && way.allSatisfy { lookedAt[$0] != nil }
    }
}
