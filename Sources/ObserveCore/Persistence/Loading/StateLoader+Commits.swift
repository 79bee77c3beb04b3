// SPDX-License-Identifier: MIT
// Loads commits from the journal: first those made while the snapshot was written, then each as it was made.

extension StateLoader {
    /// Loads a line of the journal that has a commit, or packed commits, made after `previous`. Returns the revision of the last
    /// commit in the line.
    func load(commit json: JSONView, after previous: UInt64) throws(StateFault) -> UInt64 {
        let record = JournalRecord(json)
        let revision = try LineMembers.revision(record["r"])
        guard revision == previous || revision == previous + 1
        else { throw StateFault("revision \(revision) can't follow revision \(previous)") }
        // A later line does not repeat them.
        if let author = record["a"] { try builder.setAuthor(StateLoader.author(author)) }
        if let time = record["t"]?.int64() { builder.setTime(StateLoader.time(time)) }
        guard let packed = record["s"] else {
            let computesAlone =
                (record["d"] != nil || record["l"] != nil) && record["n"] == nil && record["e"] == nil
            let isShort = record["z"] != nil
            try builder.commit(revision, after: previous, computesAlone, isShort) { () throws(StateFault) in
                try apply(record, revision)
                guard let limits = record["l"] else { return }
                builder.compute(under: try ComputingLimits(limits), again: revision > previous)
            }
            return revision
        }
        var last = previous
        for entry in packed.elements {
            try builder.commit(last + 1, after: last) { () throws(StateFault) in
                try apply([entry], record["k"], last + 1)
            }
            last += 1
        }
        return last
    }

    private func apply(_ record: JournalRecord, _ revision: UInt64) throws(StateFault) {
        if let types = record["d"] { try changeTypes(types, record) }
        if let models = record["n"] {
            // The first models may refer to later ones.
            if !isPatching { for model in models.elements { try makeNewModel(model) } }
            for model in models.elements {
                var elements = model.elements
                try loadModel(&elements, revision: revision)
            }
        }
        if let entries = record["e"] { try apply(entries.elements, record["k"], revision) }
        if !isPatching, let bound = record["i"] { for entry in bound.elements { try note(bound: entry) } }
        if let stacks = record["o"] { for stack in stacks.elements { try loadStack(stack) } }
        if let made = record["b"] { for binding in made.elements { try load(binding: binding) } }
        if isPatching, let computed = record["c"] { try note(computed: computed, revision) }
        if let number = record["u"]?.int64() { bindings[Int32(clamping: number)] = nil }
        if record["d"] != nil { builder.completeComputed() }
    }

    private func changeTypes(_ types: JSONView, _ record: JournalRecord) throws(StateFault) {
        guard !isPatching
        else { throw StateFault("the types changed while the snapshot was written, which can't be") }
        var retyped: [ModelID: String?] = [:]
        if let list = record["y"] {
            for entry in list.elements {
                var parts = entry.elements
                guard let instance = parts.next(), let type = parts.next()
                else { throw StateFault("a model has an instance and a type") }
                retyped.updateValue(try typeName(type, of: instance), forKey: try model(instance))
            }
        }
        if let numbers = record["x"] {
            for number in numbers.elements { bindings[Int32(clamping: number.int64() ?? 0)] = nil }
        }
        try builder.changeTypes(to: try TypeDeclarations(types), retyped)
    }

    /// A binding wrote a property of a new model.
    private func note(bound entry: JSONView) throws(StateFault) {
        var elements = entry.elements
        guard let instance = elements.next(), let name = elements.next(), let cause = elements.next()?.int64()
        else { throw StateFault("a written property has an instance, a name and a cause") }
        builder.setCause(ChangeCause(code: Int32(clamping: cause)))
        builder.noteChange(of: try property(name, of: try model(instance)))
        builder.setCause(.writer)
    }

    /// Notes that a commit has changed computed properties. The builder computes their values, but not when they changed.
    private func note(computed: JSONView, _ revision: UInt64) throws(StateFault) {
        for place in computed.elements {
            var elements = place.elements
            guard let instance = elements.next()?.int64(), let name = elements.next()
            else { throw StateFault("a computed property has an instance and a name") }
            if let model = builder.knownModel(UInt64(clamping: instance)) {
                builder.noteComputed(try property(name, of: model), revision)
            }
        }
    }

    private func apply(
        _ entries: some Sequence<JSONView>,
        _ causes: JSONView?,
        _ revision: UInt64
    ) throws(StateFault) {
        var causes = causes?.elements
        for entry in entries {
            if let code = causes?.next()?.int64() {
                builder.setCause(ChangeCause(code: Int32(clamping: code)))
            }
            try apply(entry: entry, revision)
        }
        builder.setCause(.writer)
    }

    private func makeNewModel(_ json: JSONView) throws(StateFault) {
        var elements = json.elements
        guard let first = elements.next() else { throw StateFault("a model has an instance") }
        try builder.makeNewModel(LineMembers.instance(first))
    }

    private func apply(entry: JSONView, _ revision: UInt64) throws(StateFault) {
        var elements = entry.elements
        guard let instance = elements.next(), let name = elements.next(), name.kind == .string
        else { throw StateFault("an entry has an instance and a name") }
        let model = try model(instance)
        let id = try property(name, of: model)
        try builder.requireStored(id)
        let value = elements.next()
        let place = elements.next()
        if isPatching, !builder.isOlder(id, than: revision) { return }
        if let place, let value {
            try edit(id, value, place, elements.next(), revision)
        } else if let value {
            try builder.assign(id, try content(value), revision)
        } else {
            builder.remove(id, revision)
        }
    }

    private func edit(
        _ id: PropertyID,
        _ json: JSONView,
        _ place: JSONView,
        _ kind: JSONView?,
        _ revision: UInt64
    ) throws(StateFault) {
        let (path, index) = try StateLoader.indices(place)
        if isPatching {
            // The snapshot no longer has the edited array: a later commit assigns the property.
            guard let edit = try? makeEdit(kind, path, index, of: id) else { return builder.skip(id) }
            try apply(edit, value(json), to: id, revision)
        } else {
            let new = try value(json)
            try apply(makeEdit(kind, path, index, of: id), new, to: id, revision)
        }
    }

    private func makeEdit(_ kind: JSONView?, _ path: [Int], _ index: Int, of id: PropertyID)
        throws(StateFault) -> ArrayEdit
    {
        let text = kind?.contents ?? ByteView("")
        switch text {
        case _ where text == "insert": return try builder.makeEdit(.insertion, path, index, of: id)
        case _ where text == "remove": return try builder.makeEdit(.removal, path, index, of: id)
        case _ where text == "replace": return try builder.makeEdit(.replacement, path, index, of: id)
        default: throw StateFault("an edit is of no known kind")
        }
    }

    private func apply(_ edit: ArrayEdit, _ value: StoredValue, to id: PropertyID, _ revision: UInt64) {
        builder.apply(edit, edit.kind == .removal ? .absent : value, to: id, revision)
    }
}
