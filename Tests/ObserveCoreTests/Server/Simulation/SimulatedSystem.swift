// SPDX-License-Identifier: MIT
// The system calls of an event loop, without a system: sockets of any capacity, a timer on a simulated clock.

@testable import ObserveCore

/// Monotonic time, and the system's clock, which may jump.
final class SimulatedClock {
    private(set) var now = MonotonicTime(nanoseconds: 1_000_000_000)
    /// The system's clock at the monotonic clock's zero, in milliseconds since 1970.
    var offset: Int64 = 1_700_000_000_000

    var timeOfDay: Int64 { offset + Int64(now.nanoseconds / 1_000_000) }

    func pass(milliseconds: UInt64) { now = now.adding(milliseconds: milliseconds) }
}

/// What an event loop asks of the system. Reads and writes move any number of bytes; the loop learns of any of the ready
/// sockets, in any order.
final class SimulatedSystem: LoopSystem {
    private let clock: SimulatedClock
    private var random: SeededGenerator
    /// The open sockets by their tokens.
    private(set) var sockets: [UInt64: SimulatedSocket] = [:]
    /// The socket whose connection is being added.
    private var arriving: SimulatedSocket?
    private var armed: MonotonicTime?
    /// How often the loop has armed the timer.
    private(set) var timesArmed = 0
    /// The mailbox has work.
    var hasMail = false
    /// How many waits may find ready descriptors, until the loop returns.
    var waits = 0
    /// How often the loop has looked since ``waits`` came to 0.
    private var looks = 0
    /// The process is dead: nothing that it does has an effect.
    var isDead = false
    /// Whether a read ends with a line, so that the loop executes one request at a time.
    let readsLines: Bool
    /// Every byte that the server reads and writes.
    let digest: RunDigest
    /// Called before each of the loop's looks at the world.
    var beforeWait: () -> Void = {}
    /// Called before each read.
    var beforeRead: () -> Void = {}
    /// The connection of a token, when the loop closes it.
    var willClose: (UInt64, SimulatedSocket) -> Void = { _, _ in }
    private var ready: [(token: UInt64, flags: EpollEvents)] = []

    init(_ clock: SimulatedClock, seed: UInt64, readsLines: Bool, _ digest: RunDigest) throws {
        self.clock = clock
        self.digest = digest
        self.readsLines = readsLines
        random = SeededGenerator(seed: seed)
        try super.init()
    }

    private func below(_ limit: Int) -> Int { Int(random.next() % UInt64(max(limit, 1))) }

    /// Adds the socket of a client to the loop.
    ///
    /// - Returns: its token.
    func connect(_ socket: SimulatedSocket, to loop: EventLoop) -> UInt64 {
        arriving = socket
        return loop.add(FileDescriptor(owning: -1), of: socket.peer)
    }

    /// How many bytes the server has not read yet.
    var inputBytes: Int { sockets.values.reduce(0) { $0 + $1.toServer.count } }

    // MARK: Readiness

    override func watch(_ descriptor: Int32, _ interest: EpollEvents, token: UInt64) throws(SocketError) {
        guard token >= EventLoop.Token.firstConnection, let socket = arriving else { return }
        socket.interest = interest
        sockets[token] = socket
        arriving = nil
    }

    override func change(_ descriptor: Int32, to interest: EpollEvents, token: UInt64) throws(SocketError) {
        sockets[token]?.interest = interest
    }

    override func forget(_ descriptor: Int32, token: UInt64) throws(SocketError) {
        guard let socket = sockets.removeValue(forKey: token) else { return }
        if !isDead { willClose(token, socket) }
        socket.closeServer()
        digest.add("close", token)
    }

    override func wait(timeoutMilliseconds: Int32) -> Int {
        ready = []
        beforeWait()
        guard waits > 0, !isDead else {
            looks += 1
            precondition(looks < 100_000, "the loop does not rest; \(digest.trace)")
            return 0
        }
        (waits, looks) = (waits - 1, 0)
        for token in sockets.keys.sorted() {
            guard let flags = sockets[token]?.readiness, !flags.isEmpty else { continue }
            ready.append((token, flags))
        }
        if let armed, armed <= clock.now { ready.append((EventLoop.Token.timer, .readable)) }
        if hasMail { ready.append((EventLoop.Token.wakeUp, .readable)) }
        ready.shuffle(using: &random)
        if below(3) == 0 { ready.removeLast(below(ready.count)) }
        return ready.count
    }

    override func token(_ index: Int) -> UInt64 {
        // The loop drains its mailbox now.
        if ready[index].token == EventLoop.Token.wakeUp { hasMail = false }
        return ready[index].token
    }

    override func flags(_ index: Int) -> EpollEvents { ready[index].flags }

    // MARK: The timer

    override func watchTimer(token: UInt64) throws(SocketError) {}
    override func armTimer(at time: MonotonicTime) {
        armed = time
        timesArmed += 1
    }
    override func disarmTimer() { armed = nil }
    override func drainTimer() {
        if let time = armed, time <= clock.now { armed = nil }
    }

    // MARK: Bytes

    override func read(_ connection: Connection, into buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
        beforeRead()
        guard !isDead, let socket = sockets[connection.session.token] else { return .wouldBlock }
        if socket.toServer.isEmpty {
            if socket.isReset { return .failed(104) }
            return socket.hasEnded || socket.isClientGone ? .endOfInput : .wouldBlock
        }
        var count = below(3) > 0 ? socket.toServer.count : 1 + below(socket.toServer.count)
        if readsLines { count = min(count, 1 + (socket.toServer.firstIndex(of: 0x0A) ?? count)) }
        let bytes = socket.receive(atMost: min(count, buffer.count))
        unsafe buffer.copyBytes(from: bytes)
        digest.add("read", connection.session.token, bytes)
        return .bytes(bytes.count)
    }

    override func write(_ bytes: ByteView, to connection: Connection) -> WriteResult {
        guard !isDead else { return .bytes(bytes.count) }
        guard let socket = sockets[connection.session.token], !socket.isClientGone else { return .failed(32) }
        var count = min(bytes.count, socket.room)
        if count <= 0 { return .wouldBlock }
        if below(4) == 0 { count = 1 + below(count) }
        let sent = bytes.prefix(count).array
        socket.send(sent)
        digest.add("write", connection.session.token, sent[...])
        return .bytes(count)
    }
}
