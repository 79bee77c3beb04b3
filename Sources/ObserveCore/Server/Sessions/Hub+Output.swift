// SPDX-License-Identifier: MIT
// Bytes that wait for sockets: where they stand, and what becomes of their buffers. Does not know what they say.

extension Hub {
    /// Lets `body` append to what waits for the session's socket; the session counts as dirty from now on.
    @inline(__always)
    func write(to session: Session, _ body: (ByteBuffer) -> Void) {
        if session.isDirty, !session.hasBroadcastRange, session.withOutput(body) { return }
        beginOutput(of: session)
        session.withOutput(body)
    }

    /// Where the session's next bytes go; the session counts as dirty from now on.
    func output(of session: Session) -> ByteBuffer {
        beginOutput(of: session)
        guard let output = session.output else {
            preconditionFailure("an output was begun that is not there")
        }
        return output
    }

    /// Sees to it that there is an output for the session's next bytes; the session counts as dirty from now on.
    @inline(__always)
    func beginOutput(of session: Session) {
        if session.hasBroadcastRange { copyBroadcastRange(of: session) }
        noteDirty(session)
        guard session.output == nil else { return }
        if let spare = spareBuffers.popLast() {
            spareBytes &-= spare.capacity
            session.beginOutput(in: spare)
        } else {
            session.beginOutput(in: ByteBuffer(capacity: 1024))
        }
    }

    @inline(__always)
    private func noteDirty(_ session: Session) {
        guard !session.isDirty else { return }
        session.isDirty = true
        session.flushedCount = session.outputCount
        session.inFlightCount = session.outputCount
        dirty.append(session)
    }

    /// Takes the session's buffer back. Large ones are let go, so that one large answer is not paid for ever; 16 MiB are
    /// what a thousand clients' answers and events of one turn come to.
    func recycleOutput(of session: Session) {
        guard let buffer = session.popOutput() else { return }
        guard buffer.capacity <= 256 << 10, spareBytes < 16 << 20 else { return }
        buffer.removeAll()
        spareBytes &+= buffer.capacity
        spareBuffers.append(buffer)
    }

    /// While there is work, a thousand subscribers fill a thousand buffers at a time; in a silence, most of them go.
    var hasTooManySpareBuffers: Bool { spareBuffers.count > 64 }

    func releaseSpareBuffers() {
        while hasTooManySpareBuffers, let spare = spareBuffers.popLast() { spareBytes &-= spare.capacity }
    }

    /// Sends whole lines, behind everything that waits.
    func send(lines: ByteView, to session: Session) {
        if session.isQueueing {
            session.queuedInBatch = journalGate.batch
            session.outbox.append(lines: lines)
        } else {
            write(to: session) { $0.append(lines) }
        }
    }

    /// Says goodbye behind everything that waits. Nothing else is sent after that, and no request read.
    func sendGoodbye(_ reason: CloseReason, to session: Session) {
        guard session.closing == nil else { return }
        session.closing = reason
        let line = ByteBuffer()
        line.appendGoodbye(reason.name)
        send(lines: line.view, to: session)
    }

    // MARK: Runs

    /// Begins ``broadcast`` anew when nobody has a run of it, or when a turn says more than stays in the processor's
    /// nearer caches (256 KiB), from where sending it is cheap. Not while an event is told, which stands there.
    @inline(__always)
    func makeRoomInBroadcast() {
        if runCount == 0 {
            broadcast.removeAll()
        } else if broadcast.count > 256 << 10 {
            for session in sessions.values where session.hasBroadcastRange {
                offer(session)
                copyBroadcastRange(of: session)
            }
            broadcast.removeAll()
        }
    }

    /// Sends a session that listens, and does nothing else, a line of ``broadcast`` without copying it.
    ///
    /// - Returns: false, with nothing done, where something else waits for the client.
    @inline(__always)
    func extendBroadcastRange(of session: Session, by line: Range<Int>) -> Bool {
        let range = session.broadcastRange
        if range.upperBound == line.lowerBound, !range.isEmpty {
            if line.upperBound &- range.lowerBound > limits.offerAfterBytes {
                return renewBroadcastRange(of: session, by: line)
            }
            session.broadcastRange = unsafe Range(uncheckedBounds: (range.lowerBound, line.upperBound))
            return true
        }
        guard session.output == nil, !session.hasBroadcastRange, line.count <= limits.offerAfterBytes else {
            return false
        }
        noteDirty(session)
        runCount &+= 1
        session.broadcastRange = line
        return true
    }

    /// Sends the run, which is as long as one may be, and begins another, so that nothing is copied for a client that takes
    /// what it is sent.
    ///
    /// - Returns: false, with none begun, where that is not all.
    @inline(never)
    private func renewBroadcastRange(of session: Session, by line: Range<Int>) -> Bool {
        offer(session)
        return !session.hasBroadcastRange && extendBroadcastRange(of: session, by: line)
    }

    /// Sends what waits at once, if it may leave and its client takes it.
    private func offer(_ session: Session) {
        if !session.isBlocked, !needsFlush { session.transport?.flush(session) }
    }

    /// The bytes of the session's run.
    func broadcastBytes(of session: Session) -> ByteView { broadcast.view.slice(session.broadcastRange) }

    /// The session's own bytes from now on: they will not leave in this turn, or others are to follow them.
    func copyBroadcastRange(of session: Session) {
        guard session.hasBroadcastRange else { return }
        let lines = session.broadcastRange
        endBroadcastRange(of: session)
        write(to: session) { $0.append(broadcast.view.slice(lines)) }
    }

    /// Takes back what waits for the socket beyond its first bytes.
    func cut(_ session: Session, to count: Int) {
        guard session.outputCount > count else { return }
        if !session.hasBroadcastRange {
            session.output?.truncate(to: count)
        } else if count > 0 {
            session.broadcastRange = session.broadcastRange.prefix(count)
        } else {
            endBroadcastRange(of: session)
        }
    }

    func endBroadcastRange(of session: Session) {
        session.broadcastRange = 0..<0
        runCount &-= 1
    }

    /// The client's socket has taken so many bytes; or all, if nobody will read them.
    ///
    /// - Returns: whether nothing waits for it but what is folded.
    func sent(_ count: Int, to session: Session) -> Bool {
        session.flushedCount = max(session.flushedCount &- count, 0)
        session.inFlightCount = max(session.inFlightCount &- count, 0)
        guard session.hasBroadcastRange else {
            var isAll = true
            session.withOutput { output in
                output.consume(count)
                isAll = output.isEmpty
            }
            if isAll { recycleOutput(of: session) }
            return isAll
        }
        guard count >= session.broadcastRange.count else {
            session.broadcastRange = session.broadcastRange.dropFirst(count)
            copyBroadcastRange(of: session)
            return false
        }
        endBroadcastRange(of: session)
        return true
    }

    /// The client takes no more for now.
    func block(_ session: Session) {
        copyBroadcastRange(of: session)
        session.isBlocked = true
    }
}
