// SPDX-License-Identifier: MIT
// Observed collection operators: which of them a commit concerns, and what they read as then. Assigns nothing.
//
// Nothing below a container is expanded for its operators. A change of the container itself comes down the path index to
// them; a change inside an element climbs from holder to holder, as far as the longest path behind an operator reaches.

/// A model on the way upwards from a touched property, and the names that lead from there to it.
private struct Ascent: Hashable {
    let model: ModelID
    let way: [NameID]
}

extension ModelTree {
    // MARK: Nodes

    /// The reserved name of the node for the path's operator, with one reference to it; nil if it has none.
    func derivedName(_ path: ParsedKeyPath) -> NameID? {
        guard path.operatorIndex != nil else { return nil }
        text.removeAll()
        text.append(OperatorName.mark)
        path.appendOperator(to: text)
        return names.intern(text.view)
    }

    /// Makes a fresh node, whose name is reserved, stand for its operator.
    func derive(_ node: NodeID) {
        let parts = ParsedKeyPath(maxDepth: limits.maxDepth)
        text.removeAll()
        text.append("x.")
        text.append(names.text(nodes[node].name).dropFirst(1))
        guard (try? parts.parse(dotted: text.view)) != nil, let function = parts.collectionOperator else {
            preconditionFailure("a reserved node name is no collection operator")
        }
        let keyPath = (2..<parts.count).map { names.intern(parts.name($0)) }
        for name in keyPath { lookedAt[name, default: 0] += 1 }
        let derivation = Derivation(function, keyPath)
        nodes[node].isDerived = true
        derivations[node] = derivation
        longestDerivation = max(longestDerivation, keyPath.count)
        if isTelling {
            markStale(node, Descent(changedAt: nodes[node].parent))
        } else {
            derivation.value = evaluate(derivation, over: currentValue(of: nodes[node].parent))
        }
    }

    func removeDerivation(of node: NodeID) {
        for name in derivations.removeValue(forKey: node)?.keyPath ?? [] {
            lookedAt[name] = lookedAt[name].flatMap { $0 > 1 ? $0 - 1 : nil }
            names.release(name)
        }
        if derivations.isEmpty { longestDerivation = 0 }
    }

    // MARK: Going stale

    /// What stands before the operator was assigned.
    func markStale(_ node: NodeID, _ descent: Descent) {
        if staleness[node] == nil { stale.append(node) }
        staleness[node] = Staleness(descent: descent, cause: .anything)
    }

    /// Elements of the operator's array were inserted, removed or replaced: by one edit, or else by several.
    func markStale(_ node: NodeID, edited edit: ArrayEdit?, _ descent: Descent) {
        markStale(node, edit.map { .edit($0) } ?? .anything, descent)
    }

    private func markStale(_ node: NodeID, _ cause: Staleness.Cause, _ descent: Descent = Descent()) {
        guard staleness[node] == nil else {
            staleness[node]?.cause = .anything
            return
        }
        stale.append(node)
        staleness[node] = Staleness(descent: descent, cause: touches.count == 1 ? cause : .anything)
    }

    /// Tells the operators that the commit concerns. After the ordinary telling, when all nodes are bound anew.
    func tellDerived() {
        for index in touches.indices {
            let id = touches[index].property
            markMembers(of: properties[id].model, touched: id)
            if longestDerivation > 0 { climb(from: properties[id].model, touched: id) }
        }
        for node in stale { tell(derived: node) }
        stale.removeAll(keepingCapacity: true)
        staleness.removeAll(keepingCapacity: true)
    }

    private func tell(derived node: NodeID) {
        guard let derivation = derivations[node], let staleness = staleness[node] else { return }
        let container = currentValue(of: nodes[node].parent)
        tell(node, derivation, updated(derivation, staleness.cause, over: container), staleness.descent)
    }

    /// Tells the operators over the node's value, a model, that one of its properties got another scalar, and nothing else
    /// was touched: as ``tellDerived()`` would.
    func tellDerived(below node: NodeID, old: StoredValue, new: StoredValue) {
        let model = currentValue(of: node)
        forEachDerivation(below: node) { child, derivation in
            let value =
                derivation.isKept
                ? updated(derivation, over: model, gone: old, come: new) : evaluate(derivation, over: model)
            tell(child, derivation, value, Descent())
        }
    }

    private func tell(_ node: NodeID, _ derivation: Derivation, _ new: StoredValue, _ descent: Descent) {
        let old = derivation.value
        derivation.value = new
        nodes[node].visit = visit
        var descent = descent
        descent.nilAt = brokenAncestor(of: node)
        descent.cause = .consequence
        if nodes[node].firstObserver != noRecord {
            emit(node, old: old, new: new, edit: nil, !old.equals(new), descent)
        }
    }

    private func updated(
        _ derivation: Derivation,
        _ cause: Staleness.Cause,
        over container: StoredValue
    ) -> StoredValue {
        guard derivation.isKept, container.isContainer else { return evaluate(derivation, over: container) }
        switch cause {
        case .anything: return evaluate(derivation, over: container)
        case .edit(let edit):
            guard case .array(let array) = container else { return evaluate(derivation, over: container) }
            let gone = edit.kind == .insertion ? nil : edit.old
            let come = edit.kind == .removal ? nil : array.element(edit.index)
            return updated(derivation, over: container, gone: gone, come: come)
        case .inside(let element):
            return updated(derivation, over: container, gone: .model(element), come: .model(element))
        case .member(let id):
            let (old, new) = strongValues(touches[Int(properties[id].touch) - 1])
            let (gone, come) = (old.isAbsent ? nil : old, new.isAbsent ? nil : new)
            return updated(derivation, over: container, gone: gone, come: come)
        }
    }

    /// What it reads as after one element went, as it was, and one came.
    private func updated(
        _ derivation: Derivation,
        over container: StoredValue,
        gone: StoredValue?,
        come: StoredValue?
    ) -> StoredValue {
        let old = gone.map { value(of: $0, at: derivation.keyPath, before: true) } ?? .absent
        let new = come.map { value(of: $0, at: derivation.keyPath) } ?? .absent
        guard derivation.canTally else {
            return updatedExtreme(derivation, old, new) ?? evaluate(derivation, over: container)
        }
        derivation.tally.elements += (come == nil ? 0 : 1) - (gone == nil ? 0 : 1)
        if derivation.function != .count {
            derivation.tally.add(old, times: -1)
            derivation.tally.add(new, times: 1)
        }
        guard derivation.tally.doubles == 0 else { return evaluate(derivation, over: container) }
        return tallied(derivation)
    }

    /// The least or greatest after one value went and one came; nil if that takes a look at the others.
    private func updatedExtreme(
        _ derivation: Derivation,
        _ old: StoredValue,
        _ new: StoredValue
    ) -> StoredValue? {
        let best = derivation.value
        if new.isNumber, best.isNull || !derivation.prefers(best, to: new) {
            return best.equals(new) ? best : new
        }
        return old.isNumber && old.equals(best) ? nil : best
    }

    // MARK: Finding whom a change inside a container concerns

    /// The operators over the model's own property values.
    private func markMembers(of model: ModelID, touched id: PropertyID) {
        forEachNode(leadingTo: model) { node in
            forEachDerivation(below: node) { child, _ in
                markStale(
                    child,
                    touches[Int(properties[id].touch) - 1].edits.isEmpty ? .member(id) : .anything
                )
            }
        }
    }

    /// The operators that have the model, or something above it, among their elements, and look at the path that led
    /// here from there: that path is the way, the touched property last.
    ///
    /// Iterative, and each way is gone from each model once: links can make the ways upwards many.
    private func climb(from model: ModelID, touched id: PropertyID) {
        if lookedAt[properties[id].name] == nil { return }
        var pending = [Ascent(model: model, way: [properties[id].name])]
        var seen: Set<Ascent> = []
        while let ascent = pending.popLast() {
            guard isLookedAt(ascent.way) else { continue }
            // How many names more some operator may look at.
            let rest = longestDerivation - ascent.way.count
            forEachHolder(of: ascent.model) { holder in
                forEachPlace(of: ascent.model, in: holder) { indices in
                    let steps = indices.map { name(ofIndex: $0) }
                    markElements(of: holder, indices, steps, ascent.way, ascent.model)
                    if steps.count <= rest, !properties[holder].isWeak {
                        forEachNode(leadingTo: properties[holder].model) { node in
                            let element = indices.isEmpty ? ascent.model : nil
                            mark(below: node, steps + ascent.way, element: element)
                        }
                    }
                    guard steps.count < rest else { return }
                    let above = Ascent(
                        model: properties[holder].model,
                        way: [properties[holder].name] + steps + ascent.way
                    )
                    if seen.insert(above).inserted { pending.append(above) }
                }
            }
        }
    }

    /// Whether the path behind some operator may have these names in it, one after the other.
    private func isLookedAt(_ way: [NameID]) -> Bool {
        way.count <= longestDerivation && way.allSatisfy { lookedAt[$0] != nil }
    }

    /// The operators over the array that the holder has, and over those nested in it, on the way to the model.
    private func markElements(
        of holder: PropertyID,
        _ indices: [Int],
        _ steps: [NameID],
        _ way: [NameID],
        _ model: ModelID
    ) {
        var node = properties[holder].bound
        while node != noRecord {
            var inner = node
            for level in indices.indices where inner != noRecord {
                let isLast = level == indices.count - 1
                mark(below: inner, isLast ? way : steps[(level + 1)...] + way, element: isLast ? model : nil)
                inner = child(of: inner, at: indices[level])
            }
            node = nodes[node].nextBound
        }
    }

    /// - Parameter element: the operator's element, where that is a model.
    private func mark(
        below node: NodeID,
        _ way: some Collection<NameID>,
        element: ModelID?
    ) {
        forEachDerivation(below: node) { child, derivation in
            guard derivation.keyPath.starts(with: way) else { return }
            markStale(child, element.map { .inside($0) } ?? .anything)
        }
    }

    /// The name that an index has in key paths; one that no path has, if nobody uses it.
    private func name(ofIndex index: Int) -> NameID {
        text.removeAll()
        text.append(decimal: UInt64(index))
        return names.find(text.view) ?? noRecord
    }

    private func forEachDerivation(below node: NodeID, _ body: (NodeID, Derivation) -> Void) {
        var child = nodes[node].firstChild
        // They stand before a node's other children.
        while child != noRecord, nodes[child].isDerived {
            if let derivation = derivations[child] { body(child, derivation) }
            child = nodes[child].next
        }
    }

    /// The nodes whose value is the model.
    private func forEachNode(leadingTo model: ModelID, _ body: (NodeID) -> Void) {
        forEachHolder(of: model) { holder in
            var node = properties[holder].bound
            while node != noRecord {
                if properties[holder].slot.modelID == model {
                    body(node)
                } else {
                    forEachElement(of: node, model, body)
                }
                node = nodes[node].nextBound
            }
        }
    }

    private func forEachElement(of node: NodeID, _ model: ModelID, _ body: (NodeID) -> Void) {
        var child = nodes[node].firstChild
        while child != noRecord {
            if nodes[child].property == noRecord, !nodes[child].isDerived {
                if currentValue(of: child).modelID == model {
                    body(child)
                } else {
                    forEachElement(of: child, model, body)
                }
            }
            child = nodes[child].next
        }
    }

    /// Strong ones and weak ones.
    private func forEachHolder(of model: ModelID, _ body: (PropertyID) -> Void) {
        forEachStrongHolder(of: model, body)
        for referrer in weakReferrers.sorted(of: model) { body(referrer) }
    }
}
