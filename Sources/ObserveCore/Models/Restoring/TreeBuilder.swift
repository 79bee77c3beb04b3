// SPDX-License-Identifier: MIT
// The interface that restores a tree from its stored state. Independent of lines and files.

/// Fills an empty tree with declared types, in two stages:
///
/// 1. Patching (``isPatching``): from a snapshot. ``finishPatching(revision:)`` counts all references at once. A
///    snapshot of version 0.2 or older has each property as of some moment of its writing, with the revision of its last
///    assignment; so the commits made meanwhile follow, and change only older properties.
/// 2. Replaying: repeats the later commits, one by one, so that the history has them.
///
/// - Errors: after one, use neither the builder nor the tree.
final class TreeBuilder {
    /// Only for this type and its extensions.
    let tree: ModelTree
    /// Whether the state is from another tree: types are only names, and nothing is computed.
    let isForeign: Bool
    private(set) var isPatching: Bool
    /// The models by their instances, including those in ``unknown``.
    private var instances: [UInt64: ModelID] = [:]
    /// Models with references, but without content so far.
    private var unknown: Set<ModelID> = []
    private var stacks: [PropertyID: ValueStack] = [:]
    /// Properties that may be absent at the end.
    private var emptied: [PropertyID] = []
    /// The models that the commit has given strong references.
    var newHolders: [ModelID] = []
    /// The properties whose temporary values the commit must end, since they are not there.
    var absentStacks: [PropertyID] = []
    /// The tree's limit of kept commits, which is 0 until ``startHistory()``.
    private let historyLimit: Int
    /// Those of the tree before, and after ``restoreLimits()``.
    let presentLimits: ComputingLimits
    private var lastName: NameID = .noRecord
    /// A sum of the prefetched data, so that the compiler keeps the reads.
    private var prefetched: UInt32 = 0

    init(_ tree: ModelTree, isForeign: Bool = false) {
        self.tree = tree
        self.isForeign = isForeign
        isPatching = true
        historyLimit = exchange(&tree.history.commitLimit, with: 0)
        presentLimits = tree.limits.computing
        instances[0] = tree.records.root
    }

    // MARK: Models

    /// The model with that instance. While patching, makes the model if necessary.
    func model(_ instance: UInt64) throws(StateFault) -> ModelID {
        if let known = instances[instance], tree.records.models[known].instance == instance,
            !tree.records.models[known].isReleased
        {
            return known
        }
        guard isPatching else { throw StateFault("the model \(instance) is missing") }
        let model = makeRecord(instance)
        unknown.insert(model)
        return model
    }

    func knownModel(_ instance: UInt64) -> ModelID? { instances[instance] }

    /// While patching: notes that the value of a computed property differed in a commit.
    func noteComputed(_ id: PropertyID, _ revision: UInt64) {
        guard tree.records.properties[id].flags.contains(.computed) else { return emptied.append(id) }
        tree.records.properties[id].revision = max(tree.records.properties[id].revision, revision)
    }

    /// Makes the model with that instance, or completes it, and sets its type; without a name it is open.
    func makeModel(_ instance: UInt64, type name: String?) throws(StateFault) -> ModelID {
        let model = try model(instance)
        let former = tree.records.models[model].type
        let type = name.map { restoredType($0) } ?? former
        let isKnown = unknown.remove(model) == nil && isPatching
        if isKnown, type != former { throw StateFault("the model \(instance) has two types") }
        tree.records.models[model].type = type
        return model
    }

    /// Makes a model before the references to it. Only after patching, at the beginning of a commit. If the commit brings a
    /// released model back, the past commits, to which that one's record belongs, are forgotten.
    func makeNewModel(_ instance: UInt64) throws(StateFault) {
        if let known = instances[instance], tree.records.models[known].instance == instance {
            guard tree.records.models[known].isReleased
            else { throw StateFault("the model \(instance) was made twice") }
            tree.forgetHistory()
        }
        tree.records.unreferenced.append(makeRecord(instance))
    }

    func model(of id: PropertyID) -> ModelID { tree.records.properties[id].model }

    func makeRecord(_ instance: UInt64) -> ModelID {
        let model = tree.records.allocateModel()
        tree.records.models[model].instance = instance
        tree.records.lastInstance = max(tree.records.lastInstance, instance)
        instances[instance] = model
        return model
    }

    func setRemovalRevision(_ revision: UInt64, of model: ModelID) {
        tree.records.models[model].removalRevision = revision
    }

    // MARK: Properties

    /// The property of that name; a placeholder if the model lacks it.
    func property(_ name: ByteView, of model: ModelID) -> PropertyID {
        tree.addProperty(named: name, to: model)
    }

    /// Interns the name; ``emptyProperty(_:of:)`` releases it. If `isNext`, tries the name after the last one first: similar
    /// models have the same order.
    @inline(__always) func intern(_ name: ByteView, isNext: Bool) -> NameID {
        lastName = isNext ? tree.records.names.intern(name, after: lastName) : tree.records.names.intern(name)
        return lastName
    }

    /// Reads the place where ``emptyProperty(_:of:)`` will search: the processor overlaps several such reads.
    @inline(__always) func prefetch(_ name: NameID, of model: ModelID) {
        prefetched &+= tree.records.propertyIndex.glance(pairHash(model, name, seed: tree.records.seed))
    }

    /// The property of that name, made absent if necessary. Releases the name.
    @inline(__always) func emptyProperty(_ name: NameID, of model: ModelID) -> PropertyID {
        let id = tree.propertyOrPlaceholder(model, name)
        tree.records.names.release(name)
        // A commit removed and added the property again during the writing of the snapshot.
        if !tree.records.properties[id].slot.isAbsent { empty(id) }
        return id
    }

    @inline(__always) func isPresent(_ id: PropertyID) -> Bool { !tree.records.properties[id].slot.isAbsent }

    /// While patching: whether a commit of that revision may change the property.
    func isOlder(_ id: PropertyID, than revision: UInt64) -> Bool {
        tree.records.properties[id].slot.isAbsent || tree.records.properties[id].revision < revision
    }

    /// Assigns its content to a property, which must be absent.
    @inline(__always)
    func fill(_ id: PropertyID, _ content: TreeReader.Content, _ revision: UInt64) throws(StateFault) {
        guard case .value(let value, let isWeak) = content else {
            if isForeign || !restoreComputed(id, revision) { discard(id) }
            return
        }
        guard tree.records.properties[id].slot.isAbsent
        else { throw StateFault("a model has a property twice") }
        if !isPatching {
            noteHolder(id, of: value, isWeak: isWeak)
            tree.records.reference(value, from: id, isWeak: isWeak)
        }
        tree.records.enlist(id)
        patch(id, value, isWeak: isWeak, revision)
    }

    private func patch(_ id: PropertyID, _ value: StoredValue, isWeak: Bool, _ revision: UInt64) {
        tree.records.setValue(value, of: id)
        tree.records.properties[id].isWeak = isWeak
        tree.records.properties[id].revision = revision
    }

    /// While patching: makes the property absent again. Keeps computed properties.
    private func empty(_ id: PropertyID) {
        if tree.records.properties[id].flags.contains(.computed) { return }
        tree.records.delist(id)
        patch(id, .absent, isWeak: false, 0)
        stacks[id] = nil
        emptied.append(id)
    }

    /// Frees the placeholder of a property that stays absent.
    private func discard(_ id: PropertyID) {
        if isPatching { emptied.append(id) } else { tree.records.freeIfUnused(id) }
    }

    /// Returns false if the model's type does not compute the property. The revision is the last in which its value differed.
    private func restoreComputed(_ id: PropertyID, _ revision: UInt64) -> Bool {
        if tree.records.properties[id].flags.contains(.computed) { return true }
        let (model, name) = (tree.records.properties[id].model, tree.records.properties[id].name)
        let type = tree.records.models[model].type
        // State without declarations has only the name of the type.
        guard let computation = tree.typing.computation(of: id, as: type, in: tree.records), !isPresent(id)
        else { return false }
        tree.addComputed(name, to: model, computation)
        tree.records.properties[id].revision = revision
        return true
    }

    @inline(__always) func scalar(_ json: JSONView) throws(StateFault) -> StoredValue {
        do throws(TreeError) { return try tree.build(json) } catch { throw StateFault(error.message) }
    }

    // MARK: Commits

    /// Repeats a commit. While patching, only applies its changes.
    /// - Parameter computesAlone: whether its line has other types or limits, and no change of a value. After lines without limits,
    ///   it may still change computed values, and in older lines nulls became weak or strong, at the same revision. Then the history
    ///   begins with it.
    /// - Parameter isShort: whether it had too few looks to compute all: see ``ComputingLimits/ranShort``. Any other had as many as
    ///   it needed, perhaps in parts.
    func commit(
        _ revision: UInt64,
        after previous: UInt64,
        _ computesAlone: Bool = false,
        _ isShort: Bool = false,
        _ apply: () throws(StateFault) -> Void
    ) throws(StateFault) {
        if isPatching { return try apply() }
        var fault: StateFault?
        tree.commit {
            if !isShort { tree.pending.formerLimits = tree.records.computedUnder }
            do throws(StateFault) {
                try apply()
                try refuseCycles()
                try refuseAbsentStacks()
                if revision > previous { tree.pending.hasChanged = true }
            } catch { fault = error }
        }
        if let fault { throw fault }
        if isShort { tree.records.computedUnder.ranShort = true }
        if computesAlone, revision == previous, tree.revision > revision {
            tree.revision = revision
            tree.forgetHistory()
        }
        guard tree.revision == revision
        else { throw StateFault("revision \(revision) came out as \(tree.revision)") }
    }

    func assign(_ id: PropertyID, _ content: TreeReader.Content, _ revision: UInt64) throws(StateFault) {
        if isPatching, tree.records.properties[id].slot.isAbsent { return try fill(id, content, revision) }
        var (value, isWeak) = (StoredValue.null, false)
        if case .value(let given, let isGivenWeak) = content { (value, isWeak) = (given, isGivenWeak) }
        if isPatching {
            patch(id, value, isWeak: isWeak, revision)
        } else {
            noteHolder(id, of: value, isWeak: isWeak)
            tree.change(id, value, isWeak: isWeak)
        }
    }

    func remove(_ id: PropertyID, _ revision: UInt64) {
        let isAbsent = tree.records.properties[id].slot.isAbsent
        if isPatching {
            if isAbsent { return emptied.append(id) }
            empty(id)
            let model = tree.records.properties[id].model
            let last = tree.records.models[model].removalRevision
            tree.records.models[model].removalRevision = max(last, revision)
        } else {
            if tree.records.properties[id].flags.contains(.isStacked) { absentStacks.append(id) }
            let isWeak = tree.records.properties[id].flags.contains(.declaredWeak)
            // The commit had added it, too.
            if isAbsent { tree.change(id, .null, isWeak: isWeak) }
            tree.change(id, .absent, isWeak: isWeak)
        }
    }

    /// Makes an edit of the property's array, which must have such a place, with the old element.
    func makeEdit(_ kind: ChangeKind, _ path: [Int], _ index: Int, of id: PropertyID) throws(StateFault)
        -> ArrayEdit
    {
        var array = tree.records.properties[id].value
        for step in path {
            guard case .array(let outer) = array, step < outer.elements.count
            else { throw StateFault("the array has no such element") }
            array = outer.elements[step]
        }
        guard case .array(let last) = array else { throw StateFault("the property has no such array") }
        let isInsertion = kind == .insertion
        guard index < last.elements.count || isInsertion && index == last.elements.count
        else { throw StateFault("the array has no such element") }
        let old = isInsertion ? .absent : last.elements[index]
        return ArrayEdit(kind: kind, path: path, index: index, old: old)
    }

    /// Applies the edit to the property's array. The new element is absent for a removal.
    func apply(_ edit: ArrayEdit, _ value: StoredValue, to id: PropertyID, _ revision: UInt64) {
        guard isPatching else {
            noteHolder(id, of: value, isWeak: false)
            return tree.edit(id, edit, new: value)
        }
        var array = tree.records.properties[id].value
        edit.apply(value, to: &array)
        tree.records.setValue(array, of: id)
        tree.records.properties[id].revision = revision
    }

    /// While patching: ignores a change of the property; a later commit assigns or removes it.
    func skip(_ id: PropertyID) { emptied.append(id) }

    // MARK: Temporary values

    func setStack(_ id: PropertyID, _ layers: [StackedValue]) {
        let stack = tree.makeStack(layers)
        if isPatching {
            emptied.append(id)
            stacks[id] = stack
        } else {
            if stack.count > 1, !isPresent(id) { absentStacks.append(id) }
            for layer in layers { noteHolder(id, of: layer.value, isWeak: layer.isWeak) }
            tree.restoreStack(stack, of: id)
            // The commit set and expired its temporary values; only the lookup made the placeholder.
            if stack.count < 2 { tree.records.freeIfUnused(id) }
        }
    }

    // MARK: Stages

    /// Begins the second stage. The snapshot, and the commits made during its writing, must be complete.
    func finishPatching(revision: UInt64) throws(StateFault) {
        guard isPatching else { return }
        isPatching = false
        for id in Set(emptied) where tree.records.properties[id].slot.isAbsent {
            tree.records.freeIfUnused(id)
        }
        emptied = []
        tree.revision = revision
        var fault: StateFault?
        tree.commit {
            tree.pending.formerLimits = tree.records.computedUnder
            do throws(StateFault) { try countReferences() } catch { fault = error }
        }
        if let fault { throw fault }
        guard tree.revision == revision
        else { throw StateFault("the snapshot refers to models that it does not have") }
        unknown = []
        stacks = [:]
    }

    /// Makes the tree keep the commits from now on in its history, up to its former limit.
    func startHistory() {
        tree.keepHistory(commits: historyLimit)
        tree.noteEqualAssignmentsFromNow()
    }

    /// Counts all references, and frees the models that no root reaches: commits during the snapshot's writing released them.
    /// Inside a commit.
    private func countReferences() throws(StateFault) {
        let reached = Reachability.models(from: .model(tree.records.root), stacks, in: tree.records)
        for model in unknown where reached[model.index] {
            let instance = tree.records.models[model].instance
            throw StateFault("something refers to the model \(instance), which is not there")
        }
        tree.freeUnreached(reached)
        for model in ModelID(0)..<ModelID(index: reached.count) where reached[model.index] {
            try tree.forEachProperty(of: model) { (id) throws(StateFault) in
                let isWeak = tree.records.properties[id].isWeak
                if tree.records.properties[id].slot.isContainer,
                    !tree.records.properties[id].flags.contains(.computed)
                {
                    if isWeak, let target = tree.records.properties[id].slot.modelID, !reached[target.index] {
                        throw StateFault("a weak reference leads to a model that is not there")
                    }
                    tree.records.reference(tree.records.properties[id].slot, from: id, isWeak: isWeak)
                }
                if let stack = stacks[id] { tree.restoreStack(stack, of: id) }
            }
        }
        // The import of another tree refuses its cycles, and names their places.
        if !isForeign { try refuseCycles(among: reached, stacks) }
    }
}
