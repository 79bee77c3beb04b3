// SPDX-License-Identifier: MIT
// Computed properties: what a template makes of what it reads. Does not know when.

extension ModelTree {
    /// Makes a template ready to be used for any number of models, for as long as the tree lives.
    func computation(_ template: Template, as type: ValueType = .any) -> Computation {
        let path = ParsedKeyPath(maxDepth: limits.maxDepth)
        let computation = Computation(
            as: type,
            template.parts.map { part in
                switch part {
                case .text(let text):
                    let json = ByteBuffer()
                    json.appendJSONString(utf8: text)
                    return .text(.make(json.view.slice(1..<json.count - 1)))
                case .path(let dotted):
                    guard (try? path.parse(dotted: dotted)) != nil else {
                        preconditionFailure("a template has a path that is none")
                    }
                    return .path(records.readPath(path))
                }
            }
        )
        dependents.computations.append(computation)
        return computation
    }

    /// Gives a model that is being made a property that is computed: null at first, and what it is at the end of the
    /// commit, or when a write of the same commit asks.
    func addComputed(_ name: NameID, to model: ModelID, _ computation: Computation) {
        let id = propertyOrPlaceholder(model, name)
        precondition(records.properties[id].slot.isAbsent, "a property that is there was made computed")
        enlist(id, after: records.models[model].last)
        setValue(.null, of: id)
        records.properties[id].flags.formUnion([.weak, .computed, .pending])
        records.properties[id].revision = pendingRevision
        let dependent = dependents.records.allocate()
        dependents.records[dependent].property = id
        dependents.records[dependent].computation = computation
        indexComputed(dependent)
        markStale(dependent)
    }

    /// Lets go of the readers of models that are about to be freed: before that, as they may read one another.
    func removeDependents(ofReleased model: ModelID) {
        var id = records.models[model].first
        while id != .noRecord {
            if let dependent = computedDependent(of: id) {
                // Where it is still queued, it is passed over.
                dependents.markFresh(dependent)
                var cursor = dependents.cursor(of: dependent)
                dropRest(&cursor)
                unindexComputed(dependent)
                dependents.records.free(dependent)
            }
            id = records.properties[id].next
        }
    }

    /// What the property is now, by all that it reads.
    func compute(_ dependent: DependentID, _ cursor: inout EdgeCursor) -> StoredValue {
        guard let computation = dependents.records[dependent].computation else { return .null }
        let model = records.properties[dependents.records[dependent].property].model
        if let path = computation.onePath {
            let found = trace(path, from: model, &cursor).value
            if found.isNull { return .null }
            guard computation.type != .any else { return found }
            beginTrail(.text(ByteView("")))
            return (try? converted(found, as: computation.type)) ?? .null
        }
        dependents.templateText.removeAll()
        for part in computation.parts {
            switch part {
            case .text(let text): text.append(to: dependents.templateText)
            case .path(let path): append(trace(path, from: model, &cursor).value, to: dependents.templateText)
            }
        }
        // Text made of text made of text could grow without bound.
        guard dependents.templateText.count <= limits.maxRenderedBytes else { return .null }
        return .string(.make(dependents.templateText.view))
    }

    /// Appends a value as a template shows it, as it stands in a JSON string. Recursion is as deep as arrays nest.
    private func append(_ value: StoredValue, to out: ByteBuffer) {
        switch value {
        case .absent, .null, .model: return
        case .bool(let bool): out.append(bool ? "true" : "false")
        case .int(let int): out.append(decimal: int)
        case .double(let double): out.append(double: double)
        case .string, .text: value.withText { out.append($0) }
        case .array(let array):
            for (index, element) in array.elements.enumerated() {
                guard out.count <= limits.maxRenderedBytes else { return }
                if index > 0 { out.append(", ") }
                append(element, to: out)
            }
        }
    }

    /// Gives the computed property its value: as a change of the commit, unless the commit has made it.
    func store(_ value: StoredValue, of dependent: DependentID) {
        let id = dependents.records[dependent].property
        let old = records.properties[id].slot
        let isNew = records.properties[id].flags.contains(.pending)
        records.properties[id].flags.remove(.pending)
        let writer = pending.cause
        pending.cause = .consequence
        defer { pending.cause = writer }
        if old.equals(value) {
            assignEqual(id)
            return
        }
        if !isNew {
            pending.touches[touch(id)].isChanged = true
            pending.hasChanged = true
        }
        dereference(old, from: id, isWeak: true)
        reference(value, from: id, isWeak: true)
        if old.isContainer { paths.known.forget(through: id) }
        setValue(value, of: id)
        records.properties[id].revision = pendingRevision
        if records.properties[id].flags.contains(.read) { markDependents(of: id) }
    }
}
