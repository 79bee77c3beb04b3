// SPDX-License-Identifier: MIT
// Reads requests from sockets and writes output to them. Independent of their contents.

extension EventLoop {
    func read(_ connection: Connection) {
        switch unsafe ByteIO.read(
            connection.number,
            into: UnsafeMutableRawBufferPointer(start: readBuffer, count: EventLoop.readBytes)
        ) {
        case .bytes(let count):
            let start = unsafe UnsafePointer(readBuffer.assumingMemoryBound(to: UInt8.self))
            unsafe receive(ByteView(base: start, count: count), from: connection)
        case .wouldBlock: break
        case .endOfInput: endInput(of: connection)
        case .failed(let code): close(connection, .failed(errno: code))
        }
    }

    private func receive(_ input: ByteView, from connection: Connection) {
        if !hub.receive(input, from: connection.session), connection.session.delivery.closing == nil {
            connection.isPaused = true
        }
        updateInterest(connection)
    }

    private func endInput(of connection: Connection) {
        connection.hasSeenEnd = true
        if !connection.isPaused { finishInput(of: connection) }
        updateInterest(connection)
    }

    private func finishInput(of connection: Connection) {
        hub.endInput(of: connection.session)
        closeIfDone(connection)
    }

    /// Continues with the requests that waited until the client read its answers.
    private func resume(_ connection: Connection) {
        guard connection.isPaused, connection.session.delivery.closing == nil,
            connection.session.waitingBytes <= hub.limits.maxOutboxBytes / 2
        else { return }
        connection.isPaused = !hub.receive(ByteView(""), from: connection.session)
        if !connection.isPaused, connection.hasSeenEnd { finishInput(of: connection) }
    }

    func flushDirty() {
        while !hub.sessions.dirty.isEmpty {
            if hub.journalGate.needsFlush {
                if hub.sessions.dirty.allSatisfy(isOrdinary) { hub.beginFlush() } else { hub.flushBatch() }
                if hub.journalGate.needsFlush { return sendFlushed() }
            }
            // Two lists take turns, so that neither is ever copied.
            swap(&flushed, &hub.sessions.dirty)
            for session in flushed {
                session.output.endDirty()
                guard let connection = connections[session.token] else { continue }
                if session.delivery.isBlocked {
                    watchGoodbye(session)
                    updateInterest(connection)
                } else {
                    drain(connection)
                }
            }
            flushed.removeAll(keepingCapacity: true)
        }
    }

    /// Whether the session needs nothing but its waiting output sent.
    private func isOrdinary(_ session: Session) -> Bool {
        guard !session.delivery.isQueueing, session.delivery.closing == nil, !session.hasEndedInput else {
            return false
        }
        return connections[session.token].map { !$0.isPaused } ?? true
    }

    /// Writes the output that may leave already. Sessions with more stay in the list.
    private func sendFlushed() {
        let batch = hub.sessions.popDirty()
        for session in batch {
            if let connection = connections[session.token], !session.delivery.isBlocked {
                if hub.sendable(session) > 0 { write(connection) }
                updateInterest(connection)
            }
            session.output.stayDirty(ifMoreThan: hub.sendable(session))
            if session.output.isDirty { hub.sessions.dirty.append(session) }
        }
    }

    /// Gives a client 10 s to read its `goodbye`.
    private func watchGoodbye(_ session: Session) {
        if session.delivery.closing != nil, deadlines[session.token] == nil { watch(session, seconds: 10) }
    }

    func connectionIsWritable(_ connection: Connection) {
        connection.session.delivery.isBlocked = false
        drain(connection)
    }

    /// Writes until the client accepts no more or nothing waits. Stops after about a megabyte, so that one fast
    /// client does not delay the others.
    private func drain(_ connection: Connection) {
        let session = connection.session
        if session.delivery.isFree, !session.hasEndedInput, !connection.isPaused, !hub.journalGate.needsFlush
        {
            // The session needs nothing else. If its socket accepts less, ``write(_:)`` marks it as blocked.
            write(connection)
            return updateInterest(connection)
        }
        if hub.journalGate.needsFlush, hub.journalGate.isInFlight || hub.journalGate.isGathering,
            isOrdinary(session)
        {
            if hub.sendable(session) > 0 { write(connection) }
            return updateInterest(connection)
        }
        hub.flushBatch()
        var rounds = 0
        repeat {
            if session.delivery.isQueueing { hub.refill(session) }
            write(connection)
            rounds += 1
        } while session.hasOutput && !session.delivery.isBlocked && rounds < 16 && !connection.isClosed
        if connection.isClosed { return }
        if connection.isPaused { resume(connection) }
        watchGoodbye(session)
        if session.hasOutput, !session.delivery.isBlocked { session.delivery.isBlocked = true }
        closeIfDone(connection)
        updateInterest(connection)
    }

    func flush(_ session: Session) {
        guard let connection = connections[session.token], !session.delivery.isBlocked,
            !hub.journalGate.needsFlush
        else { return }
        write(connection)
        if session.delivery.isBlocked { updateInterest(connection) }
    }

    private func write(_ connection: Connection) {
        let session = connection.session
        var waiting = hub.waitingOutput(of: session)
        if hub.journalGate.needsFlush { waiting = waiting.prefix(min(hub.sendable(session), waiting.count)) }
        if connection.isDeaf || waiting.isEmpty {
            _ = hub.sent(waiting.count, to: session)
            return
        }
        switch unsafe ByteIO.write(connection.number, UnsafeRawPointer(waiting.base), count: waiting.count) {
        case .bytes(let count):
            if !deadlines.isEmpty, deadlines[session.token] != nil {
                watch(session, seconds: afterShutdown == nil ? 10 : 1)
            }
            if !hub.sent(count, to: session), count < waiting.count { session.delivery.isBlocked = true }
        case .wouldBlock: hub.block(session)
        case .failed:
            // The client reads no answers. The hub still executes all requests that it sent before.
            connection.isDeaf = true
            _ = hub.sent(waiting.count, to: session)
        }
    }

    @inline(__always)
    func updateInterest(_ connection: Connection) {
        if connection.isClosed { return }
        var interest: EpollEvents = []
        if connection.wantsInput { interest.insert(.readable) }
        if connection.session.delivery.isBlocked { interest.insert(.writable) }
        guard interest != connection.interest else { return }
        connection.interest = interest
        try? epoll.modify(connection.number, interest, token: connection.session.token)
    }
}
