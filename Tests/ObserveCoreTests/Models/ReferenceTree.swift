// SPDX-License-Identifier: MIT
// The oracle's tree: commits, references and paths the slow and plain way. What each write does, and the events, are in
// its extensions.

@testable import ObserveCore

/// Why the reference tree refuses a write.
struct RefError: Error, Equatable {
    var kind: TreeError.Kind
    var path: String?
    /// What stood there instead, of a conflict.
    var found: String?
    /// The type that something else was found for.
    var declared: String?
}

/// One change to an element of the array in a property, or of one nested in it.
struct RefEdit {
    /// The indices that lead from the property's array to the one concerned.
    var path: [Int]
    var index: Int
    var kind: ChangeKind
    var old: RefValue
    var new: RefValue
    /// The element was replaced by an equal one, and stayed.
    var isEqual = false

    /// It moves the elements behind it, so it assigns the array as a whole.
    var isShift: Bool { kind != .replacement }
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
    /// What was done to single elements, in order.
    var edits: [RefEdit] = []
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

/// A concrete path, and how it led when it was looked at last.
final class RefWatch {
    let names: [String]
    let path: String
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
    private(set) var revision: UInt64 = 0
    /// What the commit under way, or the last one, did to each property.
    var marks: [RefMark] = []
    var hasChanged = false
    var lastLayer = 0
    /// Who writes, and when, in milliseconds.
    var owner: Int32 = 0
    var now: UInt64 = 0
    /// When what the write under way assigns is to end.
    private(set) var term: RefTerm?
    private(set) var models: [RefModel] = []
    var bindings: [RefBinding] = []
    private var search = 0

    init(schema: RefSchema = RefSchema()) { self.schema = schema }

    /// How many models the roots reach.
    var modelCount: Int { models.count }

    // MARK: Commits

    /// All that a write can change.
    private struct Snapshot {
        var models: [(RefModel, [RefProperty], UInt64, [String: [RefLayer]])]
        var marks: [RefMark]
        var hasChanged: Bool
    }

    private var atBegin: Snapshot?

    private var snapshot: Snapshot {
        Snapshot(
            models: ([root] + models).map { ($0, $0.properties, $0.removalRevision, $0.stacks) },
            marks: marks,
            hasChanged: hasChanged
        )
    }

    private func restore(_ snapshot: Snapshot) {
        for (model, properties, removal, stacks) in snapshot.models {
            model.properties = properties
            model.stacks = stacks
            model.removalRevision = removal
        }
        marks = snapshot.marks
        hasChanged = snapshot.hasChanged
        reachModels()
    }

    func begin() {
        marks = []
        hasChanged = false
        atBegin = snapshot
    }

    /// Carries out one write of the commit under way. If it throws, nothing of it is left.
    func execute(_ operation: RefOperation) throws -> RefOutcome {
        let before = snapshot
        switch operation.lifetime {
        case .connection: term = .owner(owner)
        case .milliseconds(let milliseconds): term = .time(now + milliseconds)
        case nil: term = nil
        }
        do {
            try refuseUnknown(operation.write)
            try check(operation.condition, operation.write.names)
            let outcome = try execute(operation.write)
            nullDeadReferences()
            recompute()
            return outcome
        } catch {
            restore(before)
            throw error
        }
    }

    func rollBack() {
        if let atBegin { restore(atBegin) }
        marks = []
    }

    /// Ends the commit. Returns whether it changed anything.
    func end() -> Bool {
        recompute()
        if !bindings.isEmpty { settle() }
        if hasChanged { revision += 1 }
        return hasChanged
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

    func assign(_ model: RefModel, _ name: String, _ value: RefValue, isWeak: Bool, clears: Bool = true) {
        let isWeak = isWeak || isDeclaredWeak(model, name)
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

    /// Assigns unless the value there is equal. A weak property becomes strong by it, if it is not declared weak.
    func put(_ model: RefModel, _ name: String, _ new: RefValue) -> Bool {
        if let known = model.index(name),
            !model.properties[known].isWeak || isDeclaredWeak(model, name),
            model.properties[known].value.equals(new)
        {
            marks[mark(model, name)].isAssignedEqual = true
            return false
        }
        assign(model, name, new, isWeak: false)
        return true
    }

    func remove(_ model: RefModel, _ name: String) -> Bool {
        guard let known = model.index(name) else { return false }
        marks[mark(model, name)].isAssigned = true
        model.properties.remove(at: known)
        model.removalRevision = revision + 1
        hasChanged = true
        return true
    }

    func replace(_ model: RefModel, _ name: String, _ indices: [Int], _ new: RefValue) -> Bool {
        var old = model.value(name)
        for index in indices { if case .array(let elements) = old { old = elements[index] } }
        let isEqual = old.equals(new)
        edit(model, name, indices, .replacement, isEqual ? old : new, isEqual: isEqual)
        return !isEqual
    }

    /// - Parameter new: the element that comes; none where one is removed.
    func edit(
        _ model: RefModel,
        _ name: String,
        _ indices: [Int],
        _ kind: ChangeKind,
        _ new: RefValue = .absent,
        isEqual: Bool = false
    ) {
        guard let known = model.index(name), let index = indices.last else { return }
        let marked = mark(model, name)
        var edit = RefEdit(
            path: Array(indices.dropLast()),
            index: index,
            kind: kind,
            old: .absent,
            new: new,
            isEqual: isEqual
        )
        let value = edited(model.properties[known].value, indices[...], kind, new, &edit.old)
        marks[marked].edits.append(edit)
        if isEqual { return }
        model.properties[known].value = value
        model.properties[known].revision = revision + 1
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
            // What lies below a value that ends is kept.
            let shadowed = found[next].stacks.values.flatMap { $0.dropLast() }.filter { !$0.isWeak }
            for model in shadowed.flatMap(\.value.models) where model.mark != search {
                model.mark = search
                found.append(model)
            }
            next += 1
        }
        return found
    }

    /// Whether strong references lead from `start` to `model`.
    func leads(from start: RefModel, to model: RefModel) -> Bool {
        search += 1
        return collect(start).contains { $0 === model }
    }

    @discardableResult
    private func reachModels() -> [RefModel] {
        search += 1
        let reached = collect(root)
        models = Array(reached.dropFirst())
        return reached
    }

    /// A weak reference to a model that no root reaches becomes null.
    func nullDeadReferences() {
        for owner in reachModels() {
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

    func value(at names: [String]) -> RefValue { names.isEmpty ? .model(root) : walk(names).last }

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

extension RefWalk {
    var last: RefValue { values[values.count - 1] }

    /// The first component before the last that is null, or a scalar that something was read through.
    var broken: Int? { values.dropLast().firstIndex { !$0.isContainer } }
}
