// SPDX-License-Identifier: MIT
// What declared types allow, by the contract's words. Shares no code with the tree's own checks.

@testable import ObserveCore

extension ReferenceTree {
    private func mismatch(_ names: [String]) -> RefError {
        RefError(kind: .typeMismatch, path: dotted(names[...]))
    }

    /// Throws for a path that the roots' declared types rule out.
    func refuseUnknown(_ names: [String]) throws {
        guard !schema.roots.isEmpty, let root = schema.roots.first(where: { $0.name == names[0] }) else {
            return
        }
        var type = root.type
        for index in 1..<names.count {
            while case .optional(let wrapped) = type { type = wrapped }
            switch type {
            case .model(let name):
                guard let next = schema.properties(of: name).first(where: { $0.name == names[index] }) else {
                    throw RefError(kind: .notFound, path: dotted(names[...index]))
                }
                type = next.type
            case .dictionary(let entry): type = entry
            case .array(let element) where arrayIndex(names[index]) != nil: type = element
            default: return
            }
        }
    }

    /// What is declared for the place, which is a property or an element; throws if it can't be written.
    func writable(_ names: [String]) throws -> RefDeclared {
        let walk = walk(names)
        var holder = names.count - 1
        while walk.owners[holder] == nil { holder -= 1 }
        guard let owner = walk.owners[holder] else { return RefDeclared(type: .any) }
        var declared = RefDeclared(type: .any)
        switch owner.type {
        case .open:
            if owner === root, let known = schema.roots.first(where: { $0.name == names[holder] }) {
                declared.type = known.type
            }
        case .named(let type):
            guard let known = schema.properties(of: type).first(where: { $0.name == names[holder] }) else {
                throw RefError(kind: .notFound, path: dotted(names[...]))
            }
            declared = known
        case .dictionary(let type): declared.type = type
        }
        if declared.isReadonly { throw RefError(kind: .readOnly, path: dotted(names[...])) }
        for _ in holder..<(names.count - 1) { declared.type = declared.type.element }
        return declared
    }

    /// What the draft makes there.
    func value(_ draft: Draft, as declared: RefDeclared, at names: [String]) throws -> RefValue {
        guard declared.isWeak else { return try value(draft, as: declared.type, at: names) }
        guard case .null = draft else { throw mismatch(names) }
        return .null
    }

    private func value(_ draft: Draft, as type: RefType, at names: [String]) throws -> RefValue {
        switch (type, draft) {
        case (.any, _): return draft.value(at: revision + 1)
        case (.optional, .null): return .null
        case (.optional(let wrapped), _): return try value(draft, as: wrapped, at: names)
        case (.bool, .bool(let bool)): return .bool(bool)
        case (.string, .string(let string)): return .string(string)
        case (.int, .int(let int)): return .int(int)
        case (.double, .double(let double)): return .double(double)
        case (.int, .double(let double)):
            guard let int = Int(exactly: double) else { throw mismatch(names) }
            return .int(int)
        case (.double, .int(let int)):
            guard let double = Double(exactly: int) else { throw mismatch(names) }
            return .double(double)
        case (.array(let element), .array(let drafts)):
            var elements: [RefValue] = []
            for (index, draft) in drafts.enumerated() {
                elements.append(try value(draft, as: element, at: names + [String(index)]))
            }
            return .array(elements)
        case (.dictionary(let entry), .object(let members)): return try dictionary(members, entry, names)
        case (.model(let name), .object(let members)): return try model(members, name, names)
        default: throw mismatch(names)
        }
    }

    private func dictionary(_ members: [(name: String, value: Draft)], _ entry: RefType, _ names: [String])
        throws -> RefValue
    {
        let model = RefModel()
        model.type = .dictionary(entry)
        for member in members where model.index(member.name) == nil {
            guard let last = members.last(where: { $0.name == member.name }) else { continue }
            let new = try value(last.value, as: entry, at: names + [member.name])
            model.properties.append(RefProperty(name: member.name, value: new, revision: revision + 1))
        }
        return .model(model)
    }

    private func model(_ members: [(name: String, value: Draft)], _ type: String, _ names: [String]) throws
        -> RefValue
    {
        let declared = schema.properties(of: type)
        for member in members where !declared.contains(where: { $0.name == member.name }) {
            throw RefError(kind: .notFound, path: dotted((names + [member.name])[...]))
        }
        let model = RefModel()
        model.type = .named(type)
        for property in declared {
            let place = names + [property.name]
            let given = members.last { $0.name == property.name }?.value ?? property.initial
            let new =
                if let given { try value(given, as: property, at: place) } else {
                    try nothing(property.type, place)
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

    /// What stands where neither a value nor a default is given.
    private func nothing(_ type: RefType, _ names: [String]) throws -> RefValue {
        switch type {
        case .any, .optional: return .null
        case .bool: return .bool(false)
        case .int: return .int(0)
        case .double: return .double(0)
        case .string: return .string("")
        case .array: return .array([])
        case .dictionary(let entry): return try dictionary([], entry, names)
        case .model: throw mismatch(names)
        }
    }

    /// Whether a link there is weak, if the model may stand there.
    func strength(_ isWeak: Bool, _ model: RefModel, _ names: [String]) throws -> Bool {
        let declared = try writable(names)
        guard isOf(declared.type, model) else { throw mismatch(names) }
        if isWeak, !declared.type.takesNull { throw mismatch(names) }
        return isWeak || declared.isWeak
    }

    private func isOf(_ type: RefType, _ model: RefModel) -> Bool {
        switch (type, model.type) {
        case (.any, _): true
        case (.optional(let wrapped), _): isOf(wrapped, model)
        case (.model(let wanted), .named(let name)): wanted == name
        case (.dictionary(let wanted), .dictionary(let entry)): wanted.text == entry.text
        default: false
        }
    }
}
