// SPDX-License-Identifier: MIT
// Makes released models a part of the tree again, and releases them if their commit rolls back. Independent of why.

extension HistoryTree {
    func restore(_ model: ModelID) {
        records.effort.count(6 + 6 * Int(records.models[model].count))
        runHooks { $0.didRestore(model) }
        records.restore(model)
        var revisions: [UInt64] = []
        forEachProperty(of: model) { id in
            revisions.append(records.properties[id].revision)
            records.properties[id].revision = pendingRevision
            if records.properties[id].flags.contains(.computed) {
                addDependent(id, typing.computation(of: id, as: records.models[model].type, in: records))
            }
        }
        let removal = records.models[model].removalRevision
        pending.restored[model] = RestoredModel(model: model, revisions: revisions, removalRevision: removal)
        records.models[model].removalRevision = 0
    }

    /// Calls `body` with the model's properties as they were at its release, and their revisions then.
    func forEachProperty(of restored: RestoredModel, _ body: (PropertyID, UInt64) -> Void) {
        var id = records.models[restored.model].first
        for revision in restored.revisions where id != .noRecord {
            body(id, revision)
            id = records.properties[id].next
        }
    }

    /// Nulls the weak references, of the properties that came back, to models that did not.
    func nullDeadReferences() {
        let cause = pending.cause
        pending.cause = .consequence
        defer { pending.cause = cause }
        var dead: [PropertyID] = []
        for model in pending.restored.keys.sorted() { forEachProperty(of: model) { dead.append($0) } }
        dead += pending.touches.indices.map { pending.touches[$0].property }
        for id in dead
        where records.properties[id].isWeak && !records.properties[id].flags.contains(.computed) {
            guard let model = records.properties[id].slot.modelID, records.models[model].isReleased else {
                continue
            }
            change(id, .null, isWeak: true)
        }
    }

    /// Releases the models that the commit brought back, since it rolls back. Its writes are rolled back already.
    func releaseRestored() {
        for (model, restored) in pending.restored.sorted(by: { $0.key < $1.key }) {
            removeDependents(ofReleased: model)
            forEachProperty(of: restored) { records.properties[$0].revision = $1 }
            records.models[model].removalRevision = restored.removalRevision
            records.release(model)
        }
        dependents.forgetFreed()
    }
}
