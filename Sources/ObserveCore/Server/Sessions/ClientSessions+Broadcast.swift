// SPDX-License-Identifier: MIT
// Broadcast ranges, which a session sends without copying them, and the texts that an event's subscribers share.

extension ClientSessions {
    /// Empties the broadcast if no session has a range of it, and beyond 256 KiB, which the processor's nearer caches hold:
    /// sending from these is cheap. Call it between events: the event being sent has its text there.
    @inline(__always) func makeRoomInBroadcast() {
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

    /// Sends a line of the broadcast without copying it; false, with nothing done, if other bytes wait for the client.
    @inline(__always) func extendBroadcastRange(of session: Session, by line: Range<Int>) -> Bool {
        if session.output.extendRange(by: line, atMost: limits.offerAfterBytes) { return true }
        if session.output.hasRange { return continueBroadcastRange(of: session, by: line) }
        guard session.output.buffer == nil, fastPaths.broadcast,
            line.count <= min(limits.offerAfterBytes, Broadcast.longestLine)
        else { return false }
        noteDirty(session)
        broadcast.rangeCount &+= 1
        session.output.beginRange(line)
        return true
    }

    /// Does the same if there is a range, but not one that the session's output may simply extend.
    @inline(never) private func continueBroadcastRange(of session: Session, by line: Range<Int>) -> Bool {
        let range = session.output.range
        guard range.upperBound == line.lowerBound else { return false }
        if line.upperBound &- range.lowerBound > limits.offerAfterBytes {
            return renewBroadcastRange(of: session, by: line)
        }
        // The loop may be about to send the range, or may have left it for its next round.
        noteDirty(session)
        return session.output.extendRange(by: line, atMost: limits.offerAfterBytes)
    }

    /// Sends the range, which has the greatest length, and begins another: nothing is copied for a client that keeps reading.
    /// False, with none begun, if it did not read all of it.
    private func renewBroadcastRange(of session: Session, by line: Range<Int>) -> Bool {
        offer(session)
        return !session.output.hasRange && extendBroadcastRange(of: session, by: line)
    }

    // MARK: Texts of the event under way

    @inline(never)
    func makeLine(of change: borrowing PathChange, in tree: ModelTree, _ parts: inout Broadcast.EventParts) {
        guard parts.line.isEmpty else { return }
        broadcast.makeLine(of: change, in: tree, at: revision, &parts)
        count(work: parts.line.count >> 6)
    }

    /// The value before the change under way as JSON, once for all subscribers; empty if that exceeds the limits.
    func oldText(_ value: StoredValue, in tree: ModelTree) -> ByteBuffer {
        if let text = broadcast.old { return text }
        let text = ByteBuffer()
        _ = tree.render(value, to: text)
        broadcast.old = text
        return text
    }

    @inline(__always) func tail(
        of change: borrowing PathChange,
        in tree: ModelTree,
        _ options: ObservingOptions,
        _ parts: inout Broadcast.EventParts
    ) -> ByteView {
        if options.isDisjoint(with: [.old, .origin]) {
            makeLine(of: change, in: tree, &parts)
            return broadcast.lines.view.slice(parts.line).dropFirst(ByteBuffer.firstChangeHeadCount)
        }
        let cause = change.cause
        return broadcast.tail(of: change, in: tree, at: revision, options, origin: origin(of: cause), &parts)
    }
}
