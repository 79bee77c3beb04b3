// SPDX-License-Identifier: MIT
// From the paths of a new subscription to attachments in the tree. Independent of params other than the paths.

extension RequestMethods {
    /// Attaches every path once, in the order given. Returns how many these are; nil if the client's turn is over. The same
    /// request continues in its next turn.
    func attachPaths(
        _ params: Request,
        _ number: Int32,
        _ options: SubscribeOptions,
        _ session: Session
    ) throws(WireError) -> Int? {
        guard let attached = session.subscriptions.further.attached else {
            tree.allowConditions()
            try forEachPath(params) { (path) throws(WireError) in
                let id = attach(path, number, options, session)
                finishAttaching(id, wantsInitial: options.wantsInitial)
                session.subscriptions.literal.append(number, id)
            }
            return 1
        }
        let isDone = try forEachPath(params, from: &attached.position) { (path) throws(WireError) in
            let id = attach(path, number, options, session)
            let isDaemons = clients.registry.attachments[id].flags.contains(.daemons)
            let observer = clients.registry.attachments[id].observer
            let node = clients.tree(of: id).reader.observer(observer).node
            if attached.insert(node, isDaemons: isDaemons) {
                let previous = attached.append(id)
                if previous != .noRecord { clients.registry.attachments[previous].next = id }
            } else {
                clients.tree(of: id).removeObserver(observer)
                clients.registry.attachments.free(id)
            }
        }
        guard isDone else { return nil }
        // A request has at least one path.
        guard let first = session.subscriptions.popAttached() else { return 0 }
        if attached.count > 1 { clients.registry.joinFrames(from: first) }
        clients.forEachAttachment(from: first) { finishAttaching($0, wantsInitial: options.wantsInitial) }
        session.subscriptions.literal.append(number, first)
        return attached.count
    }

    /// It gets no events yet.
    private func attach(
        _ path: ParsedKeyPath,
        _ number: Int32,
        _ options: SubscribeOptions,
        _ session: Session
    ) -> AttachmentID {
        clients.count(work: Cost.attachment)
        clients.countTreeWork()
        tree.allowElements()
        let id = clients.registry.attachments.allocate()
        let isDaemons = isDaemonRoot(path)
        let tree = isDaemons ? watchedDaemonTree() : tree
        clients.registry.attachments[id].session = session
        clients.registry.attachments[id].subscription = number
        let further: AttachmentFlags = isDaemons ? [.delayed, .daemons] : .delayed
        clients.registry.attachments[id].flags = options.flags.union(further)
        let observer = tree.observe(path, options: options.observing, tag: id.number)
        clients.registry.attachments[id].observer = observer
        return id
    }

    private func finishAttaching(_ id: AttachmentID, wantsInitial: Bool) {
        if wantsInitial {
            clients.registry.following.attachments.append(id)
        } else {
            clients.registry.attachments[id].flags.remove(.delayed)
        }
    }

    /// Lets the tree find the matching paths; it reports each by ``pathMatched(pattern:_:isMet:in:)``. Returns how many initial
    /// events follow.
    func attachPatterns(
        _ params: Request,
        _ number: Int32,
        _ options: SubscribeOptions,
        _ session: Session
    ) throws(WireError) -> Int {
        let id = clients.registry.compounds.allocate()
        clients.registry.compounds[id].session = session
        clients.registry.compounds[id].number = number
        clients.registry.compounds[id].flags = options.flags.union(.framed)
        clients.registry.compounds[id].wantsInitial = options.wantsInitial
        var shapes: [PathShape] = []
        tree.allowElements()
        try forEachPath(params) { (path) throws(WireError) in
            shapes.append(PathShape(path))
            let isDaemons = isDaemonRoot(path)
            let pattern = (isDaemons ? watchedDaemonTree() : tree).observe(
                pattern: path,
                options: options.observing,
                tag: id.number,
                shared: isDaemons ? nil : session.subscriptions.matches
            )
            if isDaemons { return clients.registry.compounds[id].daemonPatterns.append(pattern) }
            clients.registry.compounds[id].patterns.append(pattern)
            let isOverfull = tree.reader.isOverfull(pattern)
            guard isOverfull || tree.reader.isExhausted else { return }
            clients.registry.following.attachments = []
            clients.removeCompound(id)
            if !isOverfull { throw WireError(tree.tooManyElements(path)) }
            throw tooManyMatches(path, PatternSize(matches: tree.limits.maxMatches + 1))
        }
        session.subscriptions.compounds[number] = id
        clients.registry.compounds[id].wantsInitial = false
        if PathShape.overlap(shapes) { clients.registry.compounds[id].shapes = shapes }
        return clients.registry.following.attachments.count
    }

    /// Lets changes through to the candidates of a pattern with conditions: they have no initial event.
    func releaseCandidates(of number: Int32, _ session: Session) {
        let initial = Set(clients.registry.following.attachments)
        clients.forEachAttachment(of: number, session) {
            if !initial.contains($0) { clients.registry.attachments[$0].flags.remove(.delayed) }
        }
    }

    /// The refusal of a pattern that needs too much, by itself or together with the others of its connection.
    func tooManyMatches(_ path: ParsedKeyPath, _ size: PatternSize, ofAll shared: SharedNeeds? = nil)
        -> WireError
    {
        let limit = shared?.limit ?? tree.patternLimit
        let pattern =
            shared == nil
            ? "the pattern \(path.escaped)" : "with the pattern \(path.escaped), those of this connection"
        let isOne = shared == nil
        return .limitExceeded(
            size.matches > (shared?.room ?? limit).matches
                ? "\(pattern) \(isOne ? "matches" : "match") more than \(limit.matches) paths (maxMatches)"
                : "\(pattern) \(isOne ? "leads" : "lead") through more than \(limit.places) places (maxElements)",
            path: path.escaped
        )
    }
}
