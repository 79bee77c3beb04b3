// SPDX-License-Identifier: MIT
// Follows the key paths of dependents through the tree, and records the properties on them as inputs.

extension DerivingTree {
    /// Follows the path from the place through the current values. Every property on it is an input of the cursor's dependent.
    func trace(_ path: ReadPath, from start: TracedPlace, _ cursor: inout EdgeCursor) -> TracedPlace {
        if path.isSelected { return traceSelected(path, from: start, &cursor) }
        var place = start
        for index in path.names.indices where !step(path.names[index], path.indices[index], &place, &cursor) {
            return TracedPlace(broken: index - 1)
        }
        return path.call == nil ? place : evaluate(path, at: place, &cursor)
    }

    /// The same with conditions and choices. Apart, so that a path without any stays in registers.
    private func traceSelected(_ path: ReadPath, from start: TracedPlace, _ cursor: inout EdgeCursor)
        -> TracedPlace
    {
        var place = start
        for index in path.names.indices {
            let isStep =
                if let selection = path.selections[index] {
                    select(selection, &place, &cursor)
                } else {
                    step(path.names[index], path.indices[index], &place, &cursor)
                }
            if !isStep { return TracedPlace(isExcessive: place.isExcessive, broken: index - 1) }
        }
        return path.call == nil ? place : evaluate(path, at: place, &cursor)
    }

    private func evaluate(_ path: ReadPath, at place: TracedPlace, _ cursor: inout EdgeCursor) -> TracedPlace
    {
        guard let call = path.call else { return place }
        guard place.value.isContainer else { return TracedPlace(value: .null, broken: path.names.count - 1) }
        let age = cursor.age
        defer { cursor.age = age }
        if traceElements(of: place, call, &cursor), let value = records.evaluate(call, over: place.value) {
            return TracedPlace(value: value)
        }
        return TracedPlace(isExcessive: true)
    }

    /// Follows one name. Returns false if the place has no container.
    @inline(__always)
    func step(_ name: NameID, _ index: Int, _ place: inout TracedPlace, _ cursor: inout EdgeCursor) -> Bool {
        switch place.value {
        case .model(let model):
            if !place.indices.isEmpty { place.indices = [] }
            if cursor.isRecording {
                place.holder = formerInput(cursor, model, name) ?? propertyOrPlaceholder(model, name)
            } else if let known = records.property(model, name) {
                place.holder = known
            } else {
                (place.holder, place.value) = (.noRecord, .absent)
                return true
            }
            place.value = read(place.holder, &cursor)
        case .array(let array):
            place.indices.append(index)
            place.value = array.element(index)
        default: return false
        }
        return true
    }

    /// The property that the dependent last read here, if it is this one: found without a search.
    @inline(__always)
    private func formerInput(_ cursor: EdgeCursor, _ model: ModelID, _ name: NameID) -> PropertyID? {
        guard cursor.next != .noRecord else { return nil }
        let id = dependents.edges[cursor.next].property
        return records.properties[id].model == model && records.properties[id].name == name ? id : nil
    }

    /// Records the property as an input, and returns its value; null if the property's own update waits for the dependent.
    func read(_ id: PropertyID, _ cursor: inout EdgeCursor) -> StoredValue {
        if records.properties[id].flags.contains(.computed) {
            if !cursor.isRecording {
                if dependents.isStale { refresh(id) }
            } else if dependents.isBeingComputed(id, for: &cursor, in: records) {
                return .null
            }
        }
        if cursor.isRecording { dependents.depend(on: id, &cursor, in: &records) }
        if cursor.tracksAge {
            if !records.properties[id].slot.isAbsent { cursor.age = max(cursor.age, revision(of: id)) }
            if cursor.isListing { dependents.reads.append(id) }
        }
        // Not `value`, which would copy the record.
        return records.properties[id].slot.kept
    }

    /// Records the model's set of properties as an input.
    func readMembers(of model: ModelID, _ cursor: inout EdgeCursor) {
        if cursor.isListing, let members = dependents.members(of: model, in: records) {
            dependents.reads.append(members)
        }
        guard cursor.isRecording else { return }
        let members = records.names.intern(dependents.membersName.view)
        dependents.depend(on: propertyOrPlaceholder(model, members), &cursor, in: &records)
        records.names.release(members)
        records.models[model].isMembersRead = true
    }

    /// Records what an operator reads in each element as inputs. Returns false if the elements are too many: then only the set of
    /// them is an input.
    private func traceElements(of place: TracedPlace, _ call: OperatorCall, _ cursor: inout EdgeCursor)
        -> Bool
    {
        let keyPath = call.keyPath
        switch place.value {
        case .array(let array):
            if keyPath.isEmpty || array.isPlain { return true }
            guard records.mayLook(at: place.value, for: call),
                dependents.mayFollow(array.elements.count &* keyPath.count, &cursor, in: records)
            else { return false }
            for element in array.elements { traceElement(element, keyPath, &cursor) }
        case .model(let model):
            readMembers(of: model, &cursor)
            let inputs = records.elementCount(of: place.value) &* (1 &+ keyPath.count)
            guard records.mayLook(at: place.value, for: call),
                dependents.mayFollow(inputs, &cursor, in: records)
            else { return false }
            forEachProperty(of: model) {
                if !records.properties[$0].isWeak { traceElement(read($0, &cursor), keyPath, &cursor) }
            }
        default: break
        }
        return true
    }

    private func traceElement(_ element: StoredValue, _ keyPath: [NameID], _ cursor: inout EdgeCursor) {
        var place = TracedPlace(value: element)
        for name in keyPath {
            var index = -1
            if case .array = place.value { index = records.names.text(name).arrayIndex ?? -1 }
            if !step(name, index, &place, &cursor) { return }
        }
    }
}
