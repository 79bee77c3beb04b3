// SPDX-License-Identifier: MIT
// Initial events: at once, or from the outbox of a slow client. Independent of how later changes coalesce.

extension Hub {
    /// Sends the attachment's initial event; queues it for a slow client.
    func sendInitial(_ id: AttachmentID, to session: Session) {
        let tree = tree(of: id)
        let node = tree.reader.observer(registry.attachments[id].observer).node
        if !session.delivery.isQueueing, session.waitingBytes > limits.foldAfterBytes,
            !session.delivery.isBlocked, !isInFrame(session)
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
