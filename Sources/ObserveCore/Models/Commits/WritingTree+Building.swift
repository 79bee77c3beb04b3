// SPDX-License-Identifier: MIT
// Builds stored values from validated JSON text. Independent of where they are assigned.

extension WritingTree {
    /// Builds the value of `json`, inside a commit. Each object in it becomes a new model, released at the commit's end if it
    /// still lacks references.
    ///
    /// - Parameter isPatch: whether to leave out null members, at any depth of objects: a patch (RFC 7396) of nothing.
    func build(_ json: JSONView, depth: Int = 0, isPatch: Bool = false) throws(TreeError) -> StoredValue {
        guard json.kind.isContainer else { return try buildScalar(json) }
        try refuseDepth(depth)
        if let loaded = pending.loaded, let value = try loaded.value(of: json) {
            adopt(loaded.models)
            return value
        }
        if json.kind == .object, isPatch { return .model(try buildModel(json.lastMembers, depth)) }
        var walker = JSONWalker(in: json)
        return json.kind == .array ? try buildArray(&walker, depth) : .model(try buildModel(&walker, depth))
    }

    private func buildScalar(_ json: JSONView) throws(TreeError) -> StoredValue {
        switch json.kind {
        case .null, .array, .object: return .null
        case .true: return .bool(true)
        case .false: return .bool(false)
        case .string: return .string(canonical(json))
        case .integer:
            guard let int = json.int64()
            else { throw numberOutOfRange(json, "an integer must fit 64 signed bits", "does not") }
            return .int(int)
        case .double:
            guard let double = json.double() else {
                throw json.doubleFault == .doubleTooSmall
                    ? numberOutOfRange(json, "a number must not round to zero", "does")
                    : numberOutOfRange(json, "a number must be finite", "is not")
            }
            return .double(double)
        }
    }

    @inline(__always) func refuseDepth(_ depth: Int) throws(TreeError) {
        if depth >= limits.maxDepth { throw tooDeep }
    }

    @inline(never) private var tooDeep: TreeError {
        TreeError(.limitExceeded, "the value nests deeper than \(limits.maxDepth) levels")
    }

    /// Builds the elements up to the end of the array that the walker has entered: it reads each byte once, at any depth.
    private func buildArray(_ walker: inout JSONWalker, _ depth: Int) throws(TreeError) -> StoredValue {
        var elements: ContiguousArray<StoredValue> = []
        while true {
            let json = walker.enterValue()
            if json.view.isEmpty { break }
            let isContainer = json.kind.isContainer
            elements.append(isContainer ? try build(json.kind, &walker, depth + 1) : try buildScalar(json))
        }
        return .array(StoredArray(elements))
    }

    /// Builds the members up to the end of the object that the walker has entered.
    private func buildModel(_ walker: inout JSONWalker, _ depth: Int) throws(TreeError) -> ModelID {
        let model = makeLooseModel()
        var lastName = NameID.noRecord
        while let name = walker.nextName() {
            let json = walker.enterValue()
            let isContainer = json.kind.isContainer
            let new = isContainer ? try build(json.kind, &walker, depth + 1) : try buildScalar(json)
            _ = add(new, named: name, after: &lastName, to: model)
        }
        return model
    }

    /// Builds the array or object that the walker has entered.
    private func build(_ kind: JSONKind, _ walker: inout JSONWalker, _ depth: Int) throws(TreeError)
        -> StoredValue
    {
        try refuseDepth(depth)
        return kind == .array ? try buildArray(&walker, depth) : .model(try buildModel(&walker, depth))
    }

    /// Builds a patch of nothing.
    private func buildModel(_ patch: [JSONMember], _ depth: Int) throws(TreeError) -> ModelID {
        let model = makeLooseModel()
        var lastName = NameID.noRecord
        for member in patch where member.value.kind != .null {
            let new: StoredValue
            if member.value.kind == .object {
                try refuseDepth(depth + 1)
                new = .model(try buildModel(member.inner, depth + 1))
            } else {
                new = try build(member.value, depth: depth + 1)
            }
            _ = add(new, named: member.name, after: &lastName, to: model)
        }
        return model
    }

    /// Makes a model, which is released if it has no references at the end of the write.
    func makeLooseModel() -> ModelID {
        let model = records.makeModel()
        if hooks.isRecording { pending.created.append(model) }
        records.unreferenced.append(model)
        return model
    }

    func addProperty(named name: JSONView, to model: ModelID) -> PropertyID {
        addProperty(named: name.decoded(in: scratchText), to: model)
    }

    private func canonical(_ json: JSONView) -> StoredString {
        guard json.hasEscapes else { return records.makeText(json.contents) }
        scratchText.removeAll()
        scratchText.appendCanonicalContents(of: json)
        return records.makeText(scratchText.view)
    }

    private func numberOutOfRange(_ json: JSONView, _ rule: String, _ verb: String) -> TreeError {
        TreeError(.invalidValue, "\(rule); \(json.view.prefix(min(40, json.view.count)).string) \(verb)")
    }
}
