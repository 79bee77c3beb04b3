// SPDX-License-Identifier: MIT
// Finds the declaration of a property, of a place, or along a path that may lead nowhere yet, and the flags that follow from
// it. Independent of values.

extension Typing {
    func declared(_ id: PropertyID, in records: borrowing Records) -> Declared {
        guard records.properties[id].flags.contains(.declared) else { return .anything }
        let type = types[records.models[records.properties[id].model].type]
        return type.declared(records.properties[id].name) ?? .anything
    }

    /// The declaration for a property name, which the model may lack; nil if the type forbids that name.
    func declared(_ name: ByteView, of model: ModelID, in records: borrowing Records) -> Declared? {
        let type = records.models[model].type
        return type == .noRecord ? .anything : types[type].declared(records.names.find(name))
    }

    /// The template of the property in that type; nil if the type does not compute it.
    func computation(of id: PropertyID, as type: TypeID, in records: borrowing Records) -> Computation? {
        guard type != .noRecord, let position = types[type].position(of: records.properties[id].name)
        else { return nil }
        return types[type].properties[position].computation
    }

    /// The property's type in that model type, as written; nil if it has none.
    func typeText(of id: PropertyID, as type: TypeID, in records: borrowing Records) -> String? {
        types[type].declared(records.properties[id].name).map { types.text(of: $0.type) }
    }

    /// The declaration for a write to a place; nil if the place takes any value. Throws if no write is allowed: the model's type
    /// lacks the property, or the property is computed or readonly.
    ///
    /// - Parameter depth: how many indices lead from the property to the place.
    func writable(_ path: ParsedKeyPath, at place: Place, _ depth: Int, in records: borrowing Records)
        throws(TreeError) -> Declared?
    {
        var found: Declared
        switch place {
        case .property(let id):
            guard records.properties[id].flags.contains(.declared) else { return nil }
            found = declared(id, in: records)
        case .missingProperty(let model):
            guard records.models[model].type != .noRecord else { return nil }
            guard let declared = declared(path.name(path.count - 1), of: model, in: records) else {
                throw unknownProperty(path.name(path.count - 1), of: records.models[model].type, path.escaped)
            }
            found = declared
        case .element(let holder):
            guard records.properties[holder].flags.contains(.declared) else { return nil }
            found = declared(holder, in: records)
            for _ in 0..<depth { found.type = found.type.element }
        case .missingElement, .broken: return nil
        }
        if let refusal = found.refusal(at: path.escaped) { throw refusal }
        return found
    }

    /// The declaration for a path by the roots' types, even through missing values. Throws if these rule out a property on it.
    func declared(along path: ParsedKeyPath, in records: borrowing Records) throws(TreeError) -> Declared {
        let set = records.models[records.root].type
        guard set != .noRecord, path.isOnePath else { return .anything }
        return try declared(along: path, from: Declared(type: .model(set)), in: records)
    }

    /// Does the same, from a place with the declaration `start`.
    func declared(along path: ParsedKeyPath, from start: Declared, in records: borrowing Records)
        throws(TreeError) -> Declared
    {
        var declared = start
        let isKnown = try follow(path, from: 0, &declared, in: records) == path.count
        return isKnown && path.operatorIndex == nil ? declared : .anything
    }

    /// Follows the declarations from the component on, as far as they say anything. Throws if they rule out a property.
    /// - Parameter declared: the declaration before the component; afterwards, before the returned one.
    /// - Returns: the first component that the declarations leave open.
    func follow(
        _ path: ParsedKeyPath,
        from start: Int,
        _ declared: inout Declared,
        in records: borrowing Records
    ) throws(TreeError) -> Int {
        for component in start..<path.count {
            let isOperator = path.kind(component) != .name
            switch declared.type.wrapped {
            case .model(let type) where isOperator:
                guard let elements = types[type].elements else { return component }
                declared = Declared(type: elements)
            case .model(let type):
                let name = path.name(component)
                guard let next = types[type].declared(records.names.find(name)) else {
                    if types[type].isExtended { return component }
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

    /// The object's member for each property of its type; of several with one name, the last. `scratch` holds their names without
    /// escapes, one at a time.
    mutating func members(
        of json: JSONView,
        _ type: TypeID,
        _ scratch: ByteBuffer,
        in records: borrowing Records
    ) throws(TreeError) -> [JSONView?] {
        var given = [JSONView?](repeating: nil, count: types[type].properties.count)
        for (name, value) in json.members {
            trail.append(.member(name))
            let decoded = name.decoded(in: scratch)
            if let position = records.names.find(decoded).flatMap({ types[type].position(of: $0) }) {
                given[position] = value
                if types[type].properties[position].isComputed { _ = try refuse(computedMember()) }
            } else {
                _ = try refuse(unknownMember(decoded, of: type))
            }
            _ = trail.popLast()
        }
        return given
    }

    /// The initial flags of a property's record.
    func declaredFlags(of id: PropertyID, in records: borrowing Records) -> PropertyRecord.Flags {
        let type = records.models[records.properties[id].model].type
        guard type != .noRecord, let declared = types[type].declared(records.properties[id].name),
            declared.isStrict
        else { return [] }
        if declared.isWeak { return [.declared, .weak, .declaredWeak] }
        return declared.isChoosy ? [.declared, .choosy] : .declared
    }

    /// Updates the flags that follow from declarations. Returns the properties without a value that are to become weak or strong.
    func updateDeclaredFlags(in records: inout Records) -> [PropertyID] {
        var nulls: [PropertyID] = []
        for index in 0..<records.properties.allocatedCount {
            let id = PropertyID(index: index)
            guard records.properties[id].model != .noRecord, !records.isSelection(id) else { continue }
            let fresh = declaredFlags(of: id, in: records)
            let wasWeak = records.properties[id].flags.contains(.declaredWeak)
            records.properties[id].flags.subtract([.declared, .declaredWeak, .choosy])
            records.properties[id].flags.formUnion(fresh.subtracting(.weak))
            let isWeak = fresh.contains(.declaredWeak)
            // References in use change with their counts. An open model's null stays as it is.
            if wasWeak != isWeak, records.models[records.properties[id].model].type != .noRecord,
                records.properties[id].isWeak != isWeak, records.properties[id].slot.isNull,
                !records.properties[id].flags.contains(.computed)
            {
                nulls.append(id)
            }
        }
        return nulls
    }
}
