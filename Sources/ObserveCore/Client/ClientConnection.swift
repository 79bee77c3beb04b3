// SPDX-License-Identifier: MIT
// A blocking connection to a daemon, for programs that do one thing at a time. Independent of methods.

/// A connection that sends requests and waits for answers and events.
/// - Bounds: waiting events have no limit, so a subscriber must keep calling ``nextEvent(until:)``.
/// - Errors: each call throws a ``ClientError``. The connection stays usable after ``ClientError/timedOut``,
///   ``ClientError/abandoned`` and ``ClientError/refused(_:)``. After all other errors it is closed.
/// - Threading: confined to its owner, whose thread it blocks while it waits for the descriptor.
/// - Order: events come in the daemon's order. An answer is a barrier ("Order of events" in `docs/protocol.md`):
///   when it is returned, the events of all commits that it names have arrived.
package final class ClientConnection {
    private let socket: FileDescriptor
    private var session = ClientSession()
    /// Received events, oldest first, and the number of them that are consumed.
    private var events: [ChangeEvent] = []
    private var consumed = 0
    private var answers: [(id: Int64?, result: Result<RawJSON, DaemonError>)] = []
    private var goodbye: (reason: String, revision: Int64?)?
    private let unsent = ByteBuffer()
    /// Bytes that are read and not parsed yet, in the order in which they came.
    private var ahead: ArraySlice<[UInt8]> = []
    /// The last commit that the received events show, if the daemon's `goodbye` said so.
    package private(set) var lastRevision: Int64?

    /// The program's output. When its reader closes it, calls throw ``ClientError/abandoned`` at once.
    package var audience: Int32?
    /// Descriptors that end a wait when they are readable: calls throw ``ClientError/abandoned``, and what has arrived stays.
    package var alarms: [Int32] = []

    /// Whether to read all that has arrived before each parse. Then the daemon does not wait for this client, and its queue
    /// of events under `"delivery": "every"` does not overflow; this process's memory takes them.
    package var readsAhead = false

    /// Connects to the daemon at `path`. Throws ``ClientError/unreachable(_:)`` or ``ClientError/timedOut``.
    package convenience init(path: String, until deadline: MonotonicTime? = nil) throws(ClientError) {
        self.init(nonBlocking: try ClientConnection.socket(path: path, until: deadline))
    }

    package init(nonBlocking socket: consuming FileDescriptor) { self.socket = socket }

    /// Connects without a client, for bytes in both directions. Throws as ``init(path:until:)``.
    package static func socket(
        path: String,
        until deadline: MonotonicTime?
    ) throws(ClientError) -> FileDescriptor {
        let nanoseconds = deadline.map { MonotonicTime.now.nanoseconds(until: $0) }
        let milliseconds = nanoseconds.map { Int(clamping: $0 / 1_000_000) }
        do throws(SocketError) {
            let socket = try UnixSocket.connect(path: path, timeoutMilliseconds: milliseconds)
            try socket.setNonBlocking(true)
            return socket
        } catch .timedOut {
            throw .timedOut
        } catch { throw .unreachable(error) }
    }

    /// Sends a request and waits for its answer. Keeps earlier events for ``nextEvent(until:)``.
    package func call(
        _ method: String,
        _ params: RequestParams = [:],
        until deadline: MonotonicTime? = nil
    ) throws(ClientError) -> RawJSON {
        let (id, line) = session.request(method, params)
        unsent.append(contentsOf: line)
        while true {
            while !answers.isEmpty {
                let (answered, result) = answers.removeFirst()
                // One without a number answers a line that the daemon could not parse: this one, since they are sent one at a
                // time. Another number is that of a request that timed out.
                if answered == id || answered == nil { return try result.mapError(ClientError.refused).get() }
            }
            if let goodbye { throw .goodbye(reason: goodbye.reason) }
            try exchange(until: deadline)
        }
    }

    /// Returns the next event, and waits for one if none has come.
    package func nextEvent(until deadline: MonotonicTime? = nil) throws(ClientError) -> ChangeEvent {
        while true {
            if let event = waitingEvent() { return event }
            if let (reason, revision) = goodbye.take() {
                lastRevision = revision
                throw .goodbye(reason: reason)
            }
            try exchange(until: deadline)
        }
    }

    /// The process that listens on the socket; nil if the kernel does not say.
    package var listener: Int32? {
        let peer = try? UnixSocket.peerCredentials(socket.number)
        return peer.flatMap { $0.pid > 0 ? $0.pid : nil }
    }

    package var hasWaitingEvent: Bool { consumed < events.count }

    /// Ends the connection and waits until the daemon has closed it. Then its temporary values have expired.
    package func finish(until deadline: MonotonicTime) {
        alarms = []
        audience = nil
        do {
            try UnixSocket.shutdownWriting(socket.number)
            while true { try exchange(until: deadline) }
        } catch {
            // The daemon has closed, or takes too long: both end the wait.
        }
    }

    package func waitingEvent() -> ChangeEvent? {
        guard hasWaitingEvent else { return nil }
        defer { consumed += 1 }
        return events[consumed]
    }
}

private extension ClientConnection {
    /// Waits until the socket is ready, then sends and reads as much as possible.
    func exchange(until deadline: MonotonicTime?) throws(ClientError) {
        if let failure = session.failure { throw failure }
        // Test the deadline here too: if the socket is always ready, the wait never times out.
        if let deadline, deadline <= .now { throw .timedOut }
        events.removeFirst(consumed)
        consumed = 0
        var wanted: [(descriptor: Int32, events: PollEvents)] = [
            (socket.number, unsent.isEmpty ? .readable : [.readable, .writable])
        ]
        if let audience { wanted.append((audience, [])) }
        let others = wanted.count
        wanted += alarms.map { ($0, .readable) }
        let hasMore = !ahead.isEmpty
        let came = Poll.wait(for: wanted, until: hasMore ? .now : deadline)
        // The daemon may have sent `goodbye` before it closed, so read its messages first.
        if came[0].contains(.writable), case .failed = unsent.send(to: socket.number) { unsent.removeAll() }
        if !came[0].isDisjoint(with: [.readable, .gone]) || hasMore { receive() }
        if others > 1, came[1].contains(.gone) { throw .abandoned }
        if came[others...].contains(where: { !$0.isEmpty }) { throw .abandoned }
        if !hasMore, came.allSatisfy(\.isEmpty) { throw .timedOut }
    }

    func receive() {
        for message in session.receive(read()) {
            switch message {
            case .change(let event): events.append(event)
            case .answer(let id, let result): answers.append((id, .success(result)))
            case .refusal(let id, let error): answers.append((id, .failure(error)))
            case .goodbye(let reason, let revision): goodbye = (reason, revision)
            case .unknown: break
            }
        }
    }

    /// The next bytes. Reads ahead first, if it may.
    func read() -> (result: ReadResult, bytes: [UInt8]) {
        guard readsAhead else { return ByteIO.read(socket.number, limitBytes: 65_536) }
        // As much as the kernel holds, and the daemon adds meanwhile: not for ever.
        for _ in 0..<64 {
            let piece = ByteIO.read(socket.number, limitBytes: 65_536)
            guard case .bytes = piece.result else {
                if ahead.isEmpty { return piece }
                break
            }
            ahead.append(piece.bytes)
        }
        let next = ahead.popFirst() ?? []
        if ahead.isEmpty { ahead = [] }
        return (.bytes(next.count), next)
    }
}
