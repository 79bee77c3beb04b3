// SPDX-License-Identifier: MIT
// Slow clients: changes wait in a session's outbox, coalesce by path, and are rendered when their turn comes.

extension Hub {
    /// Puts a change into the session's outbox.
    func queue(_ change: borrowing PathChange, for observer: ObserverRecord, _ session: Session) {
        sessions.turns.count(Turns.queuedEvent)
        noteWaiting(observer.attachment, session)
        if registry.attachments[observer.attachment].flags.contains(.every) {
            queueLines(change, for: observer, session)
            checkOverflow(session)
        } else if change.suffix != nil {
            coalesceBelow(change, for: observer, session)
        } else {
            if observer.options.contains(.deep) { discard(of: observer.attachment, in: session) }
            coalesce(change, for: observer, session)
        }
        startQueueing(session)
        account(session)
    }

    func startQueueing(_ session: Session) {
        session.delivery.isQueueing = true
        beginOutput(of: session)
    }

    /// Queues the lines of a change that must not coalesce. If the initial event still waits and may coalesce, it
    /// shows the change instead.
    private func queueLines(_ change: borrowing PathChange, for observer: ObserverRecord, _ session: Session)
    {
        if change.suffix != nil, showInInitial(of: observer.attachment, session) { return }
        let entry = session.outbox.newest(of: observer.attachment)
        if change.suffix == nil, session.outbox.isWaiting(entry),
            session.outbox[entry].attachment != .noRecord
        {
            if session.outbox.canCoalesce(entry), change.reason != .sourceDeleted {
                return coalesce(change, for: observer, session)
            }
            finalize(entry, with: tree(of: observer.attachment).oldValue(of: change), in: session)
        }
        let tree = tree(of: observer.attachment)
        let lines = ByteBuffer()
        if observer.options.contains(.prior) { appendPrior(change, in: tree, for: observer, to: lines) }
        appendHead(of: registry.attachments[observer.attachment], to: lines)
        let (withOld, withOrigin) = (observer.options.contains(.old), observer.options.contains(.origin))
        let origin = withOrigin ? origin(of: change.cause) : nil
        count(eventOf: observer.attachment)
        let extras = ModelTree.EventExtras(withOld: withOld, origin: origin)
        let number = registry.frameNumber(of: observer.attachment)
        if number != 0, session.outbox.lastInFrame(of: number) != nil {
            tree.encode(change, revision: nil, extras, to: lines)
            session.outbox.append(lines, of: number, at: revision)
        } else {
            tree.encode(change, revision: revision, extras, to: lines)
            let queued = session.outbox.append(lines: lines.view)
            if number != 0 {
                noteFramed(registry.attachments[observer.attachment].compound, queued: queued, session)
            }
        }
    }

    /// Coalesces the change with the waiting entry of the same path, and puts the result at the end.
    ///
    /// - Parameter isOwn: the client made the change itself, so it does not count.
    func coalesce(
        _ change: borrowing PathChange,
        for observer: ObserverRecord,
        _ session: Session,
        isOwn: Bool = false
    ) {
        let id = observer.attachment
        let tree = tree(of: id)
        var entry = makeEntry(of: id)
        entry.reason = change.reason
        let number = session.outbox.newest(of: id)
        if session.outbox.isWaiting(number), session.outbox[number].attachment == id {
            join(number, change, in: session, &entry)
        } else {
            entry.seen = seen(tree.oldValue(of: change), in: tree)
        }
        if observer.options.contains(.deep) { entry.forgetSeenModels() }
        if entry.old == nil, observer.options.contains(.old), entry.reason != .initial {
            entry.old = rendered(tree.oldValue(of: change), in: tree)
        }
        if change.reason == .pathChanged { entry.changedAt = change.changedAt }
        if observer.options.contains(.deep) || registry.isOverlapped(observer) {
            entry.new = rendered(change.new, in: tree)
        }
        entry.nilAt = change.nilAt
        entry.revision = revision
        if observer.options.contains(.origin) { entry.origin = origin(of: change.cause) }
        if !isOwn { entry.coalesced += 1 }
        session.outbox.append(newest: entry)
        compactIfWanted(session)
    }

    /// Sends no event for the client's own change. If an entry waits for the same path, it shows the new value, or
    /// becomes final. Otherwise the client could take an older value for the newer one.
    func passOver(_ change: borrowing PathChange, for observer: ObserverRecord, _ session: Session) {
        guard session.delivery.isQueueing else { return }
        session.delivery.lastRevision = revision
        let id = observer.attachment
        if mayTakeBack(change, from: observer) { noteWaiting(id, session) }
        if change.suffix != nil { return coalesceBelow(change, for: observer, session, isOwn: true) }
        if observer.options.contains(.deep) {
            // A mirror applies an edit to the value before it.
            if change.edit == nil { discard(of: id, in: session) } else { finalizeBelow(id, in: session) }
        }
        let number = session.outbox.newest(of: id)
        guard session.outbox.isWaiting(number), session.outbox[number].attachment == id else { return }
        if session.outbox.canCoalesce(number), change.reason != .sourceDeleted,
            session.outbox[number].reason != .sourceDeleted
        {
            coalesce(change, for: observer, session, isOwn: true)
        } else {
            finalize(number, with: tree.oldValue(of: change), in: session)
        }
    }

    /// Whether an own change may leave a frame without its last event. Events that do not coalesce stay. Those of a mirror
    /// stay before an edit: they name the elements by their places until then.
    private func mayTakeBack(_ change: borrowing PathChange, from observer: ObserverRecord) -> Bool {
        if registry.attachments[observer.attachment].flags.contains(.every) { return false }
        return change.edit == nil || !observer.options.contains(.deep)
    }

    /// Combines the waiting entry of the same path with the new one.
    private func join(
        _ number: Int,
        _ change: borrowing PathChange,
        in session: Session,
        _ entry: inout OutboxEntry
    ) {
        let waiting = session.outbox[number]
        let tree = tree(of: entry.attachment)
        if !session.outbox.canCoalesce(number) {
            // An answer stands between the two.
            let old = tree.oldValue(of: change)
            finalize(number, with: old, in: session)
            entry.seen = seen(old, in: tree)
        } else if change.reason == .sourceDeleted {
            if waiting.reason == .initial {
                finalize(number, with: tree.oldValue(of: change), in: session)
            } else {
                absorb(number, in: session, &entry)
            }
        } else if waiting.reason == .sourceDeleted {
            entry.deletion = number
            entry.seen = .value(.null)
        } else {
            takeOver(number, in: session, &entry)
        }
    }

    /// Replaces the waiting entry with the new one.
    private func takeOver(_ number: Int, in session: Session, _ entry: inout OutboxEntry) {
        let waiting = session.outbox[number]
        if waiting.reason != .valueChanged { entry.reason = waiting.reason }
        entry.changedAt = waiting.changedAt
        entry.coalesced = waiting.coalesced
        entry.seen = waiting.seen
        entry.old = waiting.old
        entry.deletion = waiting.deletion
        session.outbox.drop(number)
    }

    /// Drops the waiting entry of a removed root, and that of an earlier removal.
    private func absorb(_ number: Int, in session: Session, _ entry: inout OutboxEntry) {
        let waiting = session.outbox[number]
        entry.coalesced = waiting.coalesced
        entry.old = waiting.old
        if session.outbox.canCoalesce(waiting.deletion), session.outbox.isPending(waiting.deletion) {
            entry.coalesced += session.outbox[waiting.deletion].coalesced
            entry.old = session.outbox[waiting.deletion].old
            session.outbox.drop(waiting.deletion)
        }
        session.outbox.drop(number)
    }

    /// Finalizes the path's entry with its value before the change. After a `goodbye`, no change is added.
    func finalizeEntry(_ id: AttachmentID, before change: borrowing PathChange, in session: Session) {
        let number = session.outbox.newest(of: id)
        guard session.outbox.isWaiting(number), session.outbox[number].attachment == id else { return }
        if change.suffix == nil {
            finalize(number, with: tree(of: id).oldValue(of: change), in: session)
        } else if session.outbox[number].reason == .initial {
            // The first value of a mirror will show changes below it, but its revision stays: the frame has no end, also if
            // later events follow.
            session.outbox[number].hasMore = true
            session.outbox.cutFrame(of: session.outbox[number].subscription)
        }
    }

    /// Renders a waiting entry with the value that it stands for, while that is still known. First finalizes the
    /// removal that it follows.
    func finalize(_ number: Int, with value: StoredValue, in session: Session) {
        let deletion = session.outbox[number].deletion
        if session.outbox.isPending(deletion) { finalize(deletion, with: .absent, in: session) }
        let lines = ByteBuffer()
        let entry = session.outbox[number]
        let isOpen = entry.subscription != 0
        write(entry, value, to: lines, isOpen: isOpen)
        if isOpen, !lines.isEmpty { count(entry, of: registry.attachments[entry.attachment]) }
        session.outbox.finalize(number, as: lines)
    }

    func compactIfWanted(_ session: Session) {
        guard session.outbox.wantsCompaction else { return }
        session.outbox.compact()
    }

    /// Finalizes the entries of these attachments: events of earlier commits precede the answer to `unsubscribe`.
    func finalizeEntries(from first: AttachmentID, in session: Session) {
        guard session.hasOutbox else { return }
        var id = first
        while id != .noRecord {
            finalizeEntry(of: id, in: session)
            id = registry.attachments[id].next
        }
    }

    /// Finalizes the entry of a path that no longer matches. Drops it if its value came and went unseen.
    func forgetEntry(of id: AttachmentID, in session: Session) {
        noteWaiting(id, session)
        let number = session.outbox.newest(of: id)
        let tree = tree(of: id)
        let observer = tree.reader.observer(registry.attachments[id].observer)
        if registry.isOverlapped(observer), session.outbox.canCoalesce(number),
            session.outbox[number].attachment == id,
            session.outbox[number].reason != .sourceDeleted, session.outbox[number].reason != .initial,
            tree.currentValue(of: observer.node).isAbsent, let seen = session.outbox[number].seen,
            isSame(seen, .absent, in: tree)
        {
            let deletion = session.outbox[number].deletion
            if session.outbox.isPending(deletion) { finalize(deletion, with: .absent, in: session) }
            session.outbox.drop(number)
            refreshMirrors(from: tree.reader.parent(of: observer.node), for: observer, in: session)
        }
        finalizeEntry(of: id, in: session)
    }

    func finalizeEntry(of id: AttachmentID, in session: Session) {
        let number = session.outbox.newest(of: id)
        if session.outbox.isWaiting(number), session.outbox[number].attachment == id {
            let tree = tree(of: id)
            let node = tree.reader.observer(registry.attachments[id].observer).node
            finalize(number, with: tree.currentValue(of: node), in: session)
        }
        finalizeBelow(id, in: session)
    }

    // MARK: Writing

    /// Moves entries from the outbox to the output, while the output is short.
    func refill(_ session: Session) {
        let out = output(of: session)
        let start = out.count
        defer { sessions.turns.count(max(0, out.count - start) >> 6) }
        var isFirst = true
        while out.count <= limits.foldAfterBytes, isFirst || !isRoundOver {
            isFirst = false
            defer { countTreeWork() }
            guard let entry = session.outbox.popFirst() else {
                session.delivery.isQueueing = false
                return
            }
            if entry.subscription == 0 {
                write(entry, in: session, to: out)
            } else {
                writeInFrame(entry, in: session, to: out)
            }
        }
    }

    /// Writes an entry that has left the outbox.
    func write(_ entry: OutboxEntry, in session: Session, to out: ByteBuffer) {
        if let lines = entry.lines {
            out.append(lines.view)
            if entry.subscription != 0 {
                out.appendEventEnd(
                    revision: entry.revision,
                    coalesced: entry.coalesced,
                    hasMore: entry.hasMore
                )
            }
        } else if entry.suffix != nil {
            leave(entry, in: session)
            writeBelow(entry, in: session, to: out)
        } else if entry.attachment != .noRecord {
            assert(
                registry.attachments[entry.attachment].session === session,
                "an event waits for a path that no longer matches"
            )
            write(entry, currentValue(of: entry), to: out)
        }
    }

    func currentValue(of entry: OutboxEntry) -> StoredValue {
        let tree = tree(of: entry.attachment)
        return tree.currentValue(
            of: tree.reader.observer(registry.attachments[entry.attachment].observer).node
        )
    }

    /// Writes the entry's event, unless the client saw the same value last.
    ///
    /// - Parameter isOpen: whether to leave out the event's end, which the caller appends later.
    func write(_ entry: OutboxEntry, _ value: StoredValue, to out: ByteBuffer, isOpen: Bool = false) {
        let attachment = registry.attachments[entry.attachment]
        let tree = tree(of: entry.attachment)
        let observer = tree.reader.observer(attachment.observer)
        let isDeletion = entry.reason == .sourceDeleted
        let value = isDeletion ? .absent : value
        if isSeen(entry, value) { return }
        // The client gets an open event later, or never.
        if !isOpen { count(entry, of: attachment) }
        let change = PathChange(
            node: observer.node,
            reason: entry.reason,
            changedAt: entry.reason == .pathChanged ? entry.changedAt : .noRecord,
            nilAt: value.isNull ? entry.nilAt : .noRecord,
            old: .absent,
            new: value,
            differs: true
        )
        appendHead(of: attachment, to: out)
        tree.encode(
            change,
            revision: isOpen ? nil : entry.revision,
            .init(
                withOld: observer.options.contains(.old),
                renderedOld: entry.old,
                renderedNew: isDeletion || entry.reason == .initial ? nil : entry.new,
                origin: entry.reason == .initial ? nil : entry.origin,
                coalesced: entry.reason == .initial ? 1 : entry.coalesced,
                hasMore: entry.hasMore
            ),
            to: out
        )
    }

    /// Whether the client saw the entry's value last, so that it needs no event.
    func isSeen(_ entry: OutboxEntry, _ value: StoredValue) -> Bool {
        let tree = tree(of: entry.attachment)
        let observer = tree.reader.observer(registry.attachments[entry.attachment].observer)
        if entry.reason == .sourceDeleted || entry.reason == .initial { return false }
        guard observer.options.contains(.distinct), !registry.isOverlapped(observer), let seen = entry.seen
        else { return false }
        return isSame(seen, value, in: tree)
    }

    // MARK: Values that outlive their commit

    func seen(_ value: StoredValue, in tree: ModelTree) -> SeenValue {
        switch value {
        case .model(let id): .instance(tree.reader.instance(of: id))
        case .array(let array):
            value.holdsModels ? .array(array.elements.map { seen($0, in: tree) }) : .value(value)
        default: .value(value.kept)
        }
    }

    private func isSame(_ seen: SeenValue, _ value: StoredValue, in tree: ModelTree) -> Bool {
        switch seen {
        case .value(let old): old.equals(value)
        case .instance(let instance):
            value.modelID.map { tree.reader.instance(of: $0) == instance } ?? false
        case .array(let elements):
            if case .array(let array) = value {
                array.elements.count == elements.count
                    && zip(elements, array.elements).allSatisfy { isSame($0, $1, in: tree) }
            } else {
                false
            }
        }
    }

    /// The value as JSON; empty if that exceeds the limits.
    func rendered(_ value: StoredValue, in tree: ModelTree) -> ByteBuffer {
        let text = ByteBuffer()
        _ = tree.render(value, to: text)
        return text
    }
}

extension StoredValue {
    fileprivate var holdsModels: Bool {
        switch self {
        case .model: true
        case .array(let array): !array.isPlain && array.elements.contains(where: \.holdsModels)
        default: false
        }
    }
}
