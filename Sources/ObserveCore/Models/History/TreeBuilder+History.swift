// SPDX-License-Identifier: MIT
// Restores the past commits of a restored tree. Independent of lines and files.

extension TreeBuilder {
    /// Forgets all past commits: the ones that follow are restored instead.
    ///
    /// - Parameters:
    ///   - horizon: the revision before them.
    ///   - types: see ``History/typeRevision``.
    func beginHistory(after horizon: UInt64, types: UInt64) {
        tree.forgetHistory()
        tree.history.typeRevision = types
        (tree.history.horizon, tree.history.horizonTime) = (horizon, 0)
    }

    /// Makes a model that a past commit released. Make all of them before the values that refer to them.
    func makeReleased(_ instance: UInt64, type name: String?) throws(StateFault) {
        guard knownModel(instance) == nil else { throw StateFault("the model \(instance) is not released") }
        let model = makeRecord(instance)
        tree.records.models[model].isReleased = true
        tree.records.livingBytes &-= Records.modelBytes
        if let name { tree.records.models[model].type = restoredType(name) }
    }

    /// Adds a property of a released model.
    func addReleased(_ id: PropertyID, _ value: StoredValue, isWeak: Bool, at revision: UInt64) {
        tree.enlist(id, after: tree.records.models[tree.records.properties[id].model].last)
        tree.setValue(value, of: id)
        tree.records.discountWhole(id)
        tree.records.properties[id].isWeak = isWeak
        tree.records.properties[id].revision = revision
    }

    /// Adds the next past commit. Its models and properties exist.
    func append(_ commit: KeptCommit) {
        for touch in commit.touches {
            let id = touch.property
            // Until the history forgets the commit, it keeps the record of a property that is or was absent. The
            // snapshot has the revisions of present properties.
            if tree.records.properties[id].slot.isAbsent
                || tree.records.models[tree.records.properties[id].model].isReleased
            {
                tree.records.properties[id].revision = commit.revision
            }
            tree.history.textBytes += tree.heldBytes(touch)
            tree.history.touches.append(touch)
        }
        for change in commit.orderChanges { tree.history.orderChanges.append(change) }
        let releasedBytes = commit.released.reduce(0) { $0 + tree.remember(released: $1) }
        tree.history.textBytes += releasedBytes
        tree.history.endCommit(
            commit.revision,
            by: commit.author,
            touches: commit.touches.count,
            orderChanges: commit.orderChanges.count,
            released: commit.released.count,
            releasedBytes: releasedBytes
        )
    }

    /// Ends the history, within its limits.
    func endHistory() { tree.forgetBeyondLimits() }
}
