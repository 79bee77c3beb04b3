// SPDX-License-Identifier: MIT
// Counts strong and weak references, and finds cycles of strong ones.

extension Records {
    /// Counts the references in `value` as references from the property.
    mutating func reference(_ value: StoredValue, from id: PropertyID, isWeak: Bool) {
        switch value {
        case .model(let model):
            if isWeak { weakReferrers.add(id, to: model) } else { addHolder(id, of: model) }
        case .array(let array) where !array.isPlain:
            // Only computed properties have weak elements.
            for (index, element) in array.elements.enumerated() {
                reference(element, from: id, isWeak: isWeak)
                if case .model(let model) = element, !isWeak { expect(model, at: index) }
            }
        default: break
        }
    }

    /// Removes the references in `value` from those that the property has.
    mutating func dereference(_ value: StoredValue, from id: PropertyID, isWeak: Bool) {
        switch value {
        case .model(let model):
            if isWeak { weakReferrers.remove(id, from: model) } else { removeHolder(id, of: model) }
        case .array(let array) where !array.isPlain:
            for element in array.elements { dereference(element, from: id, isWeak: isWeak) }
        default: break
        }
    }

    mutating func addHolder(_ id: PropertyID, of model: ModelID) {
        switch models[model].strongReferences {
        case 0: models[model].holder = id
        case 1: models[model].otherHolder = id
        default: furtherHolders.add(id, to: model)
        }
        models[model].strongReferences += 1
    }

    private mutating func removeHolder(_ id: PropertyID, of model: ModelID) {
        models[model].strongReferences -= 1
        if models[model].holder == id {
            models[model].holder = models[model].otherHolder
        } else if models[model].otherHolder != id {
            let wasCounted = furtherHolders.remove(id, from: model)
            precondition(wasCounted, "a strong reference was removed that was never counted")
            return
        }
        if models[model].strongReferences < 2 {
            models[model].otherHolder = .noRecord
            if models[model].strongReferences == 0 { unreferenced.append(model) }
        } else {
            guard let third = furtherHolders.removeFirst(of: model) else {
                preconditionFailure("a model has more strong references than holders")
            }
            models[model].otherHolder = third
        }
    }

    /// Whether `ancestor` is `model`, or reaches it by strong references. If so, a strong reference from
    /// `model` to `ancestor` would close a cycle.
    ///
    /// The search climbs from `model`: most models have few holders.
    func reaches(_ ancestor: ModelID, _ model: ModelID) -> Bool {
        var model = model
        while model != ancestor {
            let holder = models[model].holder
            if holder == .noRecord { return false }
            if models[model].strongReferences > 1 {
                return reachesByOneOfMany(ancestor, model)
            }
            model = properties[holder].model
        }
        return true
    }

    private func reachesByOneOfMany(_ ancestor: ModelID, _ model: ModelID) -> Bool {
        var pending = [model]
        var seen: Set<ModelID> = [model]
        var isFound = false
        while !isFound, let next = pending.popLast() {
            func ask(_ holder: PropertyID) {
                let above = properties[holder].model
                if above == ancestor { isFound = true }
                if seen.insert(above).inserted { pending.append(above) }
            }
            if models[next].holder != .noRecord { ask(models[next].holder) }
            if models[next].otherHolder != .noRecord { ask(models[next].otherHolder) }
            furtherHolders.forEach(of: next, ask)
        }
        return isFound
    }
}
