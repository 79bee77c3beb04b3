// SPDX-License-Identifier: MIT
// Sends changes of the tree to the sessions that subscribed. Most events take the fast paths of `Clients+DeliveringAtOnce`.

extension Clients: ChangeSink {
    func pathChanged(_ change: borrowing PathChange) { pathChanged(change, in: tree) }

    @inline(__always) func pathChanged(_ change: borrowing PathChange, in tree: ModelTree) {
        var parts = Broadcast.EventParts()
        makeRoomInBroadcast()
        broadcast.copiedBytes = 0
        let first = tree.reader.firstObserver(at: change.node)
        let special =
            change.differs && change.edit == nil
            ? deliverAtOnce(change, in: tree, from: first, &parts) : first
        if special != .noRecord { deliver(change, in: tree, from: special, &parts) }
        if broadcast.copiedBytes > 4096 { count(work: broadcast.copiedBytes >> 7) }
    }

    @inline(never) private func deliver(
        _ change: borrowing PathChange,
        in tree: ModelTree,
        from first: ObserverID,
        _ parts: inout Broadcast.EventParts
    ) {
        defer { broadcast.old = nil }
        var observer = first
        while observer != .noRecord {
            let record = tree.reader.observer(observer)
            if isWanted(change, in: tree, by: record) {
                if isWantedWhole(change, in: tree, by: record) {
                    // Another pattern of the subscription may send the array's elements as well, and a mirror would then
                    // have them twice.
                    var wholeParts = Broadcast.EventParts()
                    deliver(whole(change, in: tree), in: tree, to: record, &wholeParts)
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

    private func deliver(
        _ change: borrowing PathChange,
        in tree: ModelTree,
        to observer: ObserverRecord,
        _ parts: inout Broadcast.EventParts
    ) {
        let attachment = registry.attachments[observer.attachment]
        guard let session = attachment.session else { return }
        if attachment.flags.contains(.delayed) { return }
        if session.input.hasLeft { return }
        if session.delivery.isOver { return cutFrame(of: observer.attachment, in: session) }
        if attachment.flags.contains(.framed), !hasRoom(for: 0, in: session), !isInFrame(session) {
            offer(session)
        }
        let isOwn = observer.options.contains(.othersOnly) && isOwn(change, of: session, observer.options)
        switch decision(change, in: tree, for: observer, session, isOwn: isOwn) {
        case .now: send(change, in: tree, to: observer, session, &parts)
        case .whole:
            var wholeParts = Broadcast.EventParts()
            send(whole(change, in: tree), in: tree, to: observer, session, &wholeParts)
            parts.rich = 0
        case .later: break
        }
    }

    @inline(__always) private func send(
        _ change: borrowing PathChange,
        in tree: ModelTree,
        to observer: ObserverRecord,
        _ session: Session,
        _ parts: inout Broadcast.EventParts
    ) {
        let attachment = registry.attachments[observer.attachment]
        let tail = tail(of: change, in: tree, observer.options, &parts)
        if exceedsCopies(tail.count), !attachment.flags.contains(.every), !hasFrameBegun(attachment),
            !observer.options.contains(.prior)
        {
            return mark(change, in: tree, for: observer, session)
        }
        count(eventOf: observer.attachment)
        let out = output(of: session)
        if observer.options.contains(.prior) {
            appendHead(of: attachment.subscription, session, to: out)
            appendPrior(change, in: tree, for: observer, to: out)
        }
        appendHead(of: attachment.subscription, session, to: out)
        out.append(tail)
        broadcast.copiedBytes &+= tail.count
        noteIfFramed(observer.attachment, session)
        if !hasRoom(for: 0, in: session) { offerExcess(of: session, attachment) }
    }

    /// Whether the observer gets an event of the change. Of a pattern with conditions, only what matched hears of a root's end.
    @inline(__always)
    func isWanted(_ change: borrowing PathChange, in tree: ModelTree, by observer: ObserverRecord) -> Bool {
        let differs =
            change.differs || !observer.options.contains(.distinct)
            || change.reason == .sourceDeleted
                && (observer.group == ObserverRecord.noGroup || !isCandidate(change.node, in: tree, observer))
        return differs && (change.suffix == nil || isWantedBelow(change, in: tree, observer))
    }

    /// Whether the change is an array's edit, and the observer gets it as a new value.
    func isWantedWhole(_ change: borrowing PathChange, in tree: ModelTree, by observer: ObserverRecord)
        -> Bool
    {
        if change.edit == nil { return false }
        if registry.attachments[observer.attachment].flags.contains(.whole) { return true }
        return registry.isOverlapped(observer) && registry.isOverlapped(observer, at: tree.path(of: change))
    }

    func whole(_ change: borrowing PathChange, in tree: ModelTree) -> PathChange {
        var whole = copy change
        (whole.old, whole.edit) = (tree.oldValue(of: change), nil)
        return whole
    }
}
