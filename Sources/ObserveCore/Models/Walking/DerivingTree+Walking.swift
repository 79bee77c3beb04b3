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
            switch records.properties[found].slot {
            case .model(let next):
                model = next
                component += 1
            case .array(let array):
                switch walk(path, from: component + 1, into: array, heldBy: found) {
                case .place(let place): return place
                case .model(let next, let reached):
                    model = next
                    component = reached
                }
            case let value: return .broken(component: component, isScalar: !value.isNull)
            }
        }
    }

    private enum ArrayStep {
        case place(Place)
        case model(ModelID, component: Int)
    }

    /// Follows the components that are array indices, into nested arrays too.
    private func walk(
        _ path: ParsedKeyPath,
        from first: Int,
        into array: StoredArray,
        heldBy holder: PropertyID
    ) -> ArrayStep {
        walk.indices.removeAll(keepingCapacity: true)
        var array = array
        var component = first
        let last = path.count - 1
        while true {
            guard let index = path.name(component).arrayIndex, index < array.elements.count else {
                return .place(
                    component == last
                        ? .missingElement(holder) : .broken(component: component, isScalar: false)
                )
            }
            walk.indices.append(index)
            if component == last { return .place(.element(holder)) }
            switch array.elements[index] {
            case .model(let model): return .model(model, component: component + 1)
            case .array(let inner): array = inner
            case let value: return .place(.broken(component: component, isScalar: !value.isNull))
            }
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
