// SPDX-License-Identifier: MIT
// Sends changes from the tree to the sessions that subscribed. Writes nothing to the tree.

extension Clients: ChangeSink {
    /// What the server has made for the event under way, once for all subscribers.
    struct EventParts {
        /// Where ``Broadcast/lines`` has the line for subscribers without options, as subscription 1 gets it: most
        /// subscribers have only one. Empty until the first of them.
        var withoutOptions = 0..<0
        /// One bit for each of ``Broadcast/richTails`` that has this event's text.
        var rich: UInt8 = 0
    }

    func pathChanged(_ change: borrowing PathChange, in tree: ModelTree) {
        var parts = EventParts()
        makeRoomInBroadcast()
        broadcast.copiedBytes = 0
        let first = tree.reader.firstObserver(at: change.node)
        let special =
            change.differs && change.edit == nil
            ? deliverAtOnce(change, in: tree, from: first, &parts) : first
        if special != .noRecord { deliver(change, in: tree, from: special, &parts) }
        if broadcast.copiedBytes > 4096 { sessions.turns.count(broadcast.copiedBytes >> 8) }
    }

    @inline(never)
    private func deliver(
        _ change: borrowing PathChange,
        in tree: ModelTree,
        from first: ObserverID,
        _ parts: inout EventParts
    ) {
        defer { broadcast.old = nil }
        var observer = first
        while observer != .noRecord {
            let record = tree.reader.observer(observer)
            let isWanted =
                change.differs || change.reason == .sourceDeleted || !record.options.contains(.distinct)
            if isWanted, change.suffix == nil || isWantedBelow(change, in: tree, record) {
                if change.edit != nil, isWantedWhole(change, in: tree, by: record) {
                    deliverWhole(change, in: tree, to: record)
                    parts.rich = 0
                } else if deliverAtOnce(change, in: tree, to: observer, &parts) {
                    countEvent()
                } else {
                    deliver(change, in: tree, to: record, &parts)
                }
            }
            observer = record.next
        }
    }

    /// As ``deliver(_:in:from:_:)``, until an observer needs the general path; most do not.
    ///
    /// - Returns: the first observer that needs the general path; `noRecord` if there is none.
    @inline(__always)
    private func deliverAtOnce(
        _ change: borrowing PathChange,
        in tree: ModelTree,
        from first: ObserverID,
        _ parts: inout EventParts
    ) -> ObserverID {
        var observer = first
        var sent: UInt64 = 0
        let isBelow = change.suffix != nil
        while observer != .noRecord {
            if !isBelow {
                observer = extendRanges(change, in: tree, from: observer, &parts, &sent)
                if observer == .noRecord { break }
            }
            if !isBelow || tree.reader.observer(observer).options.contains(.deep) {
                if isBelow, registry.isOverlapped(tree.reader.observer(observer)) { break }
                guard deliverAtOnce(change, in: tree, to: observer, &parts) else { break }
                sent &+= 1
            }
            observer = tree.reader.observer(observer).next
        }
        metrics.eventsSent &+= sent
        sessions.turns.count(Turns.events(sent, bytes: parts.withoutOptions.count))
        return observer
    }

    /// Sends the event to observers as long as it only extends their sessions' broadcast ranges: most events of most
    /// subscribers do.
    ///
    /// - Parameter sent: counts the events.
    /// - Returns: the first observer that needs more; `noRecord` if there is none.
    @inline(__always)
    private func extendRanges(
        _ change: borrowing PathChange,
        in tree: ModelTree,
        from first: ObserverID,
        _ parts: inout EventParts,
        _ sent: inout UInt64
    ) -> ObserverID {
        guard fastPaths.sharedDelivery else { return first }
        let limit = limits.offerAfterBytes
        var observer = first
        while observer != .noRecord {
            guard tree.reader.observer(observer).options.isSubset(of: [.distinct, .deep]) else { break }
            let attachment = tree.reader.observer(observer).attachment
            guard registry.attachments[attachment].subscription == 1 else { break }
            let isFramed = registry.attachments[attachment].flags.contains(.framed)
            let isSent = registry.attachments[attachment].withFreeSession { session in
                if parts.withoutOptions.isEmpty { makeTail(change, in: tree, &parts) }
                guard session.output.extendRange(by: parts.withoutOptions, atMost: limit) else {
                    return false
                }
                if isFramed { noteFramed(registry.attachments[attachment].compound, session) }
                return true
            }
            guard isSent else { break }
            sent &+= 1
            observer = tree.reader.observer(observer).next
        }
        return observer
    }

    /// Sends one observer its event. The caller counts it.
    ///
    /// - Returns: false, with nothing done, if it needs the general path.
    @inline(__always)
    private func deliverAtOnce(
        _ change: borrowing PathChange,
        in tree: ModelTree,
        to observer: ObserverID,
        _ parts: inout EventParts
    ) -> Bool {
        let options = tree.reader.observer(observer).options
        guard fastPaths.sharedDelivery, options.isSubset(of: [.distinct, .deep, .old]) else { return false }
        if options.contains(.old) { return deliverWithOld(change, in: tree, to: observer, &parts) }
        let attachment = tree.reader.observer(observer).attachment
        if parts.withoutOptions.isEmpty {
            // For a client that has to wait, the server renders the event later, and not each that coalesces into it.
            guard registry.attachments[attachment].withFreeSession({ _ in true }) else { return false }
            makeTail(change, in: tree, &parts)
        }
        return deliver(line: parts.withoutOptions, to: attachment)
    }

    @inline(never)
    private func deliverWithOld(
        _ change: borrowing PathChange,
        in tree: ModelTree,
        to observer: ObserverID,
        _ parts: inout EventParts
    ) -> Bool {
        let attachment = tree.reader.observer(observer).attachment
        let number = registry.attachments[attachment].subscription
        return registry.attachments[attachment].withFreeSession { session in
            let tail = richTailView(change, in: tree, .old, &parts)
            guard hasRoom(for: tail.count, in: session), !exceedsCopies(tail.count) else { return false }
            broadcast.copiedBytes &+= tail.count
            write(to: session) { out in
                out.appendChangeHead(subscription: number)
                out.append(tail)
            }
            countSent(attachment)
            noteIfFramed(attachment, session)
            return true
        }
    }

    /// Sends a line of the broadcast.
    ///
    /// - Returns: false, with nothing done, if the client has to wait.
    @inline(__always)
    private func deliver(line: Range<Int>, to attachment: AttachmentID) -> Bool {
        let number = registry.attachments[attachment].subscription
        return registry.attachments[attachment].withFreeSession { session in
            if number != 1 || !extendBroadcastRange(of: session, by: line) {
                guard copy(line, to: session, attachment) else { return false }
            }
            noteIfFramed(attachment, session)
            return true
        }
    }

    @inline(never)
    private func copy(_ line: Range<Int>, to session: Session, _ attachment: AttachmentID) -> Bool {
        let number = registry.attachments[attachment].subscription
        let line = broadcast.lines.view.slice(line)
        guard hasRoom(for: line.count, in: session), !exceedsCopies(line.count) else { return false }
        broadcast.copiedBytes &+= line.count
        write(to: session) { out in
            if number == 1 { return out.append(line) }
            out.appendChangeHead(subscription: number)
            out.append(line.dropFirst(ByteBuffer.firstChangeHeadCount))
        }
        countSent(attachment)
        return true
    }

    private func deliver(
        _ change: borrowing PathChange,
        in tree: ModelTree,
        to observer: ObserverRecord,
        _ parts: inout EventParts
    ) {
        let attachment = registry.attachments[observer.attachment]
        guard let session = attachment.session else { return }
        if attachment.flags.contains(.delayed) { return }
        if session.hasLeft { return }
        if session.delivery.isOver { return cutFrame(of: observer.attachment, in: session) }
        if attachment.flags.contains(.framed), !hasRoom(for: 0, in: session), !isInFrame(session) {
            offer(session)
        }
        let isOwn = observer.options.contains(.othersOnly) && isOwn(change, of: session, observer.options)
        switch decision(change, in: tree, for: observer, session, isOwn: isOwn) {
        case .now: send(change, in: tree, to: observer, session, &parts)
        case .whole:
            var wholeParts = EventParts()
            send(whole(change, in: tree), in: tree, to: observer, session, &wholeParts)
            parts.rich = 0
        case .later: break
        }
    }

    @inline(__always)
    private func send(
        _ change: borrowing PathChange,
        in tree: ModelTree,
        to observer: ObserverRecord,
        _ session: Session,
        _ parts: inout EventParts
    ) {
        let attachment = registry.attachments[observer.attachment]
        let tail = tailView(change, in: tree, observer.options, &parts)
        if exceedsCopies(tail.count), mayWait(attachment), !observer.options.contains(.prior) {
            return mark(change, in: tree, for: observer, session)
        }
        count(eventOf: observer.attachment)
        let out = output(of: session)
        if observer.options.contains(.prior) { appendPrior(change, in: tree, for: observer, to: out) }
        appendHead(of: attachment, to: out)
        out.append(tail)
        broadcast.copiedBytes &+= tail.count
        noteIfFramed(observer.attachment, session)
        if !hasRoom(for: 0, in: session) { relieve(session, attachment) }
    }

    /// Sends an array's edit as a new value. Another pattern of the subscription may send the array's elements as
    /// well, and a mirror would then have them twice.
    private func deliverWhole(
        _ change: borrowing PathChange,
        in tree: ModelTree,
        to observer: ObserverRecord
    ) {
        var parts = EventParts()
        deliver(whole(change, in: tree), in: tree, to: observer, &parts)
    }

    /// Whether the observer gets an array's edit as a new value.
    func isWantedWhole(_ change: borrowing PathChange, in tree: ModelTree, by observer: ObserverRecord)
        -> Bool
    {
        if registry.attachments[observer.attachment].flags.contains(.whole) { return true }
        return registry.isOverlapped(observer) && registry.isOverlapped(observer, at: tree.path(of: change))
    }

    func whole(_ change: borrowing PathChange, in tree: ModelTree) -> PathChange {
        PathChange(
            node: change.node,
            reason: change.reason,
            changedAt: change.changedAt,
            nilAt: change.nilAt,
            old: tree.oldValue(of: change),
            new: change.new,
            suffix: change.suffix,
            differs: change.differs,
            cause: change.cause
        )
    }

    /// The event's text behind the subscription's number, rendered once for all subscribers with the same options.
    @inline(__always)
    private func tailView(
        _ change: borrowing PathChange,
        in tree: ModelTree,
        _ options: ObservingOptions,
        _ parts: inout EventParts
    ) -> ByteView {
        if !options.isDisjoint(with: [.old, .origin]) {
            return richTailView(change, in: tree, options, &parts)
        }
        makeTail(change, in: tree, &parts)
        return broadcast.lines.view.slice(parts.withoutOptions).dropFirst(ByteBuffer.firstChangeHeadCount)
    }

    @inline(never)
    private func makeTail(_ change: borrowing PathChange, in tree: ModelTree, _ parts: inout EventParts) {
        guard parts.withoutOptions.isEmpty else { return }
        broadcast.revisionText.show(revision)
        // Without a reference count.
        unsafe Unmanaged.passUnretained(broadcast.lines)._withUnsafeGuaranteedRef { lines in
            let start = lines.count
            if !tree.encode(scalars: change, broadcast.revisionText, isLine: true, withOld: false, to: lines)
            {
                lines.appendChangeHead(subscription: 1)
                tree.encode(change, revision: revision, .init(), to: lines)
            }
            parts.withoutOptions = start..<lines.count
        }
        sessions.turns.count(parts.withoutOptions.count >> 6)
    }

    private func richTailView(
        _ change: borrowing PathChange,
        in tree: ModelTree,
        _ options: ObservingOptions,
        _ parts: inout EventParts
    ) -> ByteView {
        let (withOld, withOrigin) = (options.contains(.old), options.contains(.origin))
        let index = (withOld ? 1 : 0) + (withOrigin ? 2 : 0) - 1
        let text = broadcast.richTails[index]
        if parts.rich & 1 << index == 0 {
            parts.rich |= 1 << index
            text.removeAll()
            if !withOrigin {
                broadcast.revisionText.show(revision)
                if tree.encode(
                    scalars: change,
                    broadcast.revisionText,
                    isLine: false,
                    withOld: true,
                    to: text
                ) {
                    return text.view
                }
            }
            let origin = withOrigin ? origin(of: change.cause) : nil
            tree.encode(change, revision: revision, .init(withOld: withOld, origin: origin), to: text)
        }
        return text.view
    }
}
