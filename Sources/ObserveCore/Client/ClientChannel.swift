// SPDX-License-Identifier: MIT
// A connection to a daemon that reconnects by itself. Independent of methods.

internal import Dispatch

/// Sends requests and receives answers and events, on a queue, without blocking.
/// - Bounds: unsent bytes have no limit.
/// - Errors: if the connection is lost, its unanswered requests fail. The channel reconnects after 20 ms, or
///   at once if the daemon is being upgraded. It doubles the delay up to a second, until a connection has lasted.
/// - Threading: confined to its owner's queue, where it calls its closures.
final class ClientChannel {
    typealias Reply = (Result<RawJSON, ClientError>) -> Void

    let path: String
    /// Called after each connect, the first one included.
    var didConnect: () -> Void = {}
    /// Called with the last commit that the received events show, if the daemon's `goodbye` says so.
    var didEnd: (Int64) -> Void = { _ in }
    /// Called after the connection is lost and its requests have failed.
    var didDisconnect: (ClientError) -> Void = { _ in }
    var received: (ChangeEvent) -> Void = { _ in }

    /// The connection's socket, if there is one.
    private let epoll: Epoll
    private var queue: DispatchQueue?
    /// Calls ``turn()`` while the connection has work.
    private var source: ReadinessSource?
    private var socket: FileDescriptor?
    private var session = ClientSession()
    private var replies: [Int64: Reply] = [:]
    private var unsent = ByteBuffer()
    private var interest: EpollEvents = []
    private var delay = RetryDelay()
    private var isClosed = false
    /// The number of connections so far, to recognize the answers of earlier ones.
    private(set) var generation = 0

    /// - Parameter socket: The path of the daemon's socket; nil for the default.
    init(socket: String?) throws(SocketError) {
        path = try SocketPath.resolve(option: socket)
        epoll = try Epoll()
    }

    var isConnected: Bool { generation > 0 && interest != [] }

    /// Connects, and works on its owner's queue until it is closed. Throws if no daemon is running, and does not retry.
    func start(on queue: DispatchQueue) throws(SocketError) {
        try connect()
        // Used on the queue alone. The source refers to the channel until the queue's next turn after its end, so it comes last.
        nonisolated(unsafe) let channel = self
        let source = try ReadinessSource(descriptor: epoll.number, queue: queue) { unsafe channel.turn() }
        (self.source, self.queue) = (source, queue)
        source.start()
    }

    func connect() throws(SocketError) {
        let fresh = try UnixSocket.connect(path: path, timeoutMilliseconds: 1000)
        try fresh.setNonBlocking(true)
        try epoll.add(fresh.number, .readable, token: 0)
        socket = consume fresh
        interest = .readable
        session = ClientSession()
        unsent.removeAll()
        delay.connect()
        generation += 1
        didConnect()
    }

    /// Closes the connection. Calls no closure afterwards.
    func close() {
        isClosed = true
        source?.cancel()
        source = nil
        if isConnected { disconnect() }
        fail(.abandoned)
        (didConnect, didEnd, didDisconnect, received) = ({}, { _ in }, { _ in }, { _ in })
    }

    // MARK: Requests

    /// Sends a request. Without a connection it fails at once. Returns its number on this connection, for ``forget(_:)``.
    @discardableResult
    func send(_ method: String, _ params: RequestParams, _ reply: @escaping Reply) -> Int64? {
        guard isConnected else {
            reply(.failure(isClosed ? .abandoned : .unreachable(.noListener(path))))
            return nil
        }
        let (id, line) = session.request(method, params)
        replies[id] = reply
        unsent.append(contentsOf: line)
        flush()
        return id
    }

    /// Returns the reply closure of an unanswered request, whose answer is ignored from now on.
    func forget(_ id: Int64) -> Reply? { replies.updateValue({ _ in }, forKey: id) }

    // MARK: Moving bytes

    func turn() {
        while epoll.wait(timeoutMilliseconds: 0) > 0 {
            let ready = epoll.flags(0)
            if ready.contains(.writable) { flush() }
            if ready != .writable { receive() }
        }
    }

    private func flush() {
        guard isConnected, !unsent.isEmpty else { return }
        // The daemon may have sent `goodbye` before it closed, so read its messages first.
        if case .failed = unsent.send(to: number) { unsent.removeAll() }
        let wanted: EpollEvents = unsent.isEmpty ? .readable : [.readable, .writable]
        if wanted != interest, (try? epoll.modify(number, wanted, token: 0)) != nil {
            interest = wanted
        }
    }

    private func receive() {
        guard isConnected else { return }
        let connection = generation
        let messages = session.receive(ByteIO.read(number, limitBytes: 65_536))
        for message in messages where generation == connection && isConnected { handle(message) }
        if generation == connection, isConnected, let failure = session.failure { lose(failure) }
    }

    private func handle(_ message: ClientMessage) {
        switch message {
        case .answer(let id, let result): replies.removeValue(forKey: id)?(.success(result))
        // One without a number answers a line that the daemon did not parse. It answers in order: the oldest unanswered request.
        case .refusal(let id, let error):
            guard let id = id ?? replies.keys.min() else { return }
            replies.removeValue(forKey: id)?(.failure(.refused(error)))
        case .change(let event): received(event)
        case .goodbye(let reason, let revision):
            if let revision { didEnd(revision) }
            lose(.goodbye(reason: reason))
        case .unknown: break
        }
    }

    private var number: Int32 { socket?.number ?? -1 }

    // MARK: Lost connections

    private func lose(_ error: ClientError) {
        disconnect()
        fail(error)
        didDisconnect(error)
        // The socket of a daemon that is being upgraded stays open.
        if error == .goodbye(reason: "upgrade") { delay.reset() } else { delay.fail() }
        scheduleAttempt()
    }

    private func disconnect() {
        try? epoll.remove(number)
        socket = nil
        interest = []
    }

    private func fail(_ error: ClientError) {
        let failed = replies
        replies = [:]
        for (_, reply) in failed.sorted(by: { $0.key < $1.key }) { reply(.failure(error)) }
    }

    private func scheduleAttempt() {
        guard !isClosed else { return }
        nonisolated(unsafe) weak let channel = self
        queue?.asyncAfter(deadline: .now() + .milliseconds(Int(delay.milliseconds))) {
            unsafe channel?.reconnect()
        }
    }

    private func reconnect() {
        guard !isClosed, !isConnected else { return }
        do throws(SocketError) { try connect() } catch {
            delay.fail()
            scheduleAttempt()
        }
    }
}

// MARK: - Shared by all connections

extension ReadResult {
    /// Why nothing follows: zero at the end of input, else the `errno`. Nil if more may come.
    package var end: Int32? {
        switch self {
        case .bytes, .wouldBlock: nil
        case .endOfInput: 0
        case .failed(let code): code
        }
    }
}

extension ByteBuffer {
    /// Sends as many of its bytes as the socket takes at once, and consumes them.
    package func send(to descriptor: Int32) -> WriteResult {
        let view = view
        let result = unsafe ByteIO.write(descriptor, UnsafeRawPointer(view.base), count: view.count)
        if case .bytes(let sent) = result { consume(sent) }
        return result
    }
}
