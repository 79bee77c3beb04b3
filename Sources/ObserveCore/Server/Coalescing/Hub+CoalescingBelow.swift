// SPDX-License-Identifier: MIT
// Slow clients with `P.**`: changes below P coalesce by their own paths. Each entry has the value after its last
// change, so that mirrors are exact.

extension Hub {
    /// Coalesces the change with the waiting entry of the same path below the attachment's.
    ///
    /// - Parameter isOwn: the client made the change itself: only an entry that waits already shows it.
    func coalesceBelow(
        _ change: borrowing PathChange,
        for observer: ObserverRecord,
        _ session: Session,
        isOwn: Bool = false
    ) {
        guard let suffix = change.suffix else { return }
        let id = observer.attachment
        if showInInitial(of: id, session) { return }
        let tree = tree(of: id)
        let waiting = session.outbox.waitingBelow(id)
        let place = waiting.place(suffix.view)
        if isOwn, change.edit != nil {
            // A mirror applies the edit to the value before it, so the entries below must stay.
            for number in place.popBelow() { finalizeBelow(number, in: session) }
        } else if change.edit != nil || change.old.isContainer || change.new.isContainer {
            discard(below: place, in: session)
        }
        var entry = makeEntry(of: id)
        entry.reason = .valueChanged
        if session.outbox.canCoalesce(place.entry) {
            let coalesced = session.outbox[place.entry]
            entry.coalesced = coalesced.coalesced
            entry.old = coalesced.old
            entry.wasAbsent = coalesced.wasAbsent
            session.outbox.drop(place.entry)
        } else {
            finalizeBelow(place.entry, in: session)
            if isOwn { return waiting.clear(suffix.view) }
            let old = tree.oldValue(of: change)
            entry.old = rendered(old, in: tree)
            entry.wasAbsent = old.isAbsent
        }
        place.entry = -1
        if entry.wasAbsent, change.new.isAbsent {
            refreshMirrors(from: observer.node, for: observer, in: session)
            return waiting.clear(suffix.view)
        }
        // Copied, since the tree reuses its buffer.
        entry.suffix = suffix.copy
        entry.new = rendered(change.new, in: tree)
        entry.revision = revision
        if observer.options.contains(.origin) { entry.origin = origin(of: change.cause) }
        if !isOwn { entry.coalesced += 1 }
        place.entry = session.outbox.append(entry)
        compactIfWanted(session)
    }

    /// Shows a change below the attachment's path in its initial event, if that still waits. Unless an answer
    /// stands behind it, the initial event becomes the newest.
    ///
    /// - Returns: false, with nothing done, if the change needs an event of its own.
    func showInInitial(of id: AttachmentID, _ session: Session) -> Bool {
        let number = session.outbox.newest(of: id)
        guard session.outbox.isWaiting(number), session.outbox[number].attachment == id,
            session.outbox[number].reason == .initial
        else { return false }
        guard session.outbox.canCoalesce(number) else {
            // Behind it, an event of another pattern may show the value before the change.
            return !registry.isOverlapped(tree(of: id).reader.observer(registry.attachments[id].observer))
        }
        var entry = session.outbox[number]
        session.outbox.drop(number)
        entry.nilAt = .noRecord
        entry.revision = revision
        session.outbox.append(newest: entry)
        startQueueing(session)
        compactIfWanted(session)
        return true
    }

    /// Discards the entries at and below the attachment's path: a new value covers them.
    func discard(of id: AttachmentID, in session: Session) {
        guard let waiting = session.outbox.below.removeValue(forKey: id) else { return }
        discard(waiting.entry, in: session)
        discard(below: waiting, in: session)
    }

    func discard(below place: WaitingBelow, in session: Session) {
        for number in place.popBelow() { discard(number, in: session) }
    }

    /// Drops the entry, or makes it final if an answer stands behind it.
    private func discard(_ number: Int, in session: Session) {
        if session.outbox.canCoalesce(number) {
            session.outbox.drop(number)
        } else {
            finalizeBelow(number, in: session)
        }
    }

    /// Removes an entry whose turn has come from its place, so that no change coalesces with it.
    func leave(_ entry: OutboxEntry, in session: Session) {
        guard let suffix = entry.suffix else { return }
        session.outbox.below[entry.attachment]?.clear(suffix.view)
    }

    /// Writes the event of a path below the attachment's, unless the client saw the same value last.
    ///
    /// - Parameter isOpen: whether to leave out the event's end, which the caller appends later.
    func writeBelow(
        _ entry: OutboxEntry,
        in session: Session,
        to out: ByteBuffer,
        isOpen: Bool = false
    ) {
        guard let suffix = entry.suffix else { return }
        let tree = tree(of: entry.attachment)
        let observer = tree.reader.observer(registry.attachments[entry.attachment].observer)
        if isSeenBelow(entry) { return }
        count(entry, of: registry.attachments[entry.attachment])
        let change = PathChange(
            node: observer.node,
            reason: entry.reason,
            old: .absent,
            new: .absent,
            suffix: suffix,
            differs: true
        )
        appendHead(of: registry.attachments[entry.attachment], to: out)
        tree.encode(
            change,
            revision: isOpen ? nil : entry.revision,
            .init(
                withOld: observer.options.contains(.old),
                renderedOld: entry.old,
                renderedNew: entry.new,
                origin: entry.origin,
                coalesced: entry.coalesced,
                hasMore: entry.hasMore
            ),
            to: out
        )
    }

    /// Whether the client saw the entry's value last, so that it needs no event. False for a model, even if it renders
    /// the same: the entry may have discarded changes inside it.
    func isSeenBelow(_ entry: OutboxEntry) -> Bool {
        let observer = tree(of: entry.attachment).reader.observer(
            registry.attachments[entry.attachment].observer
        )
        guard observer.options.contains(.distinct), !registry.isOverlapped(observer),
            let old = entry.old?.view, let new = entry.new?.view
        else { return false }
        return !old.isEmpty && old == new && !(0..<new.count).contains { new[$0] == 0x7B }
    }

    /// Makes the entries below an attachment final, when its subscription ends or its path no longer matches.
    func finalizeBelow(_ id: AttachmentID, in session: Session) {
        guard let waiting = session.outbox.below.removeValue(forKey: id) else { return }
        finalizeBelow(waiting.entry, in: session)
        for number in waiting.popBelow() { finalizeBelow(number, in: session) }
    }

    func finalizeBelow(_ number: Int, in session: Session) {
        guard session.outbox.isWaiting(number) else { return }
        let lines = ByteBuffer()
        let entry = session.outbox[number]
        writeBelow(entry, in: session, to: lines, isOpen: entry.subscription != 0)
        session.outbox.finalize(number, as: lines)
    }

    // MARK: Overlapping patterns

    /// Queues another event for the deeply observed paths above, if patterns overlap. A value came and went without
    /// an event of its own, but an event of a path above may show it.
    func refreshMirrors(from node: NodeID, for observer: ObserverRecord, in session: Session) {
        guard registry.isOverlapped(observer) else { return }
        let tree = tree(of: observer.attachment)
        var above = node
        while above != tree.reader.rootNode {
            var id = tree.reader.firstObserver(at: above)
            while id != .noRecord {
                let record = tree.reader.observer(id)
                if record.group == observer.group, record.options.contains(.deep) {
                    refresh(record, in: session)
                }
                id = record.next
            }
            above = tree.reader.parent(of: above)
        }
    }

    private func refresh(_ observer: ObserverRecord, in session: Session) {
        let id = observer.attachment
        if showInInitial(of: id, session) || willShow(id, in: session) { return }
        let tree = tree(of: id)
        let number = session.outbox.newest(of: id)
        var entry = makeEntry(of: id)
        entry.reason = .valueChanged
        entry.coalesced = 1
        if session.outbox.isWaiting(number), session.outbox[number].attachment == id {
            if session.outbox.canCoalesce(number), session.outbox[number].reason != .sourceDeleted {
                entry = session.outbox[number]
                session.outbox.drop(number)
            } else {
                finalize(number, with: tree.currentValue(of: observer.node), in: session)
            }
        }
        if entry.old == nil, observer.options.contains(.old) {
            entry.old = rendered(tree.currentValue(of: observer.node), in: tree)
        }
        entry.new = rendered(tree.currentValue(of: observer.node), in: tree)
        entry.revision = revision
        session.delivery.lastRevision = revision
        if observer.options.contains(.origin) { entry.origin = origin(of: .consequence) }
        session.outbox.append(newest: entry)
    }

    // MARK: One event per path

    /// Whether a deep observer gets a change below its path. It does not if another pattern of its subscription
    /// reports the same path.
    func isWantedBelow(_ change: borrowing PathChange, in tree: ModelTree, _ observer: ObserverRecord) -> Bool
    {
        guard observer.options.contains(.deep), let suffix = change.suffix else { return false }
        guard registry.compounds[CompoundID(observer.group)].hasSeveral else { return true }
        let path = ByteBuffer()
        path.append(tree.reader.path(of: change.node))
        let start = path.count
        path.append(suffix.view)
        var end = start
        while end < path.count {
            end = path.view.endOfComponent(from: end + 1)
            guard let node = tree.visitedNode(path.view.prefix(end)) else { continue }
            if isObserved(node, in: tree, by: observer.group, deepOnly: end < path.count) { return false }
        }
        return true
    }

    private func isObserved(_ node: NodeID, in tree: ModelTree, by group: Int32, deepOnly: Bool) -> Bool {
        var id = tree.reader.firstObserver(at: node)
        while id != .noRecord {
            let observer = tree.reader.observer(id)
            if observer.group == group, !deepOnly || observer.options.contains(.deep) { return true }
            id = observer.next
        }
        return false
    }
}
