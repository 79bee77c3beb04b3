// SPDX-License-Identifier: MIT
// Accepts and closes connections, and stops the server. Reads and writes no bytes.

extension EventLoop {
    func acceptConnections() {
        guard let listener, afterShutdown == nil else { return }
        // Bounded: a flood of connections does not delay the open ones. Those that are refused close at the end of the round:
        // until then, the daemon needs other descriptors for itself.
        for _ in 0..<64 where connections.count - clients.sessions.admissions.count < EventLoop.mostRefused {
            switch listener.accept() {
            case .connection(let descriptor): add(descriptor)
            case .wouldBlock: return
            case .exhausted(let code):
                Log.shared.warning(
                    "no descriptor is left for another connection (error \(code)); trying again when one closes"
                )
                return parkListener()
            case .failed(let code):
                Log.shared.error("accepting a connection failed with error \(code)")
                return
            }
        }
    }

    func add(_ descriptor: consuming FileDescriptor) {
        let peer: PeerCredentials
        do throws(SocketError) { peer = try UnixSocket.peerCredentials(descriptor.number) } catch {
            // The kernel withholds the client's identity: dropping the descriptor closes the connection.
            return Log.shared.error("\(error)")
        }
        add(descriptor, of: peer)
    }

    @discardableResult func add(_ descriptor: consuming FileDescriptor, of peer: PeerCredentials) -> UInt64 {
        var grant: Grant?
        var isRefused = false
        switch hub.access?.admission(
            of: peer,
            groups: { (try? UnixSocket.peerGroups(descriptor.number)) ?? [] },
            owner: clients.writer.process.uid
        ) {
        case nil, .everything: break
        case .restricted(let granted): grant = granted
        case .refused: isRefused = true
        }
        let token = connections.nextToken()
        let session = Session(token: token, peer: peer, grant: grant, limits: clients.limits)
        session.transport = self
        let connection = Connection(session: session, descriptor: descriptor)
        connections.add(connection)
        clients.open(session)
        do throws(SocketError) {
            try system.watch(connection.number, token: token)
        } catch {
            Log.shared.error("\(error)")
            close(connection, .failed)
            return token
        }
        if isRefused {
            Log.shared.info(
                "user \(peer.uid) (process \(peer.pid)) was refused: no rule under access names them"
            )
            sendGoodbye(.accessDenied, to: connection, seconds: 1)
        } else if !clients.admit(session) {
            expectClose(of: connection, seconds: 1)
        }
        return token
    }

    func close(_ connection: Connection, _ reason: CloseReason) {
        guard !connection.isClosed else { return }
        connection.isClosed = true
        let token = connection.session.token
        Log.shared.debug("connection \(token >> 32) closed: \(reason.rawValue)")
        deadlines.remove(token)
        try? system.forget(connection.number, token: token)
        hub.close(connection.session)
        connection.descriptor.close()
        connections.remove(token)
        unparkListener()
        finishShutdownIfDone()
    }

    func closeIfDone(_ connection: Connection) {
        let session = connection.session
        guard !connection.isClosed, !session.hasOutput else { return }
        if let reason = session.delivery.closing {
            close(connection, reason)
        } else if session.input.hasEnded,
            session.input.hasLeft || session.subscriptions.isEmpty && !session.awaitsUpgrade
        {
            close(connection, .peerClosed)
        }
    }

    private func parkListener() {
        guard let listener, !isListenerParked else { return }
        try? system.forget(listener.number, token: Token.listener)
        deadlines.listenAgainAt = clients.clock().adding(milliseconds: 1000)
        armTimer()
    }

    func unparkListener() {
        guard let listener, isListenerParked else { return }
        deadlines.listenAgainAt = .distantFuture
        try? system.watch(listener.number, token: Token.listener)
    }

    // MARK: Goodbyes

    private func sendGoodbye(_ reason: CloseReason, to connection: Connection, seconds: UInt64) {
        clients.sendGoodbye(reason, to: connection.session)
        expectClose(of: connection, seconds: seconds)
    }

    /// Reads no more from a connection with a `goodbye`, and closes it after that time at the latest.
    private func expectClose(of connection: Connection, seconds: UInt64) {
        updateInterest(connection)
        watch(connection, seconds: seconds)
    }

    /// Closes the connection unless its client reads something within that time, and after a minute in any case: at the end of
    /// the server, which waits for all of them, after 5 s. A closed one has no deadline: nothing would end it.
    func watch(_ connection: Connection, seconds: UInt64) {
        guard !connection.isClosed else { return }
        let (now, total) = (clients.clock(), afterShutdown == nil ? 60 : UInt64(5))
        let due = deadlines.extend(connection.session.token, at: now, seconds: seconds, total: total)
        // The timer may also come too early.
        if due < deadlines.first { armTimer() }
    }

    func armTimer() {
        let next = deadlines.arm(for: clients.timers.next)
        if next == .distantFuture { system.disarmTimer() } else { system.armTimer(at: next) }
    }

    func cutUnresponsive() {
        let now = clients.clock()
        for token in deadlines.tokens(dueAt: now) {
            if let connection = connections[token] { close(connection, .unresponsive) }
        }
        armTimer()
    }

    /// Stops accepting, and sends every client a `goodbye`. Closes clients that read nothing for a second, and all after 5 s.
    /// - Parameter reason: with `upgrade` and `journalFailed`, the listener stays open, and the next clients wait for the next
    ///   program.
    /// - Parameter completion: called when the last connection is closed.
    func shutDown(_ reason: CloseReason = .shutdown, _ completion: @escaping @Sendable () -> Void) {
        guard afterShutdown == nil else {
            if reason == .shutdown { closeListener() }
            afterShutdown?.append(completion)
            return finishShutdownIfDone()
        }
        afterShutdown = [completion]
        if let listener, !isListenerParked { try? system.forget(listener.number, token: Token.listener) }
        deadlines.listenAgainAt = .distantFuture
        if reason == .upgrade {
            hub.finishSuspended()
            journaling.finishCommits()
        } else if reason == .shutdown {
            closeListener()
            clients.releaseAll()
        }
        journaling.flushBatch()
        for connection in connections.all { sendGoodbye(reason, to: connection, seconds: 1) }
        flushDirty()
        finishShutdownIfDone()
    }

    package func closeListener() {
        listener?.close()
        listener = nil
    }

    private func finishShutdownIfDone() {
        guard connections.count == 0, let completions = afterShutdown else { return }
        afterShutdown = []
        isOver = true
        journaling.closeJournal()
        for completion in completions { completion() }
        mailbox.close(self)
    }
}
