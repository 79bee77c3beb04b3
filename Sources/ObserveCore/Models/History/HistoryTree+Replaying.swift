// SPDX-License-Identifier: MIT
// Replays kept commits for observers that missed them. Independent of clients.

protocol ReplaySink: ChangeSink {
    var wantsMore: Bool { get }
    /// Called at the end; incomplete if the replay needed too many steps.
    func replayEnded(isComplete: Bool)
}

extension HistoryTree {
    /// Replays the commits from that number on: calls the sink with their changes of the observers' paths.
    ///
    /// The tree rewinds to before the first of them, and redoes one after another. Meanwhile the observers' paths and the
    /// patterns have nodes in a trie of their own, with the given tags and options. A replay's notifications pass over the
    /// present trie.
    ///
    /// - Parameter sink: gets the changes of a commit if it wants more at that time.
    /// - Cost: proportional to the commits, not to the tree.
    func replay(from first: Int, _ observers: [ObserverID], _ patterns: [PatternID], _ sink: any ReplaySink) {
        precondition(pending.touches.isEmpty, "a replay was begun in the middle of a commit")
        let (presentRoot, presentRevision, presentAuthor) = (paths.rootNode, revision, pending.author)
        var position = rewind(before: first)
        paths.rootNode = paths.nodes.allocate()
        paths.nodes[paths.rootNode][.isReplayed] = true
        let presentSink = exchange(&hooks.sink, with: sink)
        beginReplayingSelections()
        let mirrored = observers.map { mirror($0, from: presentRoot) }
        let patterns = patterns.map { observe(again: $0) }
        for number in first..<history.commits.end {
            let commit = history.commits[number]
            redo(commit, at: &position)
            (revision, pending.author) = (commit.revision, history.authors[commit.author])
            if sink.wantsMore, mayReplaySelections {
                redoSelections()
                notify(.replay)
            }
            forgetRedone()
        }
        sink.replayEnded(isComplete: mayReplaySelections)
        for observer in mirrored { removeObserver(observer) }
        for pattern in patterns { removePattern(pattern) }
        endReplayingSelections()
        paths.known.forget()
        paths.nodes.free(paths.rootNode)
        hooks.sink = presentSink
        (paths.rootNode, revision, pending.author) = (presentRoot, presentRevision, presentAuthor)
    }

    private func mirror(_ observer: ObserverID, from root: NodeID) -> ObserverID {
        let record = paths.observers[observer]
        let node = mirror(record.node, from: root)
        let fresh = paths.observers.allocate()
        paths.observers[fresh].tag = record.tag
        add(fresh, record.options, to: node)
        return fresh
    }

    /// The node of the same path in the replay's trie. Recursion is as deep as paths may be.
    private func mirror(_ node: NodeID, from root: NodeID) -> NodeID {
        if node == root { return paths.rootNode }
        let (parent, name) = (paths.nodes[node].parent, paths.nodes[node].name)
        return childOrNew(of: mirror(parent, from: root), named: name)
    }
}
