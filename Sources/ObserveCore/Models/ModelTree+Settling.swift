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
    func settleReaders() {
        isSettling = true
        while true {
            if !unreferenced.isEmpty { settle() }
            if let binding = nextBinding() {
                bring(binding)
            } else if let computed = staleComputed.popLast() {
                readers[computed].isQueued = false
                update(computed)
            } else {
                break
            }
        }
        isSettling = false
        forgetPending()
    }

    /// Of the bindings that are behind the one with the lowest number.
    private func nextBinding() -> ReaderID? {
        if !areBindingsSorted {
            staleBindings.sort { readers[$0].number > readers[$1].number }
            areBindingsSorted = true
        }
        guard let reader = staleBindings.popLast() else { return nil }
        readers[reader].isQueued = false
        return reader
    }

    /// In the middle of a commit: a computed property that is about to be read is brought up to date, as if the writes so
    /// far had been a commit of their own. Bindings wait for the end.
    func refresh(_ id: PropertyID) {
        guard !isSettling, let reader = computedReader(of: id), readers[reader].state != .fresh else {
            return
        }
        update(reader)
    }

    /// Takes back what readers noticed of a commit that was undone. After its writes were.
    func forgetStaleReaders() {
        emptyQueues()
        // What was computed in between holds what it held before, but came through other properties.
        isRestoring = true
        for reader in refreshed where !models[properties[readers[reader].property].model].isDying {
            var cursor = cursor(of: reader)
            dropRest(&cursor)
            markStale(reader)
        }
        for reader in refreshed where readers[reader].state != .fresh { update(reader) }
        isRestoring = false
        emptyQueues()
        refreshed.removeAll(keepingCapacity: true)
    }

    private func emptyQueues() {
        while let reader = staleComputed.popLast() {
            readers[reader].isQueued = false
            markFresh(reader)
        }
        for reader in staleBindings {
            readers[reader].isQueued = false
            markFresh(reader)
        }
        staleBindings.removeAll(keepingCapacity: true)
        forgetPending()
    }

    private func forgetPending() {
        while let reader = unlocated.popLast() {
            readers[reader].isUnlocated = false
            readers[reader].hasMoved = false
        }
        if !pendingWriters.isEmpty { pendingWriters = [:] }
    }

    // MARK: Bindings

    /// Lets the binding carry what it has to, after those that write what it reads; one that waits is not waited for.
    private func bring(_ first: ReaderID) {
        waitingBindings.append(first)
        while let reader = waitingBindings.last {
            if readers[reader].state != .fresh, let binding = readers[reader].binding {
                readers[reader].isActive = true
                let ends = trace(binding, of: reader)
                if pendingBindings > 1 { locateWriters() }
                if binding.lastWrite != pendingRevision, let feeder = feeder(of: reader) {
                    waitingBindings.append(feeder)
                    continue
                }
                let isStale = readers[reader].state == .stale
                markFresh(reader)
                if isStale { carry(binding, of: reader, ends) }
            }
            _ = waitingBindings.popLast()
            readers[reader].isActive = false
        }
    }

    /// Both ends as they are now, by computed properties that are up to date.
    private func trace(_ binding: Binding, of reader: ReaderID) -> BindingEnds {
        while true {
            var cursor = cursor(of: reader)
            let ends = trace(binding, &cursor)
            dropRest(&cursor)
            if !cursor.mustWait { return ends }
            updateAll()
        }
    }

    /// Finds out where bindings that are behind lead: whoever reads there has to wait for them.
    private func locateWriters() {
        while let reader = unlocated.popLast() {
            let hasMoved = readers[reader].hasMoved
            readers[reader].isUnlocated = false
            readers[reader].hasMoved = false
            guard readers[reader].state != .fresh, let binding = readers[reader].binding else { continue }
            if hasMoved {
                _ = trace(binding, of: reader)
                spreading.append(reader)
            }
            noteWriter(reader, of: readers[reader].target)
            if mayWriteSource(reader) { noteWriter(reader, of: readers[reader].source) }
            spread()
        }
    }

    private func noteWriter(_ reader: ReaderID, of slot: Slot) {
        guard slot.model != noRecord else { return }
        pendingWriters[slot, default: PendingWriters()].add(reader)
        pendingWriters[Slot(model: slot.model), default: PendingWriters()].add(reader)
    }

    /// Of the bindings that are behind and may write what this one reads, itself or through computed properties, the one
    /// with the lowest number that does not wait itself.
    private func feeder(of reader: ReaderID) -> ReaderID? {
        guard pendingBindings > 1, !pendingWriters.isEmpty else { return nil }
        let members = names.find(membersName.view)
        var lowest: ReaderID?
        readerSearch &+= 1
        feeders.append(reader)
        while let next = feeders.popLast() {
            var edge = readers[next].firstEdge
            while edge != noRecord {
                let id = edges[edge].property
                // What a target holds is of no interest to who only carries there.
                let isRead = !edges[edge].isTarget || readers[reader].isTwoWay || !isEnd(edge)
                let name = properties[id].name
                let slot = Slot(model: properties[id].model, name: name == members ? noRecord : name)
                if isRead, let writer = firstWriter(of: slot) {
                    let isLower = lowest.map { readers[writer].number < readers[$0].number } ?? true
                    if isLower { lowest = writer }
                }
                if let computed = computedReader(of: id), readers[computed].search != readerSearch {
                    readers[computed].search = readerSearch
                    feeders.append(computed)
                }
                edge = edges[edge].nextOfReader
            }
        }
        return lowest
    }

    /// The binding with the lowest number of those that may yet write there.
    ///
    /// One that waits, or no longer leads there, is forgotten: if it falls behind once more, it is entered once more.
    private func firstWriter(of slot: Slot) -> ReaderID? {
        guard let index = pendingWriters.index(forKey: slot) else { return nil }
        if !pendingWriters.values[index].isSorted {
            pendingWriters.values[index].readers.sort { readers[$0].number > readers[$1].number }
            pendingWriters.values[index].isSorted = true
        }
        while let writer = pendingWriters.values[index].readers.last {
            if mayWrite(writer, slot) { return writer }
            pendingWriters.values[index].readers.removeLast()
        }
        return nil
    }

    private func mayWrite(_ writer: ReaderID, _ slot: Slot) -> Bool {
        guard readers[writer].state != .fresh, !readers[writer].isActive,
            readers[writer].binding?.lastWrite != pendingRevision
        else { return false }
        let isTwoWay = mayWriteSource(writer)
        if slot.name == noRecord {
            return readers[writer].target.model == slot.model
                || isTwoWay && readers[writer].source.model == slot.model
        }
        return readers[writer].target == slot || isTwoWay && readers[writer].source == slot
    }

    // MARK: Computed properties

    private func update(_ root: ReaderID) {
        updating.append(root)
        updateAll()
    }

    /// Brings the computed properties in the list up to date, each after those that it reads.
    private func updateAll() {
        while let reader = updating.last {
            if readers[reader].state == .fresh || isDead(reader) {
                _ = updating.popLast()
                readers[reader].isActive = false
            } else if readers[reader].isActive {
                goOn(reader)
            } else {
                readers[reader].isActive = true
                if staleCount > 1 { begin(reader) }
            }
        }
    }

    private func isDead(_ reader: ReaderID) -> Bool {
        let isDead = models[properties[readers[reader].property].model].isDying
        if isDead { markFresh(reader) }
        return isDead
    }

    /// Lets those go first that feed the reader as far as it has come through them before.
    private func begin(_ reader: ReaderID) {
        var cursor = cursor(of: reader)
        var edge = readers[reader].firstEdge
        while edge != noRecord {
            _ = isBeingComputed(edges[edge].property, for: &cursor)
            edge = edges[edge].nextOfReader
        }
        if cursor.isCyclic { readers[reader].state = .stale }
    }

    /// Those that feed the reader are up to date, as far as is known.
    private func goOn(_ reader: ReaderID) {
        guard readers[reader].state == .stale else { return markFresh(reader) }
        var cursor = cursor(of: reader)
        let value = compute(reader, &cursor)
        dropRest(&cursor)
        if cursor.mustWait { return }
        markFresh(reader)
        if isRestoring { return }
        store(value, of: reader)
        if !isSettling { refreshed.append(reader) }
    }

    /// Asks whether the property may be read now: if it is a computed one that is behind, it is let go first.
    ///
    /// - Returns: whether it is being brought up to date itself, and so has no value for those that it waits for.
    func isBeingComputed(_ id: PropertyID, for cursor: inout EdgeCursor) -> Bool {
        guard let reader = computedReader(of: id) else { return false }
        if reader == cursor.reader || readers[reader].isActive {
            cursor.isCyclic = true
            return true
        }
        if readers[reader].state != .fresh {
            updating.append(reader)
            cursor.mustWait = true
        }
        return false
    }
}
