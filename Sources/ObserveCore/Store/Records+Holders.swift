// SPDX-License-Identifier: MIT
// Finds the strong holders of a model.

extension Records {
    /// The property with the first strong reference to the model; nil if the property is weak now.
    ///
    /// A weak property holds the model only in a shadowed value, so its path does not lead to the model.
    @inline(__always)
    func firstStrongHolder(of model: ModelID) -> PropertyID? {
        let first = models[model].holder
        return first != .noRecord && !properties[first].isWeak ? first : nil
    }

    /// The other strong holders, lowest number first.
    func furtherStrongHolders(of model: ModelID) -> [PropertyID] {
        guard models[model].strongReferences > 1 else { return [] }
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

    func strongHolders(of model: ModelID) -> [PropertyID] {
        (firstStrongHolder(of: model).map { [$0] } ?? []) + furtherStrongHolders(of: model)
    }

    /// The model that would strongly hold a value assigned there.
    @inline(__always)
    func strongContainer(_ place: Place) -> ModelID? {
        switch place {
        case .property(let id):
            properties[id].flags.contains(.declaredWeak) ? nil : properties[id].model
        case .missingProperty(let model): model
        case .element(let id), .missingElement(let id): properties[id].model
        case .broken: nil
        }
    }
}
