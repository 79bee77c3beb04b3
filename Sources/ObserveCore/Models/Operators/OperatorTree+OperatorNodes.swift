// SPDX-License-Identifier: MIT
// Makes and removes the nodes of observed operators, and marks operators as stale.

extension OperatorTree {
    /// Makes a new node with a reserved name its operator.
    func addOperator(_ node: NodeID) {
        let parts = ParsedKeyPath(maxDepth: limits.maxDepth)
        scratchText.removeAll()
        scratchText.append("x.")
        scratchText.append(records.names.text(paths.nodes[node].name).dropFirst(1))
        guard (try? parts.parse(dotted: scratchText.view)) != nil, let function = parts.collectionOperator
        else { preconditionFailure("a reserved node name is not a collection operator") }
        let keyPath = (2..<parts.count).map { records.names.intern(parts.name($0)) }
        for name in keyPath { operators.lookedAt[name, default: 0] += 1 }
        // The search below passes over operators only, of which this node is the first.
        paths.nodes[node][.isOperator] = true
        let operands = operands(below: paths.nodes[node].parent, keyPath)
        operands.add(function)
        let call = OperatorCall(function: function, keyPath: keyPath)
        let observedOperator = ObservedOperator(call, at: node, operands)
        operators.byNode[node] = observedOperator
        operators.longestPath = max(operators.longestPath, keyPath.count)
        if paths.isNotifying {
            operators.markStale(node, Descent(changedAt: paths.nodes[node].parent))
        } else {
            let container = currentValue(of: paths.nodes[node].parent)
            observedOperator.value = firstValue(of: observedOperator, over: container)
        }
    }

    func removeOperator(of node: NodeID) {
        guard let removed = operators.byNode.removeValue(forKey: node) else { return }
        removed.staleIndex = nil
        removed.operands.remove(removed.function)
        for name in removed.keyPath {
            operators.lookedAt[name] = operators.lookedAt[name].flatMap { $0 > 1 ? $0 - 1 : nil }
            records.names.release(name)
        }
        if operators.byNode.isEmpty { operators.longestPath = 0 }
    }

    /// The operands of the operators over the node's value that have the key path; new ones if there are none.
    private func operands(below node: NodeID, _ keyPath: [NameID]) -> Operands {
        var known: Operands?
        forEachOperator(below: node) { if $0.keyPath == keyPath { known = $0.operands } }
        return known ?? Operands(seed: records.seed)
    }

    func forEachOperator(below node: NodeID, _ body: (ObservedOperator) -> Void) {
        var child = paths.nodes[node].firstChild
        // Operators are the first children of a node.
        while child != .noRecord, paths.nodes[child][.isOperator] {
            if let observedOperator = operators.byNode[child] { body(observedOperator) }
            child = paths.nodes[child].next
        }
    }

    /// Marks the node's operator after edits of its array, as the array sees them.
    func markStale(_ node: NodeID, edited edits: ArrayEdits, at level: Int, _ descent: Descent) {
        guard let observedOperator = operators.byNode[node] else { return }
        if case .one(let edit) = edits, edit.path.count == level, edit.isShift {
            markStale(observedOperator, .shift(edit), descent)
        } else if let indices = edits.editedElements(at: level) {
            for index in indices { markStale(observedOperator, .element(index), descent) }
        } else {
            markStale(observedOperator, nil, descent)
        }
    }

    /// Whether any operator is observed. Operators may depend on properties without observed paths.
    @inline(__always) var hasOperators: Bool { operators.byNode.count > 0 }

    func markOperatorStale(_ node: NodeID, _ descent: Descent) { operators.markStale(node, descent) }
}
