// SPDX-License-Identifier: MIT
// Slow readers of `P.**`: changes below P, folded by their own paths. What they show is what was, so that mirrors are exact.

extension Hub {
    /// Makes one entry of the change and of the one that waits for the same path below the attachment's.
    func foldBelow(_ change: borrowing PathChange, for observer: ObserverRecord, _ session: Session) {
        let id = observer.tag
        let own = attachments[id].entry
        // An initial event that still waits will show it.
        if session.outbox.isWaiting(own), session.outbox[own].attachment == id,
            session.outbox[own].reason == .initial
        {
            return
        }
        guard let suffix = change.suffix else { return }
        if change.edit != nil || change.old.isContainer || change.new.isContainer {
            swallow(below: suffix, of: id, in: session)
        }
        let key = DeepKey(attachment: id, suffix: suffix.array)
        var entry = OutboxEntry(attachment: id)
        entry.reason = .valueChanged
        if let number = session.deepEntries[key], session.outbox.canFold(number) {
            let waiting = session.outbox[number]
            entry.coalesced = waiting.coalesced
            entry.old = waiting.old
            entry.wasAbsent = waiting.wasAbsent
            session.outbox.drop(number)
        } else {
            let old = tree.oldValue(of: change)
            entry.old = rendered(old)
            entry.wasAbsent = old.isAbsent
        }
        session.deepEntries[key] = nil
        if entry.wasAbsent, change.new.isAbsent { return }
        entry.suffix = suffix
        entry.new = rendered(change.new)
        entry.revision = tree.revision
        entry.coalesced += 1
        session.deepEntries[key] = session.outbox.append(entry)
        compactIfWanted(session)
    }

    /// Drops the entries for what is below a path that is about to be told as a whole.
    func swallow(below suffix: ByteBuffer?, of id: AttachmentID, in session: Session) {
        guard !session.deepEntries.isEmpty else { return }
        let prefix = (suffix?.array ?? []) + [0x2E]
        for (key, number) in session.deepEntries where key.attachment == id && key.suffix.starts(with: prefix)
        {
            guard session.outbox.canFold(number) else { continue }
            session.outbox.drop(number)
            session.deepEntries[key] = nil
        }
    }

    /// Writes an entry of a path below the attachment's, unless it reads as it did when it was seen last.
    func writeBelow(_ entry: OutboxEntry, in session: Session, to out: ByteBuffer) {
        guard let suffix = entry.suffix else { return }
        session.deepEntries[DeepKey(attachment: entry.attachment, suffix: suffix.array)] = nil
        let observer = tree.observers[attachments[entry.attachment].observer]
        let isSame =
            entry.old.map { old in entry.new.map { $0.view == old.view && !old.isEmpty } ?? false } ?? false
        if isSame, observer.options.contains(.distinct) { return }
        if entry.coalesced > 1 { eventsCoalesced &+= UInt64(entry.coalesced - 1) }
        let change = PathChange(
            node: observer.node,
            reason: entry.reason,
            old: .absent,
            new: .absent,
            suffix: suffix,
            differs: true
        )
        eventsSent &+= 1
        out.appendChangeHead(subscription: attachments[entry.attachment].subscription)
        tree.encode(
            change,
            revision: entry.revision,
            .init(
                withOld: observer.options.contains(.old),
                renderedOld: entry.old,
                renderedNew: entry.new,
                coalesced: entry.coalesced
            ),
            to: out
        )
    }

    /// Makes the entries below an attachment final: its subscription ends, or its path matches no more.
    func settleBelow(_ id: AttachmentID, in session: Session) {
        for (key, number) in session.deepEntries
        where key.attachment == id && session.outbox.isWaiting(number) {
            let lines = ByteBuffer()
            writeBelow(session.outbox[number], in: session, to: lines)
            session.outbox.settle(number, as: lines)
        }
        session.deepEntries = session.deepEntries.filter { $0.key.attachment != id }
    }

    // MARK: One event a path

    /// Whether a deep observer is to be told of a change below its path: not where another pattern of its subscription
    /// tells of the same path.
    func isWantedBelow(_ change: borrowing PathChange, _ observer: ObserverRecord) -> Bool {
        guard observer.options.contains(.deep), let suffix = change.suffix else { return false }
        guard patternSubscriptions[observer.group].patterns.count > 1 else { return true }
        let path = ByteBuffer()
        tree.nodes[change.node].path?.append(to: path)
        let start = path.count
        path.append(suffix.view)
        var end = start
        while end < path.count {
            end = path.view.endOfComponent(from: end + 1)
            guard let node = tree.observedNode(path.view.prefix(end)) else { continue }
            if isObserved(node, by: observer.group, deepOnly: end < path.count) { return false }
        }
        return true
    }

    private func isObserved(_ node: NodeID, by group: Int32, deepOnly: Bool) -> Bool {
        var id = tree.nodes[node].firstObserver
        while id != noRecord {
            let observer = tree.observers[id]
            if observer.group == group, !deepOnly || observer.options.contains(.deep) { return true }
            id = observer.next
        }
        return false
    }
}

extension ByteView {
    /// Where the component that begins at `start` ends, in a dotted path as it stands in a JSON string: there a
    /// backslash of the path is two.
    fileprivate func endOfComponent(from start: Int) -> Int {
        var index = start
        while index < count, self[index] != 0x2E {
            let isEscape = self[index] == 0x5C && index + 1 < count && self[index + 1] == 0x5C
            index +=
                isEscape
                ? (index + 2 < count && self[index + 2] == 0x5C ? 4 : 3) : self[index] == 0x5C ? 2 : 1
        }
        return Swift.min(index, count)
    }
}
