// SPDX-License-Identifier: MIT
// Catching up: a client that was behind gets the present values of its marked paths. Independent of why they are marked.
//
// The due marks of one subscription are one frame, at the present revision. Its last event is known only when it is sent.
// So a frame that takes several turns owes one more event: see ``Clients/pause(_:)``.

extension Clients {
    private struct Share {
        /// No socket takes more at once, and to render it takes about a millisecond.
        static let bytes = 1 << 20
        /// The events of one's own commit may have so many bytes, also where little output may wait.
        static let ownBytes = 16 << 20

        /// The output at which no other frame begins.
        let end: Int
        /// The output at which a frame pauses.
        let mostBytes: Int
        /// How many marks are sent before that: they take about as long as a round of turns.
        var mostMarks = 10_000
        /// Whether a frame pauses at the end of the client's turn.
        var endsWithTurn = true
    }

    /// Sends the client the due events, as far as one turn allows. Call it when the commits that they show are flushed.
    /// - Parameter isAsked: whether a request of the client waits for it.
    /// - Returns: whether none is left.
    @discardableResult func catchUp(_ session: Session, isAsked: Bool = false) -> Bool {
        guard session.delivery.isBehind else { return true }
        let out = output(of: session)
        let isLimited = !isAsked && !session.marks.hasOpenFrame
        let share = Share(
            end: isLimited ? limits.foldAfterBytes : .max,
            mostBytes: min(out.count + Share.bytes, max(sessions.buffered.allowance, limits.foldAfterBytes))
        )
        return send(to: session, share)
    }

    /// Sends the client all events of its own request, before the answer. Closes a client for which these are too many.
    func catchUpWholly(_ session: Session) {
        guard session.delivery.isBehind else { return }
        let mostBytes = max(limits.maxOutboxBytes, session.output.count + Share.ownBytes)
        let share = Share(end: .max, mostBytes: mostBytes, mostMarks: .max, endsWithTurn: false)
        if send(to: session, share) { return }
        metrics.sessionsOverflowed += 1
        sendGoodbye(.overflow, to: session, resumingAt: nil)
    }

    private func send(to session: Session, _ share: Share) -> Bool {
        let out = output(of: session)
        let start = out.count
        var marks = share.mostMarks
        var isFull: Bool { marks <= 0 || out.count > share.mostBytes }
        defer {
            endEventGroup()
            count(work: max(0, out.count - start) >> 6)
        }
        while let subscription = session.marks.firstBehind() {
            if isFull || out.count > share.end { return false }
            if share.end != .max, out.count > start, hasRoundEnded { return false }
            setFrameOpen(subscription, false)
            while sendNext(of: subscription, session, out) {
                marks -= 1
                countTreeWork()
                if isFull || share.endsWithTurn && isTurnOver { break }
            }
            if subscription.hasDue, !pause(subscription, session) { return false }
        }
        if session.marks.isEmpty { session.forgetMarks() }
        session.delivery.isBehind = false
        finishGoodbye(to: session)
        return true
    }

    /// Pauses a frame. Its events so far have `more`, so another must follow: the next mark that needs an event owes it. Returns
    /// true if none needs one, so that the frame has ended: the client knows all other values.
    private func pause(_ subscription: MarkedSubscription, _ session: Session) -> Bool {
        if subscription.initial.isEmpty {
            while let path = subscription.firstDue, !isNeeded(path, place(of: path)),
                subscription.moveDebtToNext()
            {
                drop(path)
            }
            guard let path = subscription.firstDue else { return true }
            path.mark?.owe(.end)
        }
        setFrameOpen(subscription, true)
        return false
    }

    /// Notes whether the subscription's frame has begun in the output, so that each of its events has `more`.
    func setFrameOpen(_ subscription: MarkedSubscription, _ hasOpenFrame: Bool) {
        subscription.hasOpenFrame = hasOpenFrame
        guard subscription.compound != .noRecord else { return }
        registry.compounds[subscription.compound].hasOpenFrame = hasOpenFrame
        if hasOpenFrame { continueFrame(of: subscription.compound, subscription.session) }
    }

    // MARK: Events

    /// Sends the event of the subscription's oldest mark; false if there is none.
    private func sendNext(of subscription: MarkedSubscription, _ session: Session, _ out: ByteBuffer) -> Bool
    {
        while let id = subscription.initial.popLast() {
            guard registry.attachments[id].session === session,
                registry.attachments[id].subscription == subscription.number,
                registry.attachments[id].flags.contains(.delayed)
            else { continue }
            sendInitial(id, session, out)
            return true
        }
        guard let path = subscription.firstDue else { return false }
        count(work: Cost.queuedEvent)
        let place = place(of: path)
        guard isNeeded(path, place) || !subscription.moveDebtToNext() else {
            drop(path)
            return true
        }
        guard let mark = path.popMark() else { return true }
        if let place { send(mark, at: place, session, out) } else { sendLast(mark, of: path, session, out) }
        if subscription.pace != nil { noteSent(path, at: eventTime()) }
        path.forgetIfUseless()
        return true
    }

    func drop(_ path: MarkedPath) {
        path.popMark()
        path.forgetIfUseless()
    }

    private struct PresentPlace {
        let tree: ModelTree
        let observer: ObserverRecord
        let suffix: ByteBuffer?
        let value: StoredValue
    }

    private func place(of id: AttachmentID, _ suffix: ByteBuffer?) -> PresentPlace {
        let tree = tree(of: id)
        let observer = tree.reader.observer(registry.attachments[id].observer)
        let owned = suffix.map { tree.ownedValue(below: observer.node, at: $0.view) }
        let value = owned ?? tree.currentValue(of: observer.node)
        return PresentPlace(tree: tree, observer: observer, suffix: suffix, value: value)
    }

    /// Nil if the path no longer matches its pattern: nothing is there.
    private func place(of path: MarkedPath) -> PresentPlace? {
        path.attachment == .noRecord ? nil : place(of: path.attachment, path.suffix)
    }

    /// Whether the client has yet to see the present value.
    private func isNeeded(_ path: MarkedPath, _ place: PresentPlace?) -> Bool {
        guard let mark = path.mark else { return false }
        if mark.debt == .event || mark.reason == .initial || isOverlapped(path.subscription) { return true }
        guard let place else { return !mark.wasNull }
        if mark.isRootReplaced { return true }
        if mark.wasNull, place.value.isAbsent, place.suffix != nil { return false }
        guard place.observer.options.contains(.distinct), let seen = mark.seen else { return true }
        return !seen.isSame(as: place.value, in: place.tree)
    }

    /// Whether events of other patterns may have shown the path's value.
    func isOverlapped(_ subscription: MarkedSubscription) -> Bool {
        subscription.compound != .noRecord && registry.compounds[subscription.compound].isOverlapped
    }

    private func send(_ mark: Mark, at place: PresentPlace, _ session: Session, _ out: ByteBuffer) {
        let (tree, node) = (place.tree, place.observer.node)
        let root = tree.reader.root(of: node)
        let (isThere, length) = (!tree.currentValue(of: root).isAbsent, tree.reader.pathLength(of: root))
        let (reason, changedAt) = mark.change(isRootThere: isThere, rootLength: length)
        let change = PathChange(
            node: node,
            reason: reason,
            changedAt: tree.reader.ancestor(of: node, withPathLength: changedAt),
            nilAt: place.suffix == nil ? tree.brokenAncestor(of: node) : .noRecord,
            old: .absent,
            new: place.value,
            suffix: place.suffix,
            differs: true
        )
        let id = place.observer.attachment
        count(eventOf: id)
        count(coalesced: mark.coalesced, session)
        appendHead(of: registry.attachments[id].subscription, session, to: out)
        tree.reader.encode(change, revision: revision, mark.extras, to: out)
        noteIfFramed(id, session)
    }

    /// Sends the event of a path that no longer matches its pattern: it is null. The tree observes
    /// the path by itself for the length of the event.
    private func sendLast(_ mark: Mark, of path: MarkedPath, _ session: Session, _ out: ByteBuffer) {
        count(work: Cost.attachment)
        let id = registry.add(.noRecord, to: path.subscription.compound, isDaemons: false)
        tree.allowElements()
        let parsed = ByteView.with(path.name) { tree.path($0, nil) }
        let observer = tree.observe(parsed, options: .distinct, tag: id.number)
        let record = tree.reader.observer(observer)
        send(mark, at: PresentPlace(tree: tree, observer: record, suffix: nil, value: .absent), session, out)
        tree.removeObserver(observer)
        registry.removeMatch(id)
    }

    // MARK: Initial events

    /// Keeps the initial events of a new subscription until its answer. Until then, changes of its other paths are marked.
    func holdInitial(of session: Session) {
        guard let first = registry.following.attachments.first else { return }
        let attachment = registry.attachments[first]
        let marked = marked(attachment.subscription, attachment.compound, session)
        marked.initial = registry.following.attachments.reversed()
        registry.following.attachments = []
        // The session's list gets it behind the answer.
        marked.isBehind = true
        registry.following.held.append(marked)
    }

    /// Sends the initial events of new subscriptions, which follow the answer, as far as one turn allows.
    func sendInitial(to session: Session) {
        let (attachments, isBehind) = (registry.following.attachments, session.delivery.isBehind)
        if attachments.count == 1, !isBehind, session.output.count <= limits.foldAfterBytes {
            sendInitial(attachments[0], session, output(of: session))
            return countTreeWork()
        }
        holdInitial(of: session)
        session.delivery.isHolding = false
        for subscription in registry.following.held where !subscription.isOver {
            subscription.isBehind = false
            noteBehind(subscription)
        }
        // Other marks may show commits that are not flushed.
        if !isBehind { catchUp(session) }
    }

    func sendInitial(_ id: AttachmentID, _ session: Session, _ out: ByteBuffer) {
        registry.attachments[id].flags.remove(.delayed)
        let (number, flags) = (registry.attachments[id].subscription, registry.attachments[id].flags)
        if flags.contains(.paced), let marked = session.marks.subscription(number),
            let pace = marked.pace, pace.throttle > 0
        {
            // They share their time, in however many turns they are sent.
            let time = marked.beganAt ?? eventTime()
            marked.beganAt = time
            noteSent(path(of: id, session), at: time)
        }
        send(Mark(.initial, seen: nil), at: place(of: id, nil), session, out)
    }
}
