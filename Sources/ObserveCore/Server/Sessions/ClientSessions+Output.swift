// SPDX-License-Identifier: MIT
// Bytes that wait for sockets, and their buffers. Independent of their contents.

extension ClientSessions {
    /// Calls `body` to append to the session's output; the session is dirty from now on.
    @inline(__always) func write(to session: Session, _ body: (ByteBuffer) -> Void) {
        if session.output.isDirty, !session.output.hasRange, session.output.withBuffer(body) { return }
        beginOutput(of: session)
        session.output.withBuffer(body)
    }

    /// The buffer for the session's next bytes; the session is dirty from now on.
    func output(of session: Session) -> ByteBuffer {
        beginOutput(of: session)
        guard let buffer = session.output.buffer else { preconditionFailure("a begun output has a buffer") }
        return buffer
    }

    @inline(__always) func beginOutput(of session: Session) {
        if session.output.hasRange { copyBroadcastRange(of: session) }
        noteDirty(session)
        if session.output.buffer == nil { session.output.begin(in: sessions.spares.pop()) }
    }

    @inline(__always)
    func noteDirty(_ session: Session) { if session.output.becomeDirty() { sessions.dirty.append(session) } }

    func recycleOutput(of session: Session) {
        guard let buffer = session.output.pop() else { return }
        let freed = sessions.spares.recycle(buffer)
        if freed > 0 { count(work: freed / Cost.freedBytes) }
    }

    // MARK: Goodbyes

    /// Sends `goodbye` at once, and forgets its marks.
    /// - Parameter revision: from which it can resume; nil if that is unknown.
    func sendGoodbye(_ reason: CloseReason, to session: Session, resumingAt revision: UInt64?) {
        guard session.delivery.closing == nil else { return }
        session.forgetMarks()
        session.delivery.closing = reason
        session.delivery.awaitsGoodbye = false
        session.delivery.further.closedInBatch = gate.answeredBatch
        write(to: session) { $0.appendGoodbye(reason.rawValue, revision: revision) }
    }

    // MARK: Sockets

    @inline(__always) func waitingOutput(of session: Session) -> ByteView {
        session.output.hasRange
            ? broadcast.bytes(session.output.range) : session.output.buffer?.view ?? ByteView("")
    }

    func cut(_ session: Session, to count: Int) {
        guard session.output.count > count else { return }
        if !session.output.hasRange {
            session.output.buffer?.truncate(to: count)
        } else if count > 0 {
            session.output.cutRange(to: count)
        } else {
            endBroadcastRange(of: session)
        }
    }

    /// Removes bytes that the socket has accepted, or all if no peer will read them. Returns whether the output is empty.
    func sent(_ count: Int, to session: Session) -> Bool {
        assert(count == 0 || !isInFrame(session), "a frame leaves before it ends")
        assert(count == 0 || !session.output.isDirty || !gate.needsFlush, "output leaves before the flush")
        guard session.output.hasRange else {
            let isAll = session.output.consume(count)
            if isAll { recycleOutput(of: session) }
            return isAll
        }
        guard count >= session.output.range.count else {
            let bytes = broadcast.bytes(session.output.range)
            session.output.consumeRange(count)
            copyBroadcastRange(of: session)
            session.output.noteCut(bytes, at: count)
            return false
        }
        endBroadcastRange(of: session)
        return true
    }

    func block(_ session: Session) {
        copyBroadcastRange(of: session)
        session.delivery.isBlocked = true
    }

    func offer(_ session: Session) {
        if !session.delivery.isBlocked, !gate.needsFlush, !isInFrame(session) {
            session.transport?.flush(session)
        }
    }

    // MARK: Ranges of the broadcast

    /// Copies the range into the session's own buffer: other bytes follow it, or its client is not reading.
    func copyBroadcastRange(of session: Session) {
        guard session.output.hasRange else { return }
        let lines = broadcast.bytes(session.output.range)
        endBroadcastRange(of: session)
        write(to: session) { $0.append(lines) }
    }

    func endBroadcastRange(of session: Session) {
        session.output.endRange()
        broadcast.rangeCount &-= 1
    }
}
