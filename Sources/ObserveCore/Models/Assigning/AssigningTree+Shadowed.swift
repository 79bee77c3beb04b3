// SPDX-License-Identifier: MIT
// Counts the references of shadowed values, and saves, restores and clears whole stacks.

extension AssigningTree {
    /// Removes the property's temporary values, before the assignment of a permanent one.
    func clearTemporaryValues(_ id: PropertyID) {
        save(id)
        guard let stack = temporary.stacks[id], let top = stack.last else { return }
        temporary.unlist(top, of: id)
        for below in stack.dropLast() { forget(below, of: id) }
        store(TemporaryStack(), id)
    }

    /// Rolls back the commit's changes of stacks. ``rollBack()`` restores the properties' own values.
    func restoreStacks() {
        for (id, old) in temporary.saved { restoreStack(old, of: id) }
        temporary.saved.removeAll()
    }

    /// Replaces the property's whole stack, and keeps the property's value.
    func restoreStack(_ stack: TemporaryStack, of id: PropertyID) {
        let current = self.stack(of: id)
        referenceShadowed(stack, of: id)
        for temporaryValue in current.dropLast() { release(temporaryValue, of: id) }
        for temporaryValue in current { temporary.unlist(temporaryValue, of: id) }
        for temporaryValue in stack { list(temporaryValue, of: id) }
        store(stack, id)
        if stack.count > 1 { records.properties[id].flags.insert(.isTemporary) }
    }

    func referenceShadowed(_ stack: TemporaryStack, of id: PropertyID) {
        for temporaryValue in stack.dropLast() where !temporaryValue.isWeak {
            records.reference(temporaryValue.value, from: id, isWeak: false)
        }
    }

    /// Tells the hooks of the shadowed weak references to a model that is about to be released: they become null.
    func willRelease(_ model: ModelID) {
        guard hooks.hasPreUpdateHooks, !temporary.stacks.isEmpty else { return }
        records.effort.count(temporary.stacks.count)
        for (id, stack) in temporary.stacks
        where stack.dropLast().contains(where: { $0.isWeak && $0.value.modelID == model }) {
            willAssign(id)
        }
    }

    /// Removes the shadowed values' references, since the property's model was released.
    func releaseShadowed(_ id: PropertyID) {
        let stack = stack(of: id)
        temporary.byteCount -= stack.byteCount
        for temporaryValue in stack.dropLast() { release(temporaryValue, of: id) }
    }

    /// Counts the shadowed values' references again, since the commit rolls back.
    func restoreShadowed(_ id: PropertyID) {
        let stack = stack(of: id)
        temporary.byteCount += stack.byteCount
        referenceShadowed(stack, of: id)
    }

    /// The property's stack; empty without temporary values.
    func stack(of id: PropertyID) -> TemporaryStack { temporary.stacks[id] ?? TemporaryStack() }

    /// Saves the stack as it was before the commit.
    func save(_ id: PropertyID) {
        guard temporary.saved[id] == nil else { return }
        willAssign(id)
        temporary.saved[id] = stack(of: id)
    }

    func release(_ shadowed: TemporaryValue, of id: PropertyID) {
        if !shadowed.isWeak { records.dereference(shadowed.value, from: id, isWeak: false) }
    }

    func list(_ temporaryValue: TemporaryValue, of id: PropertyID) {
        switch temporaryValue.term {
        case .owner(let owner): temporary.owners[owner, default: [:]][id] = temporaryValue.number
        case .time: temporary.timed[temporaryValue.number] = id
        case nil: break
        }
    }

    func forget(_ shadowed: TemporaryValue, of id: PropertyID) {
        temporary.unlist(shadowed, of: id)
        release(shadowed, of: id)
    }

    func store(_ stack: TemporaryStack, _ id: PropertyID) {
        // The permanent value alone is not a stack.
        temporary.setStack(stack.count > 1 ? stack : nil, of: id)
        if stack.count <= 1 { records.properties[id].flags.remove(.isTemporary) }
    }

    /// Makes a stack of those layers; its temporary values get new numbers.
    func makeStack(_ layers: [TemporaryLayer]) -> TemporaryStack {
        var stack = TemporaryStack()
        for layer in layers {
            temporary.last += 1
            var temporaryValue = TemporaryValue(
                number: stack.count == 0 ? 0 : temporary.last,
                term: layer.expiry,
                origin: layer.origin
            )
            temporaryValue.value = layer.value
            temporaryValue.isWeak = layer.isWeak
            if layer.isWeak, let model = layer.value.modelID {
                temporaryValue.instance = records.models[model].instance
            }
            stack.append(temporaryValue)
        }
        return stack
    }

    /// Forgets the stacks that the open commit saved.
    func forgetSavedStacks() {
        if !temporary.isIdle { temporary.saved.removeAll() }
    }

    /// Drops the temporary values of a released model: the history keeps only its properties' last values.
    func dropStacks(in model: ModelID) {
        forEachTemporary(in: model) {
            temporary.freeShadowed($0)
            records.properties[$0].flags.remove(.isTemporary)
        }
    }

    /// Calls `body` with the model's properties that have temporary values.
    @inline(__always)
    func forEachTemporary(in model: ModelID, _ body: (PropertyID) -> Void) {
        guard !temporary.stacks.isEmpty else { return }
        forEachProperty(of: model) { if records.properties[$0].flags.contains(.isTemporary) { body($0) } }
    }
}
