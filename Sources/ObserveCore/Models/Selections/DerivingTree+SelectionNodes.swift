// SPDX-License-Identifier: MIT
// The computed properties that stand for selections on observed paths: makes, finds and frees them.

extension DerivingTree {
    /// The property for the node's selection in the value before it; nil if that is not a container.
    func selection(of node: NodeID, in container: StoredValue) -> PropertyID? {
        if case .model(let model) = container { return selection(model, paths.nodes[node].name) }
        guard case .array = container else { return nil }
        // An array's selections belong to the model that holds the array.
        var way = [node]
        var above = paths.nodes[node].parent
        while above != paths.rootNode, paths.nodes[above].property == .noRecord {
            way.append(above)
            above = paths.nodes[above].parent
        }
        guard above != paths.rootNode else { return nil }
        let holder = paths.nodes[above].property
        scratchText.removeAll()
        scratchText.append(OperatorName.mark)
        scratchText.appendEscaped(name: records.names.text(records.properties[holder].name))
        for step in way.reversed() {
            scratchText.append(0x2E)
            scratchText.appendEscaped(name: records.names.text(paths.nodes[step].name))
        }
        let name = records.names.intern(scratchText.view)
        defer { records.names.release(name) }
        return selection(records.properties[holder].model, name)
    }

    /// The property for the selection in the model, computed if it is new. No dependent is stale then.
    func selection(_ model: ModelID, _ name: NameID) -> PropertyID {
        let known = records.property(model, name)
        if let known, !selections.isReplaying { return known }
        let id = known ?? makeSelection(model, name)
        if selections.isReplaying { beginReplay(of: id, isKnown: known != nil) }
        return id
    }

    private func makeSelection(_ model: ModelID, _ name: NameID) -> PropertyID {
        let id = propertyOrPlaceholder(model, name)
        // Two to four µs.
        records.effort.count(256)
        records.properties[id].flags = [.weak, .computed]
        records.setValue(.null, of: id)
        let dependent = dependents.add(id, Computation(template(named: name)), in: records)
        dependents.records[dependent].isSelection = true
        if selections.isReplaying { return id }
        var cursor = dependents.cursor(of: dependent)
        fill(id, with: compute(dependent, &cursor))
        dependents.finishReading(&cursor, in: &records)
        assert(!cursor.mustWait, "a selection was made before its inputs were up to date")
        return id
    }

    func template(named name: NameID) -> CompiledExpression {
        let path = ParsedKeyPath(maxDepth: limits.maxDepth + 1)
        scratchText.removeAll()
        // An operator follows a component.
        scratchText.append("x.")
        scratchText.append(records.names.text(name).dropFirst(1))
        records.effort.count(scratchText.count)
        guard (try? path.parse(dotted: scratchText.view, isKnown: true)) != nil
        else { preconditionFailure("a reserved name is not a selection") }
        let expression = Expression(operands: [.path("")], columns: [1], steps: [.operand(0)], column: 1)
        return CompiledExpression(expression, [.path(records.readPath(path, from: 1))])
    }

    func fill(_ id: PropertyID, with value: StoredValue) {
        records.dereference(records.properties[id].slot, from: id, isWeak: true)
        records.reference(value, from: id, isWeak: true)
        records.setValue(value, of: id)
    }

    // MARK: Freeing

    /// Frees the selections without nodes. Not while observers are notified: an event may show their old values.
    @inline(__always) func freeUnusedSelections() { if !paths.unboundSelections.isEmpty { freeSelections() } }

    @inline(never) private func freeSelections() {
        while let id = paths.unboundSelections.popLast() {
            guard records.isSelection(id), records.properties[id].bound == .noRecord else { continue }
            if let dependent = dependents.computedDependent(of: id, in: records) {
                let expression = dependents.records[dependent].computation?.single
                removeDependent(of: id)
                if let path = expression?.path { records.release(path) }
            }
            fill(id, with: .null)
            records.free(id)
        }
    }
}
