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
    /// `set` and `link` with a lifetime.
    case lay([String], Draft, RefTerm)
    case layLink([String], target: [String], isWeak: Bool, RefTerm)
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
    var revision: UInt64 = 0
    var watches: [RefWatch] = []
    var marks: [RefMark] = []
    private(set) var models: [RefModel] = []
    var hasChanged = false
    var lastLayer = 0
    private var search = 0

    /// How many models the roots reach.
    var modelCount: Int { models.count }

    // MARK: Commits

    /// Carries all out as one commit. Returns whether each changed something, and the events.
    func commit(_ writes: [RefWrite], if condition: RefCondition?) throws -> ([Bool], [TreeEvent]) {
        let saved =
            writes.count > 1
            ? ([root] + models).map { ($0, $0.properties, $0.removalRevision, $0.stacks) } : []
        marks = []
        hasChanged = false
        var results: [Bool] = []
        do {
            if let condition { try check(condition) }
            for write in writes { results.append(try carryOut(write)) }
        } catch {
            for (model, properties, removal, stacks) in saved {
                model.properties = properties
                model.removalRevision = removal
                model.stacks = stacks
            }
            throw error
        }
        return (results, finish())
    }

    /// Ends a commit: the dead go, and who watches is told.
    func finish() -> [TreeEvent] {
        nullDeadReferences()
        if hasChanged { revision += 1 }
        return marks.isEmpty ? [] : events()
    }

    private func carryOut(_ write: RefWrite) throws -> Bool {
        switch write {
        case .set(let names, let draft, let parents): return try set(names, draft, parents)
        case .remove(let names): return try remove(names)
        case .link(let names, let target, let isWeak): return try link(names, target, isWeak)
        case .insert(let names, let draft, let index):
            try insert(names, draft, at: index)
            return true
        case .lay(let names, let draft, let term): return try lay(names, draft, term)
        case .layLink(let names, let target, let isWeak, let term):
            return try layLink(names, target, isWeak, term)
        }
    }

    private func set(_ names: [String], _ draft: Draft, _ parents: Bool) throws -> Bool {
        try refuseReserved(names)
        while true {
            switch place(names) {
            case .property(let model, let name):
                let (new, known) = (draft.value(at: revision + 1), model.index(name))
                if let known, !model.properties[known].isWeak, model.properties[known].value.equals(new) {
                    marks[mark(model, name)].isAssignedEqual = true
                    return false
                }
                assign(model, name, new, isWeak: false)
                return true
            case .element(let model, let name, let indices):
                return replace(model, name, indices, draft.value(at: revision + 1))
            case .missingElement: throw RefError(kind: .notFound, path: dotted(names[...]))
            case .broken(let component, let isScalar):
                let above = names[...component]
                guard parents, !isScalar else {
                    throw RefError(kind: isScalar ? .typeMismatch : .notFound, path: dotted(above))
                }
                switch place(Array(above)) {
                case .property(let model, let name): assign(model, name, .model(RefModel()), isWeak: false)
                case .element(let model, let name, let indices):
                    _ = replace(model, name, indices, .model(RefModel()))
                default: throw RefError(kind: .notFound, path: dotted(above))
                }
            }
        }
    }

    private func remove(_ names: [String]) throws -> Bool {
        try refuseReserved(names)
        switch place(names) {
        case .property(let model, let name):
            guard model.index(name) != nil else { return false }
            removeProperty(model, name)
            return true
        case .element(let model, let name, let indices):
            edit(model, name, indices, nil)
            return true
        case .missingElement, .broken: return false
        }
    }

    private func link(_ names: [String], _ target: [String], _ isWeak: Bool) throws -> Bool {
        try refuseReserved(names)
        let found = walk(target).values[target.count - 1]
        guard let model = found.model else {
            throw RefError(kind: found.isNull ? .notFound : .typeMismatch, path: dotted(target[...]))
        }
        switch place(names) {
        case .property(let owner, let name):
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
            try refuseCycle(owner, model, names)
            return replace(owner, name, indices, .model(model))
        case .missingElement: throw RefError(kind: .notFound, path: dotted(names[...]))
        case .broken(let component, let isScalar):
            throw RefError(kind: isScalar ? .typeMismatch : .notFound, path: dotted(names[...component]))
        }
    }

    func refuseReserved(_ names: [String]) throws {
        if names[0] == "observed" { throw RefError(kind: .readOnly, path: dotted(names[...])) }
    }

    func refuseCycle(_ owner: RefModel, _ target: RefModel, _ names: [String]) throws {
        search += 1
        if collect(target).contains(where: { $0 === owner }) {
            throw RefError(kind: .referenceCycle, path: dotted(names[...]))
        }
    }

    // MARK: Assigning

    /// - Parameter clears: it is written to for good, so that nothing lies over anything there any more.
    func mark(_ model: RefModel, _ name: String, clears: Bool = true) -> Int {
        if clears { model.stacks[name] = nil }
        for index in 0..<marks.count where marks[index].owner === model && marks[index].name == name {
            return index
        }
        marks.append(
            RefMark(owner: model, name: name, before: model.value(name), wasWeak: model.isWeak(name))
        )
        return marks.count - 1
    }

    func removeProperty(_ model: RefModel, _ name: String) {
        marks[mark(model, name)].isAssigned = true
        model.properties.removeAll { $0.name == name }
        model.removalRevision = revision + 1
        hasChanged = true
    }

    func assign(_ model: RefModel, _ name: String, _ value: RefValue, isWeak: Bool, clears: Bool = true) {
        marks[mark(model, name, clears: clears)].isAssigned = true
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

    // MARK: Reachability

    /// All models that strong references lead to from `start`, itself included, that this search has not seen.
    private func collect(_ start: RefModel) -> [RefModel] {
        var found = [start]
        start.mark = search
        var next = 0
        while next < found.count {
            for property in found[next].properties where !property.isWeak && property.value.isContainer {
                for model in property.value.models where model.mark != search {
                    model.mark = search
                    found.append(model)
                }
            }
            for stack in found[next].stacks.values {
                for layer in stack.dropLast() where !layer.isWeak && layer.value.isContainer {
                    for model in layer.value.models where model.mark != search {
                        model.mark = search
                        found.append(model)
                    }
                }
            }
            next += 1
        }
        return found
    }

    /// A weak reference to a model that no root reaches becomes null.
    private func nullDeadReferences() {
        search += 1
        let reached = collect(root)
        models = Array(reached.dropFirst())
        for owner in reached {
            for index in 0..<owner.properties.count where owner.properties[index].isWeak {
                guard let model = owner.properties[index].value.model, model.mark != search else { continue }
                marks[mark(owner, owner.properties[index].name, clears: false)].isAssigned = true
                hasChanged = true
                owner.properties[index].value = .null
                owner.properties[index].revision = revision + 1
            }
        }
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
