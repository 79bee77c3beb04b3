// SPDX-License-Identifier: MIT
// Builds models outside of the tree, adopts them in a commit, or frees them. Independent of their text.

extension AssigningTree {
    /// A copy of the reference: ThreadSanitizer does not compile writes through ``records``.
    private var staging: StagingArea { records.staging }

    /// Gives a new model a property, or another value to one that it has. Returns whether it lacked the property, whose name
    /// often follows `last`, that of the one before it.
    func add(_ value: StoredValue, named name: JSONView, after last: inout NameID, to model: ModelID) -> Bool
    {
        last = records.names.intern(name.decoded(in: scratchText), after: last)
        let id = propertyOrPlaceholder(model, last)
        records.names.release(last)
        if value.isContainer { records.reference(value, from: id, isWeak: false) }
        let isNew = records.properties[id].slot.isAbsent
        if isNew {
            records.enlist(id)
        } else {
            records.dereference(records.properties[id].slot, from: id, isWeak: false)
        }
        records.setValue(value, of: id)
        records.properties[id].revision = pendingRevision
        return isNew
    }

    /// The same for a staged model.
    func stage(_ value: StoredValue, named name: JSONView, after last: inout NameID, in model: ModelID) {
        if add(value, named: name, after: &last, to: model) {
            staging.propertyCount += 1
        } else {
            // The commit releases models without references, which are staged like the others.
            records.unreferenced.removeAll()
        }
    }

    /// Makes staged models part of the open commit, which releases those without references.
    /// - Cost: O(models and properties), a fraction of what it costs to build them.
    func adopt(_ staged: StagedModels) {
        staging.bytes &-= staged.bytes
        staging.modelCount -= staged.models.count
        for model in staged.models {
            records.lastInstance += 1
            records.models[model].instance = records.lastInstance
            staging.propertyCount -= Int(records.models[model].count)
            if hooks.isRecording { pending.created.append(model) }
            if records.models[model].strongReferences == 0 { records.unreferenced.append(model) }
            forEachProperty(of: model) { records.properties[$0].revision = pendingRevision }
        }
        staged.models = []
        staged.bytes = 0
    }

    /// Whether discarded models wait to be freed.
    var hasDiscarded: Bool { !staging.discarded.isEmpty }

    /// Frees discarded models and their properties. Returns how many of both.
    func freeDiscarded(atMost limit: Int) -> Int {
        guard var discarded = staging.discarded.popLast() else { return 0 }
        let before = records.countedBytes
        var freed = 0
        while freed < limit, let model = discarded.models.last {
            let id = records.models[model].first
            if id == .noRecord {
                records.free(model)
                staging.modelCount -= 1
                discarded.models.removeLast()
            } else {
                records.models[model].first = records.properties[id].next
                records.models[model].count -= 1
                records.discountWhole(id)
                freeReleased(id)
                staging.propertyCount -= 1
            }
            freed += 1
        }
        // Names that the tree has by now count as its own.
        let bytes = discarded.models.isEmpty ? discarded.bytes : before &- records.countedBytes
        staging.bytes &-= bytes
        discarded.bytes &-= bytes
        if !discarded.models.isEmpty { staging.discarded.append(discarded) }
        return freed
    }
}
