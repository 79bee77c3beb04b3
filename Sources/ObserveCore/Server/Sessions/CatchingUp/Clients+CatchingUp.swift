// SPDX-License-Identifier: MIT
// Catching up: a client that was behind gets the present values of its marked paths. Independent of why they are marked.
//
// The due marks of one subscription are one frame, at the present revision. Its last event is known only when it is sent.
// So a frame that takes several turns owes one more event: see ``Clients/pause(_:)``.

extension Clients {
    /// How much is sent at once.
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
        var marks = 10_000
        /// Whether a frame pauses at the end of the client's turn.
        var endsWithTurn = true
    }

    /// Sends the client the due events, as far as one turn allows. Call it when the commits that they show are flushed.
    ///
    /// - Parameter isAsked: the client waits for it: a request of it is to be executed.
    /// - Returns: whether none is left.
    @discardableResult
    func catchUp(_ session: Session, isAsked: Bool = false) -> Bool {
        guard session.delivery.isBehind else { return true }
        let out = output(of: session)
        let isLimited = !isAsked && !session.marks.hasOpenFrame
        var share = Share(
            end: isLimited ? limits.foldAfterBytes : .max,
            mostBytes: min(out.count + Share.bytes, max(sessions.buffered.allowance, limits.foldAfterBytes))
        )
        return send(to: session, &share)
    }

    /// Sends the client all due events at once: the events of its own request, before the answer. Closes a client for
    /// which these are too many.
    func catchUpWholly(_ session: Session) {
        guard session.delivery.isBehind else { return }
        let mostBytes = max(limits.maxOutboxBytes, Share.ownBytes)
        var share = Share(end: .max, mostBytes: mostBytes, marks: .max, endsWithTurn: false)
        if send(to: session, &share) { return }
        metrics.sessionsOverflowed += 1
        sendGoodbye(.overflow, to: session, resumingAt: nil)
    }

    private func send(to session: Session, _ share: inout Share) -> Bool {
        let out = output(of: session)
        let start = out.count
        defer {
            endMoment()
            count(work: max(0, out.count - start) >> 6)
        }
        while let subscription = session.marks.firstBehind() {
            let isFull = out.count > share.end || share.marks <= 0 || out.count > share.mostBytes
            if isFull || share.end != .max && out.count > start && isRoundOver { return false }
            setFrameOpen(subscription, false)
            while sendNext(of: subscription, session, out) {
                share.marks -= 1
                countTreeWork()
                let isFull = share.marks <= 0 || out.count > share.mostBytes
                if isFull || share.endsWithTurn && isTurnOver { break }
            }
            if subscription.hasDue, !pause(subscription, session) { return false }
        }
        if session.marks.isEmpty { session.forgetMarks() }
        session.delivery.isBehind = false
        finishGoodbye(to: session)
        return true
    }

    /// Ends the share of a frame before its end. Another event has to follow, so the next one that is needed is owed.
    ///
    /// - Returns: false if one is; true if the frame has ended, since the client knows all other values.
    private func pause(_ subscription: MarkedSubscription, _ session: Session) -> Bool {
        var isOver = false
        if subscription.initial.isEmpty {
            while let path = subscription.firstDue, !isNeeded(path, place(of: path)), path.passDebt() {
                drop(path)
            }
            subscription.firstDue?.owe(.end)
            isOver = subscription.firstDue == nil
        }
        if !isOver { setFrameOpen(subscription, true) }
        return isOver
    }

    /// Notes whether the subscription's frame has begun in the output, so that each of its events has `more`.
    func setFrameOpen(_ subscription: MarkedSubscription, _ hasOpenFrame: Bool) {
        subscription.hasOpenFrame = hasOpenFrame
        guard subscription.compound != .noRecord else { return }
        registry.compounds[subscription.compound].hasOpenFrame = hasOpenFrame
        if hasOpenFrame { continueFrame(of: subscription.compound, subscription.session) }
    }

    // MARK: Events

    /// Sends the event of the subscription's oldest mark.
    ///
    /// - Returns: false if there is none.
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
        if isNeeded(path, place) || !path.passDebt() { send(path, place, session, out) } else { drop(path) }
        return true
    }

    /// Removes a mark whose value the client knows.
    func drop(_ path: MarkedPath) {
        path.popMark()
        path.forgetIfUseless()
    }

    /// Where a marked path leads now.
    private struct PresentPlace {
        let tree: ModelTree
        let observer: ObserverRecord
        let suffix: ByteBuffer?
        let value: StoredValue
    }

    /// - Returns: nil if the path no longer matches its pattern: nothing is there.
    private func place(of path: MarkedPath) -> PresentPlace? {
        guard path.attachment != .noRecord else { return nil }
        let tree = tree(of: path.attachment)
        let observer = tree.reader.observer(registry.attachments[path.attachment].observer)
        let suffix = path.suffix
        return PresentPlace(
            tree: tree,
            observer: observer,
            suffix: suffix,
            value: suffix.map { tree.ownedValue(below: observer.node, at: $0.view) }
                ?? tree.currentValue(of: observer.node)
        )
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

    private func send(_ path: MarkedPath, _ place: PresentPlace?, _ session: Session, _ out: ByteBuffer) {
        guard let mark = path.popMark() else { return }
        let subscription = path.subscription
        appendHead(of: subscription.number, session, to: out)
        let extras = TreeReader.EventExtras(
            withOld: mark.old != nil,
            renderedOld: mark.old,
            origin: mark.origin,
            coalesced: Int(mark.coalesced)
        )
        if let place {
            count(eventOf: path.attachment)
            append(mark, at: place, extras, to: out)
        } else {
            count(events: 1, of: subscription.number, session)
            appendLast(mark, path.text ?? [], extras, to: out)
        }
        count(coalesced: Int(mark.coalesced), session)
        if subscription.compound != .noRecord { noteFramed(subscription.compound, session) }
        if subscription.pacing != nil { noteSent(path, at: timeOfMoment()) }
        path.forgetIfUseless()
    }

    private func append(
        _ mark: Mark,
        at place: PresentPlace,
        _ extras: TreeReader.EventExtras,
        to out: ByteBuffer
    ) {
        let (tree, node) = (place.tree, place.observer.node)
        let root = tree.reader.root(of: node)
        let (reason, changedAt) = mark.change(
            isRootThere: !tree.currentValue(of: root).isAbsent,
            rootLength: tree.reader.pathLength(of: root)
        )
        let hasNilAt = place.value.isNull && place.suffix == nil
        let change = PathChange(
            node: node,
            reason: reason,
            changedAt: tree.reader.ancestor(of: node, withPathLength: changedAt),
            nilAt: hasNilAt ? tree.brokenAncestor(of: node) : .noRecord,
            old: .absent,
            new: place.value,
            suffix: place.suffix,
            differs: true
        )
        tree.reader.encode(change, revision: revision, extras, to: out)
    }

    /// Appends the event of a path that no longer matches its pattern: it is null.
    private func appendLast(
        _ mark: Mark,
        _ path: [UInt8],
        _ extras: TreeReader.EventExtras,
        to out: ByteBuffer
    ) {
        ByteView.with(path) { path in
            let root = tree.root(of: path)
            let (reason, changedAt) = mark.change(isRootThere: root.isThere, rootLength: root.length)
            tree.reader.encodeForgotten(
                path,
                reason,
                changedAt: changedAt,
                revision: revision,
                extras,
                to: out
            )
        }
    }

    // MARK: Initial events

    /// Sends the initial events of the subscriptions in the answer. The paths of those that have to wait get no
    /// other events until then.
    func sendInitial(of attachments: [AttachmentID], to session: Session) {
        let out = output(of: session)
        for index in attachments.indices {
            let id = attachments[index]
            guard registry.attachments[id].session === session,
                registry.attachments[id].flags.contains(.delayed)
            else { continue }
            if session.delivery.isBehind || out.count > limits.foldAfterBytes || index > 0 && isTurnOver {
                return noteInitial(attachments[index...], session) { noteBehind($0, session) }
            }
            sendInitial(id, session, out)
            // Also an event that has become short, since its value is too large.
            countTreeWork()
        }
    }

    /// Keeps the initial events of new subscriptions until the answer of their batch. Changes until then are marked.
    func holdInitial(of session: Session) {
        let attachments = registry.following.attachments
        if attachments.isEmpty { return }
        registry.following.attachments = []
        noteInitial(attachments[...], session) {
            // The session's list gets it behind the answer.
            $0.isBehind = true
            registry.following.held.append($0)
            session.delivery.isHolding = true
        }
    }

    /// Sends what ``holdInitial(of:)`` has kept.
    func sendHeld(to session: Session) {
        session.delivery.isHolding = false
        for subscription in registry.following.held where !subscription.isOver {
            subscription.isBehind = false
            noteBehind(subscription, session)
        }
        catchUp(session)
    }

    /// Notes initial events that have to wait: each is a mark, which takes no memory but its attachment's number.
    ///
    /// - Parameter body: called with each subscription.
    private func noteInitial(
        _ attachments: ArraySlice<AttachmentID>,
        _ session: Session,
        _ body: (MarkedSubscription) -> Void
    ) {
        var rest = attachments
        while let first = rest.first {
            let number = registry.attachments[first].subscription
            let own = rest.prefix { registry.attachments[$0].subscription == number }
            rest = rest.dropFirst(own.count)
            guard registry.attachments[first].session === session, session.subscriptions.contains(number)
            else { continue }
            let marked = marked(number, registry.attachments[first].compound, session)
            marked.initial = own.reversed() + marked.initial
            body(marked)
            if marked.compound != .noRecord, continueFrame(of: marked.compound, session) {
                setFrameOpen(marked, true)
            }
        }
    }

    /// Sends the attachment's initial event.
    func sendInitial(_ id: AttachmentID, _ session: Session, _ out: ByteBuffer) {
        registry.attachments[id].flags.remove(.delayed)
        let tree = tree(of: id)
        let node = tree.reader.observer(registry.attachments[id].observer).node
        let change = PathChange(
            node: node,
            reason: .initial,
            nilAt: tree.brokenAncestor(of: node),
            old: .absent,
            new: tree.currentValue(of: node),
            differs: true
        )
        count(eventOf: id)
        if registry.attachments[id].flags.contains(.paced) { noteInitial(id, session) }
        appendHead(of: registry.attachments[id].subscription, session, to: out)
        tree.reader.encode(change, revision: revision, .init(), to: out)
        noteIfFramed(id, session)
    }
}
