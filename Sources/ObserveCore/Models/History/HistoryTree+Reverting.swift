// SPDX-License-Identifier: MIT
// Gives the properties that an earlier commit changed their former values again. Independent of who may ask for it.

struct FormerValues {
    struct Entry {
        let property: PropertyID
        let value: StoredValue
        let isWeak: Bool
    }

    let revision: UInt64
    var entries: [Entry] = []
    var released: Set<ModelID> = []
}

extension HistoryTree {
    /// The properties that the commit of that revision, which the history has, changed by requests, bindings and released models,
    /// with their values from before it. Computed ones follow by themselves.
    func formerValues(before revision: UInt64) -> FormerValues {
        var former = FormerValues(revision: revision)
        guard let commit = history.commit(of: revision, records.horizon) else { return former }
        let touches = history.touches(of: commit)
        for index in history.releases(of: commit) { former.released.insert(history.released[index]) }
        records.effort.count(16 * touches.count)
        read(at: revision - 1) {
            for index in touches
            where history.touches[index].isChanged && !history.touches[index].isOfNewModel {
                let id = history.touches[index].property
                if records.properties[id].flags.contains(.computed) { continue }
                let (value, isWeak) = (records.properties[id].value, records.properties[id].isWeak)
                former.entries.append(FormerValues.Entry(property: id, value: value, isWeak: isWeak))
            }
        }
        return former
    }

    /// Assigns the former values, with the released models that they lead to. Use it inside a commit.
    ///
    /// - Errors: the types have changed since; without `isForced`, something has changed since; a strong reference would
    ///   close a cycle.
    /// - Returns: false if all properties have these values already.
    func revert(_ former: FormerValues, isForced: Bool) throws(TreeError) -> Bool {
        try refuseTypes(since: former.revision)
        if !isForced { try refuseChanges(since: former) }
        try restoreModels(of: former)
        let different = former.entries.filter { entry in
            if isReleased(entry) { return false }
            if differs(entry) { return true }
            if !records.properties[entry.property].slot.isAbsent { assignEqual(entry.property) }
            return false
        }
        // Links that are about to go must not seem to close cycles.
        for entry in different where records.properties[entry.property].slot.isContainer {
            change(entry.property, .null, isWeak: records.properties[entry.property].isWeak)
        }
        for entry in different {
            if !entry.isWeak { try refuseCycle(by: entry) }
            assign(entry.property, entry.value, isWeak: entry.isWeak)
        }
        nullDeadReferences()
        return !different.isEmpty
    }

    // MARK: Refusals

    private func refuseTypes(since revision: UInt64) throws(TreeError) {
        guard revision <= history.typeRevision else { return }
        let change = "the declared types have changed in revision \(revision) or since"
        throw TreeError(.readOnly, "\(change), so it can't be reverted")
    }

    private func refuseChanges(since former: FormerValues) throws(TreeError) {
        for entry in former.entries {
            let model = records.properties[entry.property].model
            var last = records.properties[entry.property].revision
            if records.models[model].isReleased, !former.released.contains(model) {
                last = releaseRevision(of: model)
            }
            guard last > former.revision else { continue }
            // Its model may have gone since.
            let path = read(at: former.revision - 1) { self.path(of: entry.property) } ?? ""
            let fault = "\(path) has changed since revision \(former.revision), in revision \(last)"
            var error = TreeError(.conflict, fault, at: path)
            error.revision = last
            throw error
        }
    }

    private func releaseRevision(of model: ModelID) -> UInt64 {
        for number in (history.commits.first..<history.commits.end).reversed() {
            if history.releases(of: number).contains(where: { history.released[$0] == model }) {
                return history.commits[number].revision
            }
        }
        return revision
    }

    private func refuseCycle(by entry: FormerValues.Entry) throws(TreeError) {
        let isCycle = reaches(anyOf: entry.value.models, records.properties[entry.property].model)
        if isCycle == false { return }
        let path = self.path(of: entry.property) ?? ""
        guard isCycle != nil else { throw tooManyReferences(path) }
        let sentence = "the former value of \(path) would close a cycle of strong references"
        throw TreeError(.referenceCycle, sentence, at: path)
    }

    private func differs(_ entry: FormerValues.Entry) -> Bool {
        let slot = records.properties[entry.property].slot
        return slot.isAbsent != entry.value.isAbsent
            || records.properties[entry.property].isWeak != entry.isWeak || !slot.equals(entry.value)
    }

    private func isReleased(_ entry: FormerValues.Entry) -> Bool {
        records.models[records.properties[entry.property].model].isReleased
    }

    // MARK: Models

    private func restoreModels(of former: FormerValues) throws(TreeError) {
        var entries: [ModelID: [FormerValues.Entry]] = [:]
        for entry in former.entries {
            entries[records.properties[entry.property].model, default: []].append(entry)
        }
        var wanted: [ModelID] = []
        for entry in former.entries where !entry.isWeak && !isReleased(entry) { wanted += entry.value.models }
        while let model = wanted.popLast() {
            guard records.models[model].isReleased else { continue }
            try refuseRestoring(model)
            let own = entries[model] ?? []
            for entry in own where !entry.isWeak { wanted += entry.value.models }
            let assigned = Set(own.map(\.property))
            restore(model)
            forEachProperty(of: model) {
                if !records.properties[$0].isWeak, !assigned.contains($0) {
                    wanted += records.properties[$0].slot.models
                }
            }
        }
    }

    /// Throws if the released model was a Swift model: that one has ended.
    private func refuseRestoring(_ model: ModelID) throws(TreeError) {
        guard hosted?.hasClass(model) == true else { return }
        let type = typing.types[records.models[model].type].name
        let fault = "the program has ended a model of the type \(type), which can't be brought back"
        throw TreeError(.readOnly, fault)
    }
}
