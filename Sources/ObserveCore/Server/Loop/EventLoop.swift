// SPDX-License-Identifier: MIT
// Sockets that are ready, in batches: reads, hands lines to the hub, writes. Knows nothing of JSON or of the tree.

/// One epoll set with the listener, all connections, a wake-up for work from other queues, and one timer.
///
/// A turn takes the descriptors that are ready, 256 at a time: reads each once, lets the hub carry out what came, and
/// then writes each session that has output once. Writability is asked for only after a socket took less than it was
/// offered. When nothing is left, the loop waits, or returns to its queue, as its ``Pacing`` says.
///
/// - Threading: confined to the server's queue.
@safe
final class EventLoop: Transport {
    enum Token {
        static let listener: UInt64 = 0
        static let wakeUp: UInt64 = 1
        static let timer: UInt64 = 2
        static let firstSignal: UInt64 = 3
        static let firstConnection: UInt64 = 16
    }

    let hub: Hub
    let epoll: Epoll
    let pacing: Pacing
    let mailbox: Mailbox
    let timer: TimerDescriptor
    var listener: UnixListener?
    /// Signals that are told to `signalled`, which says whether the server is to stop.
    private var signals: [SignalCounter] = []
    private var signalled: (Int32, Hub) -> Bool = { _, _ in false }
    /// Out of descriptors: the listener is out of the set until a connection has closed or the timer rings.
    var isListenerParked = false
    @safe @exclusivity(unchecked) var connections: [Connection?] = []
    /// The sessions that are being written to.
    @safe @exclusivity(unchecked) private var flushed: [Session] = []
    var freeSlots: [Int] = []
    var lastGeneration: UInt64 = 0
    var connectionCount = 0
    /// Connections that said goodbye, and when they are cut.
    @safe @exclusivity(unchecked) var deadlines: [UInt64: MonotonicTime] = [:]
    var listenAgainAt = MonotonicTime.distantFuture
    /// The point of the hub's agenda that the timer was armed for.
    @safe @exclusivity(unchecked) var armedTimer: MonotonicTime?
    /// Who is called when the last connection has closed; nil as long as nobody wants an end.
    var afterShutdown: [@Sendable () -> Void]?
    /// What is left to be done once, when nothing else is.
    var leftForSilence: (() -> Void)?
    /// The last connection has closed after a shutdown.
    var isOver = false
    /// What a window of a thousand requests comes to: then they are answered in one write.
    private static let readBytes = 256 << 10
    @safe private let readBuffer: UnsafeMutableRawPointer
    @safe @exclusivity(unchecked) private var lastBatchEndedAt = MonotonicTime(nanoseconds: 0)
    /// The last batch came soon after the one before, so that another may be awaited.
    @safe @exclusivity(unchecked) private var isInDialogue = false
    /// How many batches more are not spun for; and how many will not be when others want the processor the next time.
    @safe @exclusivity(unchecked) private var unspunBatches = 0
    @safe @exclusivity(unchecked) private var disturbance = 0
    /// The last batch brought more than who waits for answers sends: then a wake-up that comes late only lets more gather.
    @safe @exclusivity(unchecked) private var isPipelined = false

    init(hub: Hub, pacing: Pacing, mailbox: Mailbox) throws(SocketError) {
        self.hub = hub
        self.pacing = pacing
        self.mailbox = mailbox
        epoll = try Epoll()
        timer = try TimerDescriptor()
        readBuffer = .allocate(byteCount: EventLoop.readBytes, alignment: 64)
        try epoll.add(mailbox.wakeUp.number, .readable, token: Token.wakeUp)
        try epoll.add(timer.number, .readable, token: Token.timer)
    }

    deinit { unsafe readBuffer.deallocate() }

    func listen(on listener: UnixListener) throws(SocketError) {
        try epoll.add(listener.number, .readable, token: Token.listener)
        self.listener = listener
    }

    /// Tells `body` of the signals as they come. Once, and of a dozen at most.
    func watch(_ signals: [SignalCounter], _ body: @escaping (Int32, Hub) -> Bool) throws(SocketError) {
        precondition(self.signals.isEmpty && signals.count <= Int(Token.firstConnection - Token.firstSignal))
        for (index, signal) in signals.enumerated() {
            try epoll.add(signal.number, .readable, token: Token.firstSignal + UInt64(index))
        }
        self.signals = signals
        signalled = body
    }

    // MARK: Turns

    /// Carries out what comes: an embedded loop until nothing is ready, when its queue calls it again; any other until the
    /// last connection has closed after a shutdown.
    func run() {
        while true {
            if hub.timers.next != armedTimer { armTimer() }
            let ready = hub.wantsJournalStep ? epoll.wait(timeoutMilliseconds: 0) : waitForMore()
            if ready > 0 {
                handle(ready)
            } else if hub.wantsJournalStep {
                hub.stepJournal()
            } else if hub.journalGate.isGathering {
                flushDirty()
            } else {
                hub.releaseSpareBuffers()
                leftForSilence?()
                leftForSilence = nil
                if pacing == .embedded { return }
            }
            if isOver, pacing == .dedicated { return }
        }
    }

    /// - Returns: how many descriptors have become ready; none, if there is something to be done in a silence.
    private func waitForMore() -> Int {
        if pacing == .embedded { return epoll.wait(timeoutMilliseconds: 0) }
        if !isPipelined {
            let ready = spin()
            if ready > 0 { return ready }
        }
        // A wait with a timeout arms a timer, which takes as long as all the rest of a wake-up.
        let isToBeTidied =
            hub.journalGate.isGathering || hub.hasTooManySpareBuffers || leftForSilence != nil
        return epoll.wait(timeoutMilliseconds: isToBeTidied ? 1 : -1)
    }

    /// Looks again for 30 µs, if the last batch came within 100 µs: measured to save a wake-up of 20 µs. Clients that take
    /// longer to answer, as a hundred subscribers do to read what they were told, are not awaited.
    ///
    /// Where others wait for this processor, the client may be one of them: at each look it is theirs. A look that took
    /// long says that they are there, and then sleeping is better: nobody spins for the next batch, and the next 2, 4 and
    /// so on to 4096, until a spin is not disturbed. The first such look may be a timer's interrupt, and counts for nothing.
    private func spin() -> Int {
        guard isInDialogue else { return 0 }
        if unspunBatches > 0 {
            unspunBatches &-= 1
            return 0
        }
        var now = MonotonicTime.now
        let end = now.adding(nanoseconds: 30_000)
        var ready = 0
        var isDisturbed = false
        repeat {
            ready = epoll.wait(timeoutMilliseconds: 0)
            if ready > 0 { break }
            Platform.yield()
            let last = now
            now = .now
            if last.nanoseconds(until: now) > 5000, !isDisturbed {
                isDisturbed = true
                if disturbance > 0 {
                    unspunBatches = disturbance
                    disturbance = min(disturbance &* 2, 4096)
                    return 0
                }
                disturbance = 1
            }
        } while now < end
        if !isDisturbed { disturbance = 0 }
        return ready
    }

    private func handle(_ ready: Int) {
        let lines = hub.linesRead
        if pacing == .dedicated { isInDialogue = lastBatchEndedAt.nanoseconds(until: .now) < 100_000 }
        defer { isPipelined = hub.linesRead &- lines > 2 &* ready }
        for index in 0..<ready { handle(epoll.token(index), epoll.flags(index)) }
        flushDirty()
        if hub.wantsJournalStep { hub.stepJournal() }
        if pacing == .dedicated { lastBatchEndedAt = .now }
    }

    private func handle(_ token: UInt64, _ flags: EpollEvents) {
        switch token {
        case Token.listener: acceptConnections()
        case Token.wakeUp: mailbox.drain(self)
        case Token.timer:
            timer.drain()
            if listenAgainAt <= .now { unparkListener() }
            hub.runTimers(at: .now)
            cutUnresponsive()
        case Token.firstSignal..<Token.firstConnection:
            let signal = signals[Int(token - Token.firstSignal)]
            if signal.drain(), signalled(signal.signal, hub) { shutDown {} }
        default:
            guard let connection = connection(token) else { return }
            if flags.contains(.writable) { connectionIsWritable(connection) }
            if !connection.isClosed, flags.contains(.readable), connection.wantsInput { read(connection) }
            if !connection.isClosed, !flags.isDisjoint(with: [.hangUp, .error]),
                !flags.contains(.readable) || !connection.wantsInput
            {
                close(connection, .peerClosed)
            }
        }
    }

    /// The connection of that token, unless it closed earlier in this batch.
    func connection(_ token: UInt64) -> Connection? {
        let slot = Int(token & 0xFFFF_FFFF) - Int(Token.firstConnection)
        guard slot >= 0, slot < connections.count, let connection = connections[slot] else { return nil }
        return connection.session.token == token ? connection : nil
    }

    // MARK: Reading

    private func read(_ connection: Connection) {
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
        if !hub.receive(input, from: connection.session), connection.session.closing == nil {
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

    /// Goes on with the requests that waited until the client took its answers.
    private func resume(_ connection: Connection) {
        guard connection.isPaused, connection.session.closing == nil,
            connection.session.waitingBytes <= hub.limits.maxOutboxBytes / 2
        else { return }
        connection.isPaused = !hub.receive(ByteView(""), from: connection.session)
        if !connection.isPaused, connection.hasSeenEnd { finishInput(of: connection) }
    }

    // MARK: Writing

    func flushDirty() {
        while !hub.dirty.isEmpty {
            if hub.needsFlush {
                if hub.dirty.allSatisfy(isOrdinary) { hub.beginFlush() } else { hub.flushBatch() }
                if hub.needsFlush { return sendFlushed() }
            }
            // Two lists take turns, so that neither is ever copied.
            swap(&flushed, &hub.dirty)
            for session in flushed {
                session.isDirty = false
                guard let connection = connection(session.token) else { continue }
                if session.isBlocked {
                    watchGoodbye(session)
                    updateInterest(connection)
                } else {
                    drain(connection)
                }
            }
            flushed.removeAll(keepingCapacity: true)
        }
    }

    /// Whether all that is to be done for the session is to send it what waits.
    private func isOrdinary(_ session: Session) -> Bool {
        guard !session.isQueueing, session.closing == nil, !session.hasEndedInput else { return false }
        return connection(session.token).map { !$0.isPaused } ?? true
    }

    /// Writes what may be sent already. Sessions that have more stay in the list.
    private func sendFlushed() {
        let batch = hub.dirty
        hub.dirty.removeAll(keepingCapacity: true)
        for session in batch {
            if let connection = connection(session.token), !session.isBlocked {
                if hub.sendable(session) > 0 { write(connection) }
                updateInterest(connection)
            }
            session.isDirty = session.outputCount > hub.sendable(session)
            if session.isDirty { hub.dirty.append(session) }
        }
    }

    /// Gives a client that was told goodbye a time to take it.
    private func watchGoodbye(_ session: Session) {
        if session.closing != nil, deadlines[session.token] == nil { watch(session, seconds: 10) }
    }

    private func connectionIsWritable(_ connection: Connection) {
        connection.session.isBlocked = false
        drain(connection)
    }

    /// Writes until the client takes no more or nothing waits, but at most about a megabyte a turn, so that one reader
    /// that is as fast as we are does not keep the others waiting.
    private func drain(_ connection: Connection) {
        let session = connection.session
        if session.isFree, !session.hasEndedInput, !connection.isPaused, !hub.needsFlush {
            // Nothing else is to be done for it: what its socket does not take now makes it blocked.
            write(connection)
            return updateInterest(connection)
        }
        if hub.needsFlush, hub.isFlying || hub.journalGate.isGathering, isOrdinary(session) {
            if hub.sendable(session) > 0 { write(connection) }
            return updateInterest(connection)
        }
        hub.flushBatch()
        var rounds = 0
        repeat {
            if session.isQueueing { hub.refill(session) }
            write(connection)
            rounds += 1
        } while session.hasOutput && !session.isBlocked && rounds < 16 && !connection.isClosed
        if connection.isClosed { return }
        if connection.isPaused { resume(connection) }
        watchGoodbye(session)
        if session.hasOutput, !session.isBlocked { session.isBlocked = true }
        closeIfDone(connection)
        updateInterest(connection)
    }

    func flush(_ session: Session) {
        guard let connection = connection(session.token), !session.isBlocked, !hub.needsFlush else { return }
        write(connection)
        if session.isBlocked { updateInterest(connection) }
    }

    private func write(_ connection: Connection) {
        let session = connection.session
        var waiting =
            session.hasBroadcastRange ? hub.broadcastBytes(of: session) : session.output?.view ?? ByteView("")
        if hub.needsFlush { waiting = waiting.prefix(min(hub.sendable(session), waiting.count)) }
        if connection.isDeaf || waiting.isEmpty {
            _ = hub.sent(waiting.count, to: session)
            return
        }
        switch unsafe ByteIO.write(connection.number, UnsafeRawPointer(waiting.base), count: waiting.count) {
        case .bytes(let count):
            if !deadlines.isEmpty, deadlines[session.token] != nil {
                watch(session, seconds: afterShutdown == nil ? 10 : 1)
            }
            if !hub.sent(count, to: session), count < waiting.count { session.isBlocked = true }
        case .wouldBlock: hub.block(session)
        case .failed:
            // Nobody hears the answers. What the client sent before it went is still carried out, to its end.
            connection.isDeaf = true
            _ = hub.sent(waiting.count, to: session)
        }
    }

    @inline(__always)
    func updateInterest(_ connection: Connection) {
        if connection.isClosed { return }
        var interest: EpollEvents = []
        if connection.wantsInput { interest.insert(.readable) }
        if connection.session.isBlocked { interest.insert(.writable) }
        guard interest != connection.interest else { return }
        connection.interest = interest
        try? epoll.modify(connection.number, interest, token: connection.session.token)
    }
}
