// SPDX-License-Identifier: MIT
// The fast paths of events: lines that clients share, sent without marks. The general path would send the same.

extension Clients {
    /// As ``deliver(_:in:from:_:)``, until an observer needs the general path; most do not. Returns the first observer that needs
    /// the general path; `noRecord` if there is none.
    @inline(__always) func deliverAtOnce(
        _ change: borrowing PathChange,
        in tree: ModelTree,
        from first: ObserverID,
        _ parts: inout Broadcast.EventParts
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
        count(eventsSent: sent, bytes: parts.line.count)
        return observer
    }

    /// Sends the event to observers as long as it only extends their sessions' broadcast ranges, as most events do. Returns the
    /// first observer that needs more; `noRecord` if there is none.
    @inline(__always) private func extendRanges(
        _ change: borrowing PathChange,
        in tree: ModelTree,
        from first: ObserverID,
        _ parts: inout Broadcast.EventParts,
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
                if parts.line.isEmpty { makeLine(of: change, in: tree, &parts) }
                guard session.output.extendRange(by: parts.line, atMost: limit) else { return false }
                if isFramed { noteFramed(registry.attachments[attachment].compound, session) }
                return true
            }
            guard isSent else { break }
            sent &+= 1
            observer = tree.reader.observer(observer).next
        }
        return observer
    }

    /// Sends one observer its event. The caller counts it. Returns false, with nothing done, if it needs the general path.
    @inline(__always) func deliverAtOnce(
        _ change: borrowing PathChange,
        in tree: ModelTree,
        to observer: ObserverID,
        _ parts: inout Broadcast.EventParts
    ) -> Bool {
        let options = tree.reader.observer(observer).options
        guard fastPaths.sharedDelivery, options.isSubset(of: [.distinct, .deep, .old]) else { return false }
        if options.contains(.old) { return deliverWithOld(change, in: tree, to: observer, &parts) }
        let attachment = tree.reader.observer(observer).attachment
        if parts.line.isEmpty {
            // For a client that has to wait, the server renders the event later, and not each that coalesces into it.
            guard registry.attachments[attachment].withFreeSession({ _ in true }) else { return false }
            makeLine(of: change, in: tree, &parts)
        }
        return deliver(line: parts.line, to: attachment)
    }

    @inline(never) private func deliverWithOld(
        _ change: borrowing PathChange,
        in tree: ModelTree,
        to observer: ObserverID,
        _ parts: inout Broadcast.EventParts
    ) -> Bool {
        let attachment = tree.reader.observer(observer).attachment
        let number = registry.attachments[attachment].subscription
        return registry.attachments[attachment].withFreeSession { session in
            let tail = broadcast.tail(of: change, in: tree, at: revision, .old, origin: nil, &parts)
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

    /// Sends a line of the broadcast; false, with nothing done, if the client has to wait.
    @inline(__always) private func deliver(line: Range<Int>, to attachment: AttachmentID) -> Bool {
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
}
