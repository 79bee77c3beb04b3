// SPDX-License-Identifier: MIT
// Walks from a key path to its place. Changes nothing.

extension DerivingTree {
    /// Follows `path`, which is literal, as far as it leads.
    func walk(_ path: ParsedKeyPath) -> Place {
        var model = records.root
        var component = 0
        walk.properties.removeAll()
        walk.lackingModel = .noRecord
        let last = path.count - 1
        while true {
            guard let found = records.presentProperty(model, path.name(component)) else {
                walk.lackingModel = model
                return component == last
                    ? .missingProperty(model) : .broken(component: component, isScalar: false)
            }
            walk.properties.append(found)
            if dependents.isStale, records.properties[found].flags.contains(.computed) { refresh(found) }
            if component == last { return .property(found) }
            var value = records.properties[found].slot
            if case .array = value { walk.indices.removeAll(keepingCapacity: true) }
            // The components that are indices, into nested arrays too.
            while case .array(let array) = value {
                component += 1
                guard let index = path.name(component).arrayIndex, index < array.elements.count else {
                    return component == last
                        ? .missingElement(found) : .broken(component: component, isScalar: false)
                }
                walk.indices.append(index)
                if component == last { return .element(found) }
                value = array.elements[index]
            }
            guard case .model(let next) = value
            else { return .broken(component: component, isScalar: !value.isNull) }
            model = next
            component += 1
        }
    }

    /// The value of a place; text is borrowed.
    func value(at place: Place) -> StoredValue {
        switch place {
        case .property(let id): records.properties[id].slot
        case .element(let holder): element(of: records.properties[holder].slot, walk.indices)
        case .missingProperty, .missingElement, .broken: .absent
        }
    }

    /// Follows indices through nested arrays.
    func element(of value: StoredValue, _ indices: [Int]) -> StoredValue {
        var value = value
        for index in indices {
            guard case .array(let array) = value else { return .absent }
            value = array.element(index)
        }
        return value
    }
}
