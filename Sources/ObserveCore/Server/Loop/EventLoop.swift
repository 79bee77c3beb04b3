// SPDX-License-Identifier: MIT
// Handles ready sockets in batches: reads, passes bytes to the hub, writes. Independent of JSON and of the tree.

/// How the server waits between two batches of work.
package enum Pacing: Sendable {
    /// Returns at once to its queue, which may have other work.
    case embedded
    /// Keeps the queue until the server stops. While traffic is dense, it polls for some microseconds: a wake-up costs more.
    case dedicated
}

/// One epoll set with the listener, all connections, a wake-up for work from other queues, and one timer.
///
/// A turn handles at most 256 ready descriptors. It reads each once, lets the hub execute the requests, and then writes the
/// output of each session once. The loop asks for writability only after a socket accepted less than it was offered. If nothing
/// is ready, it waits or returns to its queue: see ``Pacing``.
///
/// - Threading: confined to the server's queue.
@safe package final class EventLoop: Transport {
    enum Token {
        static let listener: UInt64 = 0
        static let wakeUp: UInt64 = 1
        static let timer: UInt64 = 2
        static let firstSignal: UInt64 = 3
        static let firstConnection: UInt64 = 16
    }

    let hub: Hub
    let clients: Clients
    let journaling: Journaling
    let system: LoopSystem
    let pacing: Pacing
    let mailbox: Mailbox
    var listener: UnixListener?
    /// The signals for `signalled`, which returns whether the server is to stop.
    private var signals: [SignalCounter] = []
    private var signalled: (Int32, EventLoop) -> Bool = { _, _ in false }
    var upgrade = UpgradeRequests()
    /// Out of descriptors, the loop accepts again when a connection closes or the timer fires.
    var isListenerParked: Bool { deadlines.listenAgainAt != .distantFuture }
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe var connections = ConnectionTable(firstToken: Token.firstConnection)
    /// The sessions that are being written to.
    var flushed: [Session] = []
    var deadlines = Deadlines()
    /// Called at the end; nil before a shutdown.
    var afterShutdown: [@Sendable () -> Void]?
    private var heartbeat: () -> Void = {}
    /// Called once, when the loop is idle for the first time.
    package var whenIdle: (() -> Void)?
    var isOver = false
    private var spin = SpinPolicy()
    /// An output that is sent in its round in any case has so many bytes at most: the answers to short requests are shorter.
    static let shortOutput = 4 << 10
    /// So many connections may be open beside the admitted ones: a program that bounds its descriptors leaves as many free.
    package static let mostRefused = 16
    /// Enough for a window of a thousand requests, which the loop then answers in one write.
    static let readBytes = 256 << 10
    /// An embedded loop handles so many short rounds until its queue has a turn. A full one, of about 5 ms, is the last.
    private static let mostRounds = 8
    @safe let readBuffer: UnsafeMutableRawPointer

    init(hub: Hub, pacing: Pacing, mailbox: Mailbox, system: LoopSystem) throws(SocketError) {
        self.hub = hub
        clients = hub.clients
        journaling = hub.journaling
        self.pacing = pacing
        self.mailbox = mailbox
        self.system = system
        readBuffer = .allocate(byteCount: EventLoop.readBytes, alignment: 64)
        try system.watch(mailbox.wakeUp.number, token: Token.wakeUp)
        try system.watchTimer(token: Token.timer)
    }

    deinit { unsafe readBuffer.deallocate() }

    /// Adopts `listener`, which it closes in the end.
    package func listen(on listener: UnixListener) throws(SocketError) {
        try system.watch(listener.number, token: Token.listener)
        self.listener = listener
    }

    /// Calls `body` for each signal that arrives; it returns whether the server is to stop. May be called once, with a dozen
    /// signals at most.
    package func watch(_ signals: [SignalCounter], _ body: @escaping (Int32, EventLoop) -> Bool)
        throws(SocketError)
    {
        precondition(self.signals.isEmpty && signals.count <= Int(Token.firstConnection - Token.firstSignal))
        for (index, signal) in signals.enumerated() {
            try system.watch(signal.number, token: Token.firstSignal + UInt64(index))
        }
        self.signals = signals
        signalled = body
    }

    package static let shortestBeatMicroseconds: UInt64 = 1000

    /// Calls `body` at each interval from now on. A loop that hangs does not call it.
    package func beat(everyMicroseconds interval: UInt64, _ body: @escaping () -> Void) {
        let (nanoseconds, isTooLong) = max(interval, EventLoop.shortestBeatMicroseconds)
            .multipliedReportingOverflow(by: 1000)
        heartbeat = body
        deadlines.beat(every: isTooLong ? .max : nanoseconds, from: clients.clock())
        armTimer()
    }

    // MARK: Turns

    /// Handles ready sockets. An embedded loop returns when none is ready, or after a few rounds, since its queue has other work
    /// too; the queue calls it again. A dedicated one returns when the last connection has closed after a shutdown. If it runs on
    /// the thread of ``Server/onQueue(_:)``, a process that does nothing else has one thread: its system calls are cheaper.
    package func run() {
        var rounds = 0
        while true {
            if clients.timers.next != deadlines.armed { armTimer() }
            let ready =
                journaling.wantsJournalStep || hasTurns ? system.wait(timeoutMilliseconds: 0) : waitForMore()
            let isBusy = ready > 0 || hasTurns
            var isIdle = false
            if isBusy {
                handle(ready)
                rounds += 1
            } else if journaling.wantsJournalStep {
                journaling.stepJournal()
            } else {
                clients.sessions.spares.releaseMost()
                whenIdle?()
                whenIdle = nil
                isIdle = true
            }
            if let breakage = journaling.breakage, afterShutdown == nil {
                shutDown(breakage.isReadable ? .journalFailed : .shutdown) {}
            }
            if pacing == .embedded {
                if isIdle { return }
                if isBusy, clients.hasRoundEnded || rounds == EventLoop.mostRounds {
                    return mailbox.wakeUp.signal()
                }
            }
            if isOver, pacing == .dedicated { return }
        }
    }

    private var hasTurns: Bool {
        connections.turns.hasWork || !clients.sessions.departing.isEmpty || hub.tree.hasUnfreed
    }

    /// - Returns: how many descriptors are ready; 0 if the loop is to do idle work.
    private func waitForMore() -> Int {
        if pacing == .embedded { return system.wait(timeoutMilliseconds: 0) }
        let ready = poll()
        if ready > 0 { return ready }
        // A wait with a timeout arms a timer, which takes as long as the rest of a wake-up.
        let hasIdleWork = clients.sessions.spares.hasTooMany || whenIdle != nil
        return system.wait(timeoutMilliseconds: hasIdleWork ? 1 : -1)
    }

    private func poll() -> Int {
        guard spin.mayPoll() else { return 0 }
        var now = MonotonicTime.now
        let end = now.adding(nanoseconds: SpinPolicy.duration)
        var isDisturbed = false
        repeat {
            let ready = system.wait(timeoutMilliseconds: 0)
            if ready > 0 {
                if !isDisturbed { spin.noteCalm() }
                return ready
            }
            Platform.yield()
            let last = now
            now = .now
            if last.nanoseconds(until: now) > 5000, !isDisturbed {
                isDisturbed = true
                if spin.noteDisturbance() { return 0 }
            }
        } while now < end
        if !isDisturbed { spin.noteCalm() }
        return 0
    }

    private func handle(_ ready: Int) {
        let lines = clients.metrics.linesRead
        if pacing == .dedicated { spin.beginBatch(at: .now) }
        clients.beginRound()
        connections.turns.beginRound()
        var index = connections.turns.popFirstReady(of: ready)
        for count in 1..<(ready + 1) {
            handle(system.token(index), system.flags(index))
            index += 1
            if index == ready { index = 0 }
            if count < ready, clients.hasRoundEnded {
                connections.turns.stopRound(before: index)
                handleShort(from: index, ready - count, of: ready)
                break
            }
        }
        // A turn may take as long as the last round: short answers do not wait for it.
        if connections.turns.isSlow, connections.turns.hasWork { flushDirty() }
        if connections.turns.mayBegin(afterSlowReading: clients.hasSecondRoundEnded) { takeTurns() }
        clients.continueClosing()
        connections.turns.isSlow = clients.hasSecondRoundEnded
        flushDirty()
        // About a millisecond.
        if hub.tree.hasUnfreed { hub.tree.free(atMost: 10_000) }
        if journaling.wantsJournalStep { journaling.stepJournal() }
        if pacing == .dedicated { spin.noteEnd(at: .now) }
        spin.endBatch(lines: clients.metrics.linesRead &- lines, descriptors: ready)
        assert(hub.isIdle)
    }

    /// After a round, handles work of other queues, and ready connections whose last turns were short: a client that needs little
    /// does not wait for those that take all they get. A second round bounds this.
    private func handleShort(from first: Int, _ count: Int, of ready: Int) {
        for place in first..<(first + count) where !clients.hasSecondRoundEnded {
            let index = place < ready ? place : place - ready
            let token = system.token(index)
            if token == Token.wakeUp || connections[token]?.hasUsedUpTurn == false {
                handle(token, system.flags(index))
            }
        }
    }

    private func handle(_ token: UInt64, _ flags: EpollEvents) {
        switch token {
        case Token.listener: acceptConnections()
        case Token.wakeUp: mailbox.drain(self)
        case Token.timer:
            system.drainTimer()
            if deadlines.popHeartbeat(dueAt: clients.clock()) { heartbeat() }
            if deadlines.listenAgainAt <= clients.clock() { unparkListener() }
            hub.runTimers(at: clients.clock())
            cutUnresponsive()
        case Token.firstSignal..<Token.firstConnection:
            let signal = signals[Int(token - Token.firstSignal)]
            clients.noteTime()
            if signal.drain(), signalled(signal.signal, self) { shutDown {} }
        default:
            guard let connection = connections[token] else { return }
            // Who has hung up reads nothing, and what waits for them would be rendered in vain.
            if flags.contains(.writable), flags.isDisjoint(with: [.hangUp, .error]) {
                connectionIsWritable(connection)
            }
            if !connection.isClosed, flags.contains(.readable), connection.wantsInput,
                !connections.turns.holds(connection.hasUsedUpTurn, feedsMany: connection.feedsMany)
            {
                read(connection)
            }
            if !connection.isClosed, !flags.isDisjoint(with: [.hangUp, .error]),
                !flags.contains(.readable) || !connection.wantsInput
            {
                peerIsGone(connection)
            }
        }
    }
}
