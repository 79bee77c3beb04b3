// SPDX-License-Identifier: MIT
// Computed properties brought up to date, each after those that it reads.

extension ModelTree {
    /// In the middle of a commit: a computed property that is about to be read is brought up to date, as if the writes so
    /// far had been a commit of their own. Bindings wait for the end.
    func refresh(_ id: PropertyID) {
        guard !dependents.updates.isUnderWay, let dependent = computedDependent(of: id),
            dependents.records[dependent].state != .fresh
        else {
            return
        }
        update(dependent)
    }

    func update(_ root: DependentID) {
        dependents.updates.updating.append(root)
        updateAll()
    }

    /// Brings the computed properties in the list up to date, each after those that it reads.
    func updateAll() {
        while let dependent = dependents.updates.updating.last {
            if dependents.records[dependent].state == .fresh || isDead(dependent) {
                _ = dependents.updates.updating.popLast()
                dependents.records[dependent].isActive = false
            } else if dependents.records[dependent].isActive {
                continueUpdate(dependent)
            } else {
                dependents.records[dependent].isActive = true
                if dependents.staleCount > 1 { beginUpdate(dependent) }
            }
        }
    }

    func isDead(_ dependent: DependentID) -> Bool {
        let isDead = records.models[records.properties[dependents.records[dependent].property].model]
            .isReleased
        if isDead { dependents.markFresh(dependent) }
        return isDead
    }

    /// Lets those go first that feed the reader as far as it has come through them before.
    func beginUpdate(_ dependent: DependentID) {
        var cursor = dependents.cursor(of: dependent)
        var edge = dependents.records[dependent].firstEdge
        while edge != .noRecord {
            _ = isBeingComputed(dependents.edges[edge].property, for: &cursor)
            edge = dependents.edges[edge].nextOfDependent
        }
        if cursor.isCyclic { dependents.records[dependent].state = .stale }
    }

    /// Those that feed the reader are up to date, as far as is known.
    func continueUpdate(_ dependent: DependentID) {
        guard dependents.records[dependent].state == .stale else { return dependents.markFresh(dependent) }
        var cursor = dependents.cursor(of: dependent)
        let value = compute(dependent, &cursor)
        dropRest(&cursor)
        if cursor.mustWait { return }
        dependents.markFresh(dependent)
        if dependents.updates.isRestoring { return }
        store(value, of: dependent)
        if !dependents.updates.isUnderWay { dependents.refreshed.append(dependent) }
    }
}
