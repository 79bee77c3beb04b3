// SPDX-License-Identifier: MIT
// Keeps the operands of observed operators, and updates them after a commit. Assigns nothing.

extension OperatorTree {
    /// - Parameter change: nil if it takes all operands to evaluate the operator.
    func markStale(
        _ observedOperator: ObservedOperator,
        _ change: OperandChange?,
        _ descent: Descent = Descent()
    ) {
        // A rollback puts properties back without notes of their order, and other types can make any change.
        let isKnown = !dependents.updates.isRestoring && pending.formerTypes == nil
        observedOperator.operands.note(isKnown ? change : nil)
        operators.markStale(observedOperator, descent)
    }

    /// The value of a new operator between commits. Builds the operands if they are many: otherwise the first change would.
    func firstValue(of observedOperator: ObservedOperator, over container: StoredValue) -> StoredValue {
        let operands = observedOperator.operands
        guard records.elementCount(of: container) >= Operands.many
        else { return records.evaluate(observedOperator.call, over: container) ?? excess }
        // The function looks at all operands once, though not at the elements.
        if operands.isBuilt { records.effort.count(4 * operands.count) }
        return updated(observedOperator, over: container)
    }

    /// The operator's value after the commit, from changed operands if possible; ``DerivingTree/excess`` if it looks too much.
    func updated(_ observedOperator: ObservedOperator, over container: StoredValue) -> StoredValue {
        let operands = observedOperator.operands
        guard operators.adjustsValues, container.isContainer,
            !operands.isReplaced, needsOperands(observedOperator, over: container)
        else { return records.evaluate(observedOperator.call, over: container) ?? excess }
        if !operands.isBuilt || !apply(operands, observedOperator.keyPath, over: container) {
            guard build(observedOperator, over: container) else { return excess }
        }
        let value = operands.value(of: observedOperator.function)
        // All different values make a new union, which is compared with the last one.
        if case .array(let union) = value { records.effort.count(4 * union.elements.count) }
        return value
    }

    /// Whether the operator's value can't be read from the container, and may be smaller than it.
    private func needsOperands(_ observedOperator: ObservedOperator, over container: StoredValue) -> Bool {
        switch (observedOperator.function, container) {
        case (.unionOfObjects, _), (.count, .array): false
        default: true
        }
    }

    /// Returns false, with nothing built, if the elements are too many.
    private func build(_ observedOperator: ObservedOperator, over container: StoredValue) -> Bool {
        let (operands, keyPath) = (observedOperator.operands, observedOperator.keyPath)
        _ = operands.takeChanges()
        operands.drop()
        guard records.mayLook(at: container, for: observedOperator.call) else { return false }
        switch container {
        case .array(let array):
            var elements = array.elements.makeIterator()
            operands.build(count: records.elementCount(of: container)) {
                elements.next().map { Operands.Source(value: records.value(of: $0, at: keyPath)) }
            }
        case .model(let model):
            var id = records.models[model].first
            operands.build(count: records.elementCount(of: container)) {
                guard id != .noRecord else { return nil }
                defer { id = records.properties[id].next }
                return source(id, keyPath)
            }
        default: operands.build(count: 0) { nil }
        }
        guard records.mayCompare(operands.comparedValues) else {
            operands.drop()
            return false
        }
        return true
    }

    private func source(_ id: PropertyID, _ keyPath: [NameID]) -> Operands.Source {
        let isCounted = !records.properties[id].isWeak
        let value = isCounted ? records.value(of: records.properties[id].value, at: keyPath) : .null
        return Operands.Source(value: value, property: id, isCounted: isCounted)
    }

    /// Applies the changes to the operands, those of their order first. Returns false if they do not lead to the container.
    private func apply(_ operands: Operands, _ keyPath: [NameID], over container: StoredValue) -> Bool {
        let changes = operands.takeChanges()
        if changes.isEmpty { return true }
        switch container {
        case .array(let array):
            for case .shift(let edit) in changes {
                guard edit.index < operands.count + (edit.kind == .insertion ? 1 : 0) else { return false }
                if edit.kind == .insertion {
                    let value = records.value(of: array.element(edit.index), at: keyPath)
                    operands.insert(value, at: edit.index)
                } else {
                    operands.remove(at: edit.index)
                }
            }
            guard operands.count == array.elements.count else { return false }
            for case .element(let index) in changes where index < operands.count {
                operands.replace(at: index, records.value(of: array.elements[index], at: keyPath))
            }
        case .model(let model):
            for case .order(let index) in changes {
                let change = pending.orderChanges[index]
                operands.remove(change.property)
                if !change.wasPresent, !records.properties[change.property].slot.isAbsent {
                    operands.append(source(change.property, keyPath))
                }
            }
            for case .member(let id) in changes {
                let isPresent = records.properties[id].model == model && !records.properties[id].slot.isAbsent
                guard let index = operands.index(of: id) else {
                    if isPresent { return false }
                    continue
                }
                guard isPresent else { return false }
                let source = source(id, keyPath)
                operands.replace(at: index, source.value, isCounted: source.isCounted)
            }
        default: return false
        }
        return true
    }
}
