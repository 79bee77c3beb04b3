// SPDX-License-Identifier: MIT
// Follows the key paths of dependents through the tree, and records the properties on them as inputs.

extension ModelTree {
    /// Follows the path from the model through the current values. Records every property on it as an input
    /// of the dependent.
    func trace(_ path: ReadPath, from model: ModelID, _ cursor: inout EdgeCursor) -> TracedPlace {
        var place = TracedPlace()
        place.value = .model(model)
        for index in path.names.indices {
            switch place.value {
            case .model(let model):
                place.holder = propertyOrPlaceholder(model, path.names[index])
                if !place.indices.isEmpty { place.indices = [] }
                place.value = read(place.holder, &cursor)
            case .array(let array):
                place.indices.append(path.indices[index])
                place.value = array.element(path.indices[index])
            default: return TracedPlace()
            }
        }
        guard let call = path.call else { return place }
        if traceElements(of: place, call, &cursor), let value = evaluate(call, over: place.value) {
            return TracedPlace(value: value)
        }
        return TracedPlace(isExcessive: true)
    }

    /// Records the property as an input of the dependent, and returns its value; null if the property's own
    /// update waits for the dependent.
    func read(_ id: PropertyID, _ cursor: inout EdgeCursor) -> StoredValue {
        if records.properties[id].flags.contains(.computed), isBeingComputed(id, for: &cursor) {
            return .null
        }
        depend(on: id, &cursor)
        return records.properties[id].value
    }

    /// Records the properties that an operator reads in each element as inputs of the dependent.
    ///
    /// - Returns: false if the elements are too many. Then only the set of them is an input.
    private func traceElements(of place: TracedPlace, _ call: OperatorCall, _ cursor: inout EdgeCursor)
        -> Bool
    {
        let keyPath = call.keyPath
        switch place.value {
        case .array(let array):
            if keyPath.isEmpty || array.isPlain { return true }
            guard mayLook(at: place.value, for: call) else { return false }
            for element in array.elements { traceElement(element, keyPath, &cursor) }
        case .model(let model):
            let members = records.names.intern(membersName.view)
            depend(on: propertyOrPlaceholder(model, members), &cursor)
            records.names.release(members)
            records.models[model].isMembersRead = true
            guard mayLook(at: place.value, for: call) else { return false }
            var id = records.models[model].first
            while id != .noRecord {
                if !records.properties[id].isWeak { traceElement(read(id, &cursor), keyPath, &cursor) }
                id = records.properties[id].next
            }
        default: break
        }
        return true
    }

    private func traceElement(_ element: StoredValue, _ keyPath: [NameID], _ cursor: inout EdgeCursor) {
        var value = element
        for name in keyPath {
            switch value {
            case .model(let model): value = read(propertyOrPlaceholder(model, name), &cursor)
            case .array(let array): value = array.element(records.names.text(name).arrayIndex ?? -1)
            default: return
            }
        }
    }
}
