// SPDX-License-Identifier: MIT
// Maps Swift models and values to those of the tree, and drops Swift models that the tree released.

extension HostedModels {
    /// The Swift model's number in the tree. Adds the Swift model to the tree if necessary.
    func number(of object: any ObservableModel) -> ModelID {
        if let known = numbers[ObjectIdentifier(object)] { return known }
        let model = tree.makeLooseModel()
        tree.records.models[model].type = declare(type(of: object)).type
        enter(object, as: model)
        return model
    }

    /// Assigns the values of their Swift models to all new models in the tree. Call it after assigning a
    /// reference to them: the search for cycles climbs from them.
    func fillAll() {
        forEachUnfilled { slot, property, value in
            let id = tree.propertyOrPlaceholder(slot.model, property.name)
            tree.fill(id, stored(value, slot, property.shape, isWeak: property.isWeak))
        }
    }

    /// Calls `body` with each property of the models that lacked the values of the other side, and with its Swift value.
    func forEachUnfilled(_ body: (Slot, HostedProperty, _ value: Any) -> Void) {
        while let model = unfilled.popLast() {
            unfilledSet.remove(model)
            guard let object = objects[model], let hosted = hostedClass(of: model) else { continue }
            for (index, property) in hosted.properties.enumerated() {
                guard let property else { continue }
                let value = hosted.table.value(ofProperty: index, of: object)
                body(Slot(model: model, index: index), property, value)
            }
        }
    }

    /// Drops the Swift models whose models the tree released.
    func releaseDead() {
        var gone: [any ObservableModel] = []
        for index in tree.pending.releasedModels.indices {
            let model = tree.pending.releasedModels[index]
            guard let object = objects.removeValue(forKey: model) else { continue }
            numbers[ObjectIdentifier(object)] = nil
            object.endHosting(by: self)
            gone.append(object)
            hasNewReferences = true
        }
        // Released only here, since their deinitializers may assign other models.
        gone.removeAll()
    }

    func stored(_ value: Any, _ slot: Slot, _ shape: HostedShape, isWeak: Bool) -> StoredValue {
        switch shape {
        case .scalar: return (value as? any ModelValue).map { StoredValue(scalar: $0.modelValue) } ?? .null
        case .optional(let type, let wrapped):
            return type.unwrap(value).map { stored($0, slot, wrapped, isWeak: isWeak) } ?? .null
        case .array(let type, let element):
            let elements = type.elements(value).map { stored($0, slot, element, isWeak: isWeak) }
            return .array(StoredArray(ContiguousArray(elements)))
        case .model:
            guard let object = value as? any ObservableModel else { return .null }
            return isWeak ? weakReference(to: object, from: slot) : reference(to: object, from: slot)
        }
    }

    func reference(to object: any ObservableModel, from slot: Slot) -> StoredValue {
        hasNewReferences = true
        let model = number(of: object)
        // A model without properties has no references.
        if !unfilledSet.contains(model), tree.reaches(model, slot.model, isBounded: false) != false {
            hidden.insert(slot)
            return .null
        }
        return .model(model)
    }

    func weakReference(to object: any ObservableModel, from slot: Slot) -> StoredValue {
        if let model = numbers[ObjectIdentifier(object)], tree.records.models[model].strongReferences > 0 {
            return .model(model)
        }
        hidden.insert(slot)
        return .null
    }
}
