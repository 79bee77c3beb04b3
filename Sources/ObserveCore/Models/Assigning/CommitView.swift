// SPDX-License-Identifier: MIT
// The open commit as its recorder reads it, before observers are notified. Independent of a record's format.

/// The changes of the open commit, in the order in which a recovery must repeat them.
/// - Important: Only valid during the call that receives it.
struct CommitView {
    let tree: AssigningTree

    @inline(__always) init(_ tree: AssigningTree) { self.tree = tree }

    /// The commit's revision. Meaningless unless ``changesValues``.
    @inline(__always) var revision: UInt64 { tree.revision &+ 1 }

    /// Whether the commit changes the value of a property, and so has a revision of its own.
    var changesValues: Bool { tree.pending.hasChanged }

    @inline(__always) var author: CommitAuthor { tree.pending.author }

    /// The cause of the change in a commit of one scalar. Entries have causes of their own.
    @inline(__always) var cause: ChangeCause { tree.pending.cause }

    // MARK: Entries

    /// One change of one property.
    struct Entry {
        enum Action {
            /// The commit assigned the value that the property holds now.
            case assignment
            case removal
            /// The commit inserted, replaced or removed one element.
            case edit(ArrayEdit)
        }

        let property: PropertyID
        let cause: ChangeCause
        let action: Action
    }

    /// The commit's only entry; nil if the commit has other entries or effects.
    @inline(__always) var onlyEntry: Entry? {
        guard tree.pending.touches.count == 1, tree.pending.touches[0].isChanged,
            tree.pending.orderChanges.isEmpty, tree.pending.created.isEmpty,
            tree.pending.releasedModels.isEmpty, tree.stacks.saved.isEmpty,
            tree.pending.bound.isEmpty, tree.pending.formerTypes == nil, tree.pending.formerLimits == nil,
            tree.pending.restored.isEmpty, !tree.pending.ranShort,
            !tree.records.properties[tree.pending.touches[0].property].flags.contains(.computed)
        else { return nil }
        return entry(0)
    }

    /// Calls `body` for each entry. Properties of new models and of released models have no entries.
    func forEachEntry(_ body: (Entry) -> Void) {
        let moved = tree.pending.orderChanges.isEmpty ? [] : forEachMove(body)
        for index in tree.pending.touches.indices {
            let id = tree.pending.touches[index].property
            guard tree.pending.touches[index].isChanged,
                !tree.records.properties[id].flags.contains(.computed), !moved.contains(id),
                isKept(tree.records.properties[id].model)
            else { continue }
            body(entry(index))
        }
    }

    /// Calls `body` for each property that joined or left its model's order, in the order of the last moves. One that joined and
    /// left it is removed: it counts as changed. Returns all of them.
    private func forEachMove(_ body: (Entry) -> Void) -> Set<PropertyID> {
        var last: [PropertyID: Int] = [:]
        for index in tree.pending.orderChanges.indices {
            last[tree.pending.orderChanges[index].property] = index
        }
        for index in tree.pending.orderChanges.indices {
            let id = tree.pending.orderChanges[index].property
            guard last[id] == index, isKept(tree.records.properties[id].model) else { continue }
            let touched = Int(tree.records.properties[id].touch) - 1
            let cause = tree.pending.touches[touched].cause
            let isAbsent = tree.records.properties[id].slot.isAbsent
            if isAbsent || !tree.pending.touches[touched].old.isAbsent {
                body(Entry(property: id, cause: cause, action: .removal))
            }
            if !isAbsent {
                body(Entry(property: id, cause: cause, action: .assignment))
            }
        }
        return Set(last.keys)
    }

    /// Calls `body` for each property of a new model that a binding wrote: these have no entries.
    func forEachBoundProperty(_ body: (PropertyID, ChangeCause) -> Void) {
        guard !tree.pending.created.isEmpty || !tree.pending.restored.isEmpty else { return }
        for index in tree.pending.touches.indices where tree.pending.touches[index].isChanged {
            let id = tree.pending.touches[index].property
            guard tree.pending.touches[index].cause.binding != nil, isNew(tree.records.properties[id].model),
                !tree.records.models[tree.records.properties[id].model].isReleased,
                !tree.records.properties[id].slot.isAbsent
            else { continue }
            body(id, tree.pending.touches[index].cause)
        }
    }

    /// Whether the model existed before the commit, and the commit does not release it.
    private func isKept(_ model: ModelID) -> Bool { !isNew(model) && !tree.records.models[model].isReleased }

    /// Whether the commit made the model, or brought it back: then the record has it whole. The instances of new models ascend,
    /// and none is freed before the commit ends.
    private func isNew(_ model: ModelID) -> Bool {
        if !tree.pending.restored.isEmpty, tree.pending.restored[model] != nil { return true }
        guard !tree.pending.created.isEmpty else { return false }
        let first = tree.pending.created[0]
        assert(tree.records.models[first].instance != 0, "a commit has freed a model that it made")
        return tree.records.models[model].instance >= tree.records.models[first].instance
    }

    @inline(__always) private func entry(_ touched: Int) -> Entry {
        let id = tree.pending.touches[touched].property
        let action: Entry.Action
        if let edit = tree.pending.touches[touched].edit {
            action = .edit(edit)
        } else {
            action = tree.records.properties[id].slot.isAbsent ? .removal : .assignment
        }
        return Entry(property: id, cause: tree.pending.touches[touched].cause, action: action)
    }

    // MARK: Models, temporary values, bindings

    /// Calls `body` for each model that the commit made or brought back, and that has a strong reference at its end.
    func forEachNewModel(_ body: (ModelID) -> Void) {
        if !tree.pending.restored.isEmpty {
            for model in tree.pending.restored.keys.sorted() where !tree.records.models[model].isReleased {
                body(model)
            }
        }
        for index in tree.pending.created.indices {
            let model = tree.pending.created[index]
            if tree.records.models[model].isReleased { continue }
            if tree.records.models[model].strongReferences > 0 { body(model) }
        }
    }

    func forEachChangedStack(_ body: (PropertyID) -> Void) {
        guard !tree.stacks.saved.isEmpty else { return }
        for id in tree.stacks.saved.keys.sorted() {
            if !tree.records.models[tree.records.properties[id].model].isReleased { body(id) }
        }
    }

    var newBindings: [Binding] { tree.pending.bound.compactMap { tree.dependents.binding($0) } }
}
