// SPDX-License-Identifier: MIT
// The nodes of observed operators: makes, removes and marks them as stale.

extension ModelTree {
    /// The reserved name of the node for the path's operator, with a new reference; nil without an operator.
    func operatorName(_ path: ParsedKeyPath) -> NameID? {
        guard path.operatorIndex != nil else { return nil }
        paths.text.removeAll()
        paths.text.append(OperatorName.mark)
        path.appendOperator(to: paths.text)
        return records.names.intern(paths.text.view)
    }

    /// Makes a new node with a reserved name represent its operator.
    func addOperator(_ node: NodeID) {
        let parts = ParsedKeyPath(maxDepth: limits.maxDepth)
        paths.text.removeAll()
        paths.text.append("x.")
        paths.text.append(records.names.text(paths.nodes[node].name).dropFirst(1))
        guard (try? parts.parse(dotted: paths.text.view)) != nil, let function = parts.collectionOperator
        else {
            preconditionFailure("a reserved node name is not a collection operator")
        }
        let keyPath = (2..<parts.count).map { records.names.intern(parts.name($0)) }
        for name in keyPath { operators.lookedAt[name, default: 0] += 1 }
        let observedOperator = ObservedOperator(function, keyPath)
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
        for name in operators.byNode.removeValue(forKey: node)?.keyPath ?? [] {
            operators.lookedAt[name] = operators.lookedAt[name].flatMap { $0 > 1 ? $0 - 1 : nil }
            records.names.release(name)
        }
        if operators.byNode.isEmpty { operators.longestPath = 0 }
    }

    /// Marks the operator after one edit of its array, or after several if `edit` is nil.
    func markStale(_ node: NodeID, edited edit: ArrayEdit?, _ descent: Descent) {
        markStale(node, edit.map { .edit($0) } ?? .anything, descent)
    }

    func markStale(_ node: NodeID, _ cause: Staleness.Cause, _ descent: Descent = Descent()) {
        guard operators.staleness[node] == nil else {
            operators.staleness[node]?.cause = .anything
            return
        }
        operators.stale.append(node)
        operators.staleness[node] = Staleness(
            descent: descent,
            cause: pending.touches.count == 1 ? cause : .anything
        )
    }

    /// Whether an operator is observed: it may depend on properties that no path leads to.
    var hasOperators: Bool {
        @inline(__always) get { operators.byNode.count > 0 }
    }

    func markOperatorStale(_ node: NodeID, _ descent: Descent) { operators.markStale(node, descent) }
}
