// SPDX-License-Identifier: MIT
// subscribe and unsubscribe: from paths to attachments in the tree.

extension Hub {
    private static let subscribeParams: ParamNames = [
        .path, .paths, .initial, .old, .prior, .distinct, .own, .origin, .delivery, .throttle,
        .debounce, .since,
    ]

    /// What a subscription is made with.
    private struct SubscribeOptions {
        var observing: ObservingOptions = []
        var wantsInitial = true
        var isEvery = false
        var pace: Pace?
    }

    func subscribe(_ params: Params, _ session: Session) throws(WireError) {
        try params.allow(Hub.subscribeParams)
        var options = try subscribeOptions(params)
        let seen = try SeenState(params)
        var hasPattern = false
        var isStored = true
        try forEachPath(params) { (path) throws(WireError) in
            hasPattern = hasPattern || path.hasWildcard
            isStored = isStored && path.isLiteral && !isDaemonRoot(path)
        }
        // Whoever asks for what it missed is told, one way or the other.
        if seen != nil { options.wantsInitial = true }
        let number = session.lastSubscription + 1
        let count: Int
        // Counted first: `observed.subscriptions` counts whoever reads it.
        subscriptionCount += 1
        do {
            count =
                hasPattern
                ? try attachPatterns(params, number, options, session)
                : try attachPaths(params, number, options, session)
        } catch {
            subscriptionCount -= 1
            throw error
        }
        session.lastSubscription = number
        if let pace = options.pace { session.pacers[number] = Pacer(pace, session) }
        if isStored, let seen,
            let commit = firstMissed(after: seen, isDistinct: options.observing.contains(.distinct)),
            let missed = missedEvents(of: number, from: commit, session)
        {
            freshAttachments.removeLast(count)
            resumptions.append(
                Resumption(subscription: number, missed: missed, end: tree.reader.pastCommits.upperBound)
            )
            appendSubscribed(number, initial: 0, replayed: missed.count)
        } else {
            appendSubscribed(number, initial: options.wantsInitial ? count : 0, replayed: nil)
        }
    }

    private func subscribeOptions(_ params: Params) throws(WireError) -> SubscribeOptions {
        var options = SubscribeOptions()
        options.wantsInitial = try params.bool(.initial, default: true)
        if try params.bool(.old, default: false) { options.observing.insert(.old) }
        if try params.bool(.prior, default: false) { options.observing.insert(.prior) }
        if try params.bool(.distinct, default: true) { options.observing.insert(.distinct) }
        if try !params.bool(.own, default: true) { options.observing.insert(.othersOnly) }
        if try params.bool(.origin, default: false) { options.observing.insert(.origin) }
        switch try params.string(.delivery) {
        case nil, "latest": options.isEvery = false
        case "every": options.isEvery = true
        default: throw .invalidParams("the param delivery is \"latest\" or \"every\"")
        }
        options.pace = try pace(params)
        if options.isEvery, options.pace != nil {
            throw .invalidParams("delivery \"every\" does not go with throttle or debounce")
        }
        return options
    }

    private func pace(_ params: Params) throws(WireError) -> Pace? {
        let (throttle, debounce) = (try delay(params, .throttle), try delay(params, .debounce))
        guard throttle == 0 || debounce == 0 else {
            throw .invalidParams("throttle and debounce do not go together")
        }
        if throttle > 0 { return .throttle(throttle) }
        return debounce > 0 ? .debounce(debounce) : nil
    }

    /// Milliseconds as nanoseconds; as many as there are, if they are more.
    private func delay(_ params: Params, _ name: ParamName) throws(WireError) -> UInt64 {
        guard let value = params.value(name) else { return 0 }
        guard let milliseconds = value.int64(), milliseconds >= 0 else {
            throw .invalidParams(
                "the param \(name.text) is a number of milliseconds that is not negative"
            )
        }
        return MonotonicTime(nanoseconds: 0).adding(milliseconds: UInt64(milliseconds)).nanoseconds
    }

    /// Calls `body` with each path that the request names, parsed into `path`; throws at the first that is none.
    private func forEachPath(_ params: Params, _ body: (ParsedKeyPath) throws(WireError) -> Void)
        throws(WireError)
    {
        let single = params.value(.path)
        let several = params.value(.paths)
        guard (single == nil) != (several == nil) else {
            throw .invalidParams("subscribe needs the param path or the param paths, and not both")
        }
        if let single {
            try parseSubscribed(single, .path)
            return try body(path)
        }
        guard let several, several.kind == .array, !several.isEmpty else {
            throw .invalidParams("the param paths is an array of at least one key path")
        }
        try several.forEachElement { (element) throws(WireError) in
            try parseSubscribed(element, .paths)
            try body(path)
        }
    }

    private func parseSubscribed(_ json: JSONView, _ name: ParamName) throws(WireError) {
        try parsePath(json, name, .read, into: path)
        try refuseUnknown(path)
    }

    /// Attaches every path once, in the order given. The paths were parsed before, so nothing throws halfway.
    private func attachPaths(
        _ params: Params,
        _ number: Int32,
        _ options: SubscribeOptions,
        _ session: Session
    ) throws(WireError) -> Int {
        var first = AttachmentID.noRecord
        var last = AttachmentID.noRecord
        var nodes: Set<NodeID> = []
        var daemonNodes: Set<NodeID> = []
        try forEachPath(params) { (path) throws(WireError) in
            let id = attachments.allocate()
            let isDaemons = isDaemonRoot(path)
            let tree = isDaemons ? watchedDaemonTree() : tree
            let observer = tree.observe(path, options: options.observing, tag: id.number)
            let node = tree.reader.observer(observer).node
            guard (isDaemons ? daemonNodes.insert(node) : nodes.insert(node)).inserted else {
                tree.removeObserver(observer)
                attachments.free(id)
                return
            }
            attachments[id].session = session
            attachments[id].subscription = number
            attachments[id].isEvery = options.isEvery
            attachments[id].isPaced = options.pace != nil
            attachments[id].observer = observer
            attachments[id].isDaemons = isDaemons
            attachments[id].isDelayed = options.wantsInitial
            if options.wantsInitial { freshAttachments.append(id) }
            if last == .noRecord { first = id } else { attachments[last].next = id }
            last = id
        }
        session.subscriptions.append(number, first)
        return nodes.count + daemonNodes.count
    }

    /// Lets the tree find what matches; it tells of each path in ``pathMatched(pattern:_:in:)``.
    private func attachPatterns(
        _ params: Params,
        _ number: Int32,
        _ options: SubscribeOptions,
        _ session: Session
    ) throws(WireError) -> Int {
        let id = patternSubscriptions.allocate()
        patternSubscriptions[id].session = session
        patternSubscriptions[id].number = number
        patternSubscriptions[id].isEvery = options.isEvery
        patternSubscriptions[id].isPaced = options.pace != nil
        patternSubscriptions[id].wantsInitial = options.wantsInitial
        let freshCount = freshAttachments.count
        var shapes: [PatternShape] = []
        try forEachPath(params) { (path) throws(WireError) in
            shapes.append(PatternShape(path))
            if isDaemonRoot(path) {
                let pattern = watchedDaemonTree().observe(
                    pattern: path,
                    options: options.observing,
                    tag: id.number
                )
                patternSubscriptions[id].daemonPatterns.append(pattern)
            } else {
                let pattern = tree.observe(pattern: path, options: options.observing, tag: id.number)
                patternSubscriptions[id].patterns.append(pattern)
                guard tree.reader.isOverfull(pattern) else { return }
                freshAttachments.removeLast(freshAttachments.count - freshCount)
                removePatterns(of: id)
                throw WireError(
                    .limitExceeded,
                    "the pattern \(path.escaped) matches more than \(limits.tree.maxMatches) paths",
                    path: path.escaped
                )
            }
        }
        session.patternSubscriptions[number] = id
        patternSubscriptions[id].wantsInitial = false
        patternSubscriptions[id].isOverlapped = PatternShape.overlap(shapes)
        return patternSubscriptions[id].count
    }

    func removePatterns(of id: PatternSubscriptionID) {
        for pattern in patternSubscriptions[id].patterns { tree.removePattern(pattern) }
        for pattern in patternSubscriptions[id].daemonPatterns { daemonTree?.removePattern(pattern) }
        patternSubscriptions.free(id)
        dismissDaemonTree()
    }

    func pathMatched(pattern tag: Int32, _ observer: ObserverID, in tree: ModelTree) -> Int32 {
        let pattern = PatternSubscriptionID(tag)
        let subscription = patternSubscriptions[pattern]
        let id = attachments.allocate()
        attachments[id].session = subscription.session
        attachments[id].subscription = subscription.number
        attachments[id].isEvery = subscription.isEvery
        attachments[id].isPaced = subscription.isPaced
        attachments[id].observer = observer
        attachments[id].pattern = pattern
        attachments[id].isDaemons = tree !== self.tree
        attachments[id].isDelayed = subscription.wantsInitial
        if subscription.wantsInitial { freshAttachments.append(id) }
        attachments[id].next = subscription.first
        if subscription.first != .noRecord { attachments[subscription.first].previous = id }
        patternSubscriptions[pattern].first = id
        patternSubscriptions[pattern].count += 1
        return id.number
    }

    /// Rather than losing changes silently, who subscribed is cut off; a request that is under way is refused instead.
    func patternOverfull(_ tag: Int32, in tree: ModelTree) {
        let pattern = PatternSubscriptionID(tag)
        guard let session = patternSubscriptions[pattern].session,
            session.patternSubscriptions[patternSubscriptions[pattern].number] == pattern
        else { return }
        if session.closing == nil { sessionsOverflowed += 1 }
        sendGoodbye(.overflow, to: session)
    }

    func pathForgotten(_ tag: Int32, in tree: ModelTree) {
        let id = AttachmentID(tag)
        let attachment = attachments[id]
        if let session = attachment.session {
            if attachment.isPaced { keepDelayed(of: id, in: session) }
            if session.isQueueing {
                forgetEntry(of: id, in: session)
                compactIfWanted(session)
            }
            session.outbox.forget(id)
        }
        if attachment.next != .noRecord { attachments[attachment.next].previous = attachment.previous }
        if attachment.previous != .noRecord {
            attachments[attachment.previous].next = attachment.next
        } else {
            patternSubscriptions[attachment.pattern].first = attachment.next
        }
        patternSubscriptions[attachment.pattern].count -= 1
        attachments.free(id)
    }

    private func appendSubscribed(_ number: Int32, initial: Int, replayed: Int?) {
        answer.append("{\"subscription\":")
        answer.append(decimal: Int64(number))
        answer.append(",\"revision\":")
        answer.append(decimal: revision)
        answer.append(",\"epoch\":\"")
        answer.append(utf8: epoch)
        answer.append("\",\"initial\":")
        answer.append(decimal: Int64(initial))
        answer.append(",\"resumed\":")
        guard let replayed else { return answer.append("false}") }
        answer.append("true,\"replayed\":")
        answer.append(decimal: Int64(replayed))
        answer.append(0x7D)
    }

    func unsubscribe(_ params: Params, _ session: Session) throws(WireError) {
        try params.allow([.subscription])
        guard let number = try params.required(.subscription).int64() else {
            throw .invalidParams("the param subscription is the number of a subscription")
        }
        guard let key = Int32(exactly: number), remove(key, of: session) else {
            throw WireError(.notFound, "this connection has no subscription \(number)")
        }
        subscriptionCount -= 1
        answer.append("{}")
    }

    /// Ends a subscription; false if the session has none of that number.
    private func remove(_ number: Int32, of session: Session) -> Bool {
        session.pacers.removeValue(forKey: number)?.end()
        if let id = session.patternSubscriptions.removeValue(forKey: number) {
            // Every path settles its own entry as it is forgotten.
            removePatterns(of: id)
            return true
        }
        guard let first = session.subscriptions.remove(number) else { return false }
        finalizeEntries(from: first, in: session)
        var id = first
        while id != .noRecord {
            attachments[id].isDelayed = false
            id = attachments[id].next
        }
        removeAttachments(from: first)
        return true
    }
}

/// As much of a pattern as says where it may match.
private struct PatternShape {
    /// Nil for a star.
    private var names: [[UInt8]?] = []
    private var isDeep = false

    init(_ path: ParsedKeyPath) {
        for index in 0..<path.count {
            switch path.kind(index) {
            case .name, .collectionOperator: names.append(path.name(index).array)
            case .anyName: names.append(nil)
            case .anyDepth: isDeep = true
            }
        }
    }

    /// Whether one of the patterns ends in `**` and another may match the same paths, or some above or below.
    static func overlap(_ shapes: [PatternShape]) -> Bool {
        shapes.indices.contains { deep in
            shapes[deep].isDeep
                && shapes.indices.contains { $0 != deep && shapes[$0].mayMeet(shapes[deep]) }
        }
    }

    private func mayMeet(_ other: PatternShape) -> Bool {
        zip(names, other.names).allSatisfy { $0 == nil || $1 == nil || $0 == $1 }
    }
}
