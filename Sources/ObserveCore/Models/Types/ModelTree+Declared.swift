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
        for component in 0..<path.count {
            let isOperator = path.kind(component) == .collectionOperator
            switch declared.type.wrapped {
            case .model(let type) where isOperator:
                guard let elements = typing.types[type].elements else { return .anything }
                declared = Declared(type: elements)
            case .model(let type):
                let name = path.name(component)
                guard let next = typing.types[type].declared(records.names.find(name)) else {
                    if typing.types[type].isExtended { return .anything }
                    throw unknownProperty(name, of: type, path.escaped(first: component + 1))
                }
                declared = next
            case .array(let element):
                guard isOperator || path.name(component).arrayIndex != nil else { return .anything }
                declared = Declared(type: element)
            default: return .anything
            }
        }
        return path.operatorIndex == nil ? declared : .anything
    }

    /// Throws if the types rule out a property on the path. Never throws for patterns.
    @inline(__always)
    func refuseUnknown(_ path: ParsedKeyPath) throws(TreeError) {
        guard records.models[records.root].type != .noRecord else { return }
        _ = try declared(along: path)
    }
}
