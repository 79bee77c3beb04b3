// SPDX-License-Identifier: MIT
// throttle and debounce: changes wait for a time rather than for the socket, and coalesce by path.
//
// The changes of a path coalesce into one entry. Its event has the value at the time when it is sent. Under `**` a
// delayed path shows the changes below it, and replaces the delayed events there: so mirrors are exact. A pacer
// keeps times by path, not by attachment: a path that ceases to match and matches again keeps its pace.

extension Hub {
    /// The decision about a change of a paced subscription.
    enum Pacing {
        case send
        /// Send it as a new value, which replaces the delayed events below it.
        case sendWhole
        case delayed
    }

    func pacer(of attachment: AttachmentID, in session: Session) -> Pacer? {
        session.delivery.pacers[registry.attachments[attachment].subscription]
    }

    /// Decides whether to send the change now. If not, delays it.
    ///
    /// - Parameter isOwn: the client made the change itself, and subscribed with `own` false.
    func pace(
        _ change: borrowing PathChange,
        in tree: ModelTree,
        for observer: ObserverRecord,
        _ session: Session,
        isOwn: Bool
    ) -> Pacing {
        guard let pacer = pacer(of: observer.attachment, in: session) else { return .send }
        let place = place(of: change, in: tree, for: observer, pacer)
        let isMirror = observer.options.contains(.deep) || registry.isOverlapped(observer)
        if isMirror, let above = place.delayedAbove {
            above.delayed?.revision = revision
            if observer.options.contains(.origin) { above.delayed?.origin = origin(of: change.cause) }
            return .delayed
        }
        let hasDiscarded =
            isMirror && (change.edit != nil || change.old.isContainer || change.new.isContainer)
            && discardDelayed(below: place)
        let isWhole = hasDiscarded && change.edit != nil
        if isOwn, !isWhole, place.delayed == nil { return .send }
        if showsInInitial(change, for: observer, session) {
            session.delivery.lastRevision = revision
            return .delayed
        }
        let time = timeOfMoment()
        if case .throttle = pacer.pace, place.delayed == nil, place.freeAt <= time {
            noteSent(place, at: time)
            return isWhole ? .sendWhole : .send
        }
        hold(change, in: tree, at: place, for: observer, session, isOwn: isOwn && !isWhole)
        if case .debounce(let nanoseconds) = pacer.pace {
            place.due = time.adding(nanoseconds: nanoseconds)
        } else {
            place.due = place.freeAt
        }
        schedule(place, at: place.due)
        return .delayed
    }

    private func place(
        of change: borrowing PathChange,
        in tree: ModelTree,
        for observer: ObserverRecord,
        _ pacer: Pacer
    ) -> PacedPath {
        let own = place(of: observer.attachment, node: observer.node, in: tree, pacer)
        guard let suffix = change.suffix, !suffix.isEmpty else { return own }
        let place = own.place(suffix.view)
        if !place.isOwn, place.attachment != observer.attachment {
            place.hand(to: observer.attachment, suffix: suffix.copy)
        }
        return place
    }

    /// The place of an attachment's path, made if there is none.
    func place(of id: AttachmentID, node: NodeID, in tree: ModelTree, _ pacer: Pacer) -> PacedPath {
        if let known = pacer.knownPlace(of: id) { return known }
        let path = ByteBuffer()
        path.append(0x2E)
        path.append(tree.reader.path(of: node))
        let place = pacer.place(path.view)
        pacer.adopt(place, by: id)
        return place
    }

    /// Notes that the path's event is sent at `now`, and when a throttled path may have the next.
    private func noteSent(_ place: PacedPath, at now: MonotonicTime) {
        guard case .throttle(let nanoseconds) = place.pacer.pace else { return }
        place.freeAt = now.adding(nanoseconds: nanoseconds)
        // Scheduled so that it is forgotten then.
        if !isLiteral(place) { schedule(place, at: place.freeAt) }
    }

    /// Whether the place lasts as long as the subscription: it is that of a literal path.
    func isLiteral(_ place: PacedPath) -> Bool {
        guard place.isOwn else { return false }
        let compound = registry.attachments[place.attachment].compound
        return compound == .noRecord || registry.compounds[compound].isLiteral
    }

    /// Notes the initial event, which counts for `throttle`. Those of one subscription share their time, in however many
    /// turns they are sent.
    func noteInitial(_ id: AttachmentID, node: NodeID, in tree: ModelTree, _ session: Session) {
        guard let pacer = pacer(of: id, in: session), case .throttle = pacer.pace else { return }
        let time = pacer.beganAt ?? timeOfMoment()
        pacer.beganAt = time
        noteSent(place(of: id, node: node, in: tree, pacer), at: time)
    }

    // MARK: Delaying

    /// Shows the change in the initial event, if that still waits.
    ///
    /// - Returns: false, with nothing done, if it does not.
    private func showsInInitial(
        _ change: borrowing PathChange,
        for observer: ObserverRecord,
        _ session: Session
    ) -> Bool {
        if let suffix = change.suffix, !suffix.isEmpty {
            return showInInitial(of: observer.attachment, session)
        }
        let number = session.outbox.newest(of: observer.attachment)
        guard session.outbox.canCoalesce(number), session.outbox[number].attachment == observer.attachment,
            session.outbox[number].reason == .initial, change.reason != .sourceDeleted
        else { return false }
        coalesce(change, for: observer, session)
        return true
    }

    /// Coalesces the change with the delayed entry of its path.
    private func hold(
        _ change: borrowing PathChange,
        in tree: ModelTree,
        at place: PacedPath,
        for observer: ObserverRecord,
        _ session: Session,
        isOwn: Bool
    ) {
        sessions.turns.count(Turns.queuedEvent)
        var entry = makeEntry(of: observer.attachment)
        entry.reason = change.reason
        if change.reason == .pathChanged { entry.changedAt = change.changedAt }
        entry.suffix = change.suffix.flatMap { $0.isEmpty ? nil : $0.copy }
        let old = tree.oldValue(of: change)
        entry.seen = seen(old, in: tree)
        entry.wasAbsent = old.isAbsent
        if let delayed = place.delayed {
            continueEntry(delayed, &entry)
        } else if entry.suffix == nil {
            popWaiting(of: observer, old, in: session, &entry)
        } else {
            popWaiting(change, below: observer.attachment, in: session, &entry)
        }
        if observer.options.contains(.deep) { entry.forgetSeenModels() }
        if entry.old == nil, observer.options.contains(.old) { entry.old = rendered(old, in: tree) }
        // Below a path, the hub compares the present and the former value as text.
        if entry.old == nil, entry.suffix != nil { entry.old = rendered(old, in: tree) }
        entry.nilAt = change.nilAt
        entry.revision = revision
        if observer.options.contains(.origin) { entry.origin = origin(of: change.cause) }
        if !isOwn { entry.coalesced += 1 }
        place.delayed = entry
        account(session)
    }

    /// Discards the delayed events below the place.
    ///
    /// - Returns: whether there were any.
    private func discardDelayed(below place: PacedPath) -> Bool {
        let places = place.delayedBelow
        for place in places {
            (place.delayed, place.lastText) = (nil, nil)
        }
        return !places.isEmpty
    }

    /// Makes the newer entry stand for the older one as well. A root that was removed and restored has changed.
    private func continueEntry(_ older: OutboxEntry, _ entry: inout OutboxEntry) {
        if entry.reason == .valueChanged, older.reason == .pathChanged {
            entry.reason = .pathChanged
            entry.changedAt = older.changedAt
        }
        entry.coalesced = older.coalesced
        entry.seen = older.seen
        entry.old = older.old
        entry.wasAbsent = older.wasAbsent
    }

    /// Delays the path's queued event again, if no answer stands behind it.
    private func popWaiting(
        of observer: ObserverRecord,
        _ old: StoredValue,
        in session: Session,
        _ entry: inout OutboxEntry
    ) {
        let number = session.outbox.newest(of: observer.attachment)
        if observer.options.contains(.deep) { discard(of: observer.attachment, in: session) }
        guard session.outbox.isWaiting(number), session.outbox[number].attachment == observer.attachment
        else {
            return
        }
        let waiting = session.outbox[number]
        if waiting.reason == .sourceDeleted { return }
        if waiting.reason == .initial || !session.outbox.canCoalesce(number) {
            return finalize(number, with: old, in: session)
        }
        continueEntry(waiting, &entry)
        session.outbox.drop(number)
        // The removal that it followed still waits.
        if session.outbox.isPending(waiting.deletion) {
            session.outbox.setNewest(waiting.deletion, of: observer.attachment)
        }
        compactIfWanted(session)
    }

    private func popWaiting(
        _ change: borrowing PathChange,
        below id: AttachmentID,
        in session: Session,
        _ entry: inout OutboxEntry
    ) {
        guard let suffix = change.suffix, let waiting = session.outbox.below[id] else { return }
        let place = waiting.place(suffix.view)
        if change.edit != nil || change.old.isContainer || change.new.isContainer {
            discard(below: place, in: session)
        }
        if session.outbox.canCoalesce(place.entry) {
            continueEntry(session.outbox[place.entry], &entry)
            session.outbox.drop(place.entry)
        } else {
            finalizeBelow(place.entry, in: session)
        }
        waiting.clear(suffix.view)
        compactIfWanted(session)
    }

    // MARK: Sending

    /// Sends the delayed event of a path whose time has come, or forgets a path without one.
    func release(_ place: PacedPath, at now: MonotonicTime) {
        place.isScheduled = false
        guard !place.pacer.isOver, place.pacer.session.delivery.closing == nil else { return }
        if place.delayed != nil {
            guard place.due <= now else { return schedule(place, at: place.due) }
            if sendDelayed(place) { noteSent(place, at: now) }
        } else if place.freeAt > now {
            return schedule(place, at: place.freeAt)
        }
        if isLiteral(place) { return }
        place.forget(at: now)
    }

    /// Sends the delayed event; false if the client has seen the value.
    private func sendDelayed(_ place: PacedPath) -> Bool {
        guard var entry = place.delayed.take() else { return false }
        let session = place.pacer.session
        let isLate = session.delivery.lastRevision > entry.revision
        // The client got events of later commits. To keep revisions in order, the event has the present revision
        // and value.
        if isLate { entry.revision = revision }
        session.delivery.lastRevision = entry.revision
        if let text = place.lastText.take() {
            sendLast(text, entry, session)
            count(delayed: entry.coalesced, of: place.pacer)
            return true
        }
        let tree = tree(of: entry.attachment)
        let observer = tree.reader.observer(registry.attachments[entry.attachment].observer)
        if let suffix = entry.suffix {
            return send(entry, tree.ownedValue(below: observer.node, at: suffix.view), observer, session)
        }
        if isLate { entry.nilAt = tree.brokenAncestor(of: observer.node) }
        return send(entry, tree.currentValue(of: observer.node), observer, session)
    }

    private func send(
        _ entry: OutboxEntry,
        _ value: StoredValue,
        _ observer: ObserverRecord,
        _ session: Session
    ) -> Bool {
        sessions.turns.count(Turns.queuedEvent)
        var entry = entry
        let tree = tree(of: entry.attachment)
        // If patterns overlap, an event of another one may have shown a value that came and went.
        if entry.suffix != nil, entry.wasAbsent, value.isAbsent, !registry.isOverlapped(observer) {
            return false
        }
        if entry.suffix != nil || observer.options.contains(.deep) || registry.isOverlapped(observer) {
            entry.new = rendered(value, in: tree)
        }
        if mustQueue(registry.attachments[entry.attachment], session) {
            guard isNeeded(entry) else { return false }
            queue(entry, session)
            return true
        }
        let out = output(of: session)
        let start = out.count
        if entry.suffix == nil {
            write(entry, value, to: out)
        } else {
            writeBelow(entry, in: session, to: out)
        }
        let isSent = out.count > start
        if isSent { noteIfFramed(entry.attachment, session) }
        if out.count > limits.foldAfterBytes { relieve(session, registry.attachments[entry.attachment]) }
        return isSent
    }

    /// Sends the delayed event of a path that no longer matches: its text, up to the revision.
    private func sendLast(_ text: ByteBuffer, _ entry: OutboxEntry, _ session: Session) {
        if entry.subscription != 0, session.delivery.isQueueing {
            session.outbox.append(
                text,
                of: entry.subscription,
                at: entry.revision,
                coalesced: entry.coalesced
            )
            return startQueueing(session)
        }
        text.appendEventEnd(revision: entry.revision, coalesced: entry.coalesced, hasMore: false)
        send(lines: text.view, to: session)
        if let compound = session.subscriptions.patterns[entry.subscription] { noteFramed(compound, session) }
    }

    /// Puts an entry behind everything that waits for the client.
    private func queue(_ entry: OutboxEntry, _ session: Session) {
        var entry = entry
        let id = entry.attachment
        if let suffix = entry.suffix {
            let place = session.outbox.waitingBelow(id).place(suffix.view)
            finalizeBelow(place.entry, in: session)
            place.entry = session.outbox.append(entry)
        } else {
            let number = session.outbox.newest(of: id)
            if session.outbox.isWaiting(number), session.outbox[number].attachment == id {
                // If an entry may coalesce, it is a removal: ``popWaiting(of:_:in:_:)`` popped all others.
                if session.outbox.canCoalesce(number), session.outbox[number].reason == .sourceDeleted {
                    if entry.reason == .sourceDeleted {
                        entry.coalesced += session.outbox[number].coalesced
                        entry.old = session.outbox[number].old
                        session.outbox.drop(number)
                    } else {
                        entry.deletion = number
                    }
                } else {
                    let tree = tree(of: id)
                    let node = tree.reader.observer(registry.attachments[id].observer).node
                    finalize(number, with: tree.currentValue(of: node), in: session)
                }
            }
            session.outbox.append(newest: entry)
        }
        startQueueing(session)
    }

    /// Shows a change below the attachment's path in its delayed event.
    ///
    /// - Returns: false, with nothing done, if there is none.
    func willShow(_ id: AttachmentID, in session: Session) -> Bool {
        guard let place = delayedPlace(of: id, in: session) else { return false }
        place.delayed?.revision = revision
        return true
    }

    /// The place of the attachment's path, if an event of it is delayed.
    private func delayedPlace(of id: AttachmentID, in session: Session) -> PacedPath? {
        guard registry.attachments[id].flags.contains(.paced), let pacer = pacer(of: id, in: session),
            let place = pacer.knownPlace(of: id), place.delayed != nil
        else { return nil }
        return place
    }

    /// Whether the entry is of a removal, and a later value of its path is delayed.
    func hasDelayed(after entry: OutboxEntry, in session: Session) -> Bool {
        entry.reason == .sourceDeleted && entry.attachment != .noRecord
            && delayedPlace(of: entry.attachment, in: session) != nil
    }
}
