// SPDX-License-Identifier: MIT
// Commits of the past: kept, forgotten, undone, and told again. Knows nothing of who missed them.

extension ModelTree {
    /// Keeps the last commits from now on.
    func keepHistory(commits: Int) {
        history.commitLimit = commits
        history.horizon = revision
    }

    /// Forgets all commits.
    func forgetHistory() {
        while !history.commits.isEmpty { forgetFirstCommit() }
        history.horizon = history.commitLimit == 0 ? .max : revision
    }

    // MARK: Keeping

    /// Moves what the commit under way did into the history.
    func remember() {
        for index in touches.indices {
            let id = touches[index].property
            properties[id].touch = 0
            touches[index].isRemoval = properties[id].value.isAbsent
            history.textBytes &+= touches[index].textBytes
        }
        touches.move(to: &history.touches)
        if !orderChanges.isEmpty { orderChanges.move(to: &history.orderChanges) }
        if !dying.isEmpty { rememberDead() }
        history.commits.append(
            PastCommit(
                revision: revision,
                author: author,
                touchEnd: history.touches.end,
                orderEnd: history.orderChanges.end,
                deadEnd: history.dead.end
            )
        )
        while mustForget { forgetFirstCommit() }
        if notesEqualAssignments, indistinctObservers == 0, history.horizon > lastIndistinctObserver {
            notesEqualAssignments = false
        }
    }

    private func rememberDead() {
        for index in dying.indices {
            let model = dying[index]
            history.deadProperties += Int(models[model].count)
            history.textBytes += textBytes(of: model)
            if !overlays.isEmpty { endOverlays(in: model) }
        }
        dying.move(to: &history.dead)
    }

    /// What lay over properties of a model that died is over: only what they held last is remembered.
    private func endOverlays(in model: ModelID) {
        var id = models[model].first
        while id != noRecord {
            if properties[id].flags.contains(.overlaid) {
                buryOverlays(id)
                properties[id].flags.remove(.overlaid)
            }
            id = properties[id].next
        }
    }

    private func textBytes(of model: ModelID) -> Int {
        var bytes = 0
        var id = models[model].first
        while id != noRecord {
            bytes += properties[id].value.textBytes
            id = properties[id].next
        }
        return bytes
    }

    private var mustForget: Bool {
        if history.commits.count > history.commitLimit || history.textBytes > History.textLimit {
            return true
        }
        let kept = history.touches.count &+ history.deadProperties
        guard kept > History.fewestProperties else { return false }
        let living = properties.count &- history.deadProperties
        return kept > max(History.fewestProperties, min(living, History.mostProperties))
    }

    private func forgetFirstCommit() {
        let commit = history.commits.removeFirst()
        history.horizon = commit.revision
        while history.touches.first < commit.touchEnd {
            let touch = history.touches.removeFirst()
            history.textBytes &-= touch.textBytes
            if touch.isRemoval { freeIfUnused(touch.property) }
        }
        while history.orderChanges.first < commit.orderEnd { _ = history.orderChanges.removeFirst() }
        while history.dead.first < commit.deadEnd {
            let model = history.dead.removeFirst()
            history.deadProperties -= Int(models[model].count)
            history.textBytes -= textBytes(of: model)
            bury(model)
        }
    }

    // MARK: Undoing

    /// Makes all properties what they were before the commit with that number. References are not counted: the tree must
    /// be brought back before anything is written.
    private func rewind(before first: Int) {
        for number in (first..<history.commits.end).reversed() {
            for index in history.orderChanges(of: number).reversed() {
                let change = history.orderChanges[index]
                if change.wasPresent {
                    enlist(change.property, after: change.previous)
                } else {
                    delist(change.property)
                }
            }
            for index in history.touches(of: number).reversed() { exchange(index, isUndone: true) }
        }
    }

    /// Does a commit again, and notes what it touches as if it were under way.
    private func redo(_ number: Int) {
        for index in history.orderChanges(of: number) {
            let change = history.orderChanges[index]
            if change.wasPresent {
                delist(change.property)
            } else {
                enlist(change.property, after: models[properties[change.property].model].last)
            }
        }
        for index in history.touches(of: number) {
            exchange(index, isUndone: false)
            touches.append(history.touches[index])
            properties[history.touches[index].property].touch = Int32(touches.count)
        }
    }

    /// Puts what the touch replaced back in its property, and what it replaced it with in the touch; or the other way
    /// round.
    private func exchange(_ index: Int, isUndone: Bool) {
        let id = history.touches[index].property
        guard history.touches[index].isChanged else { return }
        if let edit = history.touches[index].edit, !edit.isEqual {
            // Only the element goes to and fro: the arrays may be large.
            var value = properties[id].value
            properties[id].value = .null
            let element = history.touches[index].old
            history.touches[index].old = .absent
            if isUndone {
                history.touches[index].old = revert(edit, in: &value, level: 0)
            } else {
                apply(edit, element, to: &value, level: 0)
            }
            properties[id].value = value
        } else {
            let (value, isWeak) = (properties[id].value, properties[id].isWeak)
            properties[id].value = history.touches[index].old
            properties[id].isWeak = history.touches[index].oldFlags.contains(.weak)
            history.touches[index].old = value
            if isWeak {
                history.touches[index].oldFlags.insert(.weak)
            } else {
                history.touches[index].oldFlags.remove(.weak)
            }
        }
    }

    /// Takes the edit back.
    ///
    /// - Returns: the element that it had brought.
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

    // MARK: Telling again

    /// Tells of the commits from that number on once more: what they did to the paths of some observers, as those would
    /// have been told then.
    ///
    /// The tree is taken back to before the first of them, and brought forward commit by commit. Meanwhile the observers'
    /// paths have nodes in a trie of their own; their tags and options are those of the observers given.
    ///
    /// - Parameter sink: asked before each commit whether it wants more.
    /// - Cost: that of the commits, not of the tree.
    func replay(from first: Int, to observers: [ObserverID], _ sink: any ReplaySink) {
        precondition(touches.isEmpty, "commits were told again in the middle of another")
        guard first < history.commits.end else { return }
        let (presentRoot, presentSink, presentRevision, presentAuthor) = (
            rootNode, self.sink, revision, author
        )
        rewind(before: first)
        rootNode = nodes.allocate()
        isReplaying = true
        self.sink = sink
        let mirrored = observers.map { mirror($0, from: presentRoot) }
        for number in first..<history.commits.end {
            redo(number)
            revision = history.commits[number].revision
            author = history.commits[number].author
            if sink.wantsMore { tell() }
            for index in touches.indices { properties[touches[index].property].touch = 0 }
            touches.removeAll()
        }
        for observer in mirrored { removeObserver(observer) }
        nodes.release(rootNode)
        (rootNode, self.sink, revision, author) = (presentRoot, presentSink, presentRevision, presentAuthor)
        isReplaying = false
    }

    /// An observer of the same path in the trie of the replay.
    private func mirror(_ observer: ObserverID, from root: NodeID) -> ObserverID {
        let record = observers[observer]
        var chain: [NameID] = []
        var above = record.node
        while above != root {
            chain.append(nodes[above].name)
            above = nodes[above].parent
        }
        var node = rootNode
        for name in chain.reversed() { node = childOrNew(of: node, named: name) }
        let fresh = self.observers.allocate()
        self.observers[fresh].tag = record.tag
        add(fresh, record.options, to: node)
        return fresh
    }
}

/// Who is told of commits of the past.
protocol ReplaySink: ChangeSink {
    var wantsMore: Bool { get }
}

extension Touch {
    /// Bytes of text and arrays that it keeps from being freed.
    fileprivate var textBytes: Int { old.textBytes &+ (edit?.old.textBytes ?? 0) }
}
