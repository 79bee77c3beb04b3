// SPDX-License-Identifier: MIT
// A blocking connection to a daemon, for programs that do one thing at a time. Does not know what is asked for.

/// A connection that sends requests and waits for answers and events.
///
/// - Bounds: what has arrived and was not asked for yet is kept without a limit: whoever subscribes keeps calling
///   ``nextEvent(until:)``.
/// - Errors: each call throws a ``ClientError``. After ``ClientError/timedOut`` and ``ClientError/abandoned`` the
///   connection may be used further; after a refusal too; after all others it is over.
/// - Threading: confined to its owner, whose thread it blocks. Nothing here sleeps: it waits for the descriptor.
/// - Order: events come out as the daemon sent them. An answer is a barrier (contract §6): the events of all commits
///   that it names are in the queue when it is returned.
package final class ClientConnection {
    private let socket: FileDescriptor
    private var session = ClientSession()
    /// Messages that nobody has taken yet, oldest first, and how many of them have been.
    private var inbox: [ClientMessage] = []
    private var taken = 0
    private var unsent: ArraySlice<UInt8> = []

    /// A descriptor whose reader is why we are here, standard output for instance: when that has gone, waiting ends
    /// at once with ``ClientError/abandoned``.
    package var audience: Int32?

    /// Connects to the daemon at `path`. Throws ``ClientError/unreachable(_:)``, or ``ClientError/timedOut``.
    package convenience init(path: String, until deadline: MonotonicTime? = nil) throws(ClientError) {
        let nanoseconds = deadline.map { MonotonicTime.now.nanoseconds(until: $0) }
        let milliseconds = nanoseconds.map { Int(clamping: $0 / 1_000_000) }
        do throws(SocketError) {
            try self.init(owning: UnixSocket.connect(path: path, timeoutMilliseconds: milliseconds))
        } catch .timedOut {
            throw .timedOut
        } catch {
            throw .unreachable(error)
        }
    }

    /// Takes over a connected socket.
    package init(owning socket: consuming FileDescriptor) throws(SocketError) {
        try socket.setNonBlocking(true)
        self.socket = socket
    }

    /// Sends a request and waits for its answer; what else arrives before it is kept for ``nextEvent(until:)``.
    package func call(
        _ method: String,
        _ params: RequestParams = [:],
        until deadline: MonotonicTime? = nil
    ) throws(ClientError) -> RawJSON {
        let (id, line) = session.request(method, params)
        unsent += line
        var next = taken
        while true {
            while next < inbox.count {
                if let answer = try answer(to: id, at: next) { return answer }
                next += 1
            }
            let forgotten = taken
            try exchange(until: deadline)
            next -= forgotten
        }
    }

    /// The next event, waited for if none has arrived yet.
    package func nextEvent(until deadline: MonotonicTime? = nil) throws(ClientError) -> ChangeEvent {
        while true {
            while taken < inbox.count {
                taken += 1
                switch inbox[taken - 1] {
                case .change(let event): return event
                case .goodbye(let reason): throw .goodbye(reason: reason)
                // Of a request that was given up when its time was over.
                case .answer, .refusal, .unknown: continue
                }
            }
            try exchange(until: deadline)
        }
    }

    /// An event that has arrived already; nil if none has.
    package func waitingEvent() -> ChangeEvent? {
        while taken < inbox.count {
            guard case .change(let event) = inbox[taken] else {
                if case .goodbye = inbox[taken] { return nil }
                taken += 1
                continue
            }
            taken += 1
            return event
        }
        return nil
    }
}

private extension ClientConnection {
    /// Whether the message at `index` answers the request `id`; it is then taken out.
    func answer(to id: Int64, at index: Int) throws(ClientError) -> RawJSON? {
        switch inbox[index] {
        case .answer(id, let result):
            inbox.remove(at: index)
            return result
        // A refusal without a number is of a line that the daemon could not read. Requests are sent one at a time,
        // so it was this one.
        case .refusal(let refused, let error) where refused == id || refused == nil:
            inbox.remove(at: index)
            throw .refused(error)
        case .goodbye(let reason):
            throw .goodbye(reason: reason)
        case .answer, .refusal, .change, .unknown:
            return nil
        }
    }

    /// Waits until the socket moves, then sends what it takes and reads what is there.
    func exchange(until deadline: MonotonicTime?) throws(ClientError) {
        if let failure = session.failure { throw failure }
        // Asked here as well: where something is always ready, waiting alone would never find it too late.
        if let deadline, deadline <= .now { throw .timedOut }
        inbox.removeFirst(taken)
        taken = 0
        var wanted: [(descriptor: Int32, events: PollEvents)] = [
            (socket.number, unsent.isEmpty ? .readable : [.readable, .writable])
        ]
        if let audience { wanted.append((audience, [])) }
        let came = Poll.wait(for: wanted, until: deadline)
        if came[0].contains(.writable) { send() }
        if !came[0].isDisjoint(with: [.readable, .gone]) { receive() }
        if came.count > 1, came[1].contains(.gone) { throw .abandoned }
        if came.allSatisfy(\.isEmpty) { throw .timedOut }
    }

    func send() {
        switch ByteIO.write(socket.number, Array(unsent)) {
        case .bytes(let sent): unsent = unsent.dropFirst(sent)
        case .wouldBlock: break
        // What the daemon said before it went can still be read, and that tells more than this error.
        case .failed: unsent = []
        }
    }

    func receive() {
        let (result, bytes) = ByteIO.read(socket.number, limitBytes: 65_536)
        switch result {
        case .bytes: inbox += session.receive(bytes)
        case .wouldBlock: break
        case .endOfInput: inbox += session.receiveEnd()
        case .failed(let code): inbox += session.receiveEnd(code: code)
        }
    }
}
