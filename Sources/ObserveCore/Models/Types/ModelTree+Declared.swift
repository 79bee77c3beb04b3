// SPDX-License-Identifier: MIT
// Finds the declaration of a property, of a place, or along a path that may lead nowhere yet. Changes
// nothing.

extension ModelTree {
    /// The declaration of the property.
    func declared(_ id: PropertyID) -> Declared {
        guard records.properties[id].flags.contains(.declared) else { return .anything }
        return typing.types[records.models[records.properties[id].model].type].declared(
            records.properties[id].name
        ) ?? .anything
    }

    /// The declaration for a property name, which the model may lack; nil if the type forbids that name.
    func declared(_ name: ByteView, in model: ModelID) -> Declared? {
        let type = records.models[model].type
        return type == .noRecord ? .anything : typing.types[type].declared(records.names.find(name))
    }

    /// The declaration for a write to a place; nil if the place takes any value. Call after ``walk(_:)``.
    ///
    /// Throws if no write is allowed: the model's type lacks the property, or the property is computed or
    /// readonly.
    func writable(_ path: ParsedKeyPath, at place: Place) throws(TreeError) -> Declared? {
        switch place {
        case .property(let id):
            guard records.properties[id].flags.contains(.declared) else { return nil }
            return try writable(declared(id), path)
        case .missingProperty(let model):
            guard records.models[model].type != .noRecord else { return nil }
            guard let declared = declared(path.name(path.count - 1), in: model) else {
                throw unknownProperty(path.name(path.count - 1), of: records.models[model].type, path.escaped)
            }
            return try writable(declared, path)
        case .element(let holder):
            guard records.properties[holder].flags.contains(.declared) else { return nil }
            var declared = try writable(declared(holder), path)
            for _ in walk.indices { declared.type = declared.type.element }
            return declared
        case .missingElement, .broken: return nil
        }
    }

    /// Whether the place has no declared type, or `Any`.
    func isOpen(_ path: ParsedKeyPath) -> Bool {
        do throws(TreeError) {
            guard let declared = try writable(path, at: walk(path)) else { return true }
            return declared.type.wrapped == .any && !declared.isWeak
        } catch { return false }
    }

    private func writable(_ declared: Declared, _ path: ParsedKeyPath) throws(TreeError) -> Declared {
        if let refusal = refusal(ofWriting: declared, path.escaped) { throw refusal }
        return declared
    }

    /// The declaration for a path according to the roots' types, even through null and missing elements.
    ///
    /// Throws if the types rule out a property on the path.
    func declared(along path: ParsedKeyPath) throws(TreeError) -> Declared {
        guard records.models[records.root].type != .noRecord, !path.hasWildcard else { return .anything }
        return try declared(along: path, from: Declared(type: .model(records.models[records.root].type)))
    }

    /// Does the same, from a place with the declaration `start`.
    func declared(along path: ParsedKeyPath, from start: Declared) throws(TreeError) -> Declared {
        var declared = start
        let isKnown = try follow(path, from: 0, &declared) == path.count
        return isKnown && path.operatorIndex == nil ? declared : .anything
    }

    /// Follows the declarations from the component on, as far as they say anything. Throws if they rule out a
    /// property.
    ///
    /// - Parameter declared: the declaration before the component; afterwards, before the returned one.
    /// - Returns: the first component that the declarations leave open.
    private func follow(_ path: ParsedKeyPath, from start: Int, _ declared: inout Declared)
        throws(TreeError) -> Int
    {
        for component in start..<path.count {
            let isOperator = path.kind(component) != .name
            switch declared.type.wrapped {
            case .model(let type) where isOperator:
                guard let elements = typing.types[type].elements else { return component }
                declared = Declared(type: elements)
            case .model(let type):
                let name = path.name(component)
                guard let next = typing.types[type].declared(records.names.find(name)) else {
                    if typing.types[type].isExtended { return component }
                    throw unknownProperty(name, of: type, path.escaped(first: component + 1))
                }
                declared = next
            case .array(let element):
                guard isOperator || path.name(component).arrayIndex != nil else { return component }
                declared = Declared(type: element)
            default: return component
            }
        }
        return path.count
    }

    /// Throws if a type rules out a property on the path: by the roots' declarations, or as the type of a model
    /// that the path leads through now. Never throws for patterns.
    @inline(__always)
    func refuseUnknown(_ path: ParsedKeyPath) throws(TreeError) {
        if path.firstCondition != nil { try refuseUnknown(inConditionsOf: path) }
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
                known = try follow(path, from: component, &declared)
            }
            if known == path.count || path.kind(component) != .name { return }
            switch value {
            case .model(let model):
                guard let found = records.presentProperty(model, path.name(component)) else { return }
                refresh(found)
                value = records.properties[found].slot
            case .array(let array): value = array.element(path.name(component).arrayIndex ?? -1)
            default: return
            }
        }
    }
}
