// SPDX-License-Identifier: MIT
// The end of a commit, before anyone is told: computed properties and bindings are brought up to date. Knows neither
// templates nor what a binding decides.
//
// Each reader is brought up to date after those that feed it, so that it is looked at once, sees no mixture of old and
// new, and a binding spends its one write on what is final. The ways are followed by a list, not by recursion: computed
// properties may depend on one another over any distance.

extension ModelTree {
    /// Brings all readers that are behind up to date. The last thing that a commit does before it is told.
    func settleReaders() {
        isSettling = true
        while true {
            if !unreferenced.isEmpty { settle() }
            if let reader = staleComputed.popLast() {
                readers[reader].isQueued = false
                update(reader)
            } else if let reader = nextBinding() {
                readers[reader].isQueued = false
                update(reader)
            } else {
                break
            }
        }
        isSettling = false
        if !pendingWriters.isEmpty { pendingWriters = [:] }
    }

    /// Of the bindings that are behind the one with the lowest number.
    private func nextBinding() -> ReaderID? {
        if !areBindingsSorted {
            staleBindings.sort { readers[$0].number > readers[$1].number }
            areBindingsSorted = true
        }
        return staleBindings.popLast()
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
        if !pendingWriters.isEmpty { pendingWriters = [:] }
    }

    // MARK: One after those that feed it

    private func update(_ root: ReaderID) {
        updating.append(root)
        while let reader = updating.last {
            if readers[reader].state == .fresh || readers[reader].isPostponed || isDead(reader) {
                _ = updating.popLast()
                finish(reader)
            } else if readers[reader].isActive {
                goOn(reader, isRoot: updating.count == 1)
            } else {
                readers[reader].isActive = true
                if staleCount > 1 { begin(reader, isRoot: updating.count == 1) }
            }
        }
        while let reader = postponed.popLast() { readers[reader].isPostponed = false }
    }

    private func isDead(_ reader: ReaderID) -> Bool {
        guard readers[reader].number == 0 else { return false }
        let isDead = models[properties[readers[reader].property].model].isDying
        if isDead { markFresh(reader) }
        return isDead
    }

    private func finish(_ reader: ReaderID) { readers[reader].isActive = false }

    /// Lets those go first that feed the reader as far as it has come through them before.
    private func begin(_ reader: ReaderID, isRoot: Bool) {
        var cursor = cursor(of: reader)
        var edge = readers[reader].firstEdge
        while edge != noRecord {
            _ = isBeingComputed(edges[edge].property, for: &cursor)
            edge = edges[edge].nextOfReader
        }
        guard cursor.isCyclic, !isRoot else { return }
        if readers[reader].number != 0 {
            postpone(reader)
        } else {
            readers[reader].state = .stale
        }
    }

    /// A binding that waits for one that waits for it is left for later.
    private func postpone(_ reader: ReaderID) {
        readers[reader].isActive = false
        readers[reader].isPostponed = true
        postponed.append(reader)
        if !readers[reader].isQueued {
            readers[reader].isQueued = true
            staleBindings.append(reader)
            areBindingsSorted = false
        }
    }

    /// Those that feed the reader are up to date, as far as is known.
    private func goOn(_ reader: ReaderID, isRoot: Bool) {
        guard readers[reader].state == .stale else { return markFresh(reader) }
        var cursor = cursor(of: reader)
        if let binding = readers[reader].binding {
            let ends = trace(binding, &cursor)
            dropRest(&cursor)
            if cursor.mustWait { return }
            if cursor.isCyclic, !isRoot { return postpone(reader) }
            markFresh(reader)
            carry(binding, of: reader, ends)
        } else {
            let value = compute(reader, &cursor)
            dropRest(&cursor)
            if cursor.mustWait { return }
            markFresh(reader)
            if isRestoring { return }
            store(value, of: reader)
            if !isSettling { refreshed.append(reader) }
        }
    }

    /// Asks whether the property may be read now: readers that give it and are behind are let go first.
    ///
    /// - Returns: whether it is a computed property that is being brought up to date itself, and so has no value for those
    ///   that it waits for.
    func isBeingComputed(_ id: PropertyID, for cursor: inout EdgeCursor) -> Bool {
        if let reader = computedReader(of: id) {
            if reader == cursor.reader || readers[reader].isActive {
                cursor.isCyclic = true
                return true
            }
            if readers[reader].state != .fresh {
                updating.append(reader)
                cursor.mustWait = true
            }
        }
        guard isSettling, !pendingWriters.isEmpty, let writers = pendingWriters[id] else { return false }
        let isBinding = readers[cursor.reader].number != 0
        for writer in writers where writer != cursor.reader && mayWrite(writer, id) {
            if readers[writer].isActive || readers[writer].isPostponed {
                if isBinding { cursor.isCyclic = true }
            } else {
                updating.append(writer)
                cursor.mustWait = true
            }
        }
        return false
    }

    private func mayWrite(_ writer: ReaderID, _ id: PropertyID) -> Bool {
        guard readers[writer].state != .fresh, readers[writer].binding?.lastWrite != pendingRevision else {
            return false
        }
        return readers[writer].mayWriteTarget && readers[writer].property == id
            || readers[writer].mayWriteSource && readers[writer].source == id
    }
}
