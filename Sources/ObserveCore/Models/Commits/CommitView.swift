// SPDX-License-Identifier: MIT
// A commit that is done and not yet announced, as its recorder sees it. Independent of the form of a record.

/// What the commit under way does, in the order in which it has to be done again.
///
/// - Important: Only valid during the call that gets it.
struct CommitView {
    let tree: ModelTree

    @inline(__always)
    init(_ tree: ModelTree) { self.tree = tree }

    /// The commit's revision, if it changes a value; others have none of their own.
    var revision: UInt64 {
        @inline(__always) get { tree.revision &+ 1 }
    }

    /// Whether it changes the value of a property.
    var changesValues: Bool { tree.pending.hasChanged }

    /// Who asked for it.
    var author: CommitAuthor {
        @inline(__always) get { tree.pending.author }
    }

    /// Who makes the changes that are being made now: of a commit of one scalar, that one.
    var cause: ChangeCause {
        @inline(__always) get { tree.pending.cause }
    }

    // MARK: Entries

    /// One thing that was done to a property.
    struct Entry {
        enum Action {
            /// The property got another value, which it holds now.
            case assignment
            case removal
            /// An element was inserted, replaced or removed.
            case edit(ArrayEdit)
        }

        let property: PropertyID
        let cause: ChangeCause
        let action: Action
    }

    /// The commit's entry, if it does nothing else.
    var onlyEntry: Entry? {
        @inline(__always)
        get {
            guard tree.pending.touches.count == 1, tree.pending.touches[0].isChanged,
                tree.pending.orderChanges.isEmpty, tree.history.undoing.created.isEmpty,
                tree.pending.releasedModels.isEmpty, tree.temporary.saved.isEmpty,
                tree.history.undoing.bound.isEmpty,
                !tree.records.properties[tree.pending.touches[0].property].flags.contains(.computed)
            else { return nil }
            return entry(0)
        }
    }

    /// Calls `body` for each entry. Of models that are new, and of those that are released, there is none.
    func forEachEntry(_ body: (Entry) -> Void) {
        let made = Set(tree.history.undoing.created.array)
        let moved = tree.pending.orderChanges.isEmpty ? [] : forEachMove(made, body)
        for index in tree.pending.touches.indices {
            let id = tree.pending.touches[index].property
            guard tree.pending.touches[index].isChanged,
                !tree.records.properties[id].flags.contains(.computed), !moved.contains(id),
                isKept(tree.records.properties[id].model, made)
            else { continue }
            body(entry(index))
        }
    }

    /// The properties that were added, removed, or added again at another place; in the order in which they were.
    private func forEachMove(_ made: Set<ModelID>, _ body: (Entry) -> Void) -> Set<PropertyID> {
        var last: [PropertyID: Int] = [:]
        for index in tree.pending.orderChanges.indices {
            last[tree.pending.orderChanges[index].property] = index
        }
        for index in tree.pending.orderChanges.indices {
            let id = tree.pending.orderChanges[index].property
            guard last[id] == index, isKept(tree.records.properties[id].model, made) else { continue }
            let touched = Int(tree.records.properties[id].touch) - 1
            let cause = tree.pending.touches[touched].cause
            if !tree.pending.touches[touched].old.isAbsent {
                body(Entry(property: id, cause: cause, action: .removal))
            }
            if !tree.records.properties[id].slot.isAbsent {
                body(Entry(property: id, cause: cause, action: .assignment))
            }
        }
        return Set(last.keys)
    }

    /// Whether the model was there before the commit, and is after it.
    private func isKept(_ model: ModelID, _ made: Set<ModelID>) -> Bool {
        !made.contains(model) && !tree.records.models[model].isReleased
    }

    @inline(__always)
    private func entry(_ touched: Int) -> Entry {
        let id = tree.pending.touches[touched].property
        let action: Entry.Action
        if let edit = tree.pending.touches[touched].edit, !edit.isEqual {
            action = .edit(edit)
        } else {
            action = tree.records.properties[id].slot.isAbsent ? .removal : .assignment
        }
        return Entry(property: id, cause: tree.pending.touches[touched].cause, action: action)
    }

    // MARK: Models, temporary values, bindings

    /// Calls `body` for each new model that something refers to at the end.
    func forEachNewModel(_ body: (ModelID) -> Void) {
        for index in tree.history.undoing.created.indices {
            let model = tree.history.undoing.created[index]
            if tree.records.models[model].isReleased { continue }
            if tree.records.models[model].strongReferences > 0 { body(model) }
        }
    }

    /// Calls `body` for each property whose temporary values changed.
    func forEachChangedStack(_ body: (PropertyID) -> Void) {
        guard !tree.temporary.saved.isEmpty else { return }
        for id in tree.temporary.saved.keys.sorted() {
            if !tree.records.models[tree.records.properties[id].model].isReleased { body(id) }
        }
    }
}
