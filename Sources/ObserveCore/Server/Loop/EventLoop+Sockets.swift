// SPDX-License-Identifier: MIT
// Reads requests from sockets and writes output to them. Independent of their contents.

extension EventLoop {
    func read(_ connection: Connection) {
        let room = unsafe UnsafeMutableRawBufferPointer(start: readBuffer, count: EventLoop.readBytes)
        switch unsafe system.read(connection, into: room) {
        case .bytes(let count):
            let start = unsafe UnsafePointer(readBuffer.assumingMemoryBound(to: UInt8.self))
            unsafe receive(ByteView(base: start, count: count), from: connection)
        case .wouldBlock: break
        case .endOfInput: endInput(of: connection)
        case .failed:
            // The client left answers unread when it closed. Its last line may lack the line feed.
            connection.session.noteLeft()
            endInput(of: connection)
            if !connection.isClosed { peerIsGone(connection) }
        }
    }

    private func receive(_ input: ByteView, from connection: Connection) {
        clients.beginTurn()
        let events = clients.metrics.eventsSent
        let isDone = hub.receive(input, from: connection.session)
        if !isDone, connection.session.delivery.closing == nil {
            if clients.isTurnOver { awaitTurn(connection) } else { connection.pending = .reader }
        }
        connection.hasUsedUpTurn = clients.isTurnOver
        connection.feedsMany = clients.metrics.eventsSent &- events >= TurnQueue.manyEvents
        clients.endTurn()
        clients.noteInput(of: connection.session)
        hub.countBytes(of: connection.session)
        updateInterest(connection)
    }

    private func awaitTurn(_ connection: Connection) {
        connection.pending = .turn
        connections.turns.wait(connection.session.token)
    }

    /// Lets the connections that wait for it have their turns, until the round is over; at least one, unless turns are held.
    func takeTurns() {
        if connections.turns.isHeld { return }
        var hasMoreTurns = false
        repeat {
            hasMoreTurns = false
            let tokens = connections.turns.popAll()
            for index in tokens.indices {
                if index > 0, clients.hasRoundEnded { return connections.turns.postpone(tokens[index...]) }
                guard let connection = connections[tokens[index]] else { continue }
                takeTurn(connection)
                // Each reader then gets the events of several turns in one write.
                hasMoreTurns = hasMoreTurns || connection.pending == .turn && connection.feedsMany
            }
        } while hasMoreTurns && !clients.hasRoundEnded
    }

    private func takeTurn(_ connection: Connection) {
        connection.pending = .nothing
        // The loads of others wait for one that is complete. It adds one line.
        if connection.session.output.count <= max(clients.sessions.buffered.allowance, 0)
            || connection.session.intake?.isComplete == true
        {
            receiveKept(from: connection)
        } else {
            connection.pending = .reader
        }
    }

    private func receiveKept(from connection: Connection) {
        guard connection.session.delivery.closing == nil else { return }
        receive(ByteView(""), from: connection)
        if !connection.hasRequests, connection.hasSeenEnd { finishInput(of: connection) }
    }

    /// The peer is gone. Closes the connection, unless it has requests that may still change the state.
    func peerIsGone(_ connection: Connection) {
        guard connection.hasRequests, connection.session.delivery.closing == nil
        else { return close(connection, .peerClosed) }
        connection.session.noteLeft()
        connection.session.delivery.isBlocked = false
        if connection.pending != .turn { awaitTurn(connection) }
        drain(connection)
    }

    private func endInput(of connection: Connection) {
        connection.hasSeenEnd = true
        connection.session.input.lines.endLine()
        if connection.hasRequests { return updateInterest(connection) }
        if connection.session.input.lines.hasLines, connection.session.delivery.closing == nil {
            receiveKept(from: connection)
        } else {
            finishInput(of: connection)
        }
        updateInterest(connection)
    }

    private func finishInput(of connection: Connection) {
        connection.session.input.hasEnded = true
        closeIfDone(connection)
    }

    private func resume(_ connection: Connection) {
        guard connection.pending == .reader, connection.session.delivery.closing == nil,
            connection.session.output.count <= clients.sessions.buffered.allowance / 2
        else { return }
        connection.pending = .nothing
        receiveKept(from: connection)
    }

    /// Writes the sessions' new output: short outputs first, such as the answers to short requests. When the round is over, the
    /// others wait for the next one, but for the first of them.
    func flushDirty() {
        var postponed: [Session] = []
        var hasSentOther = false
        defer {
            connections.turns.hasUnsent = !postponed.isEmpty
            for session in postponed { clients.noteDirty(session) }
        }
        // Two lists take turns, so that neither is ever copied.
        var batch: [Session] = []
        swap(&batch, &flushed)
        defer { swap(&batch, &flushed) }
        repeat {
            // Also what no client hears of: commits of notifications without a subscriber.
            journaling.flushBatch()
            swap(&batch, &clients.sessions.dirty)
            // Requests that are executed meanwhile, and closed connections, may commit. This output is older: sessions that get
            // events of those commits are dirty again.
            for session in batch { session.output.endDirty() }
            var others = 0
            for index in batch.indices {
                if isShort(batch[index]) {
                    send(batch[index])
                } else {
                    batch.swapAt(others, index)
                    others += 1
                }
            }
            for index in 0..<others {
                if hasSentOther, clients.hasRoundEnded {
                    postponed += batch[index..<others]
                    break
                }
                send(batch[index])
                hasSentOther = true
            }
            batch.removeAll(keepingCapacity: true)
        } while !clients.sessions.dirty.isEmpty || clients.gate.needsFlush
    }

    @inline(__always) private func isShort(_ session: Session) -> Bool {
        !session.output.hasRange && session.output.count <= EventLoop.shortOutput
            && !session.delivery.isBehind
    }

    @inline(__always) private func send(_ session: Session) {
        guard let connection = connections[session.token] else { return }
        if session.delivery.isBlocked {
            watchGoodbye(connection)
            updateInterest(connection)
        } else {
            drain(connection)
        }
        hub.countBytes(of: session)
    }

    private func watchGoodbye(_ connection: Connection) {
        let session = connection.session
        if session.delivery.closing != nil, !deadlines.has(session.token) { watch(connection, seconds: 10) }
    }

    func connectionIsWritable(_ connection: Connection) {
        connection.session.delivery.isBlocked = false
        drain(connection)
        hub.countBytes(of: connection.session)
    }

    /// Writes until the client accepts no more or nothing waits. Stops after about a megabyte, or when the round is over, so
    /// that one fast client does not delay the others.
    private func drain(_ connection: Connection) {
        let session = connection.session
        let isPaused = connection.pending == .reader
        if session.delivery.isFree, !session.input.hasEnded, !isPaused, !clients.gate.needsFlush {
            // The session needs nothing else. If its socket accepts less, ``write(_:)`` marks it as blocked.
            write(connection)
            return updateInterest(connection)
        }
        journaling.flushBatch()
        var rounds = 0
        repeat {
            journaling.catchUp(session)
            write(connection)
            rounds += 1
        } while session.hasOutput && !session.delivery.isBlocked && rounds < 16 && !connection.isClosed
            && !clients.hasRoundEnded
        if connection.isClosed { return }
        resume(connection)
        watchGoodbye(connection)
        if session.hasOutput, !session.delivery.isBlocked { session.delivery.isBlocked = true }
        // A frame that has begun continues, whatever the socket takes.
        if session.hasOpenFrame, session.delivery.isBlocked, !connection.hasRequests,
            session.delivery.closing == nil
        {
            awaitTurn(connection)
        }
        closeIfDone(connection)
        updateInterest(connection)
    }

    func flush(_ session: Session) {
        guard let connection = connections[session.token], !session.delivery.isBlocked,
            !clients.gate.needsFlush
        else { return }
        write(connection)
        if session.delivery.isBlocked { updateInterest(connection) }
    }

    private func write(_ connection: Connection) {
        let session = connection.session
        let waiting = clients.waitingOutput(of: session)
        if session.input.hasLeft || waiting.isEmpty {
            _ = clients.sent(waiting.count, to: session)
            return
        }
        switch system.write(waiting, to: connection) {
        case .bytes(let count):
            clients.count(work: Cost.write + count / Cost.sentBytes)
            if !deadlines.isEmpty, deadlines.has(session.token) {
                watch(connection, seconds: afterShutdown == nil ? 10 : 1)
            }
            if !clients.sent(count, to: session), count < waiting.count { session.delivery.isBlocked = true }
        case .wouldBlock: clients.block(session)
        case .failed:
            // The client reads no answers. The hub still executes all requests that it sent before.
            session.noteLeft()
            _ = clients.sent(waiting.count, to: session)
        }
    }

    @inline(__always) func updateInterest(_ connection: Connection) {
        if connection.isClosed { return }
        var interest: EpollEvents = []
        if connection.wantsInput { interest.insert(.readable) }
        if connection.session.delivery.isBlocked { interest.insert(.writable) }
        guard interest != connection.interest else { return }
        connection.interest = interest
        try? system.change(connection.number, to: interest, token: connection.session.token)
    }
}
