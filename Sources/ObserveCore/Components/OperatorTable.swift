// SPDX-License-Identifier: MIT
// The state of all observed collection operators. Independent of their observers.

struct OperatorTable: ~Copyable {
    var byNode: [NodeID: ObservedOperator] = [:]
    /// The length of the longest operator's path so far.
    var longestPath = 0
    /// How often each name occurs in operators' paths.
    var lookedAt: [NameID: Int] = [:]
    /// The operators that the running notification has found stale, in the order found, and how the change reached each.
    private(set) var stale: [(observedOperator: ObservedOperator, descent: Descent)] = []
    /// Whether operators adjust their values by the changed elements instead of evaluating all; tests turn this off.
    var adjustsValues = true

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

/// An observed collection operator: it has a node in the path index, over the value of the node's parent.
final class ObservedOperator {
    let node: NodeID
    let call: OperatorCall
    /// Shared with the other operators over the container that have the key path.
    let operands: Operands
    /// The value at the last notification.
    var value: StoredValue = .null
    /// The index in ``OperatorTable/stale``, if the running notification has found the operator stale.
    var staleIndex: Int?

    init(_ call: OperatorCall, at node: NodeID, _ operands: Operands) {
        self.call = call
        self.node = node
        self.operands = operands
    }

    var function: CollectionOperator { call.function }
    var keyPath: [NameID] { call.keyPath }
}
