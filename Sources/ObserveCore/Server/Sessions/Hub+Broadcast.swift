// SPDX-License-Identifier: MIT
// Ranges of the broadcast: lines that a session sends from where they stand. Independent of what they say.

extension Hub {
    /// Empties the broadcast if no session has a range of it, or if the turn's lines no longer fit the processor's nearer
    /// caches (256 KiB), from where sending is cheap. Between events: the one being sent has its text there.
    @inline(__always)
    func makeRoomInBroadcast() {
        if broadcast.rangeCount == 0 {
            broadcast.lines.removeAll()
        } else if broadcast.lines.count > 256 << 10 {
            for session in sessions.all where session.output.hasRange {
                offer(session)
                copyBroadcastRange(of: session)
            }
            broadcast.lines.removeAll()
        }
    }

    /// Sends a line of the broadcast without copying it.
    ///
    /// - Returns: false, with nothing done, if other bytes wait for the client.
    @inline(__always)
    func extendBroadcastRange(of session: Session, by line: Range<Int>) -> Bool {
        let range = session.output.range
        if range.upperBound == line.lowerBound, !range.isEmpty {
            if line.upperBound &- range.lowerBound > limits.offerAfterBytes {
                return renewBroadcastRange(of: session, by: line)
            }
            session.output.range = unsafe Range(uncheckedBounds: (range.lowerBound, line.upperBound))
            return true
        }
        guard session.output.buffer == nil, !session.output.hasRange, line.count <= limits.offerAfterBytes,
            fastPaths.broadcast
        else { return false }
        noteDirty(session)
        broadcast.rangeCount &+= 1
        session.output.range = line
        return true
    }

    /// Sends the range, which has the greatest length, and begins another. So nothing is copied for a client that reads what
    /// it is sent.
    ///
    /// - Returns: false, with none begun, if the client did not read all of it.
    @inline(never)
    private func renewBroadcastRange(of session: Session, by line: Range<Int>) -> Bool {
        offer(session)
        return !session.output.hasRange && extendBroadcastRange(of: session, by: line)
    }
}
