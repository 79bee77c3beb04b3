// SPDX-License-Identifier: MIT
// Counts strong and weak references, and finds cycles of strong ones.

extension ModelTree {
    /// Counts the references in `value` as references from the property.
    func reference(_ value: StoredValue, from id: PropertyID, isWeak: Bool) {
        switch value {
        case .model(let model):
            if isWeak { records.weakReferrers.add(id, to: model) } else { records.addHolder(id, of: model) }
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
    func dereference(_ value: StoredValue, from id: PropertyID, isWeak: Bool) {
        switch value {
        case .model(let model):
            if isWeak { records.weakReferrers.remove(id, from: model) } else { removeHolder(id, of: model) }
        case .array(let array) where !array.isPlain:
            for element in array.elements { dereference(element, from: id, isWeak: isWeak) }
        default: break
        }
    }

    private func removeHolder(_ id: PropertyID, of model: ModelID) {
        records.models[model].strongReferences -= 1
        if records.models[model].holder == id {
            records.models[model].holder = records.models[model].otherHolder
        } else if records.models[model].otherHolder != id {
            let wasCounted = records.furtherHolders.remove(id, from: model)
            precondition(wasCounted, "a strong reference was removed that was never counted")
            return
        }
        if records.models[model].strongReferences < 2 {
            records.models[model].otherHolder = .noRecord
            if records.models[model].strongReferences == 0 { pending.unreferenced.append(model) }
        } else {
            guard let third = records.furtherHolders.removeFirst(of: model) else {
                preconditionFailure("a model has more strong references than holders")
            }
            records.models[model].otherHolder = third
        }
    }

    /// Whether `ancestor` is `model`, or reaches it by strong references. If so, a strong reference from
    /// `model` to `ancestor` would close a cycle.
    ///
    /// The search climbs from `model`: most models have few holders.
    func reaches(_ ancestor: ModelID, _ model: ModelID) -> Bool {
        var model = model
        while model != ancestor {
            let holder = records.models[model].holder
            if holder == .noRecord { return false }
            if records.models[model].strongReferences > 1 {
                return reachesByOneOfMany(ancestor, model)
            }
            model = records.properties[holder].model
        }
        return true
    }

    private func reachesByOneOfMany(_ ancestor: ModelID, _ model: ModelID) -> Bool {
        var pending = [model]
        var seen: Set<ModelID> = [model]
        var isFound = false
        while !isFound, let next = pending.popLast() {
            let ask = { [self] (holder: PropertyID) in
                let above = records.properties[holder].model
                if above == ancestor { isFound = true }
                if seen.insert(above).inserted { pending.append(above) }
            }
            if records.models[next].holder != .noRecord { ask(records.models[next].holder) }
            if records.models[next].otherHolder != .noRecord { ask(records.models[next].otherHolder) }
            records.furtherHolders.forEach(of: next, ask)
        }
        return isFound
    }
}
