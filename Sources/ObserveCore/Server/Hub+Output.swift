// SPDX-License-Identifier: MIT
// Bytes that wait for sockets: where they stand, and what becomes of their buffers. Does not know what they say.

extension Hub {
    /// Lets `body` append to what waits for the session's socket; the session counts as dirty from now on.
    @inline(__always)
    func write(to session: Session, _ body: (ByteBuffer) -> Void) {
        if session.isDirty, !session.hasRun, session.withOutput(body) { return }
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
        if session.hasRun { copyRun(of: session) }
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
        session.settledCount = session.outputCount
        session.flightCount = session.outputCount
        dirty.append(session)
    }

    /// Takes the session's buffer back. Large ones are let go, so that one large answer is not paid for ever; 16 MiB are
    /// what a thousand clients' answers and events of one turn come to.
    func recycleOutput(of session: Session) {
        guard let buffer = session.takeOutput() else { return }
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
            session.queuedInBatch = keeping.batch
            session.outbox.append(lines: lines)
        } else {
            write(to: session) { $0.append(lines) }
        }
    }

    /// Says goodbye behind everything that waits. Nothing else is sent after that, and no request read.
    func sayGoodbye(_ reason: CloseReason, to session: Session) {
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
            for session in sessions.values where session.hasRun {
                offer(session)
                copyRun(of: session)
            }
            broadcast.removeAll()
        }
    }

    /// Sends a session that listens, and does nothing else, a line of ``broadcast`` without copying it.
    ///
    /// - Returns: false, with nothing done, where something else waits for the client.
    @inline(__always)
    func extendRun(of session: Session, by line: Range<Int>) -> Bool {
        let run = session.run
        if run.upperBound == line.lowerBound, !run.isEmpty {
            if line.upperBound &- run.lowerBound > limits.offerAfterBytes {
                return renewRun(of: session, by: line)
            }
            session.run = unsafe Range(uncheckedBounds: (run.lowerBound, line.upperBound))
            return true
        }
        guard session.output == nil, !session.hasRun, line.count <= limits.offerAfterBytes else {
            return false
        }
        noteDirty(session)
        runCount &+= 1
        session.run = line
        return true
    }

    /// Sends the run, which is as long as one may be, and begins another, so that nothing is copied for a client that takes
    /// what it is sent.
    ///
    /// - Returns: false, with none begun, where that is not all.
    @inline(never)
    private func renewRun(of session: Session, by line: Range<Int>) -> Bool {
        offer(session)
        return !session.hasRun && extendRun(of: session, by: line)
    }

    /// Sends what waits at once, if it may leave and its client takes it.
    private func offer(_ session: Session) {
        if !session.isBlocked, !isUnsettled { session.transport?.flush(session) }
    }

    /// The bytes of the session's run.
    func run(of session: Session) -> ByteView { broadcast.view.slice(session.run) }

    /// The session's own bytes from now on: they will not leave in this turn, or others are to follow them.
    func copyRun(of session: Session) {
        guard session.hasRun else { return }
        let lines = session.run
        endRun(of: session)
        write(to: session) { $0.append(broadcast.view.slice(lines)) }
    }

    /// Takes back what waits for the socket beyond its first bytes.
    func cut(_ session: Session, to count: Int) {
        guard session.outputCount > count else { return }
        if !session.hasRun {
            session.output?.truncate(to: count)
        } else if count > 0 {
            session.run = session.run.prefix(count)
        } else {
            endRun(of: session)
        }
    }

    func endRun(of session: Session) {
        session.run = 0..<0
        runCount &-= 1
    }

    /// The client's socket has taken so many bytes; or all, if nobody will read them.
    ///
    /// - Returns: whether nothing waits for it but what is folded.
    func sent(_ count: Int, to session: Session) -> Bool {
        session.settledCount = max(session.settledCount &- count, 0)
        session.flightCount = max(session.flightCount &- count, 0)
        guard session.hasRun else {
            var isAll = true
            session.withOutput { output in
                output.consume(count)
                isAll = output.isEmpty
            }
            if isAll { recycleOutput(of: session) }
            return isAll
        }
        guard count >= session.run.count else {
            session.run = session.run.dropFirst(count)
            copyRun(of: session)
            return false
        }
        endRun(of: session)
        return true
    }

    /// The client takes no more for now.
    func block(_ session: Session) {
        copyRun(of: session)
        session.isBlocked = true
    }
}
