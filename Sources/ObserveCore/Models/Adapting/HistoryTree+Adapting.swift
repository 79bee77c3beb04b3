// SPDX-License-Identifier: MIT
// Applies a plan: gives models other types, and converts their properties. Part of one commit.

extension HistoryTree {
    /// Applies a plan of this tree as it is, in a commit before other changes. Misfits get a default, or are dropped.
    package func apply(_ plan: TypePlan) throws(TreeError) {
        for number in plan.unbound { _ = removeBinding(number) }
        changeTypes(to: plan.generation, plan.declarations, plan.retyped)
        pending.formerTypes?.unbound = plan.unbound
        typing.isMakingRequired = true
        defer { typing.isMakingRequired = false }
        for change in plan.changes {
            switch change {
            case .assignment(let id, let value, let isWeak): self.change(id, value, isWeak: isWeak)
            case .removal(let id): if !records.properties[id].slot.isAbsent { assign(id, .absent) }
            case .stack(let id, let stack):
                save(id)
                restoreStack(ValueStack(stack), of: id)
            case .initial(let model, let property):
                try addInitial(property, to: propertyOrPlaceholder(model, property.name))
            case .reset(let id, let property): assign(id, try initial(property, of: id))
            }
        }
        completeComputed(plan.retyped.map(\.model))
        releaseUnreferenced()
    }

    private func initial(_ property: DeclaredProperty, of id: PropertyID) throws(TreeError) -> StoredValue {
        let type = records.models[records.properties[id].model].type
        typing.beginTrail(.property(type, typing.types[type].position(of: property.name) ?? 0))
        return try initialValue(of: property, depth: 1)
    }

    /// Gives the property its default: as its value, or below its temporary values.
    private func addInitial(_ property: DeclaredProperty, to id: PropertyID) throws(TreeError) {
        let value = try initial(property, of: id)
        guard var stack = stacks.byProperty[id], var bottom = stack.first, bottom.value.isAbsent else {
            return change(id, value, isWeak: property.declared.isWeak)
        }
        save(id)
        bottom.value = value
        bottom.isWeak = property.declared.isWeak
        stack.update(bottom)
        restoreStack(stack, of: id)
    }
}
