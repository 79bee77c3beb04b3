// SPDX-License-Identifier: MIT
// The oracle's writes, after the protocol. Independent of events.

@testable import ObserveCore

extension ReferenceTree {
    func execute(_ write: RefWrite) throws -> RefOutcome {
        if write.names[0] == "observed" { throw RefError(kind: .readOnly, path: dotted(write.names[...])) }
        switch write {
        case .set(let names, let draft, let parents):
            return RefOutcome(changed: try set(names, draft, parents))
        case .merge(let names, let patch): return RefOutcome(changed: try merge(names, patch))
        case .remove(let names): return RefOutcome(changed: try remove(names))
        case .insert(let names, let source, let index):
            try insert(names, source, at: index)
            return RefOutcome(changed: true)
        case .increment(let names, let step): return try increment(names, step ?? .int(1))
        case .link(let names, let target, let isWeak):
            return RefOutcome(changed: try link(names, target, isWeak))
        }
    }

    private func set(_ names: [String], _ draft: Draft, _ parents: Bool) throws -> Bool {
        var hasMadeParents = false
        while true {
            guard parents, case .broken(let component, isScalar: false) = place(names) else {
                let hasChanged = try term.map { try lay(names, draft, $0) } ?? put(names, draft)
                return hasChanged || hasMadeParents
            }
            hasMadeParents = true
            var parents = Draft.object([])
            for name in names[(component + 1)..<(names.count - 1)].reversed() {
                parents = .object([(name, parents)])
            }
            _ = try put(Array(names[...component]), parents)
        }
    }

    private func lay(_ names: [String], _ draft: Draft, _ term: RefExpiry) throws -> Bool {
        let place = try place(of: names)
        let new = try value(draft, as: try writable(names), at: names, isPatch: false)
        guard case .property(let model, let name) = place else {
            throw RefError(kind: .invalidValue, path: dotted(names[...]))
        }
        return lay(model, name, new, isWeak: false, term)
    }

    /// Assigns a property or an element.
    private func put(_ names: [String], _ draft: Draft, isPatch: Bool = false) throws -> Bool {
        let place = try place(of: names)
        let new = try value(draft, as: try writable(names), at: names, isPatch: isPatch)
        switch place {
        case .property(let model, let name): return put(model, name, new)
        case .element(let model, let name, let indices): return replace(model, name, indices, new)
        case .missingElement, .broken: return false
        }
    }

    /// Throws for a value that can't be assigned.
    private func place(of names: [String]) throws -> RefPlace {
        let place = place(names)
        switch place {
        case .missingElement: throw RefError(kind: .notFound, path: dotted(names[...]))
        case .broken(let component, let isScalar):
            throw RefError(kind: isScalar ? .typeMismatch : .notFound, path: dotted(names[...component]))
        case .property, .element: return place
        }
    }

    private func remove(_ names: [String]) throws -> Bool {
        switch place(names) {
        case .property(let model, let name):
            let declared = try writable(names)
            if case .named = model.type { return put(model, name, try value(.null, as: declared, at: names)) }
            return remove(model, name)
        case .element(let model, let name, let indices):
            _ = try writable(names)
            edit(model, name, indices, .removal)
            return true
        case .missingElement, .broken: return false
        }
    }

    // MARK: merge

    /// RFC 7396, in place: an existing model keeps its identity, even behind a weak reference.
    private func merge(_ names: [String], _ patch: Draft) throws -> Bool {
        guard case .object(let members) = patch else { return try set(names, patch, false) }
        if let model = value(at: names).model { return try merge(members, into: model, names) }
        return try put(names, patch, isPatch: true)
    }

    private func merge(_ members: [(name: String, value: Draft)], into model: RefModel, _ names: [String])
        throws -> Bool
    {
        var changed = false
        for (name, patch) in lastOnes(members) where try merge(name, patch, into: model, names + [name]) {
            changed = true
        }
        return changed
    }

    private func merge(_ name: String, _ patch: Draft, into model: RefModel, _ names: [String]) throws -> Bool
    {
        let declared = try declared(name, in: model, names)
        if declared.computed != nil { throw RefError(kind: .readOnly, path: dotted(names[...])) }
        if case .object(let members) = patch, let inner = model.value(name).model {
            return try merge(members, into: inner, names)
        }
        if declared.isReadonly { throw RefError(kind: .readOnly, path: dotted(names[...])) }
        if case .null = patch {
            if case .named = model.type {} else { return remove(model, name) }
        }
        return put(model, name, try value(patch, as: declared, at: names, isPatch: true))
    }

    /// A new model from the patch without its nulls.
    func merged(_ members: [(name: String, value: Draft)]) -> RefValue {
        let model = RefModel()
        for (name, patch) in lastOnes(members) {
            switch patch {
            case .null: continue
            case .object(let inner): model.append(name, merged(inner), revision + 1)
            default: model.append(name, patch.value(at: revision + 1), revision + 1)
            }
        }
        return .model(model)
    }

    /// Each name once, in its first place, with its last value.
    func lastOnes(_ members: [(name: String, value: Draft)]) -> [(name: String, value: Draft)] {
        var found: [(name: String, value: Draft)] = []
        for member in members {
            if let known = found.firstIndex(where: { $0.name == member.name }) {
                found[known].value = member.value
            } else {
                found.append(member)
            }
        }
        return found
    }

    // MARK: insert

    private func insert(_ names: [String], _ source: RefSource, at wanted: Int?) throws {
        var target: RefModel?
        if case .target(let other) = source { target = try model(at: other) }
        let place = try place(of: names)
        let found = value(at: names)
        guard case .array(let elements) = found else {
            throw RefError(kind: found.isNull ? .notFound : .typeMismatch, path: dotted(names[...]))
        }
        let index = wanted ?? elements.count
        guard index <= elements.count else { throw RefError(kind: .notFound, path: dotted(names[...])) }
        let declared = RefDeclared(type: try writable(names).type.element)
        func element(_ owner: RefModel) throws -> RefValue {
            if case .value(let draft) = source {
                return try value(draft, as: declared, at: names + [String(index)])
            }
            guard let target else { return .absent }
            try refuse(target, as: declared, names)
            try refuseCycle(owner, target, names)
            return .model(target)
        }
        switch place {
        case .property(let owner, let name):
            edit(owner, name, [index], .insertion, try element(owner))
        case .element(let owner, let name, let indices):
            edit(owner, name, indices + [index], .insertion, try element(owner))
        case .missingElement, .broken: return
        }
    }

    // MARK: increment

    private func increment(_ names: [String], _ step: Draft) throws -> RefOutcome {
        let place = try place(of: names)
        let old = value(at: names)
        let sum = try sum(old, step.value(at: revision + 1), names)
        let new = try value(sum.number, as: try writable(names), at: names)
        var changed = false
        switch place {
        case .property(let model, let name): changed = put(model, name, new)
        case .element(let model, let name, let indices): changed = replace(model, name, indices, new)
        case .missingElement, .broken: break
        }
        return RefOutcome(changed: changed, value: changed ? new : old)
    }

    private func sum(_ old: RefValue, _ step: RefValue, _ names: [String]) throws -> RefValue {
        switch (old, step) {
        case (.absent, _), (.null, _): return step
        case (.int(let a), .int(let b)):
            let exact = Int128(a) + Int128(b)
            guard let sum = Int(exactly: exact) else {
                throw RefError(kind: .limitExceeded, path: dotted(names[...]))
            }
            return .int(sum)
        case (.int(let a), .double(let b)): return try finite(Double(a) + b, names)
        case (.double(let a), .int(let b)): return try finite(a + Double(b), names)
        case (.double(let a), .double(let b)): return try finite(a + b, names)
        default: throw RefError(kind: .typeMismatch, path: dotted(names[...]))
        }
    }

    private func finite(_ sum: Double, _ names: [String]) throws -> RefValue {
        guard sum.isFinite else { throw RefError(kind: .limitExceeded, path: dotted(names[...])) }
        return .double(sum)
    }

    // MARK: link

    private func link(_ names: [String], _ target: [String], _ isWeak: Bool) throws -> Bool {
        let model = try model(at: target)
        switch try place(of: names) {
        case .property(let owner, let name):
            let isWeak = try strength(isWeak, model, names)
            if let term {
                if !isWeak { try refuseCycle(owner, model, names) }
                return lay(owner, name, .model(model), isWeak: isWeak, term)
            }
            if let known = owner.index(name), owner.properties[known].isWeak == isWeak,
                owner.properties[known].value.model === model
            {
                marks[mark(owner, name)].isAssignedEqual = true
                return false
            }
            if !isWeak { try refuseCycle(owner, model, names) }
            assign(owner, name, .model(model), isWeak: isWeak)
            return true
        case .element(let owner, let name, let indices):
            let refusal = RefError(kind: .invalidValue, path: dotted(names[...]))
            if isWeak { throw refusal }
            _ = try strength(isWeak, model, names)
            if term != nil { throw refusal }
            try refuseCycle(owner, model, names)
            return replace(owner, name, indices, .model(model))
        case .missingElement, .broken: return false
        }
    }

    private func model(at target: [String]) throws -> RefModel {
        let found = value(at: target)
        if let model = found.model { return model }
        throw RefError(kind: found.isNull ? .notFound : .typeMismatch, path: dotted(target[...]))
    }

    private func refuseCycle(_ owner: RefModel, _ target: RefModel, _ names: [String]) throws {
        if leads(from: target, to: owner) {
            throw RefError(kind: .referenceCycle, path: dotted(names[...]))
        }
    }
}

extension RefModel {
    fileprivate func append(_ name: String, _ value: RefValue, _ revision: UInt64) {
        properties.append(RefProperty(name: name, value: value, revision: revision))
    }
}

extension RefValue {
    /// The number as a draft.
    fileprivate var number: Draft {
        switch self {
        case .int(let int): .int(int)
        case .double(let double): .double(double)
        default: .null
        }
    }
}
