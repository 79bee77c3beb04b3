// SPDX-License-Identifier: MIT
// Makes and removes the nodes of observed operators, and marks operators as stale.

extension ModelTree {
    /// The reserved name of the node for the path's operator, with a new reference. Nil if the path has no
    /// operator.
    func operatorName(_ path: ParsedKeyPath) -> NameID? {
        guard path.operatorIndex != nil else { return nil }
        scratchText.removeAll()
        scratchText.append(OperatorName.mark)
        path.appendOperator(to: scratchText)
        return records.names.intern(scratchText.view)
    }

    /// Makes a new node with a reserved name represent its operator.
    func addOperator(_ node: NodeID) {
        let parts = ParsedKeyPath(maxDepth: limits.maxDepth)
        scratchText.removeAll()
        scratchText.append("x.")
        scratchText.append(records.names.text(paths.nodes[node].name).dropFirst(1))
        guard (try? parts.parse(dotted: scratchText.view)) != nil, let function = parts.collectionOperator
        else {
            preconditionFailure("a reserved node name is not a collection operator")
        }
        let keyPath = (2..<parts.count).map { records.names.intern(parts.name($0)) }
        for name in keyPath { operators.lookedAt[name, default: 0] += 1 }
        let observedOperator = ObservedOperator(function, keyPath, at: node)
        paths.nodes[node].isOperator = true
        operators.byNode[node] = observedOperator
        operators.longestPath = max(operators.longestPath, keyPath.count)
        if paths.isNotifying {
            operators.markStale(node, Descent(changedAt: paths.nodes[node].parent))
        } else {
            observedOperator.value = evaluate(
                observedOperator,
                over: currentValue(of: paths.nodes[node].parent)
            )
        }
    }

    func removeOperator(of node: NodeID) {
        guard let removed = operators.byNode.removeValue(forKey: node) else { return }
        removed.staleIndex = nil
        for name in removed.keyPath {
            operators.lookedAt[name] = operators.lookedAt[name].flatMap { $0 > 1 ? $0 - 1 : nil }
            records.names.release(name)
        }
        if operators.byNode.isEmpty { operators.longestPath = 0 }
    }

    /// Marks the node's operator after one edit of its array, or after several edits if `edit` is nil.
    func markStale(_ node: NodeID, edited edit: ArrayEdit?, _ descent: Descent) {
        guard let observedOperator = operators.byNode[node] else { return }
        markStale(observedOperator, edit.map { .edit($0) } ?? .anything, descent)
    }

    func markStale(
        _ observedOperator: ObservedOperator,
        _ cause: Staleness.Cause,
        _ descent: Descent = Descent()
    ) {
        let cause = pending.touches.count == 1 ? cause : .anything
        operators.markStale(observedOperator, Staleness(descent: descent, cause: cause))
    }

    /// Whether any operator is observed. Operators may depend on properties without observed paths.
    var hasOperators: Bool {
        @inline(__always) get { operators.byNode.count > 0 }
    }

    func markOperatorStale(_ node: NodeID, _ descent: Descent) { operators.markStale(node, descent) }
}
