// SPDX-License-Identifier: MIT
// What is declared where: for a property, for a place, and along a path that may lead nowhere yet. Changes nothing.

extension ModelTree {
    /// What is declared for the property.
    func declared(_ id: PropertyID) -> Declared {
        guard records.properties[id].flags.contains(.declared) else { return .anything }
        return typing.types[records.models[records.properties[id].model].type].declared(
            records.properties[id].name
        ) ?? .anything
    }

    /// What is declared for a property of that name, which the model may not have; nil if it can't have one.
    func declared(_ name: ByteView, in model: ModelID) -> Declared? {
        let type = records.models[model].type
        return type == .noRecord ? .anything : typing.types[type].declared(records.names.find(name))
    }

    /// What a place where something may be written takes; nil where anything may stand. After ``walk(_:)``.
    ///
    /// Throws for what can't be written at all: a property that its model's type does not have, a computed one, or a
    /// readonly one.
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

    /// What is declared for what the path names, as far as the roots' types say: through null, and for elements that
    /// are not there.
    ///
    /// Throws for a property that is known not to exist.
    func declared(along path: ParsedKeyPath) throws(TreeError) -> Declared {
        guard records.models[records.root].type != .noRecord, !path.hasWildcard else { return .anything }
        return try declared(along: path, from: Declared(type: .model(records.models[records.root].type)))
    }

    /// The same from a place where that is declared.
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

    /// Throws for a path that leads through a property that is known not to exist. Patterns never do.
    @inline(__always)
    func refuseUnknown(_ path: ParsedKeyPath) throws(TreeError) {
        guard records.models[records.root].type != .noRecord else { return }
        _ = try declared(along: path)
    }
}
