// SPDX-License-Identifier: MIT
// Declared types, and the limits of what they compute, as members of a kept line. Independent of configurations.
//
//     "d":{"types":{"Film":{"title":{"type":"String","default":"M"},…},…},"roots":{"film":"Film",…},"closed":true}
//     "l":[maxElements,maxRenderedBytes]
//     "l":[maxElements,maxRenderedBytes,1]            a commit since had too few looks to compute all
//
// A snapshot has them in its second line. A commit under other limits, or with a new binding, has "l" alone. In a commit's
// line, further members belong to "d":
//
//     "y":[[instance,"name"],…]     models whose new type does not follow from the name of the former one, or null
//     "x":[number,…]                bindings that the commit ended

extension TypeDeclarations {
    func append(to out: ByteBuffer) {
        var types = ValueMembers()
        for type in self.types {
            var properties = ValueMembers()
            for property in type.properties { properties[property.name] = property.value }
            types[type.name] = .object(properties)
        }
        var roots = ValueMembers()
        for root in self.roots { roots[root.name] = .string(root.type) }
        var members = ValueMembers([("types", .object(types)), ("roots", .object(roots))])
        if isClosed { members["closed"] = .bool(true) }
        out.append("\"d\":")
        out.append(utf8: Value.object(members).json)
    }

    init(_ json: JSONView) throws(StateFault) {
        self.init()
        guard let value = try? Value(json: json.view.string, maxDepth: Value.depthLimit),
            let types = value["types"]?.object, let roots = value["roots"]?.object
        else { throw StateFault("the declared types are of no known form") }
        isClosed = value["closed"]?.bool ?? false
        add(types.map { TypeDeclaration($0, ($1.object ?? ValueMembers()).map(PropertyDeclaration.init)) })
        for (name, type) in roots { add(RootDeclaration(name, type.string ?? "Any")) }
    }
}

extension ComputingLimits {
    /// Appends `,"l":[…]`.
    func append(to out: ByteBuffer) {
        out.append(",\"l\":[", maxElements)
        out.append(",", maxRenderedBytes, ranShort ? ",1]" : "]")
    }

    init(_ json: JSONView) throws(StateFault) {
        let numbers = try LineMembers.numbers(json, 2...3, elseSay: "the limits are two numbers, or three")
        guard numbers.allSatisfy({ (1...1 << 40).contains($0) })
        else { throw StateFault("the limits are at least 1, and at most 2^40") }
        self.init(
            maxElements: Int(numbers[0]),
            maxRenderedBytes: Int(numbers[1]),
            ranShort: numbers.count > 2
        )
    }
}

extension PropertyDeclaration {
    fileprivate var value: Value {
        var members = ValueMembers([("type", .string(type))])
        if isWeak { members["weak"] = .bool(true) }
        if isReadonly { members["readonly"] = .bool(true) }
        if let initial { members["default"] = initial }
        if let computed { members["computed"] = .string(computed) }
        return .object(members)
    }

    fileprivate init(_ name: String, _ value: Value) {
        self.init(name, value["type"]?.string ?? "Any")
        isWeak = value["weak"]?.bool ?? false
        isReadonly = value["readonly"]?.bool ?? false
        initial = value["default"]
        computed = value["computed"]?.string
    }
}

extension TreeReader {
    /// Appends a snapshot's line with the declared types and the limits; nothing if there are no types and no bindings.
    func appendTypes(to out: ByteBuffer) {
        if declarations == nil, bindings.isEmpty { return }
        CheckedLine.begin(out)
        (declarations ?? TypeDeclarations()).append(to: out)
        computedUnder.append(to: out)
        CheckedLine.end(out)
    }

    func append(_ change: CommitView.TypeChange, to out: ByteBuffer) {
        out.append(0x2C)
        change.declarations.append(to: out)
        if !change.retyped.isEmpty {
            out.append(",\"y\":", arrayOf: change.retyped) { model in
                out.append("[", model.instance, ",")
                if let type = model.type { out.appendJSONString(utf8: type) } else { out.append("null") }
                out.append(0x5D)
            }
        }
        if !change.unbound.isEmpty {
            out.append(",\"x\":", arrayOf: change.unbound) { out.append(decimal: Int64($0)) }
        }
    }
}
