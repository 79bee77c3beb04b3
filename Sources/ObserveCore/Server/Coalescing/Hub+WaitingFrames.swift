// SPDX-License-Identifier: MIT
// Slow clients with subscriptions of several paths: their waiting events leave in frames. Independent of how events
// coalesce.
//
// The entries of one subscription between two answers are one frame. Once the client reads, they become final together, and
// all but the last get `"more": true`. If a value has returned to the one that the client saw last, it needs no event. Then
// the frame's last event moves to the revision of that change: only there, all paths are as reported.

extension Hub {
    /// Ends the moment, and with it the frames of all subscriptions.
    @inline(__always)
    func endMoment() {
        guard frames.isOpen else { return }
        if !frames.isComplete { completeFrames() }
        frames.beginMoment()
        assert(frames.isIdle)
    }

    @inline(never)
    private func completeFrames() {
        while let (session, subscription) = frames.popWaiting() { completeWaiting(subscription, of: session) }
        frames.completeContinued()
    }

    func changesEnded(in tree: ModelTree) { endMoment() }

    /// An entry for a change of the attachment's path.
    func makeEntry(of id: AttachmentID) -> OutboxEntry {
        var entry = OutboxEntry(attachment: id)
        entry.subscription = registry.frameNumber(of: id)
        return entry
    }

    /// Notes that a change of the attachment's path waits in the outbox, or that it needs no event.
    func noteWaiting(_ id: AttachmentID, _ session: Session) {
        let attachment = registry.attachments[id]
        guard attachment.flags.contains(.framed),
            registry.compounds[attachment.compound].waitingMoment != frames.moment
        else { return }
        registry.compounds[attachment.compound].waitingMoment = frames.moment
        frames.noteWaiting(attachment.subscription, of: session)
    }

    /// At the end of a moment: takes entries that need no event out of the frame. If no other of the moment is left, moves
    /// the frame's last entry to the present revision.
    func completeWaiting(_ subscription: Int32, of session: Session) {
        var needed: [Int] = []
        var isCut = false
        while let number = session.outbox.lastInFrame(of: subscription),
            session.outbox[number].revision == revision
        {
            isCut = isCut || session.outbox[number].hasMore
            if isNeeded(session.outbox[number]) {
                needed.append(number)
            } else {
                session.outbox.leaveFrame(number)
            }
            session.outbox.removeLastInFrame(of: subscription)
        }
        for number in needed.reversed() { session.outbox.restoreInFrame(number, of: subscription) }
        // Behind a `goodbye` of this moment, the frame lacks the changes that followed.
        if isCut || session.delivery.closing != nil {
            return session.outbox.cutFrame(of: subscription)
        }
        guard needed.isEmpty, let last = session.outbox.lastInFrame(of: subscription),
            !hasDelayed(after: session.outbox[last], in: session)
        else { return }
        session.delivery.lastRevision = revision
        session.outbox.move(last, to: revision, nilAt: brokenAncestor(of: session.outbox[last]))
        startQueueing(session)
        compactIfWanted(session)
    }

    /// Whether the client has yet to see the entry's value.
    func isNeeded(_ entry: OutboxEntry) -> Bool {
        if entry.lines != nil { return true }
        return entry.suffix == nil ? !isSeen(entry, currentValue(of: entry)) : !isSeenBelow(entry)
    }

    private func brokenAncestor(of entry: OutboxEntry) -> NodeID {
        guard entry.attachment != .noRecord, entry.suffix == nil else { return .noRecord }
        let tree = tree(of: entry.attachment)
        return tree.brokenAncestor(
            of: tree.reader.observer(registry.attachments[entry.attachment].observer).node
        )
    }

    /// Notes that `goodbye` came between two events of a frame.
    func cutFrame(of id: AttachmentID, in session: Session) {
        let attachment = registry.attachments[id]
        guard attachment.flags.contains(.framed) else { return }
        cutFrame(of: attachment.compound, attachment.subscription, in: session)
    }

    /// Likewise, by the number of the frame's subscription.
    func cutFrame(of compound: CompoundID, _ subscription: Int32, in session: Session) {
        guard !continueFrame(of: compound, session),
            let last = session.outbox.lastInFrame(of: subscription),
            session.outbox[last].revision == revision
        else { return }
        session.outbox.cutFrame(of: subscription)
    }

    // MARK: Writing

    /// Writes an entry of a frame, which has left the outbox.
    func writeInFrame(_ entry: OutboxEntry, in session: Session, to out: ByteBuffer) {
        var entry = entry
        if let next = session.outbox.nextInFrame(of: entry) {
            // An initial event is sent in any case, so it may wait.
            let mayWait = session.outbox[next].reason == .initial && session.outbox[next].lines == nil
            if mayWait || finalizeFrame(of: entry, in: session) { entry.hasMore = true }
        } else if hasPendingInitial(entry.subscription, of: session) {
            entry.hasMore = true
        }
        write(entry, in: session, to: out)
    }

    /// Makes the frame's other entries final: otherwise values could return to those that the client saw, and the frame
    /// would have no last event.
    ///
    /// - Returns: whether an event follows, or would without the `goodbye`.
    private func finalizeFrame(of entry: OutboxEntry, in session: Session) -> Bool {
        var last: Int?
        var isCut = hasPendingInitial(entry.subscription, of: session)
        while let number = session.outbox.nextInFrame(of: entry) {
            let waiting = session.outbox[number]
            isCut = isCut || waiting.hasMore
            if waiting.lines == nil {
                leave(waiting, in: session)
                if waiting.suffix == nil {
                    finalize(number, with: currentValue(of: waiting), in: session)
                } else {
                    finalizeBelow(number, in: session)
                }
            }
            session.outbox.removeFirstInFrame(of: entry.subscription)
            guard !session.outbox[number].isGone else { continue }
            if let last { session.outbox.end(last, hasMore: true) }
            last = number
        }
        if let last { session.outbox.end(last, hasMore: isCut) }
        return isCut || last != nil
    }
}
