// SPDX-License-Identifier: MIT
// Keeps, forgets and replays past commits. Independent of the clients that missed them.

extension ModelTree {
    /// Keeps the last commits from now on.
    func keepHistory(commits: Int) {
        history.commitLimit = commits
        history.horizon = revision
    }

    /// Keeps no commits until ``keepHistory(commits:)``.
    ///
    /// - Returns: how many are kept otherwise.
    func suspendHistory() -> Int {
        defer { history.commitLimit = 0 }
        return history.commitLimit
    }

    /// The history has no assignments of equal values from before.
    func noteEqualAssignmentsFromNow() { paths.equalAssignmentsNotedSince = revision }

    /// Forgets all commits.
    func forgetHistory() {
        while !history.commits.isEmpty { forgetFirstCommit() }
        history.horizon = history.commitLimit == 0 ? .max : revision
    }

    // MARK: Keeping

    /// Moves the records of the commit under way into the history.
    func remember() {
        let (touchCount, orderCount, releasedCount) = (
            pending.touches.count, pending.orderChanges.count, pending.releasedModels.count
        )
        pending.touches.drain { touch in
            let id = touch.property
            records.properties[id].touch = 0
            if history.undoing.isRecording { history.undoing.revisions.append(touch.oldRevision) }
            let past = PastTouch(
                old: touch.old,
                wasWeak: touch.oldFlags.contains(.weak),
                isChanged: touch.isChanged,
                isAssignedEqual: touch.isAssignedEqual,
                isRemoval: records.properties[id].slot.isAbsent,
                property: id,
                cause: touch.cause,
                edits: touch.edits
            )
            history.textBytes &+= past.textBytes
            history.touches.append(past)
        }
        if orderCount > 0 { pending.orderChanges.drain { history.orderChanges.append($0) } }
        if releasedCount > 0 { rememberReleased() }
        history.endCommit(
            revision,
            by: pending.author,
            touches: touchCount,
            orderChanges: orderCount,
            released: releasedCount
        )
        forgetBeyondLimits()
        if paths.notesEqualAssignments { noteNoLongerThanWanted() }
    }

    /// Forgets the oldest commits while there are too many, except those that may still be undone.
    func forgetBeyondLimits() {
        while mustForget, history.commits.first < history.undoing.pinned { forgetFirstCommit() }
    }

    private func noteNoLongerThanWanted() {
        if paths.indistinctObservers == 0, history.horizon > paths.lastIndistinctObserver {
            paths.notesEqualAssignments = false
        }
    }

    private func rememberReleased() {
        removeDependentsOfReleased()
        for index in pending.releasedModels.indices {
            let model = pending.releasedModels[index]
            history.releasedProperties += Int(records.models[model].count)
            history.textBytes += textBytes(of: model)
            if !temporary.stacks.isEmpty { expireAll(in: model) }
        }
        pending.releasedModels.drain { history.released.append($0) }
    }

    /// Removes the temporary values of a released model: the history keeps only what its properties held
    /// last.
    private func expireAll(in model: ModelID) {
        var id = records.models[model].first
        while id != .noRecord {
            if records.properties[id].flags.contains(.isTemporary) {
                if history.undoing.isRecording { history.undoing.keep(temporary.stacks[id] ?? [], of: id) }
                temporary.freeShadowed(id)
                records.properties[id].flags.remove(.isTemporary)
            }
            id = records.properties[id].next
        }
    }

    func textBytes(of model: ModelID) -> Int {
        var bytes = 0
        var id = records.models[model].first
        while id != .noRecord {
            bytes += records.properties[id].slot.textBytes
            id = records.properties[id].next
        }
        return bytes
    }

    private var mustForget: Bool {
        if history.commits.count > history.commitLimit || history.textBytes > History.textLimit {
            return true
        }
        let kept = history.touches.count &+ history.releasedProperties
        guard kept > History.fewestProperties else { return false }
        let living = records.properties.count &- history.releasedProperties
        return kept > max(History.fewestProperties, min(living, History.mostProperties))
    }

    private func forgetFirstCommit() {
        let commit = history.commits.removeFirst()
        history.horizon = commit.revision
        while history.authors.first < commit.author { _ = history.authors.removeFirst() }
        for _ in 0..<commit.touches {
            let first = history.touches.first
            // Swapped out, since the history drops it.
            var old = StoredValue.absent
            swap(&history.touches[first].old, &old)
            history.textBytes &-= old.textBytes
            let (property, isRemoval) = (history.touches[first].property, history.touches[first].isRemoval)
            if history.touches[first].edits.isEmpty {
                history.touches.forgetFirst()
            } else {
                history.textBytes &-= history.touches.removeFirst().textBytes
            }
            if isRemoval { freeIfUnused(property) }
            recycle(old)
        }
        for _ in 0..<commit.orderChanges { _ = history.orderChanges.removeFirst() }
        for _ in 0..<commit.released {
            let model = history.released.removeFirst()
            history.releasedProperties -= Int(records.models[model].count)
            history.textBytes -= textBytes(of: model)
            freeReleased(model)
        }
    }

    // MARK: Rewinding

    /// A position in the history's queues, between two commits.
    private struct Position {
        var touch: Int
        var orderChange: Int
    }

    /// Restores all properties to before the commit with that number. It does not count references: redo the
    /// commits before any write.
    private func rewind(to position: inout Position, before first: Int) {
        for number in (first..<history.commits.end).reversed() {
            for _ in 0..<history.commits[number].orderChanges {
                position.orderChange -= 1
                let change = history.orderChanges[position.orderChange]
                if change.wasPresent {
                    enlist(change.property, after: change.previous)
                } else {
                    delist(change.property)
                }
            }
            for _ in 0..<history.commits[number].touches {
                position.touch -= 1
                exchange(position.touch, isUndone: true)
            }
        }
    }

    /// Redoes a commit, and restores its touches as if it were under way.
    private func redo(_ commit: PastCommit, at position: inout Position) {
        for _ in 0..<commit.orderChanges {
            let change = history.orderChanges[position.orderChange]
            if change.wasPresent {
                delist(change.property)
            } else {
                enlist(change.property, after: records.models[records.properties[change.property].model].last)
            }
            position.orderChange += 1
        }
        for _ in 0..<commit.touches {
            exchange(position.touch, isUndone: false)
            let touch = history.touches[position.touch].touch
            pending.touches.append(touch)
            records.properties[touch.property].touch = Int32(pending.touches.count)
            position.touch += 1
        }
    }

    /// Swaps the values of the property and its touch: to undo, the property gets the old value; to redo, the
    /// new one.
    private func exchange(_ index: Int, isUndone: Bool) {
        let id = history.touches[index].property
        guard history.touches[index].isChanged else { return }
        if let edit = history.touches[index].edit {
            // Only the element moves: the arrays may be large.
            var value = records.properties[id].value
            setValue(.null, of: id)
            let element = history.touches[index].old
            history.touches[index].old = .absent
            if isUndone {
                history.touches[index].old = revert(edit, in: &value, level: 0)
            } else {
                apply(edit, element, to: &value, level: 0)
            }
            setValue(value, of: id)
        } else {
            let isWeak = records.properties[id].isWeak
            // Text belongs to its current holder.
            swap(&records.properties[id].slot, &history.touches[index].old)
            records.properties[id].isWeak = history.touches[index].wasWeak
            history.touches[index].wasWeak = isWeak
        }
    }

    /// Reverts the edit.
    ///
    /// - Returns: the element that it had added; absent for a removal.
    private func revert(_ edit: ArrayEdit, in value: inout StoredValue, level: Int) -> StoredValue {
        guard case .array(var array) = value else { return .absent }
        value = .null
        if !isKnownUniquelyReferenced(&array) { array = StoredArray(array.elements) }
        defer { value = .array(array) }
        if level < edit.path.count {
            return revert(edit, in: &array.elements[edit.path[level]], level: level + 1)
        }
        switch edit.kind {
        case .insertion: return array.elements.remove(at: edit.index)
        case .removal:
            array.elements.insert(edit.old, at: edit.index)
            return .absent
        case .replacement, .setting:
            let new = array.elements[edit.index]
            array.elements[edit.index] = edit.old
            return new
        }
    }

    // MARK: Replaying

    /// Replays the commits from that number on: notifies observers of what they did to the observers' paths.
    ///
    /// The tree rewinds to before the first of them, and redoes one commit after another. Meanwhile the
    /// observers' paths have nodes in a trie of their own, with the tags and options of the given observers.
    ///
    /// - Parameter sink: before each commit the tree asks it whether it wants more.
    /// - Returns: false if one of the paths led to a computed property.
    /// - Cost: proportional to the commits, not to the tree.
    func replay(from first: Int, to observers: [ObserverID], _ sink: any ReplaySink) -> Bool {
        precondition(pending.touches.isEmpty, "a replay was begun in the middle of a commit")
        let (presentRoot, presentSink, presentRevision, presentAuthor) = (
            paths.rootNode, self.hooks.sink, revision, pending.author
        )
        var position = Position(touch: history.touches.end, orderChange: history.orderChanges.end)
        rewind(to: &position, before: first)
        paths.rootNode = paths.nodes.allocate()
        paths.nodes[paths.rootNode].isReplayed = true
        paths.hasReplayedComputed = false
        self.hooks.sink = sink
        let mirrored = observers.map { mirror($0, from: presentRoot) }
        for number in first..<history.commits.end {
            let commit = history.commits[number]
            redo(commit, at: &position)
            (revision, pending.author) = (commit.revision, history.authors[commit.author])
            if sink.wantsMore { notify(.replay) }
            for index in pending.touches.indices {
                records.properties[pending.touches[index].property].touch = 0
            }
            pending.touches.removeAll()
        }
        for observer in mirrored { removeObserver(observer) }
        paths.known.forget()
        paths.nodes.free(paths.rootNode)
        (paths.rootNode, self.hooks.sink, revision, pending.author) = (
            presentRoot, presentSink, presentRevision, presentAuthor
        )
        return !paths.hasReplayedComputed
    }

    /// Adds an observer of the same path to the trie of the replay.
    private func mirror(_ observer: ObserverID, from root: NodeID) -> ObserverID {
        let record = paths.observers[observer]
        var chain: [NameID] = []
        var above = record.node
        while above != root {
            chain.append(paths.nodes[above].name)
            above = paths.nodes[above].parent
        }
        var node = paths.rootNode
        for name in chain.reversed() { node = childOrNew(of: node, named: name) }
        let fresh = self.paths.observers.allocate()
        self.paths.observers[fresh].tag = record.tag
        add(fresh, record.options, to: node)
        return fresh
    }
}

/// Receives the changes of replayed commits.
protocol ReplaySink: ChangeSink {
    var wantsMore: Bool { get }
}
