// SPDX-License-Identifier: MIT
// Checks a request's path against the declared types, also of the models that it leads through now. Changes nothing.

extension ModelTree {
    /// Throws if a type rules out a property on the path: by the roots' declarations, or as the type of a model
    /// that the path leads through now. Never throws for patterns.
    @inline(__always)
    func refuseUnknown(_ path: ParsedKeyPath) throws(TreeError) {
        if path.firstCondition != nil {
            let present = types(along: path)
            try typing.refuseUnknown(inConditionsOf: path, from: .any, present, in: records)
        }
        guard records.models[records.root].type != .noRecord, !path.hasWildcard else { return }
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

    /// Whether the place has no declared type, or `Any`.
    func isOpen(_ path: ParsedKeyPath) -> Bool {
        do throws(TreeError) {
            let place = walk(path)
            guard let declared = try typing.writable(path, at: place, walk.indices.count, in: records)
            else { return true }
            return declared.type.wrapped == .any && !declared.isWeak
        } catch { return false }
    }
}
