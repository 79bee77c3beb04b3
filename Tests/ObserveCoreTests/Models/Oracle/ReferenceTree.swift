// SPDX-License-Identifier: MIT
// The oracle's tree: a slow and simple implementation of commits, references and paths. Its extensions implement
// writes and events.

@testable import ObserveCore

/// The reference tree's refusal of a write.
struct RefError: Error, Equatable {
    var kind: TreeError.Kind
    var path: String?
    /// The conflicting value.
    var found: String?
    /// The declared type that the value does not fit.
    var declared: String?
}

/// One edit of an element of a property's array, or of an array nested in it.
struct RefEdit {
    /// The indices from the property's array to the edited one.
    var path: [Int]
    var index: Int
    var kind: ChangeKind
    var old: RefValue
    var new: RefValue
    /// An equal value replaced the element, which stayed.
    var isEqual = false

    /// Whether it moves later elements, and so assigns the array as a whole.
    var isShift: Bool { kind != .replacement }
}

/// The changes of one property in the commit under way.
struct RefMark {
    let owner: RefModel
    let name: String
    let before: RefValue
    let wasWeak: Bool
    let revision: UInt64
    /// Assigned another value as a whole.
    var isAssigned = false
    /// Assigned an equal value.
    var isAssignedEqual = false
    /// The edits of single elements, in order.
    var edits: [RefEdit] = []
}

/// The maker of a commit, as `origin` names it.
enum RefAuthor: Hashable {
    /// The process with the user of invented credentials.
    case process(Int32)
    case lifetime(RefLifetime)

    func json(_ binding: Int?) -> String {
        let binding = binding.map { ",\"binding\":\($0)" } ?? ""
        return switch self {
        case .process(let pid): "{\"pid\":\(pid),\"uid\":\(pid - 500)\(binding)}"
        case .lifetime(let lifetime): "{\"lifetime\":\(lifetime.json)\(binding)}"
        }
    }
}

struct RefCommit {
    let author: RefAuthor
    let time: UInt64
}

/// The place that a write of a path changes.
enum RefPlace {
    case property(RefModel, String)
    case element(RefModel, String, [Int])
    case missingElement
    case broken(Int, isScalar: Bool)
}

/// The value of each component of a path, and its model if it is a property.
struct RefWalk {
    var values: [RefValue] = []
    var owners: [RefModel?] = []
}

/// A concrete path, and its walk at the last check.
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
    /// The declarations; empty for an open tree.
    let schema: RefSchema
    private(set) var revision: UInt64 = 0
    /// Each property's changes in the commit under way, or in the last one.
    var marks: [RefMark] = []
    var hasChanged = false
    var lastLayer = 0
    /// The writer, and the time in milliseconds.
    var owner: Int32 = 0
    var now: UInt64 = 0
    /// The maker of the commit under way, and the binding that writes in it.
    var author = RefAuthor.process(0)
    var writing: Int?
    /// The makers and times of all commits.
    private(set) var commits: [UInt64: RefCommit] = [:]
    /// The requested lifetime of each end.
    private(set) var requested: [RefExpiry: RefLifetime] = [:]
    /// The end of the value that the write under way assigns.
    private(set) var term: RefExpiry?
    private(set) var models: [RefModel] = []
    var bindings: [RefBinding] = []
    private var search = 0

    init(schema: RefSchema = RefSchema()) { self.schema = schema }

    /// The number of models that the roots reach.
    var modelCount: Int { models.count }

    // MARK: Commits

    /// All state that a write can change.
    private struct Snapshot {
        var models: [(RefModel, [RefProperty], [String: UInt64], [String: [RefTemporaryValue]])]
        var marks: [RefMark]
        var hasChanged: Bool
    }

    private var atBegin: Snapshot?

    private var snapshot: Snapshot {
        Snapshot(
            models: ([root] + models).map { ($0, $0.properties, $0.removals, $0.stacks) },
            marks: marks,
            hasChanged: hasChanged
        )
    }

    private func restore(_ snapshot: Snapshot) {
        for (model, properties, removals, stacks) in snapshot.models {
            model.properties = properties
            model.stacks = stacks
            model.removals = removals
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

    /// Executes one write of the commit under way. If it throws, it changes nothing.
    func execute(_ operation: RefOperation) throws -> RefOutcome {
        let before = snapshot
        switch operation.lifetime {
        case .connection: term = .owner(owner)
        case .milliseconds(let milliseconds): term = .time(now + milliseconds)
        case nil: term = nil
        }
        if let term { requested[term] = operation.lifetime }
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
        if !bindings.isEmpty { updateBindings() }
        if hasChanged {
            revision += 1
            commits[revision] = RefCommit(author: author, time: now)
        }
        return hasChanged
    }

    // MARK: Assigning

    /// - Parameter clears: whether the write is permanent and clears the stack.
    func mark(_ model: RefModel, _ name: String, clears: Bool = true) -> Int {
        if clears { model.stacks[name] = nil }
        for index in 0..<marks.count where marks[index].owner === model && marks[index].name == name {
            return index
        }
        marks.append(
            RefMark(
                owner: model,
                name: name,
                before: model.value(name),
                wasWeak: model.isWeak(name),
                revision: model.index(name).map { model.properties[$0].revision } ?? 0
            )
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
            model.properties[known].binding = writing
        } else {
            model.properties.append(
                RefProperty(
                    name: name,
                    value: value,
                    isWeak: isWeak,
                    revision: revision + 1,
                    binding: writing
                )
            )
        }
    }

    /// Assigns unless the value is equal. A weak property becomes strong, unless it is declared weak.
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
        model.removals[name] = revision + 1
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

    /// - Parameter new: the new element; nil for a removal.
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
        model.properties[known].binding = writing
        hasChanged = true
    }

    // MARK: Reachability

    /// All models that strong references reach from `start`, including `start`, and that this search has not visited.
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
            // Shadowed values keep their models.
            let shadowed = found[next].stacks.values.flatMap { $0.dropLast() }.filter { !$0.isWeak }
            for model in shadowed.flatMap(\.value.models) where model.mark != search {
                model.mark = search
                found.append(model)
            }
            next += 1
        }
        return found
    }

    /// Whether strong references reach `model` from `start`.
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

    /// Zeroes weak references to models that no root reaches.
    func nullDeadReferences() {
        for owner in reachModels() {
            for index in 0..<owner.properties.count where owner.properties[index].isWeak {
                guard let model = owner.properties[index].value.model, model.mark != search else { continue }
                let marked = mark(owner, owner.properties[index].name, clears: false)
                marks[marked].isAssigned = true
                hasChanged = true
                owner.properties[index].value = .null
                // A computed value may be that from before the commit again.
                let isAsBefore =
                    template(owner, owner.properties[index].name) != nil && marks[marked].before.isNull
                owner.properties[index].revision = isAsBefore ? marks[marked].revision : revision + 1
                owner.properties[index].binding = nil
            }
        }
    }
}
