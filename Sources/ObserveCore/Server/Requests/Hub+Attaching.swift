// SPDX-License-Identifier: MIT
// From the paths of a new subscription to attachments in the tree. Independent of params other than the paths.

extension Hub {
    /// Attaches every path once, in the order given.
    ///
    /// - Returns: how many these are; nil if the client's turn is over. The same request continues in its next turn.
    func attachPaths(
        _ params: Params,
        _ survey: PathSurvey,
        _ number: Int32,
        _ options: SubscribeOptions,
        _ session: Session
    ) throws(WireError) -> Int? {
        guard let paths = params.value(.paths) else {
            try forEachPath(params) { (path) throws(WireError) in
                let id = attach(path, number, options, session)
                finishAttaching(id, wantsInitial: options.wantsInitial)
                session.subscriptions.literal.append(number, id)
            }
            return 1
        }
        let attached = session.subscriptions.attached ?? AttachedPaths(survey)
        session.subscriptions.attached = attached
        var elements = attached.position.map { JSONElements(paths.view, from: $0) } ?? paths.elements
        while true {
            attached.position = elements.position
            guard let json = elements.next() else { break }
            if isTurnOver { return nil }
            // A declared type may lack the path since the first turn, as it may after the answer.
            try parsePath(json, .paths, MethodName.subscribe.rules.access, into: parsed.path)
            let id = attach(parsed.path, number, options, session)
            let isDaemons = registry.attachments[id].flags.contains(.daemons)
            let observer = registry.attachments[id].observer
            let node = tree(of: id).reader.observer(observer).node
            if attached.insert(node, isDaemons: isDaemons) {
                let previous = attached.append(id)
                if previous != .noRecord { registry.attachments[previous].next = id }
            } else {
                tree(of: id).removeObserver(observer)
                registry.attachments.free(id)
            }
        }
        // A request has at least one path.
        guard let first = session.subscriptions.popAttached() else { return 0 }
        if attached.count > 1 { registry.joinFrames(from: first) }
        var id = first
        while id != .noRecord {
            finishAttaching(id, wantsInitial: options.wantsInitial)
            id = registry.attachments[id].next
        }
        session.subscriptions.literal.append(number, first)
        return attached.count
    }

    /// Makes an attachment that gets no events yet.
    private func attach(
        _ path: ParsedKeyPath,
        _ number: Int32,
        _ options: SubscribeOptions,
        _ session: Session
    ) -> AttachmentID {
        sessions.turns.count(Turns.attachment)
        countTreeWork()
        tree.allowElements()
        let id = registry.attachments.allocate()
        let isDaemons = isDaemonRoot(path)
        let tree = isDaemons ? watchedDaemonTree() : tree
        registry.attachments[id].session = session
        registry.attachments[id].subscription = number
        registry.attachments[id].flags = options.flags.union(isDaemons ? [.delayed, .daemons] : .delayed)
        registry.attachments[id].observer = tree.observe(path, options: options.observing, tag: id.number)
        return id
    }

    private func finishAttaching(_ id: AttachmentID, wantsInitial: Bool) {
        if wantsInitial {
            reply.following.attachments.append(id)
        } else {
            registry.attachments[id].flags.remove(.delayed)
        }
    }

    /// Lets the tree find the matching paths; it reports each by ``pathMatched(pattern:_:isMet:in:)``.
    ///
    /// - Returns: how many initial events follow.
    func attachPatterns(
        _ params: Params,
        _ number: Int32,
        _ options: SubscribeOptions,
        _ session: Session
    ) throws(WireError) -> Int {
        let id = registry.compounds.allocate()
        registry.compounds[id].session = session
        registry.compounds[id].number = number
        registry.compounds[id].flags = options.flags.union(.framed)
        registry.compounds[id].wantsInitial = options.wantsInitial
        let freshCount = reply.following.attachments.count
        var shapes: [PatternShape] = []
        tree.allowElements()
        try forEachPath(params) { (path) throws(WireError) in
            shapes.append(PatternShape(path))
            if isDaemonRoot(path) {
                let pattern = watchedDaemonTree().observe(
                    pattern: path,
                    options: options.observing,
                    tag: id.number
                )
                registry.compounds[id].daemonPatterns.append(pattern)
            } else {
                let pattern = tree.observe(
                    pattern: path,
                    options: options.observing,
                    tag: id.number,
                    account: session.subscriptions.matches
                )
                registry.compounds[id].patterns.append(pattern)
                let isOverfull = tree.reader.isOverfull(pattern)
                guard isOverfull || tree.reader.isExhausted else { return }
                reply.following.attachments.removeLast(reply.following.attachments.count - freshCount)
                removePatterns(of: id)
                if !isOverfull { throw WireError(tree.tooManyElements(path)) }
                throw tooManyMatches(path, PatternSize(matches: maxMatches + 1))
            }
        }
        session.subscriptions.patterns[number] = id
        registry.compounds[id].wantsInitial = false
        if PatternShape.overlap(shapes) { registry.compounds[id].shapes = shapes }
        return reply.following.attachments.count - freshCount
    }

    /// Lets changes through to the candidates of a pattern with conditions: they have no initial event.
    func releaseCandidates(of number: Int32, _ session: Session) {
        let initial = Set(reply.following.attachments)
        var candidates: [AttachmentID] = []
        registry.forEachAttachment(of: number, session.subscriptions) {
            if !initial.contains($0) { candidates.append($0) }
        }
        for id in candidates { registry.attachments[id].flags.remove(.delayed) }
    }
}
