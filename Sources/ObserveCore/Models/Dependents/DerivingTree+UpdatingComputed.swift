// SPDX-License-Identifier: MIT
// Updates computed properties, each after the computed properties that it reads.

extension DerivingTree {
    /// Updates a computed property before a read in the middle of a commit, as if the writes so far had been a commit of their
    /// own. Bindings wait for the commit's end.
    func refresh(_ id: PropertyID) {
        guard !dependents.updates.isUnderWay,
            let dependent = dependents.computedDependent(of: id, in: records),
            dependents.records[dependent].state != .fresh
        else { return }
        update(dependent)
    }

    /// Whether computed properties may have other values under the present limits, or lack one for a commit with too few looks.
    package var needsRecomputing: Bool { records.computedUnder != limits.computing }

    /// Computes all computed properties again, as if their inputs had changed, and retries the bindings that failed for a limit.
    /// Inside a commit.
    package func recompute() {
        pending.formerLimits = records.computedUnder
        records.computedUnder = limits.computing
        for model in records.modelsInUse {
            forEachProperty(of: model) { id in
                if let dependent = dependents.computedDependent(of: id, in: records) {
                    dependents.markStale(dependent, in: records)
                }
            }
        }
        for dependent in dependents.bindings.byNumber.values
        where dependents.records[dependent].binding?.failure?.kind == .limitExceeded {
            dependents.markStale(dependent, in: records)
        }
    }

    func update(_ root: DependentID) {
        dependents.updates.updating.append(root)
        updateAll()
    }

    /// Updates the queued computed properties, each after the computed properties that it reads.
    func updateAll() {
        while let dependent = dependents.updates.updating.last {
            if dependents.records[dependent].state == .fresh || isDead(dependent) {
                _ = dependents.updates.updating.popLast()
                dependents.records[dependent].isActive = false
            } else if dependents.records[dependent].isActive {
                continueUpdate(dependent)
            } else {
                dependents.records[dependent].isActive = true
                // Without looks, a stale one has no value soon, and its edges may be many.
                let isSoonOver = records.effort.isExhausted && dependents.records[dependent].state == .stale
                if dependents.staleCount > 1, !isSoonOver { beginUpdate(dependent) }
            }
        }
    }

    func isDead(_ dependent: DependentID) -> Bool {
        let isDead = records.models[records.properties[dependents.records[dependent].property].model]
            .isReleased
        if isDead { dependents.markFresh(dependent) }
        return isDead
    }

    /// Queues the computed properties that feed the dependent, as far as its edges know them.
    func beginUpdate(_ dependent: DependentID) {
        var cursor = dependents.cursor(of: dependent)
        var edge = dependents.records[dependent].firstEdge
        while edge != .noRecord {
            _ = dependents.isBeingComputed(dependents.edges[edge].property, for: &cursor, in: records)
            edge = dependents.edges[edge].nextOfDependent
        }
        if cursor.isCyclic { dependents.records[dependent].state = .stale }
    }

    /// Computes the value, after the updates of the computed properties that feed the dependent.
    func continueUpdate(_ dependent: DependentID) {
        let isRetried = dependents.updates.unread.contains(dependent) && !records.effort.isExhausted
        guard dependents.records[dependent].state == .stale || isRetried
        else { return dependents.markFresh(dependent) }
        let hasAllLooks = !records.effort.hasLooked
        var cursor = dependents.cursor(of: dependent)
        let value = compute(dependent, &cursor)
        let isWhole = dependents.finishReading(&cursor, in: &records)
        if cursor.mustWait { return }
        let isStale = dependents.records[dependent].state == .stale
        dependents.markFresh(dependent)
        if dependents.updates.isRestoring { return }
        if records.effort.isShort, !records.isSelection(dependents.records[dependent].property) {
            pending.ranShort = true
        }
        let isRead = endRetry(of: dependent, isWhole || hasAllLooks)
        // Without all inputs, it keeps its value until looks are left.
        guard isStale || isRead else { return }
        store(value, of: dependent)
        if !dependents.updates.isUnderWay { dependents.refreshed.append(dependent) }
    }

    /// Ends the retry of an unread dependent if it has all inputs, or had all looks for itself: otherwise others have used up
    /// looks that it needs. Returns whether it was unread, and no longer is.
    func endRetry(of dependent: DependentID, _ isDone: Bool) -> Bool {
        guard !dependents.updates.unread.isEmpty, isDone, !dependents.updates.isRestoring
        else { return false }
        guard dependents.updates.unread.remove(dependent) != nil else { return false }
        dependents.updates.retried.append(dependent)
        return true
    }
}
