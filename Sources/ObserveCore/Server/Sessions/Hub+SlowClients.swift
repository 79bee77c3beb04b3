// SPDX-License-Identifier: MIT
// Whether a client is too slow for its output, and what happens then. Independent of how changes coalesce.

extension Hub {
    /// Whether the output may collect so many more bytes before the hub sends them.
    @inline(__always)
    func hasRoom(for count: Int, in session: Session) -> Bool {
        session.waitingBytes &+ count <= limits.offerAfterBytes
    }

    /// Whether the client is so far behind that an event for this attachment must wait in its outbox.
    @inline(__always)
    func mustQueue(_ attachment: AttachmentRecord, _ session: Session) -> Bool {
        guard
            session.delivery.isQueueing
                || session.delivery.isBlocked && !attachment.flags.contains(.every)
                    && session.waitingBytes > limits.foldAfterBytes
        else { return false }
        return !hasFrameBegun(attachment)
    }

    /// Whether another copy of the event would take too long at once: 4 MiB are about two milliseconds, and no socket takes
    /// 256 KiB at once. Then the event waits, and the hub renders it again when the client's socket takes it. Short events
    /// never wait: an entry for them costs more than a copy.
    @inline(__always)
    func exceedsCopies(_ count: Int) -> Bool {
        count > 4 << 10 && (count > 256 << 10 || broadcast.copiedBytes > 4 << 20)
    }

    /// Whether an event for this attachment may wait in the outbox, and coalesce there, although the client is not behind.
    func mayQueue(_ attachment: AttachmentRecord) -> Bool {
        !attachment.flags.contains(.every) && !hasFrameBegun(attachment)
    }

    /// Sends the bytes of a session that has too many, and closes it if coalescing can't help.
    func relieve(_ session: Session, _ attachment: AttachmentRecord) {
        account(session)
        if !session.delivery.isBlocked {
            if journalGate.needsFlush {
                journalGate.wantsRelief = true
            } else if !isInFrame(session) {
                session.transport?.flush(session)
            }
        }
        if attachment.flags.contains(.every) { checkOverflow(session) }
    }

    /// Closes a session with `delivery: "every"` that is too far behind, rather than dropping events.
    func checkOverflow(_ session: Session) {
        guard session.waitingBytes > limits.maxOutboxBytes else { return }
        metrics.sessionsOverflowed += 1
        sendGoodbye(.overflow, to: session)
    }
}
