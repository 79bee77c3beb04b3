// SPDX-License-Identifier: MIT
// What declared types say of a path through present values, and of the place that it leads to.

extension DerivingTree {
    /// Throws if the roots' declarations, or the types of models on a path that is not a pattern, rule out a property on it.
    @inline(__always) func refuseUnknown(_ path: ParsedKeyPath) throws(TreeError) {
        if path.firstCondition != nil, typing.declarations != nil {
            let present = types(along: path)
            try typing.refuseUnknown(inConditionsOf: path, from: .any, present, in: records)
        }
        guard records.models[records.root].type != .noRecord, path.isOnePath else { return }
        try refuseUnknown(along: path)
    }

    /// Follows the declarations, and where these end, the values up to the next model of a type.
    private func refuseUnknown(along path: ParsedKeyPath) throws(TreeError) {
        var value = StoredValue.model(records.root)
        var known = 0
        for component in 0..<path.count {
            if component >= known, let model = value.modelID, records.models[model].type != .noRecord {
                var declared = Declared(type: .model(records.models[model].type))
                known = try typing.follow(path, from: component, &declared, in: records)
            }
            if known == path.count || path.kind(component) != .name { return }
            value = child(path.name(component), of: value)
            if value.isAbsent { return }
        }
    }

    /// The types of the values on the path now, before each component and after the last one.
    private func types(along path: ParsedKeyPath) -> [TypeID] {
        var value = StoredValue.model(records.root)
        var types = [records.models[records.root].type]
        for component in 0..<path.count {
            value = path.kind(component) == .name ? child(path.name(component), of: value) : .absent
            types.append(value.modelID.map { records.models[$0].type } ?? .noRecord)
        }
        return types
    }

    private func child(_ name: ByteView, of value: StoredValue) -> StoredValue {
        switch value {
        case .model(let model):
            guard let found = records.presentProperty(model, name) else { return .absent }
            refresh(found)
            return records.properties[found].slot
        case .array(let array): return array.element(name.arrayIndex ?? -1)
        default: return .absent
        }
    }

    /// The type that the place declares for a value, `Any` if none; nil if it takes no value.
    func type(ofLoadTo path: ParsedKeyPath) -> ValueType? {
        guard let place = try? writable(path, at: walk(path)) ?? .anything else { return nil }
        return place.isWeak ? nil : place.type
    }

    /// See ``Typing/writable(_:at:_:in:)``. Call after ``walk(_:)``.
    func writable(_ path: ParsedKeyPath, at place: Place) throws(TreeError) -> Declared? {
        try typing.writable(path, at: place, walk.indices.count, in: records)
    }

    /// Converts `value`, perhaps from another place, for the place that `path` leads to: a number becomes the declared type.
    /// Throws if the place refuses the value, or can't be written. Call after ``walk(_:)``.
    func converted(_ value: StoredValue, for path: ParsedKeyPath, at place: Place) throws(TreeError)
        -> StoredValue
    {
        guard let declared = try writable(path, at: place) else { return value }
        typing.beginTrail(.path(path))
        return try typing.converted(value, as: declared, in: records)
    }
}
