// SPDX-License-Identifier: MIT
// Observed collection operators: finds those that a commit affects, and updates their values. Assigns
// nothing.
//
// The trie needs no nodes below a container for its operators. If the container itself changes, the visit of
// its node marks them. If an element changes inside, the tree climbs from holder to holder, as far as the
// longest operator's path reaches.

/// A model above a touched property, and the names that lead from the model to the property.
private struct Ascent: Hashable {
    let model: ModelID
    let way: [NameID]
}

extension ModelTree {
    // MARK: Notifying

    /// Notifies the operators that the commit affects. Runs after all nodes are rebound.
    func notifyOperators() {
        guard !operators.byNode.isEmpty else { return }
        for index in pending.touches.indices {
            let id = pending.touches[index].property
            markMembers(of: records.properties[id].model, touched: id)
            if operators.longestPath > 0 { climb(from: records.properties[id].model, touched: id) }
        }
        for (observedOperator, staleness) in operators.stale { notify(observedOperator, staleness) }
        operators.forgetStale()
        assert(operators.isIdle)
    }

    private func notify(_ observedOperator: ObservedOperator, _ staleness: Staleness) {
        // If nil, its node was removed.
        if observedOperator.staleIndex == nil { return }
        let container = currentValue(of: paths.nodes[observedOperator.node].parent)
        notify(
            observedOperator,
            updated(observedOperator, staleness.cause, over: container),
            staleness.descent
        )
    }

    /// Notifies the operators over the node's value, a model, of one property's new scalar. The result is that
    /// of ``notifyOperators()`` after a commit with this one touch.
    func notifyOperators(below node: NodeID, old: StoredValue, new: StoredValue) {
        let model = currentValue(of: node)
        forEachOperator(below: node) { observedOperator in
            let value =
                observedOperator.isKept
                ? updated(observedOperator, over: model, gone: old, come: new)
                : evaluate(observedOperator, over: model)
            notify(observedOperator, value, Descent())
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
            emit(node, old: old, new: new, edit: nil, !old.equals(new), descent)
        }
    }

    private func updated(
        _ observedOperator: ObservedOperator,
        _ cause: Staleness.Cause,
        over container: StoredValue
    ) -> StoredValue {
        guard observedOperator.isKept, container.isContainer else {
            return evaluate(observedOperator, over: container)
        }
        switch cause {
        case .anything: return evaluate(observedOperator, over: container)
        case .edit(let edit):
            guard case .array(let array) = container else {
                return evaluate(observedOperator, over: container)
            }
            let gone = edit.kind == .insertion ? nil : edit.old
            let come = edit.kind == .removal ? nil : array.element(edit.index)
            return updated(observedOperator, over: container, gone: gone, come: come)
        case .inside(let element):
            return updated(observedOperator, over: container, gone: .model(element), come: .model(element))
        case .member(let id):
            let (old, new) = records.strongValues(pending.touches[Int(records.properties[id].touch) - 1])
            let (gone, come) = (old.isAbsent ? nil : old, new.isAbsent ? nil : new)
            return updated(observedOperator, over: container, gone: gone, come: come)
        }
    }

    /// The value after the removal of one element and the addition of another; nil stands for none.
    private func updated(
        _ observedOperator: ObservedOperator,
        over container: StoredValue,
        gone: StoredValue?,
        come: StoredValue?
    ) -> StoredValue {
        let old = gone.map { value(of: $0, at: observedOperator.keyPath, before: true) } ?? .absent
        let new = come.map { value(of: $0, at: observedOperator.keyPath) } ?? .absent
        guard observedOperator.canTally else {
            return updatedExtreme(observedOperator, old, new) ?? evaluate(observedOperator, over: container)
        }
        observedOperator.tally.elements += (come == nil ? 0 : 1) - (gone == nil ? 0 : 1)
        if observedOperator.function != .count {
            observedOperator.tally.add(old, times: -1)
            observedOperator.tally.add(new, times: 1)
        }
        guard observedOperator.tally.doubles == 0 else { return evaluate(observedOperator, over: container) }
        return tallied(observedOperator)
    }

    /// The new minimum or maximum after the removal of one value and the addition of another; nil if it
    /// depends on the other values.
    private func updatedExtreme(
        _ observedOperator: ObservedOperator,
        _ old: StoredValue,
        _ new: StoredValue
    ) -> StoredValue? {
        let best = observedOperator.value
        if new.isNumber, best.isNull || !observedOperator.prefers(best, to: new) {
            return best.equals(new) ? best : new
        }
        return old.isNumber && old.equals(best) ? nil : best
    }

    // MARK: Finding the operators above a change

    /// Marks the operators over the model's own property values.
    private func markMembers(of model: ModelID, touched id: PropertyID) {
        forEachNode(leadingTo: model) { node in
            forEachOperator(below: node) { observedOperator in
                markStale(
                    observedOperator,
                    pending.touches[Int(records.properties[id].touch) - 1].edits.isEmpty
                        ? .member(id) : .anything
                )
            }
        }
    }

    /// Marks the operators whose paths lead from an element to the touched property, or through it.
    ///
    /// Iterative, and climbs each way from each model once: links can make many ways upwards.
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
                    markElements(of: holder, indices, steps, ascent.way, ascent.model)
                    if steps.count <= rest, !records.properties[holder].isWeak {
                        forEachNode(leadingTo: records.properties[holder].model) { node in
                            let element = indices.isEmpty ? ascent.model : nil
                            mark(below: node, steps + ascent.way, element: element)
                        }
                    }
                    guard steps.count < rest else { return }
                    let above = Ascent(
                        model: records.properties[holder].model,
                        way: [records.properties[holder].name] + steps + ascent.way
                    )
                    if seen.insert(above).inserted { pending.append(above) }
                }
            }
        }
    }

    /// Marks the operators over the holder's array, and over its nested arrays on the way to the model.
    private func markElements(
        of holder: PropertyID,
        _ indices: [Int],
        _ steps: [NameID],
        _ way: [NameID],
        _ model: ModelID
    ) {
        var node = records.properties[holder].bound
        while node != .noRecord {
            var inner = isVisited(node) ? node : .noRecord
            for level in indices.indices where inner != .noRecord {
                let isLast = level == indices.count - 1
                mark(below: inner, isLast ? way : steps[(level + 1)...] + way, element: isLast ? model : nil)
                inner = child(of: inner, at: indices[level])
            }
            node = paths.nodes[node].nextBound
        }
    }

    /// Marks the operators over the node's value whose paths begin with the way.
    ///
    /// - Parameter element: the changed element, if it is a model directly in the container.
    private func mark(
        below node: NodeID,
        _ way: some Collection<NameID>,
        element: ModelID?
    ) {
        forEachOperator(below: node) { observedOperator in
            guard observedOperator.keyPath.starts(with: way) else { return }
            markStale(observedOperator, element.map { .inside($0) } ?? .anything)
        }
    }

    /// The name of an index in key paths; `noRecord` if no path uses it.
    private func name(ofIndex index: Int) -> NameID {
        scratchText.removeAll()
        scratchText.append(decimal: UInt64(index))
        return records.names.find(scratchText.view) ?? .noRecord
    }

    private func forEachOperator(below node: NodeID, _ body: (ObservedOperator) -> Void) {
        var child = paths.nodes[node].firstChild
        // Operators are the first children of a node.
        while child != .noRecord, paths.nodes[child].isOperator {
            if let observedOperator = operators.byNode[child] { body(observedOperator) }
            child = paths.nodes[child].next
        }
    }

    /// Calls `body` with each node whose value is the model.
    private func forEachNode(leadingTo model: ModelID, _ body: (NodeID) -> Void) {
        forEachHolder(of: model) { holder in
            var node = records.properties[holder].bound
            while node != .noRecord {
                if !isVisited(node) {
                    // Of the other trie.
                } else if records.properties[holder].slot.modelID == model {
                    body(node)
                } else {
                    forEachElement(of: node, model, body)
                }
                node = paths.nodes[node].nextBound
            }
        }
    }

    private func forEachElement(of node: NodeID, _ model: ModelID, _ body: (NodeID) -> Void) {
        var child = paths.nodes[node].firstChild
        while child != .noRecord {
            if paths.nodes[child].property == .noRecord, !paths.nodes[child].isOperator {
                if currentValue(of: child).modelID == model {
                    body(child)
                } else {
                    forEachElement(of: child, model, body)
                }
            }
            child = paths.nodes[child].next
        }
    }
}
