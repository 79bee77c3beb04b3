// SPDX-License-Identifier: MIT
// Paths that start and cease to match a subscription's patterns. Independent of how the tree finds them.

extension Clients {
    func pathMatched(pattern tag: Int32, _ observer: ObserverID, isMet: Bool) -> Int32 {
        pathMatched(pattern: tag, observer, isMet: isMet, in: tree)
    }

    func pathMatched(pattern tag: Int32, _ observer: ObserverID, isMet: Bool, in tree: ModelTree) -> Int32 {
        count(work: Cost.attachment)
        let pattern = CompoundID(tag)
        let id = registry.add(observer, to: pattern, isDaemons: tree !== self.tree)
        if registry.compounds[pattern].wantsInitial {
            if isMet { registry.following.attachments.append(id) }
        } else if let session = registry.compounds[pattern].session, session.hasMarks {
            let marked = session.marks.subscription(registry.compounds[pattern].number)
            let path = marked?.popOrphan({ text(of: observer, in: tree) }, for: id)
            if let path { session.marks.add(path) }
        }
        return id.number
    }

    /// Closes the session of a pattern with too many matches, rather than losing changes silently. A request that subscribes to
    /// it fails instead.
    func patternOverfull(_ tag: Int32) {
        let pattern = CompoundID(tag)
        guard let session = registry.compounds[pattern].session,
            session.subscriptions.compounds[registry.compounds[pattern].number] == pattern
        else { return }
        continueFrame(of: pattern, session)
        sendGoodbye(.tooManyMatches, to: session)
    }

    /// Whether a `*` with a condition may have made the node for the observer's subscription.
    func isCandidate(_ node: NodeID, in tree: ModelTree, _ observer: ObserverRecord) -> Bool {
        tree.reader.isCandidate(node, of: registry.compounds[CompoundID(observer.group)].patterns)
    }

    func pathForgotten(_ tag: Int32) {
        let id = AttachmentID(tag)
        if let session = registry.attachments[id].session, session.hasMarks { forgetPath(of: id, session) }
        count(work: Cost.attachment)
        registry.removeMatch(id)
    }

    func bindingChanged(_ binding: Binding) {
        let (source, target) = (binding.source.escaped.logged, binding.target.escaped.logged)
        let what = "binding \(binding.number), from \(source) to \(target),"
        if let failure = binding.failure {
            Log.shared.warning("\(what) fails: \(failure.message.logged)")
        } else {
            Log.shared.info("\(what) no longer fails")
        }
    }

    /// Keeps the mark and the pace of a path that ceases to match. Its initial event is due in any case, since the answer
    /// has counted it.
    private func forgetPath(of id: AttachmentID, _ session: Session) {
        let attachment = registry.attachments[id]
        guard let marked = session.marks.subscription(attachment.subscription), !marked.isOver
        else { return session.forgetMark(of: id) }
        if attachment.flags.contains(.delayed), !marked.initial.isEmpty {
            let path = path(of: id, session)
            path.mark = Mark(.initial, seen: nil)
            marked.appendDue(path)
        }
        guard let path = session.marks.path(of: id) else { return }
        session.marks.forget(id)
        // The path's own event covers those below it.
        let debt = path.popMarksBelow()
        path.mark?.owe(debt)
        // Names may come and go without end.
        if path.mark?.isNeedlessIfAbsent == true, !isOverlapped(marked) { path.popMark() }
        marked.keep(path, text(of: attachment.observer, in: tree(of: id)))
        path.forgetIfUseless()
    }

    private func text(of observer: ObserverID, in tree: ModelTree) -> [UInt8] {
        tree.reader.path(of: tree.reader.observer(observer).node).array
    }
}
