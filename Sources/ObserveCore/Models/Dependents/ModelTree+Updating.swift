// SPDX-License-Identifier: MIT
// The end of a commit, before anyone is told: computed properties and bindings are brought up to date. Knows neither
// templates nor what a binding decides.
//
// Bindings go in the order of their numbers, each after those that write what it reads, so that it sees no mixture of old
// and new and spends its one write on what is final. Computed properties are brought up to date when they are read, those
// that nobody reads at the end. All ways are followed by lists, not by recursion: they may be of any length.

extension ModelTree {
    /// Brings all readers that are behind up to date. The last thing that a commit does before it is told.
    ///
    /// It ends: each binding writes once, and between two writes each is looked at once at most.
    func updateDependents() {
        isUpdating = true
        while true {
            if !unreferenced.isEmpty { releaseUnreferenced() }
            if let binding = nextBinding() {
                bring(binding)
            } else if let computed = staleComputed.popLast() {
                dependents[computed].isQueued = false
                update(computed)
            } else {
                break
            }
        }
        isUpdating = false
        forgetPending()
    }

    /// Of the bindings that are behind the one with the lowest number.
    private func nextBinding() -> DependentID? {
        if !areBindingsSorted {
            staleBindings.sort { dependents[$0].number > dependents[$1].number }
            areBindingsSorted = true
        }
        guard let dependent = staleBindings.popLast() else { return nil }
        dependents[dependent].isQueued = false
        return dependent
    }

    /// In the middle of a commit: a computed property that is about to be read is brought up to date, as if the writes so
    /// far had been a commit of their own. Bindings wait for the end.
    func refresh(_ id: PropertyID) {
        guard !isUpdating, let dependent = computedDependent(of: id), dependents[dependent].state != .fresh else {
            return
        }
        update(dependent)
    }

    /// Takes back what readers noticed of a commit that was undone. After its writes were.
    func forgetStaleDependents() {
        emptyQueues()
        // What was computed in between holds what it held before, but came through other properties.
        isRestoring = true
        for dependent in refreshed where !models[properties[dependents[dependent].property].model].isReleased {
            var cursor = cursor(of: dependent)
            dropRest(&cursor)
            markStale(dependent)
        }
        for dependent in refreshed where dependents[dependent].state != .fresh { update(dependent) }
        isRestoring = false
        emptyQueues()
        refreshed.removeAll(keepingCapacity: true)
    }

    private func emptyQueues() {
        while let dependent = staleComputed.popLast() {
            dependents[dependent].isQueued = false
            markFresh(dependent)
        }
        for dependent in staleBindings {
            dependents[dependent].isQueued = false
            markFresh(dependent)
        }
        staleBindings.removeAll(keepingCapacity: true)
        forgetPending()
    }

    private func forgetPending() {
        while let dependent = unlocated.popLast() {
            dependents[dependent].isUnlocated = false
            dependents[dependent].hasMoved = false
        }
        if !pendingWriters.isEmpty { pendingWriters = [:] }
    }

    // MARK: Bindings

    /// Lets the binding carry what it has to, after those that write what it reads; one that waits is not waited for.
    private func bring(_ first: DependentID) {
        waitingBindings.append(first)
        while let dependent = waitingBindings.last {
            if dependents[dependent].state != .fresh, let binding = dependents[dependent].binding {
                dependents[dependent].isActive = true
                let ends = trace(binding, of: dependent)
                if pendingBindings > 1 { locateWriters() }
                if binding.lastWrite != pendingRevision, let feeder = feeder(of: dependent) {
                    waitingBindings.append(feeder)
                    continue
                }
                let isStale = dependents[dependent].state == .stale
                markFresh(dependent)
                if isStale { carry(binding, of: dependent, ends) }
            }
            _ = waitingBindings.popLast()
            dependents[dependent].isActive = false
        }
    }

    /// Both ends as they are now, by computed properties that are up to date.
    private func trace(_ binding: Binding, of dependent: DependentID) -> BindingEnds {
        while true {
            var cursor = cursor(of: dependent)
            let ends = trace(binding, &cursor)
            dropRest(&cursor)
            if !cursor.mustWait { return ends }
            updateAll()
        }
    }

    /// Finds out where bindings that are behind lead: whoever reads there has to wait for them.
    private func locateWriters() {
        while let dependent = unlocated.popLast() {
            let hasMoved = dependents[dependent].hasMoved
            dependents[dependent].isUnlocated = false
            dependents[dependent].hasMoved = false
            guard dependents[dependent].state != .fresh, let binding = dependents[dependent].binding else { continue }
            if hasMoved {
                _ = trace(binding, of: dependent)
                spreading.append(dependent)
            }
            noteWriter(dependent, of: dependents[dependent].target)
            if mayWriteSource(dependent) { noteWriter(dependent, of: dependents[dependent].source) }
            spread()
        }
    }

    private func noteWriter(_ dependent: DependentID, of slot: Slot) {
        guard slot.model != noRecord else { return }
        pendingWriters[slot, default: PendingWriters()].add(dependent)
        pendingWriters[Slot(model: slot.model), default: PendingWriters()].add(dependent)
    }

    /// Of the bindings that are behind and may write what this one reads, itself or through computed properties, the one
    /// with the lowest number that does not wait itself.
    private func feeder(of dependent: DependentID) -> DependentID? {
        guard pendingBindings > 1, !pendingWriters.isEmpty else { return nil }
        let members = names.find(membersName.view)
        var lowest: DependentID?
        dependentSearch &+= 1
        feeders.append(dependent)
        while let next = feeders.popLast() {
            var edge = dependents[next].firstEdge
            while edge != noRecord {
                let id = edges[edge].property
                // What a target holds is of no interest to who only carries there.
                let isRead = !edges[edge].isTarget || dependents[dependent].isTwoWay || !isEnd(edge)
                let name = properties[id].name
                let slot = Slot(model: properties[id].model, name: name == members ? noRecord : name)
                if isRead, let writer = firstWriter(of: slot) {
                    let isLower = lowest.map { dependents[writer].number < dependents[$0].number } ?? true
                    if isLower { lowest = writer }
                }
                if let computed = computedDependent(of: id), dependents[computed].search != dependentSearch {
                    dependents[computed].search = dependentSearch
                    feeders.append(computed)
                }
                edge = edges[edge].nextOfDependent
            }
        }
        return lowest
    }

    /// The binding with the lowest number of those that may yet write there.
    ///
    /// One that waits, or no longer leads there, is forgotten: if it falls behind once more, it is entered once more.
    private func firstWriter(of slot: Slot) -> DependentID? {
        guard let index = pendingWriters.index(forKey: slot) else { return nil }
        if !pendingWriters.values[index].isSorted {
            pendingWriters.values[index].dependents.sort { dependents[$0].number > dependents[$1].number }
            pendingWriters.values[index].isSorted = true
        }
        while let writer = pendingWriters.values[index].dependents.last {
            if mayWrite(writer, slot) { return writer }
            pendingWriters.values[index].dependents.removeLast()
        }
        return nil
    }

    private func mayWrite(_ writer: DependentID, _ slot: Slot) -> Bool {
        guard dependents[writer].state != .fresh, !dependents[writer].isActive,
            dependents[writer].binding?.lastWrite != pendingRevision
        else { return false }
        let isTwoWay = mayWriteSource(writer)
        if slot.name == noRecord {
            return dependents[writer].target.model == slot.model
                || isTwoWay && dependents[writer].source.model == slot.model
        }
        return dependents[writer].target == slot || isTwoWay && dependents[writer].source == slot
    }

    // MARK: Computed properties

    private func update(_ root: DependentID) {
        updating.append(root)
        updateAll()
    }

    /// Brings the computed properties in the list up to date, each after those that it reads.
    private func updateAll() {
        while let dependent = updating.last {
            if dependents[dependent].state == .fresh || isDead(dependent) {
                _ = updating.popLast()
                dependents[dependent].isActive = false
            } else if dependents[dependent].isActive {
                continueUpdate(dependent)
            } else {
                dependents[dependent].isActive = true
                if staleCount > 1 { beginUpdate(dependent) }
            }
        }
    }

    private func isDead(_ dependent: DependentID) -> Bool {
        let isDead = models[properties[dependents[dependent].property].model].isReleased
        if isDead { markFresh(dependent) }
        return isDead
    }

    /// Lets those go first that feed the reader as far as it has come through them before.
    private func beginUpdate(_ dependent: DependentID) {
        var cursor = cursor(of: dependent)
        var edge = dependents[dependent].firstEdge
        while edge != noRecord {
            _ = isBeingComputed(edges[edge].property, for: &cursor)
            edge = edges[edge].nextOfDependent
        }
        if cursor.isCyclic { dependents[dependent].state = .stale }
    }

    /// Those that feed the reader are up to date, as far as is known.
    private func continueUpdate(_ dependent: DependentID) {
        guard dependents[dependent].state == .stale else { return markFresh(dependent) }
        var cursor = cursor(of: dependent)
        let value = compute(dependent, &cursor)
        dropRest(&cursor)
        if cursor.mustWait { return }
        markFresh(dependent)
        if isRestoring { return }
        store(value, of: dependent)
        if !isUpdating { refreshed.append(dependent) }
    }

    /// Asks whether the property may be read now: if it is a computed one that is behind, it is let go first.
    ///
    /// - Returns: whether it is being brought up to date itself, and so has no value for those that it waits for.
    func isBeingComputed(_ id: PropertyID, for cursor: inout EdgeCursor) -> Bool {
        guard let dependent = computedDependent(of: id) else { return false }
        if dependent == cursor.dependent || dependents[dependent].isActive {
            cursor.isCyclic = true
            return true
        }
        if dependents[dependent].state != .fresh {
            updating.append(dependent)
            cursor.mustWait = true
        }
        return false
    }
}
