// SPDX-License-Identifier: MIT
// Commits from the journal: on top of a snapshot that was written meanwhile, and then each as it was made.

extension StateLoader {
    /// A line of the journal that a commit left, or several of them, made after `previous`.
    ///
    /// - Returns: the revision that it made, or the last of them.
    func load(commit json: JSONView, after previous: UInt64) throws(StateFault) -> UInt64 {
        var record = JournalRecord()
        for (name, value) in json.members { record.consume(name, value) }
        let revision = try StateLoader.revision(record.revision)
        guard revision == previous || revision == previous + 1 else {
            throw StateFault("revision \(revision) can't follow revision \(previous)")
        }
        if !isPatching, let author = record.author { tree.pending.author = try StateLoader.author(author) }
        guard let packed = record.packed else {
            try commit(revision, after: previous) { () throws(StateFault) in try apply(record, revision) }
            return revision
        }
        var last = previous
        for entry in packed.elements {
            try commit(last + 1, after: last) { () throws(StateFault) in
                try apply([entry], record.causes, last + 1)
            }
            last += 1
        }
        return last
    }

    private func commit(
        _ revision: UInt64,
        after previous: UInt64,
        _ apply: () throws(StateFault) -> Void
    ) throws(StateFault) {
        if isPatching { return try apply() }
        var fault: StateFault?
        tree.commit {
            do throws(StateFault) {
                try apply()
                if revision > previous { tree.pending.hasChanged = true }
            } catch { fault = error }
        }
        if let fault { throw fault }
        guard tree.revision == revision else {
            throw StateFault("revision \(revision) came out as \(tree.revision)")
        }
    }

    private func apply(_ record: JournalRecord, _ revision: UInt64) throws(StateFault) {
        if let models = record.models {
            // Those that come first may refer to those that follow.
            if !isPatching { for model in models.elements { try announce(model) } }
            for model in models.elements {
                var elements = model.elements
                try loadModel(&elements, revision: revision)
            }
        }
        if let entries = record.entries { try apply(entries.elements, record.causes, revision) }
        if let stacks = record.stacks { for stack in stacks.elements { try loadStack(stack) } }
        if let made = record.bindings { for binding in made.elements { try load(binding: binding) } }
        if let number = record.unbound?.int64() { bindings[Int32(clamping: number)] = nil }
    }

    private func apply(
        _ entries: some Sequence<JSONView>,
        _ causes: JSONView?,
        _ revision: UInt64
    ) throws(StateFault) {
        var causes = causes?.elements
        for entry in entries {
            if let code = causes?.next()?.int64() {
                tree.pending.cause = ChangeCause(code: Int32(clamping: code))
            }
            try apply(entry: entry, revision)
        }
        tree.pending.cause = .writer
    }

    /// Makes the model's record before anything refers to it.
    private func announce(_ json: JSONView) throws(StateFault) {
        var elements = json.elements
        guard let number = elements.next()?.int64(), number > 0 else {
            throw StateFault("a model has an instance")
        }
        let instance = UInt64(number)
        guard instances[instance] == nil else { throw StateFault("the model \(instance) was made twice") }
        let model = tree.makeModel(instance: instance)
        tree.pending.unreferenced.append(model)
        instances[instance] = model
    }

    private func apply(entry: JSONView, _ revision: UInt64) throws(StateFault) {
        var elements = entry.elements
        guard let instance = elements.next(), let name = elements.next(), name.kind == .string else {
            throw StateFault("an entry has an instance and a name")
        }
        let model = try find(instance)
        let id = property(name, of: model)
        let value = elements.next()
        let place = elements.next()
        if isPatching {
            guard tree.records.properties[id].slot.isAbsent || tree.records.properties[id].revision < revision
            else {
                return
            }
            try patch(id, value, place, elements.next(), revision)
        } else if let place, let value {
            try edit(id, value, place, elements.next())
        } else if let value {
            let kept = try kept(value)
            tree.change(id, kept.value, isWeak: kept.isWeak)
        } else if !tree.records.properties[id].slot.isAbsent {
            tree.change(id, .absent, isWeak: tree.records.properties[id].flags.contains(.declaredWeak))
        } else {
            tree.freeIfUnused(id)
        }
    }

    private func edit(_ id: PropertyID, _ value: JSONView, _ place: JSONView, _ kind: JSONView?)
        throws(StateFault)
    {
        let (path, index) = try StateLoader.indices(place)
        let new = try self.value(value)
        let edit = try StateLoader.edit(kind, path, index, in: tree.records.properties[id].value)
        tree.edit(id, edit, new: edit.kind == .removal ? .absent : new)
    }

    private func patch(
        _ id: PropertyID,
        _ value: JSONView?,
        _ place: JSONView?,
        _ kind: JSONView?,
        _ revision: UInt64
    ) throws(StateFault) {
        guard let value else {
            if tree.records.properties[id].slot.isAbsent {
                emptied.append(id)
            } else {
                clear(id)
                let model = tree.records.properties[id].model
                tree.records.models[model].removalRevision = max(
                    tree.records.models[model].removalRevision,
                    revision
                )
            }
            return
        }
        if let place {
            let (path, index) = try StateLoader.indices(place)
            // The array that it was done to is gone from the snapshot's time on: so will this be.
            guard let edit = try? StateLoader.edit(kind, path, index, in: tree.records.properties[id].value)
            else {
                return emptied.append(id)
            }
            let new = try self.value(value)
            var array = tree.records.properties[id].value
            tree.apply(edit, edit.kind == .removal ? .absent : new, to: &array, level: 0)
            tree.setValue(array, of: id)
            tree.records.properties[id].revision = revision
        } else if tree.records.properties[id].slot.isAbsent {
            try load(value, into: id, revision)
        } else {
            let kept = try kept(value)
            tree.setValue(kept.value, of: id)
            tree.records.properties[id].isWeak = kept.isWeak
            tree.records.properties[id].revision = revision
        }
    }
}
