// SPDX-License-Identifier: MIT
// Makes, finds and frees the records of models and properties, and keeps each model's list of properties.

extension ModelTree {
    func makeModel() -> ModelID {
        records.effort.count(8)
        let model = records.models.allocate()
        records.lastInstance += 1
        records.models[model].instance = records.lastInstance
        records.livingBytes &+= Records.modelBytes
        if hooks.isRecording { pending.created.append(model) }
        return model
    }

    /// The record of the property; may be a placeholder for an absent one.
    @inline(__always)
    func property(_ model: ModelID, _ name: NameID) -> PropertyID? {
        records.propertyIndex.find(pairHash(model, name, seed: records.seed)) {
            records.properties[$0].model == model && records.properties[$0].name == name
        }
    }

    /// The property of that name if the model has it.
    @inline(__always)
    func presentProperty(_ model: ModelID, _ name: ByteView) -> PropertyID? {
        guard let known = records.names.find(name), let found = property(model, known) else { return nil }
        return records.properties[found].slot.isAbsent ? nil : found
    }

    /// The property's record. Makes a placeholder with a reference to the name if there is none.
    func propertyOrPlaceholder(_ model: ModelID, _ name: NameID) -> PropertyID {
        if let known = property(model, name) { return known }
        let fresh = records.properties.allocate()
        records.properties[fresh].model = model
        records.properties[fresh].name = name
        records.names.retain(name)
        if records.models[model].type != .noRecord {
            records.properties[fresh].flags = declaredFlags(of: fresh)
        }
        records.propertyIndex.insert(pairHash(model, name, seed: records.seed), fresh)
        return fresh
    }

    /// Frees the property's record if it is absent, and no node, dependent or commit uses it. Commits in the
    /// history count.
    func freeIfUnused(_ id: PropertyID) {
        guard records.properties[id].slot.isAbsent, records.properties[id].bound == .noRecord,
            records.properties[id].touch == 0,
            !records.properties[id].flags.contains(.read), records.properties[id].revision <= history.horizon
        else { return }
        free(id)
    }

    func free(_ id: PropertyID) {
        let (model, name) = (records.properties[id].model, records.properties[id].name)
        records.propertyIndex.remove(pairHash(model, name, seed: records.seed), id)
        records.names.release(name)
        if case .text(let text) = records.properties[id].slot { records.texts.release(text) }
        records.properties.free(id)
    }

    /// Stores the value in the property's record, without a touch. Copies short text to ``Records/texts``.
    @inline(__always)
    func setValue(_ value: consuming StoredValue, of id: PropertyID) {
        let text = records.pooled(value)
        var new = StoredValue.absent
        if text.isNone {
            new = value
        } else {
            new = .text(text)
            records.recycle(string: value)
        }
        swap(&records.properties[id].slot, &new)
        records.countValue(of: id, insteadOf: &new)
        if case .text(let replaced) = new { records.texts.release(replaced) }
    }

    /// Inserts the property after `previous` in its model's order.
    func enlist(_ id: PropertyID, after previous: PropertyID) {
        let model = records.properties[id].model
        let next = previous == .noRecord ? records.models[model].first : records.properties[previous].next
        records.properties[id].previous = previous
        records.properties[id].next = next
        if previous == .noRecord {
            records.models[model].first = id
        } else {
            records.properties[previous].next = id
        }
        if next == .noRecord {
            records.models[model].last = id
        } else {
            records.properties[next].previous = id
        }
        records.models[model].count += 1
        records.countProperty(id)
    }

    func delist(_ id: PropertyID) {
        let (model, next, previous) = (
            records.properties[id].model, records.properties[id].next, records.properties[id].previous
        )
        if previous == .noRecord {
            records.models[model].first = next
        } else {
            records.properties[previous].next = next
        }
        if next == .noRecord {
            records.models[model].last = previous
        } else {
            records.properties[next].previous = previous
        }
        records.properties[id].next = .noRecord
        records.properties[id].previous = .noRecord
        records.models[model].count -= 1
        records.discountProperty(id)
    }

    /// Frees the text of a value that a property, a touch or the history has owned.
    @inline(__always)
    func recycle(_ value: consuming StoredValue) {
        if case .text(let text) = value { return records.texts.release(text) }
        records.recycle(string: value)
    }
}
