// SPDX-License-Identifier: MIT
// Makes the tree and the Swift models agree at the end of a commit. Independent of the commit's author.

extension HostedModels {
    /// The most rounds of one exchange: a binding in the tree and one in Swift may never agree.
    private static let maxRounds = 100

    /// Assigns the tree's changes to the Swift models, and theirs to the tree, until both agree: as a part of the open commit,
    /// and as one commit of the Swift models. Observers on both sides get their notifications later.
    func exchange() {
        if isExchanging { return }
        isExchanging = true
        defer { isExchanging = false }
        // What Swift makes of a client's writes is their consequence: the client did not assign it.
        let isConsequence = !tree.pending.touches.isEmpty && tree.pending.cause == .writer
        var rounds = Self.maxRounds
        // An observer's expression that is evaluated at the end of the transaction may assign, too.
        repeat {
            transaction { exchange(isConsequence, &rounds) }
        } while !assigned.isEmpty && rounds > 0
        assigned.removeAll()
    }

    private func exchange(_ isConsequence: Bool, _ rounds: inout Int) {
        releaseDead()
        while rounds > 0 {
            rounds -= 1
            let hasAssignedToSwift = assignToSwift()
            continueHost()
            if isConsequence { tree.pending.cause = .consequence }
            let hasAssignedToTree = assignToTree()
            if isConsequence { tree.pending.cause = .writer }
            let mayRetryHidden = hasNewReferences && !hidden.isEmpty
            if mayRetryHidden { retryHidden() }
            hasNewReferences = false
            tree.releaseUnreferenced()
            // For the writes of clients, the commit has done so.
            if hasAssignedToTree || mayRetryHidden, tree.pending.hasChanged, tree.dependents.needsRetry {
                tree.retryDependents()
            }
            if tree.dependents.staleCount > 0 || !tree.dependents.refreshed.isEmpty {
                tree.updateDependents()
            }
            releaseDead()
            if !hasAssignedToSwift, !hasAssignedToTree, assigned.isEmpty { break }
        }
        endHost()
    }

    // MARK: To Swift

    /// Assigns values that differ to the Swift models. Returns whether any did.
    private func assignToSwift() -> Bool {
        var different: [(slot: Slot, property: HostedProperty, value: StoredValue)] = []
        for index in tree.pending.touches.indices {
            let touch = tree.pending.touches[index]
            let record = tree.records.properties[touch.property]
            if touch.old.isContainer || record.value.isContainer { hasNewReferences = true }
            guard let object = objects[record.model], let hosted = hostedClass(of: record.model),
                let place = hosted.places[record.name], let property = hosted.properties[place]
            else { continue }
            let slot = Slot(model: record.model, index: place)
            if isSame(record.value, hosted.table.value(ofProperty: place, of: object), slot, property.shape) {
                continue
            }
            if property.isWeak, record.value.isNull, touch.cause == .consequence {
                // The tree released the target with its last reference; Swift has others.
                hidden.insert(slot)
            } else {
                different.append((slot, property, record.value))
            }
        }
        if different.isEmpty { return false }
        for (slot, property, value) in different { assign(value, to: slot, property) }
        assignToNewSwiftModels()
        return true
    }

    private func assign(_ value: StoredValue, to slot: Slot, _ property: HostedProperty) {
        guard let object = objects[slot.model], let hosted = hostedClass(of: slot.model) else { return }
        let current = hosted.table.value(ofProperty: slot.index, of: object)
        guard let new = swiftValue(value, property.shape) else { return assigned.append(slot) }
        hidden.remove(slot)
        assigning = slot
        defer { assigning = nil }
        guard hosted.table.setValue(new, ofProperty: slot.index, of: object)
        else { return assigned.append(slot) }
        withExtendedLifetime(current) {}
        // The property may have changed the value, for example to the nearest one that it allows.
        if !isSame(value, hosted.table.value(ofProperty: slot.index, of: object), slot, property.shape) {
            assigned.append(slot)
        }
    }

    /// Assigns the tree's values to new Swift models, and to the Swift models that they already refer to.
    private func assignToNewSwiftModels() {
        forEachUnfilled { slot, property, current in
            guard let id = tree.records.property(slot.model, property.name) else { return }
            let value = tree.records.properties[id].value
            adopt(current, for: value, property.shape)
            if !isSame(value, current, slot, property.shape) { assign(value, to: slot, property) }
        }
    }

    /// Maps the models that a new Swift model already refers to, to the tree's models at the same places.
    private func adopt(_ current: Any, for value: StoredValue, _ shape: HostedShape) {
        switch (shape, value) {
        case (.optional(let type, let wrapped), _):
            if let current = type.unwrap(current) { adopt(current, for: value, wrapped) }
        case (.array(let type, let element), .array(let array)):
            let elements = type.elements(current)
            guard elements.count == array.elements.count else { return }
            for (current, value) in zip(elements, array.elements) { adopt(current, for: value, element) }
        case (.model, .model(let model)):
            guard let object = current as? any ObservableModel, objects[model] == nil,
                numbers[ObjectIdentifier(object)] == nil,
                classes[ObjectIdentifier(type(of: object))]?.type == tree.records.models[model].type
            else { return }
            enter(object, as: model)
        default: break
        }
    }

    /// The stored value as a value of the Swift type; nil if the type has no such value.
    private func swiftValue(_ value: StoredValue, _ shape: HostedShape) -> Any? {
        switch shape {
        case .scalar(let type): return value.scalar.flatMap { type.init(modelValue: $0) }
        case .optional(let type, let wrapped):
            if value.isNull { return type.wrap(nil) }
            return swiftValue(value, wrapped).flatMap { type.wrap($0) }
        case .array(let type, let element):
            guard case .array(let array) = value else { return nil }
            var elements: [Any] = []
            for value in array.elements {
                guard let value = swiftValue(value, element) else { return nil }
                elements.append(value)
            }
            return type.make(elements)
        case .model: return value.modelID.flatMap { object(for: $0) }
        }
    }

    /// The Swift model of the tree's model, made if necessary; nil if its class is not creatable.
    private func object(for model: ModelID) -> (any ObservableModel)? {
        if let known = objects[model] { return known }
        guard let made = hostedClass(of: model)?.make?() else { return nil }
        enter(made, as: model)
        return made
    }

    // MARK: From Swift

    /// Assigns the Swift models' changes to the tree. Returns whether there were any.
    private func assignToTree() -> Bool {
        var hasAssignedToTree = false
        var index = 0
        while index < assigned.count {
            let slot = assigned[index]
            index += 1
            hidden.remove(slot)
            guard let (new, property) = swiftValue(in: slot) else { continue }
            put(new, in: tree.propertyOrPlaceholder(slot.model, property.name))
            fillAll()
            if property.shape.modelType != nil { hasNewReferences = true }
            hasAssignedToTree = true
        }
        assigned.removeAll(keepingCapacity: true)
        return hasAssignedToTree
    }

    /// The Swift property's value as the tree stores it; nil without such a property.
    private func swiftValue(in slot: Slot) -> (StoredValue, HostedProperty)? {
        guard let object = objects[slot.model], let hosted = hostedClass(of: slot.model),
            let property = hosted.properties[slot.index]
        else { return nil }
        let value = hosted.table.value(ofProperty: slot.index, of: object)
        return (stored(value, slot, property.shape, isWeak: property.isWeak), property)
    }

    private func put(_ new: StoredValue, in id: PropertyID) {
        let old = tree.records.properties[id].value
        if old.equals(new), !old.isAbsent { return tree.assignEqual(id) }
        if case (.array(let before), .array(let after)) = (old, new),
            let edit = ArrayEdit(from: before, to: after)
        {
            let element = edit.kind == .removal ? .absent : after.elements[edit.index]
            return tree.edit(id, edit, new: element)
        }
        tree.assign(id, new)
    }

    /// Tries again to assign the references that the tree could not have before: each that it has now may make others possible.
    private func retryHidden() {
        var hasSucceeded = true
        while hasSucceeded {
            hasSucceeded = false
            // Of two that exclude each other, the same one is assigned in each run.
            let slots = hidden.sorted { ($0.model, $0.index) < ($1.model, $1.index) }
            for slot in slots where retryHidden(slot) { hasSucceeded = true }
        }
    }

    /// Returns whether the reference is no longer hidden.
    private func retryHidden(_ slot: Slot) -> Bool {
        hidden.remove(slot)
        guard let (new, property) = swiftValue(in: slot) else { return true }
        let id = tree.propertyOrPlaceholder(slot.model, property.name)
        if !tree.records.properties[id].slot.equals(new) { tree.assign(id, new) }
        fillAll()
        return !hidden.contains(slot)
    }

    // MARK: Comparing

    /// Whether the stored value equals the Swift model's value. A hidden reference equals null.
    func isSame(_ stored: StoredValue, _ value: Any, _ slot: Slot, _ shape: HostedShape) -> Bool {
        switch shape {
        case .scalar:
            guard let scalar = (value as? any ModelValue)?.modelValue else { return false }
            return StoredValue(scalar: scalar).equals(stored)
        case .optional(let type, let wrapped):
            guard let inner = type.unwrap(value) else { return stored.isNull }
            return isSame(stored, inner, slot, wrapped)
        case .array(let type, let element):
            guard case .array(let array) = stored else { return false }
            let elements = type.elements(value)
            return elements.count == array.elements.count
                && zip(array.elements, elements).allSatisfy { isSame($0, $1, slot, element) }
        case .model:
            guard let object = value as? any ObservableModel else { return stored.isNull }
            if let model = stored.modelID { return objects[model] === object }
            return stored.isNull && hidden.contains(slot)
        }
    }
}

extension ArrayEdit {
    /// The insertion, removal or replacement of one element that makes `new` of `old`; nil if more differs.
    fileprivate convenience init?(from old: StoredArray, to new: StoredArray) {
        let (before, after) = (old.elements, new.elements)
        guard abs(before.count - after.count) <= 1 else { return nil }
        var index = 0
        while index < min(before.count, after.count), before[index].equals(after[index]) { index += 1 }
        let kind: ChangeKind =
            before.count == after.count ? .replacement : before.count < after.count ? .insertion : .removal
        let restBefore = before.dropFirst(kind == .insertion ? index : index + 1)
        let restAfter = after.dropFirst(kind == .removal ? index : index + 1)
        guard zip(restBefore, restAfter).allSatisfy({ $0.equals($1) }) else { return nil }
        self.init(kind: kind, path: [], index: index, old: kind == .insertion ? .absent : before[index])
    }
}
