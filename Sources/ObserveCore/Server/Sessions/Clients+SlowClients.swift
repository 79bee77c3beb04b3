// SPDX-License-Identifier: MIT
// Whether a client is too slow for its output, and what happens then. Independent of marks.

extension Clients {
    /// Whether the output may collect so many more bytes before the server sends them.
    @inline(__always) func hasRoom(for count: Int, in session: Session) -> Bool {
        session.output.count &+ count <= limits.offerAfterBytes
    }

    /// Whether another copy of the event would take too long at once: 4 MiB are about two milliseconds, and no socket takes 256
    /// KiB at once. Then the path is marked, and its value rendered again when the socket takes it. Short events never wait: a
    /// mark costs more than a copy.
    @inline(__always) func exceedsCopies(_ count: Int) -> Bool {
        count > 4 << 10 && (count > 256 << 10 || broadcast.copiedBytes > 4 << 20)
    }

    /// Sends the bytes of a session that has too many, and closes it if marks can't help.
    func offerExcess(of session: Session, _ attachment: AttachmentRecord) {
        account(session)
        if !session.delivery.isBlocked {
            if gate.needsFlush {
                gate.mustSend = true
            } else if !isInFrame(session) {
                session.transport?.flush(session)
            }
        }
        // With `delivery: "every"`, no event is dropped.
        guard attachment.flags.contains(.every), session.output.count > limits.maxOutboxBytes else { return }
        metrics.sessionsOverflowed += 1
        sendGoodbye(.overflow, to: session)
    }
}
