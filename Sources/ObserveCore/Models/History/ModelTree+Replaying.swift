// SPDX-License-Identifier: MIT
// Replays kept commits for observers that missed them. Independent of clients.

/// Receives the changes of replayed commits.
protocol ReplaySink: ChangeSink {
    var wantsMore: Bool { get }
}

extension ModelTree {
    /// Replays the commits from that number on: calls the sink with their changes of the observers' paths.
    ///
    /// The tree rewinds to before the first of them, and redoes one commit after another. Meanwhile the
    /// observers' paths have nodes in a trie of their own, with the tags and options of the given observers.
    ///
    /// - Parameter sink: gets the changes of a commit if it wants more at that time.
    /// - Returns: false if a path led to a computed property: the history lacks its changes.
    /// - Cost: proportional to the commits, not to the tree.
    func replay(from first: Int, to observers: [ObserverID], _ sink: any ReplaySink) -> Bool {
        precondition(pending.touches.isEmpty, "a replay was begun in the middle of a commit")
        let (presentRoot, presentRevision, presentAuthor) = (paths.rootNode, revision, pending.author)
        var position = HistoryPosition(touch: history.touches.end, orderChange: history.orderChanges.end)
        rewind(to: &position, before: first)
        paths.rootNode = paths.nodes.allocate()
        paths.nodes[paths.rootNode].isReplayed = true
        paths.hasReplayedComputed = false
        let presentSink = hooks.exchangeSink(sink)
        let mirrored = observers.map { mirror($0, from: presentRoot) }
        for number in first..<history.commits.end {
            let commit = history.commits[number]
            redo(commit, at: &position)
            (revision, pending.author) = (commit.revision, history.authors[commit.author])
            if sink.wantsMore { notify(.replay) }
            forgetRedone()
        }
        for observer in mirrored { removeObserver(observer) }
        paths.known.forget()
        paths.nodes.free(paths.rootNode)
        _ = hooks.exchangeSink(presentSink)
        (paths.rootNode, revision, pending.author) = (presentRoot, presentRevision, presentAuthor)
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
        let fresh = paths.observers.allocate()
        paths.observers[fresh].tag = record.tag
        add(fresh, record.options, to: node)
        return fresh
    }
}
