// SPDX-License-Identifier: MIT
// The oracle's checks of declared types, after the protocol. Shares no code with the tree's own checks.

@testable import ObserveCore

extension ReferenceTree {
    private func mismatch(_ names: [String], _ type: RefType) -> RefError {
        RefError(kind: .typeMismatch, path: dotted(names[...]), declared: type.text)
    }

    // MARK: Paths

    /// Throws for paths that the roots' declared types forbid.
    func refuseUnknown(_ write: RefWrite) throws {
        _ = try declaredType(write.names)
        switch write {
        case .link(_, let target, _), .insert(_, .target(let target), _): _ = try declaredType(target)
        default: break
        }
    }

    /// The path's type by the roots' declarations, and by the types of the models that it leads through now; nil if
    /// unknown.
    private func declaredType(_ names: [String]) throws -> RefType? {
        var found: RefType?
        if let root = schema.roots.first(where: { $0.name == names[0] }) {
            found = try declaredType(names, from: 1, below: root.type)
        }
        let walk = walk(names)
        for (component, owner) in walk.owners.enumerated() {
            guard let type = owner?.type.declared else { continue }
            found = try declaredType(names, from: component, below: type) ?? found
        }
        return walk.last.model?.type.declared ?? found
    }

    private func declaredType(_ names: [String], from start: Int, below type: RefType) throws -> RefType? {
        var type = type
        for index in start..<names.count {
            guard let next = try declaredType(names[index], below: type, names[...index]) else { return nil }
            type = next
        }
        return type
    }

    private func declaredType(_ name: String, below type: RefType, _ names: ArraySlice<String>) throws
        -> RefType?
    {
        switch type {
        case .optional(let wrapped): return try declaredType(name, below: wrapped, names)
        case .model(let type):
            guard let next = schema.properties(of: type).first(where: { $0.name == name }) else {
                throw RefError(kind: .notFound, path: dotted(names))
            }
            return next.type
        case .dictionary(let entry): return entry
        case .array(let element): return arrayIndex(name) == nil ? nil : element
        default: return nil
        }
    }

    /// Whether the daemon refuses a subscription to the pattern.
    func rulesOut(_ pattern: RefPattern) -> Bool {
        var names: [String] = []
        var behind: [String]?
        for part in pattern.parts {
            switch part {
            case .name(let name): names.append(name)
            case .observedOperator(_, let keyPath): behind = keyPath
            case .anyName, .anyDepth: return false
            }
        }
        return rulesOut(names, behind: behind)
    }

    /// Whether the types forbid reading the path.
    func rulesOut(_ match: RefMatch) -> Bool { rulesOut(match.names, behind: match.observedOperator?.names) }

    private func rulesOut(_ names: [String], behind keyPath: [String]?) -> Bool {
        do {
            guard var type = try declaredType(names), let keyPath else { return false }
            while case .optional(let wrapped) = type { type = wrapped }
            switch type {
            case .array(let element): type = element
            case .dictionary(let entry): type = entry
            default: return false
            }
            for name in keyPath {
                guard let next = try declaredType(name, below: type, []) else { return false }
                type = next
            }
            return false
        } catch {
            return true
        }
    }

    /// Whether the roots' types rule out that the target ever holds a value of the source, apart from null.
    func rulesOutValues(of source: RefMatch, at target: [String]) -> Bool {
        var found = rootedType(source.names)
        switch source.observedOperator?.function {
        case nil: break
        case .count?: found = .int
        case .sum?, .avg?: found = .double
        case .unionOfObjects?, .distinctUnionOfObjects?: found = .array(.any)
        case .min?, .max?: found = .any
        }
        return !rootedType(target).mayHold(found)
    }

    private func rootedType(_ names: [String]) -> RefType {
        guard let root = schema.roots.first(where: { $0.name == names[0] }) else { return .any }
        return (try? declaredType(names, from: 1, below: root.type)) ?? .any
    }

    // MARK: Places

    func isDeclaredWeak(_ model: RefModel, _ name: String) -> Bool {
        guard case .named(let type) = model.type else { return false }
        return schema.properties(of: type).first { $0.name == name }?.isWeak == true
    }

    /// A property's declaration; throws if the type forbids the property.
    func declared(_ name: String, in model: RefModel, _ names: [String]) throws -> RefDeclared {
        switch model.type {
        case .dictionary(let type): return RefDeclared(type: type)
        case .open:
            let root = model === root ? schema.roots.first { $0.name == name } : nil
            return RefDeclared(type: root?.type ?? .any)
        case .named(let type):
            if let known = schema.properties(of: type).first(where: { $0.name == name }) { return known }
            throw RefError(kind: .notFound, path: dotted(names[...]))
        }
    }

    /// The declaration of a place, which is a property or an element; throws if it can't be written.
    func writable(_ names: [String]) throws -> RefDeclared {
        let walk = walk(names)
        var holder = names.count - 1
        while walk.owners[holder] == nil { holder -= 1 }
        guard let owner = walk.owners[holder] else { return RefDeclared(type: .any) }
        var declared = try declared(names[holder], in: owner, names)
        if declared.isReadonly || declared.computed != nil {
            throw RefError(kind: .readOnly, path: dotted(names[...]))
        }
        for _ in holder..<(names.count - 1) { declared.type = declared.type.element }
        return declared
    }

    // MARK: Values

    /// The value that the draft makes at a place.
    ///
    /// - Parameter isPatch: whether it is a patch for a missing value, whose nulls remove optional names.
    func value(_ draft: Draft, as declared: RefDeclared, at names: [String], isPatch: Bool = false) throws
        -> RefValue
    {
        guard declared.isWeak else { return try value(draft, as: declared.type, at: names, isPatch) }
        guard case .null = draft else { throw mismatch(names, declared.type) }
        return .null
    }

    private func value(_ draft: Draft, as type: RefType, at names: [String], _ isPatch: Bool) throws
        -> RefValue
    {
        switch (type, draft) {
        case (.any, .object(let members)) where isPatch: return merged(members)
        case (.any, _): return draft.value(at: revision + 1)
        case (.optional, .null): return .null
        case (.optional(.any), _): return try value(draft, as: .any, at: names, isPatch)
        case (.optional(let wrapped), _):
            do {
                return try value(draft, as: wrapped, at: names, isPatch)
            } catch let error as RefError {
                // The declaration has a question mark.
                guard error.kind == .typeMismatch, error.path == dotted(names[...]) else { throw error }
                throw mismatch(names, type)
            }
        case (.bool, .bool(let bool)): return .bool(bool)
        case (.string, .string(let string)): return .string(string)
        case (.int, .int(let int)): return .int(int)
        case (.double, .double(let double)): return .double(double)
        case (.int, .double(let double)):
            guard let int = Int(exactly: double) else { throw mismatch(names, type) }
            return .int(int)
        case (.double, .int(let int)):
            guard let double = Double(exactly: int) else { throw mismatch(names, type) }
            return .double(double)
        case (.array(let element), .array(let drafts)):
            var elements: [RefValue] = []
            for (index, draft) in drafts.enumerated() {
                elements.append(try value(draft, as: element, at: names + [String(index)], false))
            }
            return .array(elements)
        case (.dictionary(let entry), .object(let members)):
            return try dictionary(members, entry, names, isPatch)
        case (.model(let name), .object(let members)): return try model(members, name, names, isPatch)
        default: throw mismatch(names, type)
        }
    }

    private func dictionary(
        _ members: [(name: String, value: Draft)],
        _ entry: RefType,
        _ names: [String],
        _ isPatch: Bool
    ) throws -> RefValue {
        let model = RefModel()
        model.type = .dictionary(entry)
        for member in lastOnes(members) {
            if isPatch, case .null = member.value { continue }
            let new = try value(member.value, as: entry, at: names + [member.name], isPatch)
            model.properties.append(RefProperty(name: member.name, value: new, revision: revision + 1))
        }
        return .model(model)
    }

    private func model(
        _ members: [(name: String, value: Draft)],
        _ type: String,
        _ names: [String],
        _ isPatch: Bool
    ) throws -> RefValue {
        let declared = schema.properties(of: type)
        for member in members {
            let known = declared.first { $0.name == member.name }
            guard let known, known.computed == nil else {
                let kind = known == nil ? TreeError.Kind.notFound : .readOnly
                throw RefError(kind: kind, path: dotted((names + [member.name])[...]))
            }
        }
        let model = RefModel()
        model.type = .named(type)
        for property in declared {
            let place = names + [property.name]
            let new: RefValue
            if property.computed != nil {
                let fresh = RefProperty(
                    name: property.name,
                    value: .null,
                    isWeak: true,
                    revision: revision + 1,
                    isPending: true
                )
                model.properties.append(fresh)
                continue
            }
            if let given = members.last(where: { $0.name == property.name }) {
                new = try value(given.value, as: property, at: place, isPatch: isPatch)
            } else if let initial = property.initial {
                new = try value(initial, as: property, at: place)
            } else {
                new = try nothing(property.type, place)
            }
            model.properties.append(
                RefProperty(
                    name: property.name,
                    value: new,
                    isWeak: property.isWeak,
                    revision: revision + 1
                )
            )
        }
        return .model(model)
    }

    /// The value without a given one and without a default.
    private func nothing(_ type: RefType, _ names: [String]) throws -> RefValue {
        switch type {
        case .any, .optional: return .null
        case .bool: return .bool(false)
        case .int: return .int(0)
        case .double: return .double(0)
        case .string: return .string("")
        case .array: return .array([])
        case .dictionary(let entry): return try dictionary([], entry, names, false)
        case .model: throw mismatch(names, type)
        }
    }

    // MARK: Links

    /// Whether a link there is weak; throws if the model's type does not fit.
    func strength(_ isWeak: Bool, _ model: RefModel, _ names: [String]) throws -> Bool {
        let declared = try writable(names)
        try refuse(model, as: declared, names)
        if isWeak, !declared.type.takesNull { throw mismatch(names, declared.type) }
        return isWeak || declared.isWeak
    }

    /// Throws for a model of another type than the declared one.
    func refuse(_ model: RefModel, as declared: RefDeclared, _ names: [String]) throws {
        guard isOf(declared.type, model) else { throw mismatch(names, declared.type) }
    }

    func isOf(_ type: RefType, _ model: RefModel) -> Bool {
        switch (type, model.type) {
        case (.any, _): true
        case (.optional(let wrapped), _): isOf(wrapped, model)
        case (.model(let wanted), .named(let name)): wanted == name
        case (.dictionary(let wanted), .dictionary(let entry)): wanted.text == entry.text
        default: false
        }
    }
}

extension RefModelType {
    /// The type as a declaration; nil for an open model.
    fileprivate var declared: RefType? {
        switch self {
        case .open: nil
        case .named(let name): .model(name)
        case .dictionary(let entry): .dictionary(entry)
        }
    }
}
