// SPDX-License-Identifier: MIT
// Counts the bytes that sessions hold. Independent of what happens when they are too many.

extension ClientSessions {
    /// Counts the session's bytes anew. Call it when its turn ends, and when many bytes were added.
    func account(_ session: Session) {
        // Nothing is read or executed after a `goodbye`. A dump may be the one that calls this.
        if session.delivery.closing != nil {
            if session.input.heldBytes > 0 { session.input.forgetLines() }
            dropRequests(of: session)
        }
        // The rest of a line and the `goodbye` are little, and can't be freed.
        if session.delivery.isRelieved { return setAccount(of: session, to: 0) }
        setAccount(of: session, to: session.heldBytes)
    }

    /// Ends the client's dump, its load, and the line that is not executed to its end.
    func dropUnfinished(of session: Session) {
        session.endDump()
        dropRequests(of: session)
        account(session)
    }

    /// Whether the client still reads its dump, so that the view may keep more than its limit.
    func isReading(_ dump: Dump, _ session: Session) -> Bool {
        account(session)
        return dump.lastRead.nanoseconds(until: clock()) < Dump.patience && !sessions.buffered.isExceeded
    }

    private func dropRequests(of session: Session) {
        session.intake = nil
        session.suspended = nil
    }

    func freeBuffers(of session: Session) {
        count(work: session.accountedBytes / Cost.freedBytes)
        dropUnfinished(of: session)
        session.input.forgetLines()
        if session.output.hasRange { endBroadcastRange(of: session) }
        recycleOutput(of: session)
        setAccount(of: session, to: 0)
    }

    @inline(__always) private func setAccount(of session: Session, to bytes: Int) {
        // A client in this process has no buffers of its own.
        guard bytes != session.accountedBytes, session.token != 0 else { return }
        sessions.buffered.add(bytes - session.accountedBytes)
        session.accountedBytes = bytes
    }
}

extension Session {
    /// Whether the session holds no bytes, and none are counted for it.
    @inline(__always) var holdsNothing: Bool {
        accountedBytes == 0 && !hasOutput && input.heldBytes == 0 && intake == nil && dump == nil
            && suspended == nil
    }

    var heldBytes: Int {
        input.heldBytes + output.heldBytes + delivery.further.markedBytes
            + (intake?.heldBytes ?? 0) + (dump?.readView?.heldBytes ?? 0) + (suspended?.heldBytes ?? 0)
    }
}
