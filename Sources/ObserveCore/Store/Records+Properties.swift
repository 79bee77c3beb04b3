// SPDX-License-Identifier: MIT
// Makes, finds and frees the records of models and properties, and keeps each model's list of properties.

extension Records {
    /// Whether the record is neither free, so without an instance, nor of a released model.
    @inline(__always) func isInUse(_ model: ModelID) -> Bool {
        (models[model].instance != 0 || model == root) && !models[model].isReleased
    }

    /// All models in use, the set of roots first.
    var modelsInUse: [ModelID] {
        (0..<models.allocatedCount).map { ModelID(index: $0) }.filter { isInUse($0) }
    }

    /// Frees the property's record if it is absent, and no node, dependent or commit, also of the history, uses it.
    mutating func freeIfUnused(_ id: PropertyID) {
        guard properties[id].slot.isAbsent, properties[id].boundWord < 0, properties[id].touch == 0,
            !properties[id].flags.contains(.read), properties[id].revision <= horizon
        else { return }
        free(id)
    }

    mutating func makeModel() -> ModelID {
        effort.count(8)
        let model = allocateModel()
        lastInstance += 1
        models[model].instance = lastInstance
        return model
    }

    /// The record of the property; may be a placeholder for an absent one.
    @inline(__always) func property(_ model: ModelID, _ name: NameID) -> PropertyID? {
        propertyIndex.find(pairHash(model, name, seed: seed)) {
            properties[$0].model == model && properties[$0].name == name
        }
    }

    @inline(__always) func presentProperty(_ model: ModelID, _ name: ByteView) -> PropertyID? {
        guard let known = names.find(name), let found = property(model, known) else { return nil }
        return properties[found].slot.isAbsent ? nil : found
    }

    /// Makes a placeholder, with a reference to the name. The model has no record of that property.
    mutating func makePlaceholder(_ model: ModelID, _ name: NameID) -> PropertyID {
        let fresh = properties.allocate()
        properties[fresh].model = model
        properties[fresh].name = name
        names.retain(name)
        propertyIndex.insert(pairHash(model, name, seed: seed), fresh)
        return fresh
    }

    mutating func free(_ id: PropertyID) {
        let (model, name) = (properties[id].model, properties[id].name)
        propertyIndex.remove(pairHash(model, name, seed: seed), id)
        names.release(name)
        if case .text(let text) = properties[id].slot { texts.release(text) }
        properties.free(id)
    }

    /// Stores the value in the property's record, without a touch. Copies short text to ``texts``.
    @inline(__always) mutating func setValue(_ value: consuming StoredValue, of id: PropertyID) {
        let text = pooled(value)
        var new = StoredValue.absent
        if text.isNone {
            new = value
        } else {
            new = .text(text)
            recycle(string: value)
        }
        exchange(&new, of: id)
        if case .text(let replaced) = new { texts.release(replaced) }
    }

    /// Inserts the property after `previous` in its model's order.
    mutating func enlist(_ id: PropertyID, after previous: PropertyID) {
        let model = properties[id].model
        let next = previous == .noRecord ? models[model].first : properties[previous].next
        join(previous, id, in: model)
        join(id, next, in: model)
        models[model].count += 1
        countProperty(id)
    }

    /// Adds the property behind the others of its model.
    mutating func enlist(_ id: PropertyID) {
        let model = properties[id].model
        join(models[model].last, id, in: model)
        models[model].last = id
        models[model].count += 1
        countProperty(id)
    }

    mutating func delist(_ id: PropertyID) {
        let model = properties[id].model
        join(properties[id].previous, properties[id].next, in: model)
        properties[id].next = .noRecord
        properties[id].previous = .noRecord
        models[model].count -= 1
        discountProperty(id)
    }

    /// Makes two properties neighbours in the model's order. No record stands before the first and after the last.
    @inline(__always)
    private mutating func join(_ previous: PropertyID, _ next: PropertyID, in model: ModelID) {
        if previous == .noRecord { models[model].first = next } else { properties[previous].next = next }
        if next == .noRecord { models[model].last = previous } else { properties[next].previous = previous }
    }

    /// Frees the text of a value that a property, a touch or the history has owned.
    @inline(__always) mutating func recycle(_ value: consuming StoredValue) {
        if case .text(let text) = value { return texts.release(text) }
        recycle(string: value)
    }
}
