// SPDX-License-Identifier: MIT
// Updates dependents at the end of a commit, before it notifies observers. Independent of templates, and of what bindings decide.
// Lists replace recursion, since chains of dependents may have any length. docs/internals/dependents.md has the order.

extension BindingTree {
    /// Updates all stale dependents. The loop ends: each binding writes once, and has at most one visit between two writes.
    func updateDependents() {
        guard dependents.isStale || !dependents.refreshed.isEmpty else { return }
        dependents.updates.isUnderWay = true
        dependents.updates.search &+= 1
        // Other types, other limits and a start are not a request's: they compute everything.
        let isWhole = pending.formerTypes != nil || pending.formerLimits != nil
        if isWhole { records.effort.allow(Effort.unbounded) } else { allowElements() }
        while true {
            releaseUnreferenced()
            // Marks the readers of places that stale bindings lead to now: one of them may have the lowest number.
            if dependents.pendingBindings > 1 { locateWriters() }
            if let binding = dependents.nextBinding() {
                updateBinding(binding)
            } else if let computed = dependents.staleComputed.popLast() {
                dependents.records[computed].isQueued = false
                update(computed)
            } else {
                break
            }
        }
        dependents.updates.isUnderWay = false
        if !dependents.refreshed.isEmpty { dependents.refreshed.removeAll(keepingCapacity: true) }
        forgetPending()
    }

    /// Clears the marks that a commit left on dependents. Call after rolling back its writes.
    func forgetStaleDependents() {
        guard dependents.isStale || !dependents.refreshed.isEmpty else { return }
        emptyQueues()
        // Refreshed properties have their old values again, but edges to other inputs.
        dependents.updates.isRestoring = true
        for dependent in dependents.refreshed
        where !records.models[records.properties[dependents.records[dependent].property].model].isReleased {
            var cursor = dependents.cursor(of: dependent)
            dependents.dropRest(&cursor, in: &records)
            dependents.markStale(dependent, in: records)
        }
        for dependent in dependents.refreshed where dependents.records[dependent].state != .fresh {
            update(dependent)
        }
        dependents.updates.isRestoring = false
        emptyQueues()
        dependents.refreshed.removeAll(keepingCapacity: true)
    }

    /// The dependents whose retries the commit began have unread inputs again.
    func restoreRetried() { dependents.updates.unread.formUnion(dependents.updates.retried) }

    /// Makes the dependents of these properties follow their paths again: properties that have their old values again, and those
    /// that joined their models again or left them. Writes and stores nothing.
    func retrace(_ touched: [PropertyID], _ reordered: [PropertyID]) {
        guard dependents.records.count > 0 else { return }
        for id in touched {
            if records.properties[id].flags.contains(.read) { dependents.markDependents(of: id, in: records) }
            dependents.markMemberDependents(of: records.properties[id].model, in: records)
        }
        for id in reordered { dependents.markMemberDependents(of: records.properties[id].model, in: records) }
        dependents.updates.isRestoring = true
        updateDependents()
        dependents.updates.isRestoring = false
        forgetLastWrites()
        restoreBindings()
    }

    private func emptyQueues() {
        while let dependent = dependents.staleComputed.popLast() ?? dependents.staleBindings.popLast() {
            dependents.records[dependent].isQueued = false
            dependents.markFresh(dependent)
        }
        forgetPending()
    }

    private func forgetPending() {
        while let dependent = dependents.unlocated.popLast() {
            dependents.records[dependent].isUnlocated = false
            dependents.records[dependent].hasMoved = false
        }
        if !dependents.updates.pendingWriters.isEmpty { dependents.updates.pendingWriters = [:] }
    }

    // MARK: Bindings

    /// Updates the binding, after the bindings that write its inputs. Omits those that already wait.
    private func updateBinding(_ first: DependentID) {
        dependents.updates.waitingBindings.append(first)
        while let dependent = dependents.updates.waitingBindings.last {
            if dependents.records[dependent].state != .fresh,
                let binding = dependents.records[dependent].binding
            {
                dependents.records[dependent].isActive = true
                let ends = trace(binding, of: dependent)
                if dependents.pendingBindings > 1 { locateWriters() }
                if binding.lastWrite != pendingRevision, let feeder = feeder(of: dependent) {
                    dependents.updates.waitingBindings.append(feeder)
                    continue
                }
                let isStale = dependents.records[dependent].state == .stale
                dependents.markFresh(dependent)
                let isRead = endRetry(of: dependent, ends.endsRetry)
                if isStale || isRead { propagate(binding, of: dependent, ends) }
            }
            _ = dependents.updates.waitingBindings.popLast()
            dependents.records[dependent].isActive = false
        }
    }

    /// The current values of both ends, with the computed properties on the way up to date.
    private func trace(_ binding: Binding, of dependent: DependentID) -> BindingEnds {
        while true {
            // Computed properties on the way may have looked meanwhile.
            let hasAllLooks = !records.effort.hasLooked
            var cursor = dependents.cursor(of: dependent)
            var ends = trace(binding, &cursor)
            let isWhole = dependents.finishReading(&cursor, in: &records)
            ends.endsRetry = isWhole || hasAllLooks
            if !cursor.mustWait { return ends }
            updateAll()
        }
    }

    /// Finds the places that stale bindings may write to: bindings that read there must wait.
    private func locateWriters() {
        while let dependent = dependents.unlocated.popLast() {
            let hasMoved = dependents.records[dependent].hasMoved
            dependents.records[dependent].isUnlocated = false
            dependents.records[dependent].hasMoved = false
            guard dependents.records[dependent].state != .fresh,
                let binding = dependents.records[dependent].binding
            else { continue }
            if hasMoved {
                _ = trace(binding, of: dependent)
                // Once between two searches. Bindings that lead through computed properties of each other's
                // targets would mark each other without end.
                if dependents.records[dependent].search != dependents.updates.search {
                    dependents.records[dependent].search = dependents.updates.search
                    dependents.spreading.append(dependent)
                }
            }
            let record = dependents.records[dependent]
            dependents.updates.noteWriter(dependent, of: record.target)
            if dependents.mayWriteSource(dependent) {
                dependents.updates.noteWriter(dependent, of: record.source)
            }
            dependents.spread(in: records)
        }
    }

    /// The stale binding with the lowest number that may write an input of this one, perhaps a computed one, and does not wait.
    private func feeder(of dependent: DependentID) -> DependentID? {
        guard dependents.pendingBindings > 1, !dependents.updates.pendingWriters.isEmpty else { return nil }
        let members = records.names.find(dependents.membersName.view)
        var lowest: DependentID?
        dependents.updates.search &+= 1
        dependents.updates.feeders.append(dependent)
        while let next = dependents.updates.feeders.popLast() {
            var edge = dependents.records[next].firstEdge
            while edge != .noRecord {
                let id = dependents.edges[edge].property
                // A one-way binding does not depend on its target's value, but on the arrays that hold it.
                let isRead =
                    !dependents.edges[edge].isTarget || dependents.records[dependent].isTwoWay
                    || !dependents.isEnd(edge, in: records)
                let name = records.properties[id].name
                let slot = Slot(model: records.properties[id].model, name: name == members ? .noRecord : name)
                if let writer = isRead ? firstWriter(of: slot) : firstWriter(aroundTargetOf: dependent) {
                    let number = dependents.records[writer].number
                    if lowest.map({ number < dependents.records[$0].number }) ?? true { lowest = writer }
                }
                if let computed = dependents.computedDependent(of: id, in: records),
                    dependents.records[computed].search != dependents.updates.search
                {
                    dependents.records[computed].search = dependents.updates.search
                    dependents.updates.feeders.append(computed)
                }
                edge = dependents.edges[edge].nextOfDependent
            }
        }
        return lowest
    }

    /// The binding with the lowest number that may still write there. Drops those that wait or no longer lead there: one that
    /// becomes stale again returns.
    private func firstWriter(of slot: Slot) -> DependentID? {
        guard let index = dependents.updates.pendingWriters.index(forKey: slot) else { return nil }
        if !dependents.updates.pendingWriters.values[index].isSorted {
            // Sorted outside of the graph, since the comparison reads the graph's records.
            var writers: [DependentID] = []
            swap(&writers, &dependents.updates.pendingWriters.values[index].dependents)
            writers.sort { dependents.records[$0].number > dependents.records[$1].number }
            swap(&writers, &dependents.updates.pendingWriters.values[index].dependents)
            dependents.updates.pendingWriters.values[index].isSorted = true
        }
        while let writer = dependents.updates.pendingWriters.values[index].dependents.last {
            if mayWrite(writer, slot) { return writer }
            dependents.updates.pendingWriters.values[index].dependents.removeLast()
        }
        return nil
    }

    /// The binding with the lowest number that may still write an array which holds this binding's target.
    private func firstWriter(aroundTargetOf dependent: DependentID) -> DependentID? {
        let target = dependents.records[dependent].target
        guard target.depth > 0, let writers = dependents.updates.pendingWriters[target.slot],
            writers.leastDepth < target.depth, firstWriter(of: target.slot) != nil
        else { return nil }
        return dependents.updates.pendingWriters[target.slot]?.dependents.last {
            mayWrite($0, target.slot) && dependents.writes($0, around: dependent)
        }
    }

    private func mayWrite(_ writer: DependentID, _ slot: Slot) -> Bool {
        guard dependents.records[writer].state != .fresh, !dependents.records[writer].isActive,
            dependents.records[writer].binding?.lastWrite != pendingRevision
        else { return false }
        let isTwoWay = dependents.mayWriteSource(writer)
        if slot.name == .noRecord {
            return dependents.records[writer].target.slot.model == slot.model
                || isTwoWay && dependents.records[writer].source.slot.model == slot.model
        }
        return dependents.records[writer].target.slot == slot
            || isTwoWay && dependents.records[writer].source.slot == slot
    }
}
