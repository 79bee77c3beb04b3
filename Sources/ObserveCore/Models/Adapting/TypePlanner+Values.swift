// SPDX-License-Identifier: MIT
// Converts the values of a property, and those that it shadows, to another declared type. Changes nothing.

extension TypePlanner {
    /// Converts the property's values, and plans their assignment if they differ.
    mutating func fit(_ id: PropertyID, _ declared: Declared) {
        let value = tree.records.properties[id].value
        let isWeak = tree.records.properties[id].isWeak
        var stack = layers(of: id)
        // The last layer is the property's own value.
        let below = stack.isEmpty ? 0 : stack.count - 1
        var isStackChanged = false
        for index in 0..<below {
            guard var fitted = fit(stack[index].value, isWeak: stack[index].isWeak, id, declared)
            else { return reset(id, declared) }
            // The flag of a null that is not shadowed changes with the types.
            if fitted.value.isNull, fitted.isWeak != declared.isWeak {
                fitted.isWeak = declared.isWeak
                fitted.isChanged = true
            }
            if fitted.isChanged {
                stack[index].value = fitted.value
                stack[index].isWeak = fitted.isWeak
                stack[index].instance =
                    fitted.isWeak ? fitted.value.modelID.map { tree.records.models[$0].instance } ?? 0 : 0
                isStackChanged = true
            }
        }
        guard let fitted = fit(value, isWeak: isWeak, id, declared) else { return reset(id, declared) }
        if isStackChanged { plan.changes.append(.stack(id, stack)) }
        if fitted.isChanged { plan.changes.append(.assignment(id, fitted.value, isWeak: fitted.isWeak)) }
        if isStackChanged || fitted.isChanged { counts.note(.converted, owner(id)) }
        // A temporary value over nothing: the declared type wants a permanent one.
        if below > 0, stack[0].value.isAbsent, let property = declaredProperty(of: id) {
            plan.changes.append(.initial(tree.records.properties[id].model, property))
        }
    }

    /// The declaration of the property in the closed type of its model; nil in an open one.
    private func declaredProperty(of id: PropertyID) -> DeclaredProperty? {
        let type = tree.typing.types[type(tree.records.properties[id].model)]
        guard !type.isOpen else { return nil }
        return type.position(of: tree.records.properties[id].name).map { type.properties[$0] }
    }

    /// The property's stack of temporary values, the permanent one first; empty if it has none.
    func layers(of id: PropertyID) -> [StackedValue] { Array(tree.stack(of: id)) }

    /// The value as declared; nil if nothing of it fits. Elements of arrays that do not fit are dropped.
    private mutating func fit(_ value: StoredValue, isWeak: Bool, _ id: PropertyID, _ declared: Declared)
        -> (value: StoredValue, isWeak: Bool, isChanged: Bool)?
    {
        if value.isAbsent { return (value, isWeak, false) }
        indexes = []
        var isChanged = false
        if declared.isWeak, !value.isNull, value.modelID == nil {
            note(value, declared.type, id, isWeak: true)
            return nil
        }
        guard let fitted = convert(value, declared.type, id, &isChanged) else { return nil }
        let becomesWeak = self.isWeak(fitted, isWeak: isWeak, id, declared)
        if let model = fitted.modelID, becomesWeak != isWeak {
            let reference = PlannedReference(property: id, target: model, declared: declared)
            if becomesWeak { weakened.append(reference) } else { strengthened.append(reference) }
            return (fitted, becomesWeak, true)
        }
        return (fitted, isWeak, isChanged)
    }

    /// Whether a reference is to be weak. One that a client made weak stays so where null is allowed.
    private func isWeak(_ value: StoredValue, isWeak: Bool, _ id: PropertyID, _ declared: Declared) -> Bool {
        guard value.modelID != nil else { return isWeak }
        if declared.isWeak { return true }
        if tree.records.properties[id].flags.contains(.declaredWeak) { return false }
        return isWeak && declared.type.isOptional
    }

    /// Recursion is as deep as arrays nest.
    private mutating func convert(
        _ value: StoredValue,
        _ type: ValueType,
        _ id: PropertyID,
        _ isChanged: inout Bool
    ) -> StoredValue? {
        switch (type.wrapped, value) {
        case (.any, _): return value
        case (_, .null) where type.isOptional: return value
        case (.array(let element), .array(let array)):
            var elements: ContiguousArray<StoredValue> = []
            for (index, value) in array.elements.enumerated() {
                indexes.append(index)
                if let fitted = convert(value, element, id, &isChanged) {
                    elements.append(fitted)
                } else {
                    isChanged = true
                }
                _ = indexes.popLast()
            }
            return .array(StoredArray(elements))
        case (.model(let wanted), .model(let model)):
            if demand(wanted, of: model) { return value }
        default:
            if let fitted = tree.typing.types.scalar(value, as: type) {
                if fitted.kindName != value.kindName { isChanged = true }
                return fitted
            }
        }
        note(value, type, id)
        return nil
    }

    // MARK: Misfits

    /// Notes that the value, or the element at ``indexes``, does not fit.
    private mutating func note(
        _ value: StoredValue,
        _ type: ValueType,
        _ id: PropertyID,
        isWeak: Bool = false
    ) {
        let (subject, verbs) = remedy(id, isElement: !indexes.isEmpty)
        addMisfit("\(subject) is \(verbs.passive)") {
            let expected = (isWeak ? "weak " : "") + $0.tree.typing.types.text(of: type) + $0.formerly(id)
            let why = "expected \(expected), found \($0.phrase(value))"
            let advice = "assign another value first, or start with --adapt, which \(verbs.active)"
            return $0.misfit(id, why, advice, at: $0.indexes)
        }
    }

    private func remedy(_ id: PropertyID, isElement: Bool) -> (String, (passive: String, active: String)) {
        let owner = owner(id)
        if isElement { return ("an element of \(owner.text)", ("dropped", "drops it")) }
        if owner.type == nil {
            return (owner.text, ("made again as configured", "makes it again as configured"))
        }
        guard declaredProperty(of: id) != nil else { return (owner.text, ("dropped", "drops it")) }
        let initial = initialText(of: id)
        return (owner.text, ("reset to \(initial)", "resets it to \(initial)"))
    }

    /// Gives the property its default, or drops it from an open model.
    mutating func reset(_ id: PropertyID, _ declared: Declared) {
        plan.changes.append(declaredProperty(of: id).map { .reset(id, $0) } ?? .removal(id))
    }

    private func phrase(_ value: StoredValue) -> String {
        tree.typing.types.phrase(value, value.modelID.map(type))
    }

    /// The property's default in words.
    func initialText(of id: PropertyID) -> String {
        guard let property = declaredProperty(of: id) else { return "null" }
        if let initial = property.initial { return initial.json }
        if case .model(let type) = property.declared.type {
            return tree.typing.types[type].isOpen ? "{}" : "a new \(name(type))"
        }
        return tree.typing.types.empty(property.declared.type)?.json ?? "its default"
    }
}
