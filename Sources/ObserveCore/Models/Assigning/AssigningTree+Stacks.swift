// SPDX-License-Identifier: MIT
// Counts the references of shadowed values, and saves, restores and clears whole stacks.

extension AssigningTree {
    /// Removes the property's temporary values, before the assignment of a permanent one.
    func clearStack(_ id: PropertyID) {
        save(id)
        guard let stack = stacks.byProperty[id], let top = stack.last else { return }
        stacks.unlist(top, of: id)
        for below in stack.dropLast() { forget(below, of: id) }
        store(ValueStack(), id)
    }

    /// Rolls back the commit's changes of stacks. ``rollBack()`` restores the properties' own values.
    func restoreStacks() {
        for (id, old) in stacks.saved { restoreStack(old, of: id) }
        stacks.saved.removeAll()
    }

    /// Replaces the property's whole stack, and keeps the property's value.
    func restoreStack(_ stack: ValueStack, of id: PropertyID) {
        let current = self.stack(of: id)
        referenceBelow(stack, of: id)
        for layer in current.dropLast() { release(layer, of: id) }
        for layer in current { stacks.unlist(layer, of: id) }
        for layer in stack { list(layer, of: id) }
        store(stack, id)
        if stack.count > 1 { records.properties[id].flags.insert(.isStacked) }
    }

    func referenceBelow(_ stack: ValueStack, of id: PropertyID) {
        for layer in stack.dropLast() where !layer.isWeak {
            records.reference(layer.value, from: id, isWeak: false)
        }
    }

    /// Tells the hooks of the shadowed weak references to a model that is about to be released: they become null.
    func willRelease(_ model: ModelID) {
        guard hooks.hasPreUpdateHooks, !stacks.byProperty.isEmpty else { return }
        records.effort.count(stacks.byProperty.count)
        for (id, stack) in stacks.byProperty
        where stack.dropLast().contains(where: { $0.isWeak && $0.value.modelID == model }) { willAssign(id) }
    }

    /// Counts the shadowed values' references no longer, since the property's model was released.
    func releaseStack(_ id: PropertyID) {
        let stack = stack(of: id)
        stacks.byteCount -= stack.byteCount
        for layer in stack.dropLast() { release(layer, of: id) }
    }

    /// Counts the shadowed values' references again, since the commit rolls back.
    func countStack(_ id: PropertyID) {
        let stack = stack(of: id)
        stacks.byteCount += stack.byteCount
        referenceBelow(stack, of: id)
    }

    func stack(of id: PropertyID) -> ValueStack { stacks.byProperty[id] ?? ValueStack() }

    func save(_ id: PropertyID) {
        guard stacks.saved[id] == nil else { return }
        willAssign(id)
        stacks.saved[id] = stack(of: id)
    }

    func release(_ layer: StackedValue, of id: PropertyID) {
        if !layer.isWeak { records.dereference(layer.value, from: id, isWeak: false) }
    }

    func list(_ layer: StackedValue, of id: PropertyID) {
        switch layer.term {
        case .owner(let owner): stacks.owners[owner, default: [:]][id] = layer.number
        case .time: stacks.timed[layer.number] = id
        case nil: break
        }
    }

    func forget(_ layer: StackedValue, of id: PropertyID) {
        stacks.unlist(layer, of: id)
        release(layer, of: id)
    }

    func store(_ stack: ValueStack, _ id: PropertyID) {
        // The permanent value alone is not a stack.
        stacks.setStack(stack.count > 1 ? stack : nil, of: id)
        if stack.count <= 1 { records.properties[id].flags.remove(.isStacked) }
    }

    /// Makes a stack of those layers, the permanent value first; its temporary values get new numbers.
    func makeStack(_ layers: [StackedValue]) -> ValueStack {
        var stack = ValueStack()
        for var layer in layers {
            stacks.last += 1
            layer.number = stack.count == 0 ? 0 : stacks.last
            if layer.isWeak, let model = layer.value.modelID {
                layer.instance = records.models[model].instance
            }
            stack.append(layer)
        }
        return stack
    }

    func forgetSavedStacks() { if !stacks.isIdle { stacks.saved.removeAll() } }

    /// Drops the temporary values of a released model: the history keeps only its properties' last values.
    func dropStacks(in model: ModelID) {
        forEachStack(in: model) {
            stacks.freeStack($0)
            records.properties[$0].flags.remove(.isStacked)
        }
    }

    @inline(__always) func forEachStack(in model: ModelID, _ body: (PropertyID) -> Void) {
        guard !stacks.byProperty.isEmpty else { return }
        forEachProperty(of: model) { if records.properties[$0].flags.contains(.isStacked) { body($0) } }
    }
}
