// SPDX-License-Identifier: MIT
// Sets, removes and links values, and refuses invalid writes. Each write runs inside a commit.

extension WritingTree {
    /// Assigns the value of `json` to `path`.
    /// - Parameters:
    ///   - parents: whether to make the models that are missing on the way.
    ///   - term: when the value expires; nil for a permanent value.
    /// - Returns: false if the value there was already equal.
    func set(_ path: ParsedKeyPath, to json: JSONView, parents: Bool = false, term: Term? = nil)
        throws(TreeError) -> Bool
    {
        try refuseReserved(path)
        let place = walk(path)
        if parents, case .broken(let component, isScalar: false) = place {
            try makeParents(path, from: component)
            _ = try set(path, at: walk(path), to: json, term)
            return true
        }
        return try set(path, at: place, to: json, term)
    }

    /// Assigns the value of `json` to a known property. A refusal names its path, in escaped form.
    func set(_ id: PropertyID, to json: JSONView, path: @autoclosure () -> TrailStep) throws(TreeError)
        -> Bool
    {
        guard records.properties[id].flags.contains(.declared) else { return put(try build(json), in: id) }
        let declared = typing.declared(id, in: records)
        typing.beginTrail(path())
        if let refusal = declared.refusal(at: typing.trailPath) { throw refusal }
        return put(try build(json, as: declared, depth: 0, isPatch: false), in: id)
    }

    /// Assigns the value of `json` to the place that the path leads to: see ``build(_:depth:isPatch:)``.
    func set(
        _ path: ParsedKeyPath,
        at place: Place,
        to json: JSONView,
        isPatch: Bool = false,
        _ term: Term? = nil
    ) throws(TreeError) -> Bool {
        try refuseMissing(path, at: place)
        guard let declared = try writable(path, at: place)
        else { return try put(try build(json, isPatch: isPatch), path, at: place, term) }
        typing.beginTrail(.path(path))
        let new = try build(json, as: declared, depth: 0, isPatch: isPatch)
        return try put(new, path, at: place, term)
    }

    /// Assigns a stored value to a place that ``refuseMissing(_:at:)`` accepts. Returns false if it was already equal.
    func put(_ new: StoredValue, _ path: ParsedKeyPath, at place: Place, _ term: Term? = nil)
        throws(TreeError) -> Bool
    {
        if case .element(let holder) = place {
            if term != nil { throw noTerm(path) }
            return replace(holder, walk.indices, with: new)
        }
        guard let id = property(at: place, path) else { return false }
        if let term { return try lay(new, over: id, term, path) }
        return put(new, in: id)
    }

    /// The property at the place, with a new record if the model lacks it; nil for other places.
    func property(at place: Place, _ path: ParsedKeyPath) -> PropertyID? {
        switch place {
        case .property(let id): id
        case .missingProperty(let model): addProperty(named: path.name(path.count - 1), to: model)
        case .element, .missingElement, .broken: nil
        }
    }

    /// Assigns a value to a property. A weak property becomes strong, unless it is declared weak.
    func put(_ new: StoredValue, in id: PropertyID) -> Bool {
        let flags = records.properties[id].flags.intersection([.weak, .declaredWeak])
        guard
            records.properties[id].slot.isAbsent || flags == .weak || !records.properties[id].slot.equals(new)
        else {
            assignEqual(id)
            return false
        }
        assign(id, new)
        return true
    }

    func refuseMissing(_ path: ParsedKeyPath, at place: Place) throws(TreeError) {
        switch place {
        case .missingElement: throw noSuchElement(path)
        case .broken(let component, let isScalar): throw brokenPath(path, component, isScalar)
        case .property, .missingProperty, .element: return
        }
    }

    private func replace(_ holder: PropertyID, _ indices: [Int], with new: StoredValue) -> Bool {
        let old = element(of: records.properties[holder].value, indices)
        let isEqual = old.equals(new)
        let change = ArrayEdit(kind: .replacement, at: indices, old: old, isEqual: isEqual)
        if isEqual { assignEqual(holder, change) } else { edit(holder, change, new: new) }
        return !isEqual
    }

    /// Assigns a new model to the component, which is null, with further ones in it for the later components except the last.
    /// Each has its declared type, with all of the type's properties.
    private func makeParents(_ path: ParsedKeyPath, from component: Int) throws(TreeError) {
        let prefix = path.prefix(component + 1)
        let json = ByteBuffer()
        json.append(0x7B)
        for below in component + 1..<path.count - 1 {
            json.appendJSONString(decoded: path.name(below))
            json.append(":{")
        }
        for _ in component..<path.count - 1 { json.append(0x7D) }
        _ = try set(prefix, at: walk(prefix), to: JSONView(validated: json.view))
    }

    /// Removes the property, element or root that `path` names; a fixed property becomes null. Returns false if nothing was
    /// there, or if a fixed property was already null.
    func remove(_ path: ParsedKeyPath) throws(TreeError) -> Bool {
        try refuseReserved(path)
        let place = walk(path)
        let declared = try writable(path, at: place)
        switch place {
        case .property(let id):
            if let declared, declared.traits.contains(.fixed) {
                guard declared.type.isOptional else { throw typing.required(path, declared.type) }
                return put(.null, in: id)
            }
            assign(id, .absent)
            return true
        case .element(let holder):
            let old = element(of: records.properties[holder].value, walk.indices)
            edit(holder, ArrayEdit(kind: .removal, at: walk.indices, old: old), new: .absent)
            return true
        case .missingProperty, .missingElement, .broken: return false
        }
    }

    /// Makes `path` refer to the model that `target` refers to now.
    /// - Parameter term: when the link expires; nil for a permanent link.
    /// - Returns: false if it already does, with the same strength.
    func link(_ path: ParsedKeyPath, to target: ParsedKeyPath, isWeak: Bool, term: Term? = nil)
        throws(TreeError) -> Bool
    {
        try refuseReserved(path)
        let model = try linkTarget(target)
        let place = walk(path)
        try refuseMissing(path, at: place)
        let isWeak = try strength(ofLinkAt: place, path, to: model, isWeak)
        if case .element(let holder) = place {
            if term != nil { throw noTerm(path) }
            let indices = walk.indices
            let container = records.properties[holder].model
            try refuseCycle(from: container, to: .model(model), isElement: true, path, target)
            return replace(holder, indices, with: .model(model))
        }
        if !isWeak, let container = records.strongContainer(place) {
            try refuseCycle(from: container, to: .model(model), path, target)
        }
        guard let id = property(at: place, path) else { return false }
        if let term { return try lay(.model(model), over: id, term, isWeak: isWeak, path) }
        return refer(id, to: model, isWeak: isWeak)
    }

    /// Whether the link becomes weak, as requested or declared. Throws if the place does not allow it.
    private func strength(ofLinkAt place: Place, _ path: ParsedKeyPath, to model: ModelID, _ isWeak: Bool)
        throws(TreeError) -> Bool
    {
        if case .element = place, isWeak {
            throw TreeError(.invalidValue, "an array element can't be a weak reference", at: path)
        }
        guard let declared = try writable(path, at: place) else { return isWeak }
        typing.beginTrail(.path(path))
        _ = try typing.converted(.model(model), as: declared, isWeak: isWeak, in: records)
        return isWeak || declared.isWeak
    }

    /// Makes a strong, permanent link to the model that another known property holds. Returns nil, without any effect, if the
    /// general path must make or refuse the link.
    func link(_ id: PropertyID, toModelIn target: PropertyID) -> Bool? {
        guard !records.properties[id].flags.contains(.declared),
            let model = records.properties[target].slot.modelID,
            reaches(model, records.properties[id].model, isBounded: true) == false
        else { return nil }
        return refer(id, to: model, isWeak: false)
    }

    private func refer(_ id: PropertyID, to model: ModelID, isWeak: Bool) -> Bool {
        if records.properties[id].isWeak == isWeak, records.properties[id].slot.modelID == model {
            assignEqual(id)
            return false
        }
        assign(id, .model(model), isWeak: isWeak)
        return true
    }

    func linkTarget(_ target: ParsedKeyPath) throws(TreeError) -> ModelID {
        let found = target.hasSelection ? peek(target).value : value(at: walk(target))
        if let model = found.modelID { return model }
        throw found.isNull
            ? TreeError(.notFound, target, "is null: a link needs a model")
            : TreeError(.typeMismatch, target, "is \(found.kindName), and only a model can be linked to")
    }

    /// - Parameter isElement: the reference would be an array's element, which can't be weak.
    func refuseCycle(
        from container: ModelID,
        to value: StoredValue,
        isElement: Bool = false,
        _ path: ParsedKeyPath,
        _ target: ParsedKeyPath
    ) throws(TreeError) {
        let isCycle = reaches(anyOf: value.models, container)
        if isCycle == false { return }
        let (place, found) = (path.escaped, target.escaped)
        guard isCycle != nil else { throw tooManyReferences(place) }
        let fault = "would close a cycle of strong references"
        let sentence =
            isElement
            ? "\(found) as an element in \(place) \(fault), and an array's elements are always strong"
            : "a strong link from \(place) to \(found) \(fault); make it weak"
        throw TreeError(.referenceCycle, sentence, at: place)
    }

    func refuseReserved(_ path: ParsedKeyPath) throws(TreeError) {
        guard path.name(0) == "observed", !isReadOnly else { return }
        throw TreeError(.readOnly, "the root observed is the daemon's own and can't be written", at: path)
    }

    private func noTerm(_ path: ParsedKeyPath) -> TreeError {
        TreeError(.invalidValue, "an array element can't have a lifetime", at: path)
    }

    private func noSuchElement(_ path: ParsedKeyPath) -> TreeError {
        let last = path.name(path.count - 1)
        let array = "the array at \(path.escaped(first: path.count - 1))"
        let (name, isIndex) = (last.string, last.arrayIndex != nil)
        let fault = isIndex ? "\(array) has no element \(name)" : "\(name) is not an index of \(array)"
        return TreeError(.notFound, fault, at: path)
    }

    private func brokenPath(_ path: ParsedKeyPath, _ component: Int, _ isScalar: Bool) -> TreeError {
        let broken = path.escaped(first: component + 1)
        let fault = "is \(isScalar ? "not a model" : "null"), so \(path.escaped) can't be written"
        return TreeError(isScalar ? .typeMismatch : .notFound, "\(broken) \(fault)", at: broken)
    }
}
