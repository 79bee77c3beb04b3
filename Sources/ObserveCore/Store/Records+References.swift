// SPDX-License-Identifier: MIT
// Counts references to models, and finds their holders and their places in arrays.

extension Records {
    /// Counts the references in `value` as references from the property.
    mutating func reference(_ value: StoredValue, from id: PropertyID, isWeak: Bool) {
        switch value {
        case .model(let model):
            if !isWeak {
                addHolder(id, of: model)
            } else {
                weakReferrers.add(id, to: model, isCounted: !isSelection(id))
            }
        case .array(let array) where !array.isPlain:
            // Only computed properties have weak elements.
            for (index, element) in array.elements.enumerated() {
                reference(element, from: id, isWeak: isWeak)
                if case .model(let model) = element, !isWeak { expect(model, at: index) }
            }
        default: break
        }
    }

    mutating func dereference(_ value: StoredValue, from id: PropertyID, isWeak: Bool) {
        switch value {
        case .model(let model):
            if !isWeak {
                removeHolder(id, of: model)
            } else {
                weakReferrers.remove(id, from: model, isCounted: !isSelection(id))
            }
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
            guard let third = furtherHolders.removeFirst(of: model)
            else { preconditionFailure("a model has more strong references than holders") }
            models[model].otherHolder = third
        }
    }

    // MARK: Holders

    /// The first strong holder; nil if it is weak now: a shadowed value holds the model, to which its path does not lead.
    @inline(__always) func firstStrongHolder(of model: ModelID) -> PropertyID? {
        let first = models[model].holder
        return first != .noRecord && !properties[first].isWeak ? first : nil
    }

    /// The other strong holders, lowest number first.
    mutating func furtherStrongHolders(of model: ModelID) -> [PropertyID] {
        guard models[model].strongReferences > 1 else { return [] }
        effort.count(4 &* Int(models[model].strongReferences))
        let (first, other) = (models[model].holder, models[model].otherHolder)
        var others = [other]
        furtherHolders.forEach(of: model) { if $0 != other { others.append($0) } }
        others.sort()
        return others.filter { $0 != first && !properties[$0].isWeak }
    }

    /// How often the property's value, and the values that it shadows, refer to the model strongly.
    func strongReferences(to model: ModelID, from id: PropertyID) -> Int {
        let record = models[model]
        var times = record.holder == id ? 1 : 0
        if record.strongReferences > 1, record.otherHolder == id { times += 1 }
        if record.strongReferences > 2 { times += furtherHolders.times(id, model) }
        return times
    }

    /// Calls `body` with each property that refers to the model strongly, also with those that do so only in a shadowed value.
    func forEachStrongReferrer(of model: ModelID, _ body: (PropertyID) -> Void) {
        let record = models[model]
        if record.holder != .noRecord { body(record.holder) }
        if record.otherHolder != .noRecord { body(record.otherHolder) }
        if record.strongReferences > 2 { furtherHolders.forEach(of: model, body) }
    }

    /// The model that would strongly hold a value assigned there.
    @inline(__always) func strongContainer(_ place: Place) -> ModelID? {
        switch place {
        case .property(let id): properties[id].flags.contains(.declaredWeak) ? nil : properties[id].model
        case .missingProperty(let model): model
        case .element(let id), .missingElement(let id): properties[id].model
        case .broken: nil
        }
    }

    // MARK: Places in arrays

    /// Searches for the model from its last known index in both directions.
    mutating func index(of model: ModelID, in array: StoredArray) -> Int? {
        let elements = array.elements
        let count = elements.count
        var after = min(Int(models[model].index), count)
        var before = after - 1
        while before >= 0 || after < count {
            if after < count {
                if case .model(model) = elements[after] {
                    expect(model, at: after)
                    return after
                }
                after += 1
            }
            if before >= 0 {
                if case .model(model) = elements[before] {
                    expect(model, at: before)
                    return before
                }
                before -= 1
            }
        }
        return nil
    }

    mutating func expect(_ model: ModelID, at index: Int) {
        models[model].index = Int32(truncatingIfNeeded: index)
    }
}

extension StoredArray {
    /// Calls `body` with the models in the array, and with the indices that lead there. Recursion is as deep as arrays nest.
    func forEachModel(_ indices: inout [Int], _ body: (ModelID, _ indices: [Int]) -> Void) {
        if isPlain { return }
        let elements = elements
        indices.append(0)
        for index in elements.indices {
            switch elements[index] {
            case .model(let model):
                indices[indices.count - 1] = index
                body(model, indices)
            case .array(let inner):
                indices[indices.count - 1] = index
                inner.forEachModel(&indices, body)
            default: break
            }
        }
        indices.removeLast()
    }
}
