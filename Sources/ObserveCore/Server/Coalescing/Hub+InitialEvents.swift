// SPDX-License-Identifier: MIT
// Initial events: at once, or from the outbox of a slow client. Independent of how later changes coalesce.

extension Hub {
    /// Sends the initial events of the subscriptions that the answer told of, until the client's turn is over. The others
    /// follow in its next turns. Until then their paths get no other events, and the frames have no end.
    func sendInitial(of attachments: [AttachmentID], from first: Int, to session: Session) {
        for index in first..<attachments.count {
            let id = attachments[index]
            guard registry.attachments[id].session === session,
                registry.attachments[id].flags.contains(.delayed)
            else { continue }
            if index > first, isTurnOver {
                return sessions.suspend(SuspendedLine(attachments, from: index), of: session)
            }
            sendInitial(id, to: session)
            // Also an event that has become short, since its value is too large.
            countTreeWork()
        }
    }

    /// Sends the initial event of a path that ceases to match before its turn: the answer has counted it.
    func sendPendingInitial(_ id: AttachmentID, to session: Session) {
        let compound = registry.attachments[id].compound
        guard compound != .noRecord, registry.compounds[compound].pendingInitial > 0,
            session.delivery.closing == nil
        else { return }
        guard sessions.suspendedLine(of: session)?.hasAnswered == true else {
            registry.compounds[compound].pendingInitial -= 1
            return
        }
        sendInitial(id, to: session, mayFlush: false)
    }

    /// Sends the attachment's initial event; queues it for a slow client.
    ///
    /// - Parameter mayFlush: false during a commit.
    func sendInitial(_ id: AttachmentID, to session: Session, mayFlush: Bool = true) {
        registry.attachments[id].flags.remove(.delayed)
        session.delivery.lastRevision = revision
        let compound = registry.attachments[id].compound
        if compound != .noRecord, registry.compounds[compound].pendingInitial > 0 {
            registry.compounds[compound].pendingInitial -= 1
        }
        let tree = tree(of: id)
        let node = tree.reader.observer(registry.attachments[id].observer).node
        if !session.delivery.isQueueing, session.waitingBytes > limits.foldAfterBytes,
            !session.delivery.isBlocked, !isInFrame(session), mayFlush
        {
            session.transport?.flush(session)
        }
        guard session.delivery.isQueueing || session.waitingBytes > limits.foldAfterBytes else {
            let change = PathChange(
                node: node,
                reason: .initial,
                nilAt: tree.brokenAncestor(of: node),
                old: .absent,
                new: tree.currentValue(of: node),
                differs: true
            )
            let out = output(of: session)
            count(eventOf: id)
            if registry.attachments[id].flags.contains(.paced) {
                noteInitial(id, node: node, in: tree, session)
            }
            appendHead(of: registry.attachments[id], to: out)
            tree.encode(change, revision: revision, .init(), to: out)
            noteIfFramed(id, session)
            return
        }
        // An initial event is always sent, so the frame may continue in the outbox.
        if registry.attachments[id].flags.contains(.framed) {
            continueFrame(of: registry.attachments[id].compound, session)
        }
        var entry = makeEntry(of: id)
        entry.nilAt = tree.brokenAncestor(of: node)
        entry.revision = revision
        if registry.attachments[id].flags.contains(.paced) { noteInitial(id, node: node, in: tree, session) }
        sessions.turns.count(Turns.queuedEvent)
        session.outbox.append(newest: entry)
        let observer = tree.reader.observer(registry.attachments[id].observer)
        if observer.options.contains(.deep) || registry.isOverlapped(observer) {
            session.outbox.initialMirrors.append(id)
        }
        startQueueing(session)
    }

    /// Keeps later changes from coalescing across an answer. A waiting initial event of a mirror becomes final: behind the
    /// answer, it could show changes below its path that come after its revision.
    func raiseBarrier(in session: Session) {
        for id in session.outbox.initialMirrors {
            let number = session.outbox.newest(of: id)
            if session.outbox.isPending(number), session.outbox[number].reason == .initial {
                finalize(number, with: currentValue(of: session.outbox[number]), in: session)
            }
        }
        session.outbox.initialMirrors = []
        session.outbox.raiseBarrier()
    }
}
