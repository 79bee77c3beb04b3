// SPDX-License-Identifier: MIT
// Random declarations, and random values that mostly fit them. Reads only the reference tree.

@testable import ObserveCore

extension RandomWrites {
    static let typeNames = ["T0", "T1", "T2", "T3"]

    // MARK: Declarations

    mutating func schema(hasComputed: Bool = false) -> RefSchema {
        var schema = RefSchema()
        // From the last type to the first: a required model has a later type, so that its defaults end.
        for index in Self.typeNames.indices.reversed() {
            var properties: [RefDeclared] = []
            for name in names where chance(45) { properties.append(property(name, index, schema)) }
            if hasComputed {
                for name in ["c1", "c2"] where chance(60) && !properties.isEmpty {
                    properties.append(computed(name, among: properties, schema))
                }
            }
            schema.types.append((Self.typeNames[index], properties))
        }
        schema.roots = [("r", .optional(.model("T0"))), ("s", type(2, after: -1))]
        if chance(70) { schema.roots.append(("app", .model(Self.typeNames[below(4)]))) }
        return schema
    }

    mutating func property(_ name: String, _ index: Int, _ schema: RefSchema) -> RefDeclared {
        if chance(18) {
            let model = chance(20) ? RefType.any : .model(one(of: Self.typeNames))
            return RefDeclared(name: name, type: .optional(model), isWeak: true)
        }
        var declared = RefDeclared(name: name, type: type(2, after: index))
        declared.isReadonly = chance(10)
        // Without optional models, so that no default contains itself.
        if chance(25) { declared.initial = fitting(declared.type, 0, schema) }
        return declared
    }

    mutating func type(_ depth: Int, after index: Int) -> RefType {
        switch below(depth == 0 ? 8 : 14) {
        case 0: return .any
        case 1: return .bool
        case 2, 3: return .int
        case 4: return .double
        case 5: return .string
        case 6: return .optional([.int, .string, .double][below(3)])
        case 7: return .optional(.model(one(of: Self.typeNames)))
        case 8, 9: return .optional(.model(one(of: Self.typeNames)))
        case 10, 11: return .array(chance(40) ? .model(one(of: Self.typeNames)) : type(depth - 1, after: 3))
        case 12: return .dictionary(chance(40) ? .model(one(of: Self.typeNames)) : type(depth - 1, after: 3))
        default:
            guard index < 3 else { return .array(.array(.int)) }
            return .model(Self.typeNames[index + 1 + below(3 - index)])
        }
    }

    // MARK: Templates

    /// A computed property of the type's properties so far.
    private mutating func computed(_ name: String, among properties: [RefDeclared], _ schema: RefSchema)
        -> RefDeclared
    {
        if chance(30) {
            let expression = templateExpression(properties, schema)
            return RefDeclared(name: name, type: .any, computed: RefTemplate(parts: [expression]))
        }
        if chance(35) {
            let (path, type) = templatePath(properties, schema)
            return RefDeclared(
                name: name,
                type: chance(50) ? .any : type,
                computed: RefTemplate(parts: [.path(path)])
            )
        }
        var parts: [RefTemplate.Part] = [.text("<")]
        for _ in 0...below(3) {
            parts.append(
                chance(30)
                    ? templateExpression(properties, schema) : .path(templatePath(properties, schema).path)
            )
            parts.append(.text("|"))
        }
        let type = [RefType.string, .optional(.string), .any][below(3)]
        return RefDeclared(name: name, type: type, computed: RefTemplate(parts: parts))
    }

    private mutating func templateExpression(_ properties: [RefDeclared], _ schema: RefSchema)
        -> RefTemplate.Part
    {
        let paths = (0..<3).map { _ in templatePath(properties, schema).path }
        return .expression(.random(3, paths: paths.count, &random), paths)
    }

    /// A path that the types allow, with the declared type at its end.
    private mutating func templatePath(_ properties: [RefDeclared], _ schema: RefSchema)
        -> (path: RefTemplate.Path, type: RefType)
    {
        let first = properties[below(properties.count)]
        var (path, type) = ([first.name], first.type)
        while path.count < 5, !chance(25) {
            guard let (name, next) = step(type, schema) else { break }
            path.append(name)
            type = next
        }
        guard chance(30) else { return (RefTemplate.Path(names: path), type) }
        let function = CollectionOperator.allCases[below(CollectionOperator.allCases.count)]
        var behind: [String] = []
        if function != .count, var element = element(of: type) {
            while behind.count < 2, chance(60), let (name, next) = step(element, schema) {
                behind.append(name)
                element = next
            }
        }
        return (RefTemplate.Path(names: path, observedOperator: (function, behind)), .any)
    }

    private func element(of type: RefType) -> RefType? {
        switch type {
        case .optional(let wrapped): element(of: wrapped)
        case .array(let element), .dictionary(let element): element
        default: nil
        }
    }

    /// A possible next component; nil if there is none, or if the type is not complete yet.
    private mutating func step(_ type: RefType, _ schema: RefSchema) -> (name: String, type: RefType)? {
        switch type {
        case .optional(let wrapped): return step(wrapped, schema)
        case .array(let element): return (String(below(2)), element)
        case .dictionary(let entry): return (one(of: names), entry)
        case .any: return chance(60) ? (one(of: names), .any) : nil
        case .model(let name):
            let known = schema.properties(of: name)
            if known.isEmpty { return nil }
            let property = known[below(known.count)]
            return (property.name, property.type)
        case .bool, .int, .double, .string: return nil
        }
    }

    // MARK: Values

    /// A draft of a likely kind.
    mutating func draft(for names: [String], in tree: ReferenceTree, isCrowded: Bool) -> Draft {
        guard !tree.schema.roots.isEmpty, chance(80), let declared = tree.declared(names) else {
            return draft(3, isCrowded: isCrowded)
        }
        if declared.isWeak { return chance(80) ? .null : .object([]) }
        return fitting(declared.type, isCrowded ? 1 : 3, tree.schema)
    }

    /// A draft that usually fits.
    mutating func fitting(_ type: RefType, _ depth: Int, _ schema: RefSchema) -> Draft {
        if depth > 0, chance(2) { return draft(1, isCrowded: true) }
        switch type {
        case .any: return draft(max(depth - 1, 0), isCrowded: false)
        case .bool: return .bool(chance(50))
        case .int: return chance(15) ? .double(Double(below(3))) : .int(below(3))
        case .double: return chance(30) ? .int(below(3)) : .double([0.0, 1.0, 2.5][below(3)])
        case .string: return .string(["", "a", "b"][below(3)])
        case .optional(let wrapped):
            return depth == 0 || chance(20) ? .null : fitting(wrapped, depth, schema)
        case .array(let element):
            guard depth > 0 else { return .array([]) }
            return .array((0..<below(4)).map { _ in fitting(element, depth - 1, schema) })
        case .dictionary(let entry):
            guard depth > 0 else { return .object([]) }
            return .object((0..<below(4)).map { _ in (one(of: names), fitting(entry, depth - 1, schema)) })
        case .model(let name):
            var members: [(name: String, value: Draft)] = []
            for property in schema.properties(of: name) {
                // At depth 0, the draft may be a default, which must fit.
                if property.computed != nil, depth == 0 || !chance(1) { continue }
                var isNeeded = false
                if case .model = property.type { isNeeded = property.initial == nil }
                guard isNeeded || (depth > 0 && chance(50)) else { continue }
                let value =
                    property.isWeak ? Draft.null : fitting(property.type, max(depth - 1, 0), schema)
                members.append((property.name, value))
            }
            if depth > 0, chance(3) { members.append((one(of: names), .int(1))) }
            return .object(members)
        }
    }
}

extension ReferenceTree {
    /// The place's declaration; nil if the path can't be written.
    fileprivate func declared(_ names: [String]) -> RefDeclared? {
        switch place(names) {
        case .property, .element, .missingElement: try? writable(names)
        case .broken: nil
        }
    }
}
