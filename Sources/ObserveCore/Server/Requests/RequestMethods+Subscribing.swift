// SPDX-License-Identifier: MIT
// subscribe and unsubscribe: their params and their answers.

extension RequestMethods {
    private static let mostTagBytes = 128

    struct SubscribeOptions {
        var observing: ObservingOptions = []
        var wantsInitial = true
        var flags: AttachmentFlags = []
        var pace: Pace?
        /// As JSON.
        var tag: [UInt8]?
    }

    /// If the client's turn ends first, the reply is suspended.
    func subscribe(_ params: Request, _ session: Session) throws(WireError) {
        do throws(WireError) {
            try attach(params, session)
        } catch {
            discardUnfinished(of: session)
            throw error
        }
    }

    /// Discards what a refused `subscribe` or `load` has until now, and what an `unsubscribe` has left.
    func discardUnfinished(of session: Session) {
        while !clients.removeEnding(of: session) {}
        _ = clients.discardPrepared(.max, of: session)
        if let first = session.subscriptions.popAttached() { clients.removeAttachments(from: first) }
        if session.intake?.isComplete == true { session.intake = nil }
    }

    private func attach(_ params: Request, _ session: Session) throws(WireError) {
        try requireNumber(of: session)
        var options = try subscribeOptions(params)
        let seen = try SeenState(params)
        guard let survey = try survey(params, options, session) else { return reply.isSuspended = true }
        if survey.hasPattern, try !prepare(params, session) { return reply.isSuspended = true }
        // A client that resumes gets missed events or initial ones.
        if seen != nil { options.wantsInitial = true }
        let number = session.subscriptions.last + 1
        var attachedCount: Int?
        // Counted first: the value of `observed.subscriptions` includes its own subscriber.
        clients.metrics.subscriptions += 1
        defer { if attachedCount == nil { clients.metrics.subscriptions -= 1 } }
        attachedCount =
            survey.hasPattern
            ? try attachPatterns(params, number, options, session)
            : try attachPaths(params, number, options, session)
        guard let count = attachedCount else { return reply.isSuspended = true }
        _ = clients.discardPrepared(.max, of: session)
        if session.subscriptions.further.attached != nil { session.subscriptions.further.attached = nil }
        session.subscriptions.last = number
        session.subscriptions.pathCount += Int32(survey.hasPattern ? survey.count : count)
        session.subscriptions.note(options.tag, kilobytes: survey.kilobytes, of: number)
        if options.pace != nil {
            session.subscriptions.further.pacedCount += survey.hasPattern ? survey.count : count
        }
        if survey.hasPattern { session.subscriptions.further.patternCount += survey.count }
        if let pace = options.pace { addPacing(pace, number, session) }
        // An event that is held back may be older than the client's last one.
        let isDistinct = options.observing.contains(.distinct)
        if options.pace == nil, !survey.hasDaemonPath, let seen, seen.epoch == journaling.epoch,
            seen.revision <= clients.revision,
            let commit = tree.reader.firstCommit(after: seen.revision, isDistinct: isDistinct),
            let missed = missedEvents(of: number, from: commit, withTimes: seen.wantsTimes, session)
        {
            clients.registry.following.attachments = []
            if let compound = session.subscriptions.compounds[number] {
                clients.registry.compounds[compound].isResuming = true
            }
            let (end, hasTimes) = (tree.reader.pastCommits.upperBound, seen.wantsTimes)
            clients.registry.following.append(
                Resumption(subscription: number, missed: missed, end: end, hasTimes: hasTimes)
            )
            appendSubscribed(number, options.tag, initial: 0, replayed: missed.count)
        } else {
            if survey.hasCondition { releaseCandidates(of: number, session) }
            appendSubscribed(number, options.tag, initial: options.wantsInitial ? count : 0, replayed: nil)
        }
    }

    /// Throws unless the client may observe all paths of the request: then only the bounds of patterns refuse one later. A
    /// declared type may lack a path in a later turn, as it may after the answer. Returns nil if the client's turn is over. The
    /// same request continues in its next turn.
    private func survey(_ params: Request, _ options: SubscribeOptions, _ session: Session) throws(WireError)
        -> PathSurvey?
    {
        if let known = session.subscriptions.further.attached, known.isSurveyed { return known.survey }
        if params.value(.paths) == nil {
            var survey = PathSurvey()
            try forEachPath(params) { (path) throws(WireError) in try add(path, to: &survey, options, session)
            }
            // An operator over many elements: the node looks at them again, and has a turn for itself.
            let isNext = survey.hasOperator && clients.isTurnOver
            // A pattern may need further turns. To parse it again could take the whole of each.
            if survey.hasPattern || isNext { session.subscriptions.further.attached = AttachedPaths(survey) }
            return isNext ? nil : survey
        }
        let attached = session.subscriptions.further.attached ?? AttachedPaths()
        session.subscriptions.further.attached = attached
        let isDone = try forEachPath(params, from: &attached.position) { (path) throws(WireError) in
            try add(path, to: &attached.survey, options, session)
        }
        guard isDone else { return nil }
        attached.isSurveyed = true
        attached.position = 0
        return attached.survey
    }

    private func add(
        _ path: ParsedKeyPath,
        to survey: inout PathSurvey,
        _ options: SubscribeOptions,
        _ session: Session
    ) throws(WireError) {
        try refuseUnknown(path)
        survey.count += 1
        survey.kilobytes += path.textCount >> 10
        try requireRoom(for: survey, isPaced: options.pace != nil, of: session)
        survey.hasPattern = survey.hasPattern || path.hasWildcard
        survey.hasDaemonPath = survey.hasDaemonPath || isDaemonRoot(path)
        survey.hasCondition = survey.hasCondition || path.hasWildcard && path.firstCondition != nil
        guard path.operatorIndex != nil, !path.hasWildcard, !isDaemonRoot(path) else { return }
        survey.hasOperator = true
        do throws(TreeError) { try tree.requireFewElements(path) } catch { throw WireError(error) }
        clients.countTreeWork()
    }

    /// Prepares the tree for patterns with many matches; false if the request continues in the client's next turn.
    private func prepare(_ params: Request, _ session: Session) throws(WireError) -> Bool {
        let preparation = session.subscriptions.further.preparation ?? PatternPreparation()
        if session.subscriptions.further.preparation == nil {
            session.subscriptions.further.preparation = preparation
            let matches = session.subscriptions.matches
            matches.limit = PatternSize(
                matches: max(clients.limits.maxSubscriptions, tree.limits.maxMatches),
                places: max(clients.limits.maxSubscriptions, tree.limits.maxElements)
            )
            var size = PatternSize()
            tree.allowConditions()
            try forEachPath(params) { (path) throws(WireError) in
                guard path.hasWildcard, !isDaemonRoot(path) else { return }
                let added = tree.add(path, to: preparation)
                if !added.fits(tree.patternLimit) { throw tooManyMatches(path, added) }
                size = size + added
                if !size.fits(matches.room) { throw tooManyMatches(path, size, ofAll: matches) }
            }
        }
        while true {
            clients.countTreeWork()
            if clients.isTurnOver { return false }
            if preparation.isDone { return true }
            clients.count(work: Cost.attachment)
            tree.allowElements()
            tree.advance(preparation)
        }
    }

    /// Paces a new subscription. A literal path gets its pace now, so that the first change has not to make those of all
    /// subscriptions.
    private func addPacing(_ pace: Pace, _ number: Int32, _ session: Session) {
        let first = session.subscriptions.literal[number]
        var pace = pace
        pace.isLiteral = first != nil
        let compound =
            first.map { clients.registry.attachments[$0].compound }
            ?? session.subscriptions.compounds[number] ?? .noRecord
        session.marks.add(MarkedSubscription(number, compound, session, pace))
        clients.forEachAttachment(from: first ?? .noRecord) { _ = clients.path(of: $0, session) }
    }

    private func subscribeOptions(_ params: Request) throws(WireError) -> SubscribeOptions {
        var options = SubscribeOptions()
        options.wantsInitial = try params.bool(.initial, default: true)
        if try params.bool(.old, default: false) { options.observing.insert(.old) }
        if try params.bool(.prior, default: false) { options.observing.insert(.prior) }
        if try params.bool(.distinct, default: true) { options.observing.insert(.distinct) }
        if try !params.bool(.own, default: true) { options.observing.insert(.othersOnly) }
        if try params.bool(.origin, default: false) { options.observing.insert(.origin) }
        switch try params.string(.delivery) {
        case nil, "latest": break
        case "every": options.flags.insert(.every)
        default: throw .invalidParams("the param delivery is \"latest\" or \"every\"")
        }
        options.pace = try pace(params)
        if options.pace != nil { options.flags.insert(.paced) }
        if options.flags.isSuperset(of: [.every, .paced]) {
            throw .invalidParams("delivery \"every\" does not go with throttle or debounce")
        }
        if try params.bool(.whole, default: false) { options.flags.insert(.whole) }
        options.tag = try tag(params)
        if options.tag != nil { options.flags.insert(.tagged) }
        return options
    }

    private func tag(_ params: Request) throws(WireError) -> [UInt8]? {
        guard let tag = params.value(.tag) else { return nil }
        let json = ByteBuffer()
        if let integer = tag.int64() {
            json.append(decimal: integer)
        } else if tag.kind == .string, tag.decodedString().utf8.count <= Hub.mostTagBytes {
            json.append(0x22)
            json.appendCanonicalContents(of: tag)
            json.append(0x22)
        } else {
            throw .invalidParams(
                "the param tag is a string of at most \(Hub.mostTagBytes) bytes, or an integer"
            )
        }
        return json.view.array
    }

    private func pace(_ params: Request) throws(WireError) -> Pace? {
        let (throttle, debounce) = (try delay(params, .throttle), try delay(params, .debounce))
        guard throttle == 0 || debounce == 0
        else { throw .invalidParams("throttle and debounce do not go together") }
        return throttle + debounce > 0 ? Pace(throttle: throttle, debounce: debounce) : nil
    }

    /// A number of milliseconds as nanoseconds, at most the greatest time; 0 without the param.
    private func delay(_ params: Request, _ name: ParamName) throws(WireError) -> UInt64 {
        guard let value = params.value(name) else { return 0 }
        guard let milliseconds = value.int64(), milliseconds >= 0 else {
            throw .invalidParams("the param \(name.text) is a number of milliseconds that is not negative")
        }
        return MonotonicTime(nanoseconds: 0).adding(milliseconds: UInt64(milliseconds)).nanoseconds
    }

    /// Calls `body` with each path of the request. Throws at the first that is not a path.
    func forEachPath(_ params: Request, _ body: (ParsedKeyPath) throws(WireError) -> Void) throws(WireError) {
        try params.forEachPath(of: "subscribe") { (json, name) throws(WireError) in
            try parsePath(json, name, MethodName.subscribe.rules.access, into: parsed.path)
            try body(parsed.path)
        }
    }

    /// As above, from `position` on, until the client's turn is over. The conditions of each path are bounded by themselves.
    /// Returns whether `body` got all paths.
    func forEachPath(
        _ params: Request,
        from position: inout Int,
        _ body: (ParsedKeyPath) throws(WireError) -> Void
    ) throws(WireError) -> Bool {
        try params.forEachPath(of: "subscribe", from: &position) { (json, name) throws(WireError) in
            if clients.isTurnOver { return false }
            clients.count(work: Cost.path)
            tree.allowConditions()
            try parsePath(json, name, MethodName.subscribe.rules.access, into: parsed.path)
            try body(parsed.path)
            clients.countTreeWork()
            return true
        }
    }

    private func appendSubscribed(_ number: Int32, _ tag: [UInt8]?, initial: Int, replayed: Int?) {
        answer.append("{\"subscription\":", number)
        if let tag { answer.append(tag: tag) }
        answer.append(",\"revision\":", tree.reader.revision)
        answer.append(",\"epoch\":", journaling.epoch)
        answer.append(",\"initial\":", initial)
        guard let replayed else { return answer.append(",\"resumed\":false}") }
        answer.append(",\"resumed\":true,\"replayed\":", replayed, "}")
    }

    /// If the client's turn ends first, the reply is suspended.
    func unsubscribe(_ params: Request, _ session: Session) throws(WireError) {
        guard let number = try params.required(.subscription).int64()
        else { throw .invalidParams("the param subscription is the number of a subscription") }
        // In a later turn, it is ending.
        if session.subscriptions.ending == .noRecord, session.subscriptions.endingCompound == .noRecord {
            guard let key = Int32(exactly: number), remove(key, of: session)
            else { throw WireError(.notFound, "this connection has no subscription \(number)") }
            clients.metrics.subscriptions -= 1
        }
        if !clients.removeEnding(of: session) { return reply.isSuspended = true }
        answer.append("{}")
    }

    /// Ends a subscription; false if the session has none of that number. It gets no more events, and the caller removes it.
    private func remove(_ number: Int32, of session: Session) -> Bool {
        clients.noteEvents(of: number, session)
        let marked = session.hasMarks ? session.marks.subscription(number) : nil
        if let marked {
            session.marks.remove(marked)
            clients.removeMootReleases(of: session)
        }
        session.subscriptions.removeNotes(of: number)
        let pathCount = session.subscriptions.pathCount
        defer {
            if marked?.pace != nil {
                session.subscriptions.further.pacedCount -= Int(pathCount - session.subscriptions.pathCount)
            }
        }
        if let id = session.subscriptions.popCompound(of: number) {
            session.subscriptions.pathCount -= Int32(clients.registry.compounds[id].patternCount)
            session.subscriptions.further.patternCount -= clients.registry.compounds[id].patternCount
            clients.silenceCompound(id)
            session.subscriptions.endingCompound = id
            return true
        }
        guard let first = session.subscriptions.literal.remove(number) else { return false }
        clients.forEachAttachment(from: first) {
            clients.registry.attachments[$0].flags.insert(.delayed)
            session.subscriptions.pathCount -= 1
        }
        session.subscriptions.ending = first
        return true
    }
}
