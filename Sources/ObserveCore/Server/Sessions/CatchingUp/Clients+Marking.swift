// SPDX-License-Identifier: MIT
// Which changes a client hears of at once, and which are marked. Sends nothing.

extension Clients {
    enum Decision {
        case now
        /// As a new value. It covers the marks below it, and edits in the same commit: some of them may be sent, too.
        case whole
        /// Nothing is sent: the path is marked, or the client knows the value.
        case later
    }

    /// Decides whether to send a client the event of a change now. If not, marks its path.
    /// - Parameter isOwn: whether the client made the change itself, and subscribed with `own` false.
    func decision(
        _ change: borrowing PathChange,
        in tree: ModelTree,
        for observer: ObserverRecord,
        _ session: Session,
        isOwn: Bool
    ) -> Decision {
        let attachment = registry.attachments[observer.attachment]
        let subscription = session.hasMarks ? session.marks.subscription(attachment.subscription) : nil
        let found = subscription == nil ? nil : known(change, of: observer.attachment, session)
        if let (path, isCovering) = found, isCovering {
            // Its event shows the change.
            if observer.options.contains(.origin) { path.mark?.note(origin(of: change.cause)) }
            if isOwn { path.mark?.owe(.event) } else { wait(path, until: laterDue(path)) }
            return .later
        }
        let known = found?.path
        let isReplaced = change.edit != nil || change.old.isContainer || change.new.isContainer
        let hasMarksBelow = isReplaced && known?.hasMarksBelow == true
        if known?.mark != nil || hasMarksBelow && (isOwn || subscription?.hasOpenFrame == true) {
            mark(change, in: tree, for: observer, session, isOwn: isOwn)
            return .later
        }
        if isOwn { return .later }
        let time = subscription?.pace.flatMap { due($0, known) }
        if time != nil || mustWait(change, attachment, subscription, session) {
            mark(change, in: tree, for: observer, session, due: time)
            return .later
        }
        if subscription?.pace != nil {
            noteSent(path(change, of: observer.attachment, session), at: eventTime())
        }
        if hasMarksBelow { known?.popMarksBelow() }
        let isPacedBelow = attachment.flags.contains(.paced) && observer.options.contains(.deep)
        return isPacedBelow && change.edit != nil ? .whole : .now
    }

    /// Marks the path of a change that the client does not hear of now.
    /// - Parameter isOwn: the client made the change itself, and its path has a mark.
    /// - Parameter due: when its event may be sent, if it has no mark yet; nil if as soon as the client's socket takes more.
    func mark(
        _ change: borrowing PathChange,
        in tree: ModelTree,
        for observer: ObserverRecord,
        _ session: Session,
        isOwn: Bool = false,
        due: MonotonicTime? = nil
    ) {
        count(work: Cost.queuedEvent)
        let path = path(change, of: observer.attachment, session)
        let due = path.mark == nil ? due : laterDue(path)
        var mark = path.mark ?? freshMark(change, in: tree, observer)
        let changedAt =
            change.changedAt == .noRecord ? -1 : Int32(tree.reader.pathLength(of: change.changedAt))
        mark.add(change.reason, changedAt: changedAt, isOwn: isOwn)
        if path.subscription.hasOpenFrame, !path.subscription.hasDue { mark.owe(.end) }
        if observer.options.contains(.deep) { mark.owe(path.popMarksBelow()) }
        // Names below `**` may come and go without end.
        if path.parent != nil, change.new.isAbsent, mark.isNeedlessIfAbsent, !isOverlapped(path.subscription)
        {
            return drop(path)
        }
        if observer.options.contains(.origin) { mark.note(origin(of: change.cause)) }
        path.mark = mark
        wait(path, until: due)
        account(session)
    }

    // MARK: Decisions

    /// Whether an event has to wait: its client is slow, or has not seen another path of the subscription, and its copy would not
    /// be exact. Or too much waits for the flush of the commit, or for the end of a frame.
    private func mustWait(
        _ change: borrowing PathChange,
        _ attachment: AttachmentRecord,
        _ subscription: MarkedSubscription?,
        _ session: Session
    ) -> Bool {
        if attachment.flags.contains(.every) {
            // Its initial events are still to come, in one frame with this one.
            if let subscription, subscription.hasDue { setFrameOpen(subscription, true) }
            return false
        }
        let isFull = session.output.count > limits.maxOutboxBytes
        if hasFrameBegun(attachment) {
            // The frame's end is the event of the mark.
            if isFull { setFrameOpen(marked(attachment.subscription, attachment.compound, session), true) }
            return isFull
        }
        if let subscription, subscription.hasDue { return !subscription.hasOpenFrame || isFull }
        guard session.delivery.isBlocked, !isFull else { return isFull }
        if session.output.count <= limits.foldAfterBytes {
            session.delivery.further.begunGroup = frames.group
            frames.isOpen = true
            return false
        }
        // A mark takes more time and memory than a short event. So a commit whose first event could be sent is sent wholly.
        return session.delivery.further.begunGroup != frames.group || !change.new.isShort
            || session.output.count > max(sessions.buffered.allowance, limits.foldAfterBytes)
    }

    /// When a paced path may have the event of the change; nil if now.
    private func due(_ pace: Pace, _ known: MarkedPath?) -> MonotonicTime? {
        let now = eventTime()
        if pace.debounce > 0 { return now.adding(nanoseconds: pace.debounce) }
        return known.flatMap { $0.time > now ? $0.time : nil }
    }

    // MARK: Paths

    private func known(_ change: borrowing PathChange, of id: AttachmentID, _ session: Session)
        -> (path: MarkedPath, isCovering: Bool)?
    {
        guard let path = session.marks.path(of: id) else { return nil }
        return change.suffix.map { path.known($0.view) } ?? (path, false)
    }

    private func path(_ change: borrowing PathChange, of id: AttachmentID, _ session: Session) -> MarkedPath {
        let path = path(of: id, session)
        return change.suffix.map { path.path(below: $0.view) } ?? path
    }

    /// Made if there is none.
    func path(of id: AttachmentID, _ session: Session) -> MarkedPath {
        if let known = session.marks.path(of: id) { return known }
        let attachment = registry.attachments[id]
        let path = MarkedPath(marked(attachment.subscription, attachment.compound, session), id)
        session.marks.add(path)
        return path
    }

    /// Made if there are none.
    func marked(_ number: Int32, _ compound: CompoundID, _ session: Session) -> MarkedSubscription {
        if let known = session.marks.subscription(number) { return known }
        let fresh = MarkedSubscription(number, compound, session)
        session.marks.add(fresh)
        return fresh
    }

    // MARK: Marks

    private func freshMark(_ change: borrowing PathChange, in tree: ModelTree, _ observer: ObserverRecord)
        -> Mark
    {
        let value = tree.oldValue(of: change)
        var seen: SeenValue? = SeenValue(value, in: tree)
        if observer.options.contains(.deep) {
            // The same model may be there again, and changes inside it have no marks of their own.
            if case .value = seen {} else { seen = nil }
        }
        let old = observer.options.contains(.old) ? oldText(value, in: tree) : nil
        return Mark(.valueChanged, seen: seen, old: old)
    }

    /// Notes when a marked path may have its event: nil if as soon as the socket takes more.
    private func wait(_ path: MarkedPath, until due: MonotonicTime?) {
        guard let due else { return noteDue(path) }
        path.subscription.removeDue(path)
        path.time = due
        schedule(path)
    }

    /// When a path that has its mark already may have its event: a change makes `debounce` wait anew.
    private func laterDue(_ path: MarkedPath) -> MonotonicTime? {
        // The end of a frame that has begun must not wait.
        if path.isDue, path.subscription.hasOpenFrame { return nil }
        if let pace = path.subscription.pace, pace.debounce > 0 { return due(pace, path) }
        return path.isDue ? nil : path.time
    }

    func noteDue(_ path: MarkedPath) {
        path.subscription.appendDue(path)
        noteBehind(path.subscription)
    }

    func noteBehind(_ subscription: MarkedSubscription) {
        subscription.session.marks.noteBehind(subscription)
        subscription.session.delivery.isBehind = true
        beginOutput(of: subscription.session)
    }
}

extension StoredValue {
    /// Whether the value is plain, or a text of at most 128 bytes: an event with it takes no more memory than a mark, which has
    /// about 300.
    fileprivate var isShort: Bool {
        var isShort = isPlain
        withText { isShort = $0.count <= 128 }
        return isShort
    }
}
