// SPDX-License-Identifier: MIT
// Builds values according to their declared types. Independent of where they will be assigned.

extension WritingTree {
    /// Builds the value of `json` for a place with a declaration: see ``build(_:depth:isPatch:)``. Continues the trail.
    /// - Parameter isPatch: whether to omit null members of dictionaries, as a merge into an empty one does.
    func build(_ json: JSONView, as declared: Declared, depth: Int, isPatch: Bool)
        throws(TreeError) -> StoredValue
    {
        if declared.isWeak, json.kind != .null {
            return try typing.refuse(typing.notLinked(declared.type, json))
        }
        return try build(json, as: declared.type, depth: depth, isPatch: isPatch)
    }

    /// - Parameter whole: the type of which `type` is the base; nil for itself.
    private func build(
        _ json: JSONView,
        as type: ValueType,
        baseOf whole: ValueType? = nil,
        depth: Int,
        isPatch: Bool
    ) throws(TreeError) -> StoredValue {
        let declared = whole ?? type
        switch (type.wrapped, json.kind) {
        case (.any, _): return try build(json, depth: depth, isPatch: isPatch)
        case (_, .null): return type.isOptional ? .null : try typing.refuse(typing.mismatch(declared, json))
        case (.refined(let number), _):
            let refinement = typing.types.refinements[Int(number)]
            let built = try build(json, as: refinement.base, baseOf: type, depth: depth, isPatch: isPatch)
            return refinement.accepts(built) ? built : try typing.refuse(typing.mismatch(type, json))
        case (.bool, .true), (.bool, .false), (.string, .string): return try build(json, depth: depth)
        case (.int, .integer), (.int, .double), (.double, .integer), (.double, .double):
            let built = try build(json, depth: depth)
            if let number = built.number(as: type) { return number }
            return try typing.refuse(typing.mismatch(declared, json))
        case (.array(let element), .array): return try buildArray(json, of: element, depth)
        case (.model(let model), .object):
            return .model(try buildModel(json, model, depth: depth, isPatch: isPatch))
        default: return try typing.refuse(typing.mismatch(declared, json))
        }
    }

    private func buildArray(_ json: JSONView, of element: ValueType, _ depth: Int) throws(TreeError)
        -> StoredValue
    {
        try refuseDepth(depth)
        if element.wrapped == .any { return try build(json, depth: depth) }
        var elements: ContiguousArray<StoredValue> = []
        for json in json.elements {
            typing.trail.append(.index(elements.count))
            elements.append(try build(json, as: element, depth: depth + 1, isPatch: false))
            _ = typing.trail.popLast()
        }
        return .array(StoredArray(elements))
    }

    private func buildModel(_ json: JSONView, _ type: TypeID, depth: Int, isPatch: Bool) throws(TreeError)
        -> ModelID
    {
        try refuseDepth(depth)
        guard typing.types[type].isCreatable || typing.isMakingDefault
        else { throw typing.notCreatable(type) }
        let model = makeLooseModel()
        records.models[model].type = type
        guard let elements = typing.types[type].elements else {
            try fill(model, json, ofType: type, depth: depth + 1, isPatch: isPatch)
            return model
        }
        for member in json.lastMembers where !(isPatch && member.value.kind == .null) {
            typing.trail.append(.member(member.name))
            let new = try build(member.value, as: elements, depth: depth + 1, isPatch: isPatch)
            fill(addProperty(named: member.name, to: model), new)
            _ = typing.trail.popLast()
        }
        return model
    }

    /// Fills a new model with all properties of its type, in their declared order.
    private func fill(_ model: ModelID, _ json: JSONView, ofType type: TypeID, depth: Int, isPatch: Bool)
        throws(TreeError)
    {
        let given = try typing.members(of: json, type, scratchText, in: records)
        for (position, property) in typing.types[type].properties.enumerated() {
            if let computation = property.computation { addComputed(property.name, to: model, computation) }
            if property.isComputed { continue }
            typing.trail.append(.property(type, position))
            let new: StoredValue
            if let json = given[position] {
                new = try build(json, as: property.declared, depth: depth, isPatch: isPatch)
            } else {
                new = try initialValue(of: property, depth: depth)
            }
            fill(propertyOrPlaceholder(model, property.name), new)
            _ = typing.trail.popLast()
        }
    }

    /// Assigns the first value of a new model's property, without a touch.
    func fill(_ id: PropertyID, _ value: StoredValue) {
        records.reference(value, from: id, isWeak: records.properties[id].isWeak)
        records.enlist(id)
        records.setValue(value, of: id)
        records.properties[id].revision = pendingRevision
    }

    // MARK: Omitted values

    /// The value of a property of a new model that the request omits. A short request may omit many: they count like elements
    /// that it looks at. Other types for a tree have no such limit.
    func initialValue(of property: DeclaredProperty, depth: Int) throws(TreeError) -> StoredValue {
        let looks = 1 + property.initialText.count >> 4
        guard typing.isMakingRequired || records.effort.look(at: looks)
        else { throw tooManyDefaults(typing.trailPath) }
        // A value takes about a microsecond to make.
        records.effort.count(64 * looks)
        guard property.initial != nil else { return try emptyValue(of: property.declared.type, depth: depth) }
        let isInDefault = typing.isMakingDefault
        typing.isMakingDefault = true
        defer { typing.isMakingDefault = isInDefault }
        return try ByteView.with(property.initialText) { (text) throws(TreeError) in
            try build(JSONView(validated: text), as: property.declared, depth: depth, isPatch: false)
        }
    }

    func emptyValue(of type: ValueType, depth: Int = 0) throws(TreeError) -> StoredValue {
        if let empty = typing.types.empty(type) { return empty }
        guard case .model(let model) = type, typing.types[model].isOpen || typing.isMakingRequired
        else { return try typing.refuse(typing.missing(type)) }
        let none = JSONView(validated: ByteView("{}"))
        return .model(try buildModel(none, model, depth: depth, isPatch: false))
    }
}
