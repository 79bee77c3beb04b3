// SPDX-License-Identifier: MIT
// Observed collection operators: finds those that a commit affects, and updates their values. Assigns nothing.

/// A model above a touched property, and the names that lead from the model to the property.
private struct Ascent: Hashable {
    let model: ModelID
    let way: [NameID]
}

extension NotifyingTree {
    // MARK: Notifying

    /// Notifies the operators that the commit affects. Runs after all nodes are rebound.
    func notifyOperators() {
        guard !operators.byNode.isEmpty else { return }
        allowElements()
        for index in pending.touches.indices {
            let id = pending.touches[index].property
            if records.isSelection(id) { continue }
            let model = records.properties[id].model
            forEachNode(leadingTo: model) { node in
                forEachOperator(below: node) { markStale($0, .member(id)) }
            }
            if operators.longestPath > 0 { climb(from: model, touched: id) }
        }
        markOrders()
        // One without an index has lost its node meanwhile.
        for (observedOperator, descent) in operators.stale where observedOperator.staleIndex != nil {
            let container = currentValue(of: paths.nodes[observedOperator.node].parent)
            notify(observedOperator, updated(observedOperator, over: container), descent)
        }
        operators.forgetStale()
        assert(operators.isIdle)
    }

    /// Notifies the operators over the node's value, a model, of one property's new scalar, like ``notifyOperators()``.
    func notifyOperators(below node: NodeID, changed id: PropertyID) {
        let model = currentValue(of: node)
        allowElements()
        forEachOperator(below: node) { observedOperator in
            observedOperator.operands.note(.member(id))
            notify(observedOperator, updated(observedOperator, over: model), Descent())
            observedOperator.operands.endNotification()
        }
    }

    private func notify(_ observedOperator: ObservedOperator, _ new: StoredValue, _ descent: Descent) {
        let node = observedOperator.node
        let old = observedOperator.value
        observedOperator.value = new
        markVisited(node)
        var descent = descent
        descent.nilAt = brokenAncestor(of: node)
        descent.cause = .consequence
        if paths.nodes[node].firstObserver != .noRecord {
            emit(node, old: old, new: new, !old.equals(new), descent)
        }
    }

    // MARK: Finding the operators above a change

    /// Marks the operators over the models that got properties or lost some.
    private func markOrders() {
        for index in pending.orderChanges.indices {
            let id = pending.orderChanges[index].property
            forEachNode(leadingTo: records.properties[id].model) { node in
                forEachOperator(below: node) { markStale($0, .order(index)) }
            }
        }
    }

    /// Marks the operators whose paths lead from an element to the touched property, or through it. Iterative, and climbs each
    /// way from each model once: links can make many.
    private func climb(from model: ModelID, touched id: PropertyID) {
        if operators.lookedAt[records.properties[id].name] == nil { return }
        var pending = [Ascent(model: model, way: [records.properties[id].name])]
        var seen: Set<Ascent> = []
        while let ascent = pending.popLast() {
            guard operators.isLookedAt(ascent.way) else { continue }
            // How many names the longest operator's path has before this way.
            let rest = operators.longestPath - ascent.way.count
            forEachHolder(of: ascent.model) { holder in
                forEachPlace(of: ascent.model, in: holder) { indices in
                    let steps = indices.map { name(ofIndex: $0) }
                    markElements(of: holder, indices, steps, ascent.way)
                    if steps.count <= rest, !records.properties[holder].isWeak {
                        forEachNode(leadingTo: records.properties[holder].model) { node in
                            mark(below: node, steps + ascent.way, .member(holder))
                        }
                    }
                    guard steps.count < rest else { return }
                    let way = [records.properties[holder].name] + steps + ascent.way
                    let above = Ascent(model: records.properties[holder].model, way: way)
                    if seen.insert(above).inserted { pending.append(above) }
                }
            }
        }
    }

    /// Marks the operators over the holder's array, and over its nested arrays on the way to the model.
    private func markElements(of holder: PropertyID, _ indices: [Int], _ steps: [NameID], _ way: [NameID]) {
        forEachNode(boundTo: holder) { node in
            var inner = paths.isVisited(node) ? node : .noRecord
            for level in indices.indices where inner != .noRecord {
                mark(below: inner, steps[(level + 1)...] + way, .element(indices[level]))
                inner = child(of: inner, at: indices[level])
            }
        }
    }

    private func mark(below node: NodeID, _ way: some Collection<NameID>, _ change: OperandChange) {
        forEachOperator(below: node) { observedOperator in
            guard observedOperator.keyPath.starts(with: way) else { return }
            markStale(observedOperator, change)
        }
    }

    /// The name of an index in key paths; `noRecord` if no path uses it.
    func name(ofIndex index: Int) -> NameID {
        scratchText.removeAll()
        scratchText.append(decimal: UInt64(index))
        return records.names.find(scratchText.view) ?? .noRecord
    }

    private func forEachNode(leadingTo model: ModelID, _ body: (NodeID) -> Void) {
        forEachHolder(of: model) { holder in
            forEachNode(boundTo: holder) { node in
                // Otherwise it is of the other trie.
                guard paths.isVisited(node) else { return }
                if records.properties[holder].slot.modelID == model {
                    body(node)
                } else {
                    forEachElement(of: node, model, body)
                }
            }
        }
    }

    private func forEachElement(of node: NodeID, _ model: ModelID, _ body: (NodeID) -> Void) {
        forEachChild(of: node) { child in
            guard paths.nodes[child].property == .noRecord, !paths.nodes[child][.isOperator] else { return }
            if currentValue(of: child).modelID == model {
                body(child)
            } else {
                forEachElement(of: child, model, body)
            }
        }
    }
}
