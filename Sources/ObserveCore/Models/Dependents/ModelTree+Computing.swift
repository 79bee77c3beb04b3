// SPDX-License-Identifier: MIT
// Compiles templates, and computes properties from them. Independent of when they are updated.

extension ModelTree {
    /// Compiles a template for any number of models, for as long as the tree lives.
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

    /// Adds a computed property to a model that is being made.
    ///
    /// It is null until its first update, at the end of the commit or when a write of the same commit reads
    /// it.
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

    /// Removes the dependents of a model that is about to be freed. Other released models may still read this
    /// one.
    func removeDependents(ofReleased model: ModelID) {
        var id = records.models[model].first
        while id != .noRecord {
            if let dependent = computedDependent(of: id) {
                // If it is still queued, the queue skips it.
                dependents.markFresh(dependent)
                var cursor = dependents.cursor(of: dependent)
                dropRest(&cursor)
                unindexComputed(dependent)
                dependents.records.free(dependent)
            }
            id = records.properties[id].next
        }
    }

    /// The property's value, computed from its inputs.
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

    /// Appends a value as a template shows it, in the form of a JSON string's contents. Recursion is as deep
    /// as arrays nest.
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

    /// Stores the computed value: as a change of the commit, unless the commit made the property.
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

    func followAgain(_ id: PropertyID) {
        let type = typing.types[records.models[records.properties[id].model].type]
        guard let position = type.position(of: records.properties[id].name) else { return }
        let dependent = dependents.records.allocate()
        dependents.records[dependent].property = id
        dependents.records[dependent].computation = type.properties[position].computation
        indexComputed(dependent)
        markStale(dependent)
    }
}
