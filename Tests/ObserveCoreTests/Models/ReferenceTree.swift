// SPDX-License-Identifier: MIT
// The oracle's tree: what each write does by the contract's words, the slow and plain way. Events are in its extension.

@testable import ObserveCore

/// Why the reference tree refuses a write.
struct RefError: Error, Equatable {
    var kind: TreeError.Kind
    var path: String?
}

/// A write as the oracle takes it.
enum RefWrite {
    case set([String], Draft, parents: Bool)
    case remove([String])
    case link([String], target: [String], isWeak: Bool)
    /// Into an array, before `index`.
    case insert([String], Draft, index: Int)
}

struct RefCondition {
    var names: [String]
    var revision: UInt64?
    var value: Draft?
}

/// One change to an element of the array in a property, or of one nested in it.
struct RefEdit {
    /// The indices that lead from the property's array to the one concerned.
    var path: [Int]
    var index: Int
    var kind: ChangeKind
    var old: RefValue
    var new: RefValue
}

/// What the commit under way did to one property.
struct RefMark {
    let owner: RefModel
    let name: String
    let before: RefValue
    let wasWeak: Bool
    /// It was assigned another value as a whole.
    var isAssigned = false
    /// It was assigned the value that it had.
    var isAssignedEqual = false
    var edits: [RefEdit] = []
    var equalEdits: [RefEdit] = []
}

/// Where a path leads when it is to be written.
enum RefPlace {
    case property(RefModel, String)
    case element(RefModel, String, [Int])
    case missingElement
    case broken(Int, isScalar: Bool)
}

/// What each component of a path reads as, and the model that it is a property of, if it is one.
struct RefWalk {
    var values: [RefValue] = []
    var owners: [RefModel?] = []
}

/// A path that is observed.
final class RefWatch {
    let names: [String]
    let path: String
    var watchers: [(id: Int32, isDistinct: Bool)] = []
    var walk: RefWalk

    init(_ names: [String], _ walk: RefWalk) {
        self.names = names
        path = dotted(names[...])
        self.walk = walk
    }
}

final class ReferenceTree {
    let root = RefModel()
    /// What is declared; nothing for an open tree.
    let schema: RefSchema
    var revision: UInt64 = 0
    var watches: [RefWatch] = []
    var marks: [RefMark] = []
    var models: [RefModel] = []
    private var hasChanged = false
    var search = 0

    init(schema: RefSchema = RefSchema()) { self.schema = schema }

    /// How many models the roots reach.
    var modelCount: Int { models.count }

    // MARK: Commits

    /// Carries all out as one commit. Returns whether each changed something, and the events.
    func commit(_ writes: [RefWrite], if condition: RefCondition?) throws -> ([Bool], [TreeEvent]) {
        // One write alone fails before it has changed anything, but where types may refuse what parents were made for.
        let mayFailHalfway = writes.count > 1 || !schema.roots.isEmpty
        let saved =
            mayFailHalfway ? ([root] + models).map { ($0, $0.properties, $0.removalRevision) } : []
        marks = []
        hasChanged = false
        var results: [Bool] = []
        do {
            if let condition { try check(condition) }
            for write in writes { results.append(try carryOut(write)) }
        } catch {
            for (model, properties, removal) in saved {
                model.properties = properties
                model.removalRevision = removal
            }
            throw error
        }
        if hasChanged {
            nullDeadReferences()
            revision += 1
        }
        return (results, marks.isEmpty ? [] : events())
    }

    private func carryOut(_ write: RefWrite) throws -> Bool {
        switch write {
        case .set(let names, let draft, let parents): return try set(names, draft, parents)
        case .remove(let names): return try remove(names)
        case .link(let names, let target, let isWeak): return try link(names, target, isWeak)
        case .insert(let names, let draft, let index):
            try insert(names, draft, at: index)
            return true
        }
    }

    private func set(_ names: [String], _ draft: Draft, _ parents: Bool) throws -> Bool {
        try refuseUnknown(names)
        try refuseReserved(names)
        while true {
            switch place(names) {
            case .property(let model, let name):
                let declared = try writable(names)
                let new = try value(draft, as: declared, at: names)
                return put(model, name, new, keepsWeak: declared.isWeak)
            case .element(let model, let name, let indices):
                return replace(model, name, indices, try value(draft, as: try writable(names), at: names))
            case .missingElement: throw RefError(kind: .notFound, path: dotted(names[...]))
            case .broken(let component, let isScalar):
                let above = names[...component]
                guard parents, !isScalar else {
                    throw RefError(kind: isScalar ? .typeMismatch : .notFound, path: dotted(above))
                }
                var inner = Draft.object([])
                for name in names[(component + 1)..<(names.count - 1)].reversed() {
                    inner = .object([(name, inner)])
                }
                _ = try set(Array(above), inner, false)
            }
        }
    }

    private func put(_ model: RefModel, _ name: String, _ new: RefValue, keepsWeak: Bool) -> Bool {
        if let known = model.index(name), keepsWeak || !model.properties[known].isWeak,
            model.properties[known].value.equals(new)
        {
            marks[mark(model, name)].isAssignedEqual = true
            return false
        }
        assign(model, name, new, isWeak: keepsWeak)
        return true
    }

    private func remove(_ names: [String]) throws -> Bool {
        try refuseUnknown(names)
        try refuseReserved(names)
        switch place(names) {
        case .property(let model, let name):
            let declared = try writable(names)
            if case .named = model.type {
                return put(model, name, try value(.null, as: declared, at: names), keepsWeak: declared.isWeak)
            }
            guard let known = model.index(name) else { return false }
            marks[mark(model, name)].isAssigned = true
            model.properties.remove(at: known)
            model.removalRevision = revision + 1
            hasChanged = true
            return true
        case .element(let model, let name, let indices):
            _ = try writable(names)
            edit(model, name, indices, nil)
            return true
        case .missingElement, .broken: return false
        }
    }

    private func link(_ names: [String], _ target: [String], _ isWeak: Bool) throws -> Bool {
        try refuseUnknown(names)
        try refuseUnknown(target)
        try refuseReserved(names)
        let found = walk(target).values[target.count - 1]
        guard let model = found.model else {
            throw RefError(kind: found.isNull ? .notFound : .typeMismatch, path: dotted(target[...]))
        }
        switch place(names) {
        case .property(let owner, let name):
            let isWeak = try strength(isWeak, model, names)
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
            if isWeak { throw RefError(kind: .invalidValue, path: dotted(names[...])) }
            _ = try strength(isWeak, model, names)
            try refuseCycle(owner, model, names)
            return replace(owner, name, indices, .model(model))
        case .missingElement: throw RefError(kind: .notFound, path: dotted(names[...]))
        case .broken(let component, let isScalar):
            throw RefError(kind: isScalar ? .typeMismatch : .notFound, path: dotted(names[...component]))
        }
    }

    private func insert(_ names: [String], _ draft: Draft, at index: Int) throws {
        try refuseUnknown(names)
        try refuseReserved(names)
        let place = place(names)
        if case .broken(let component, let isScalar) = place {
            throw RefError(kind: isScalar ? .typeMismatch : .notFound, path: dotted(names[...component]))
        }
        let found = walk(names).values[names.count - 1]
        guard case .array(let elements) = found else {
            throw RefError(kind: found.isNull ? .notFound : .typeMismatch, path: dotted(names[...]))
        }
        guard index <= elements.count else { throw RefError(kind: .notFound, path: dotted(names[...])) }
        let element = RefDeclared(type: try writable(names).type.element)
        let new = try value(draft, as: element, at: names + [String(index)])
        switch place {
        case .property(let model, let name): insert(model, name, [index], new)
        case .element(let model, let name, let indices): insert(model, name, indices + [index], new)
        case .missingElement, .broken: throw RefError(kind: .notFound, path: dotted(names[...]))
        }
    }

    private func refuseReserved(_ names: [String]) throws {
        if names[0] == "observed" { throw RefError(kind: .readOnly, path: dotted(names[...])) }
    }

    private func refuseCycle(_ owner: RefModel, _ target: RefModel, _ names: [String]) throws {
        search += 1
        if collect(target).contains(where: { $0 === owner }) {
            throw RefError(kind: .referenceCycle, path: dotted(names[...]))
        }
    }

    // MARK: Assigning

    func mark(_ model: RefModel, _ name: String) -> Int {
        for index in 0..<marks.count where marks[index].owner === model && marks[index].name == name {
            return index
        }
        marks.append(
            RefMark(owner: model, name: name, before: model.value(name), wasWeak: model.isWeak(name))
        )
        return marks.count - 1
    }

    private func assign(_ model: RefModel, _ name: String, _ value: RefValue, isWeak: Bool) {
        marks[mark(model, name)].isAssigned = true
        hasChanged = true
        if let known = model.index(name) {
            model.properties[known].value = value
            model.properties[known].isWeak = isWeak
            model.properties[known].revision = revision + 1
        } else {
            model.properties.append(
                RefProperty(name: name, value: value, isWeak: isWeak, revision: revision + 1)
            )
        }
    }

    private func replace(_ model: RefModel, _ name: String, _ indices: [Int], _ new: RefValue) -> Bool {
        var old = model.value(name)
        for index in indices { if case .array(let elements) = old { old = elements[index] } }
        guard old.equals(new) else {
            edit(model, name, indices, new)
            return true
        }
        marks[mark(model, name)].equalEdits.append(
            RefEdit(
                path: Array(indices.dropLast()),
                index: indices[indices.count - 1],
                kind: .replacement,
                old: old,
                new: old
            )
        )
        return false
    }

    /// Replaces the element, or removes it when there is no new one.
    private func edit(_ model: RefModel, _ name: String, _ indices: [Int], _ new: RefValue?) {
        guard let known = model.index(name) else { return }
        let marked = mark(model, name)
        var old = RefValue.absent
        model.properties[known].value = edited(model.properties[known].value, indices[...], new, &old)
        model.properties[known].revision = revision + 1
        marks[marked].edits.append(
            RefEdit(
                path: Array(indices.dropLast()),
                index: indices[indices.count - 1],
                kind: new == nil ? .removal : .replacement,
                old: old,
                new: new ?? .absent
            )
        )
        hasChanged = true
    }

    private func insert(_ model: RefModel, _ name: String, _ indices: [Int], _ new: RefValue) {
        guard let known = model.index(name) else { return }
        let marked = mark(model, name)
        model.properties[known].value = inserted(model.properties[known].value, indices[...], new)
        model.properties[known].revision = revision + 1
        marks[marked].edits.append(
            RefEdit(
                path: Array(indices.dropLast()),
                index: indices[indices.count - 1],
                kind: .insertion,
                old: .absent,
                new: new
            )
        )
        hasChanged = true
    }

    // MARK: Walking

    func arrayIndex(_ name: String) -> Int? {
        guard let index = Int(name), index >= 0, String(index) == name else { return nil }
        return index
    }

    func walk(_ names: [String]) -> RefWalk {
        var walk = RefWalk()
        var value = RefValue.model(root)
        for name in names {
            var owner: RefModel?
            switch value {
            case .model(let model):
                owner = model
                value = model.value(name)
            case .array(let elements):
                let index = arrayIndex(name) ?? elements.count
                value = index < elements.count ? elements[index] : .absent
            default: value = .absent
            }
            walk.values.append(value)
            walk.owners.append(owner)
        }
        return walk
    }

    func place(_ names: [String]) -> RefPlace {
        let walk = walk(names)
        let last = names.count - 1
        for component in 0..<last where !walk.values[component].isContainer {
            return .broken(component, isScalar: !walk.values[component].isNull)
        }
        var component = last
        var indices: [Int] = []
        while walk.owners[component] == nil {
            guard let index = arrayIndex(names[component]) else { return .missingElement }
            indices.insert(index, at: 0)
            component -= 1
        }
        guard let owner = walk.owners[component] else { return .missingElement }
        if indices.isEmpty { return .property(owner, names[component]) }
        if case .array(let elements) = last == 0 ? .absent : walk.values[last - 1],
            indices[indices.count - 1] < elements.count
        {
            return .element(owner, names[component], indices)
        }
        return .missingElement
    }
}
