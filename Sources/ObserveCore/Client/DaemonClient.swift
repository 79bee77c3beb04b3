// SPDX-License-Identifier: MIT
// A daemon's models for Swift programs, by key path. Knows nothing of the models of the program itself.

internal import Dispatch
internal import Synchronization

/// A connection to a daemon, for programs that go on while they wait.
///
/// ```swift
/// let daemon = try DaemonClient()
/// try await daemon.set("app.volume", to: 11)
/// for try await title in daemon.values(of: "app.player.videoTitle", as: String?.self) {
///     print(title ?? "nothing")
/// }
/// ```
///
/// A connection that is lost is made anew. Subscriptions go on then: with what was missed, if the daemon still knows it, or
/// else with the values as they are now, where those differ. A request fails at once while there is no connection, and when
/// the connection is lost before its answer; whether it was carried out is not known then.
///
/// - Errors: everything throws a ``ClientError``.
/// - Threading: use it from anywhere. What one task or queue asks is carried out in that order.
/// - Lifetime: it ends with ``close()``, or when nobody refers to it any more.
public final class DaemonClient: Sendable {
    private let core: Confined<ClientCore>
    private let lastTicket = Atomic<UInt64>(0)

    /// Connects.
    ///
    /// - Parameter socket: Where the daemon listens; nil for `$OBSERVED_SOCKET`, else `observed.sock` in
    ///   `$XDG_RUNTIME_DIR`, else `/tmp/observed-UID/observed.sock`.
    /// - Throws: ``ClientError/unreachable(_:)`` if there is no daemon now.
    public init(socket: String? = nil) throws(ClientError) {
        let queue = DispatchQueue(label: "observed.client")
        do throws(SocketError) {
            let channel = try ClientChannel(socket: socket)
            let descriptor = channel.descriptor
            core = Confined(ClientCore(channel), on: queue)
            let confined = core
            let source = try ReadinessSource(descriptor: descriptor, queue: queue) {
                confined.withObject { $0.channel.turn() }
            }
            let box = Confined(Optional(source), on: queue)
            let connected = queue.sync { () -> Result<Void, SocketError> in
                confined.withObject { core in
                    do throws(SocketError) {
                        try core.channel.connect()
                        box.withState { if let source = $0.take() { core.start(source) } }
                        return .success(())
                    } catch {
                        return .failure(error)
                    }
                }
            }
            try connected.get()
        } catch {
            throw .unreachable(error)
        }
    }

    deinit { close() }

    /// Ends the connection. What waits for an answer, and all subscriptions, end with ``ClientError/abandoned``.
    public func close() {
        core.queue.async { [core] in core.withObject { $0.close() } }
    }

    // MARK: Requests

    /// Sends a request and waits for its answer.
    ///
    /// - Parameters:
    ///   - method: A method of the protocol.
    ///   - params: Its params by name.
    /// - Returns: The result.
    public func call(_ method: String, _ params: [String: Value] = [:]) async throws(ClientError) -> Value {
        try await call(method, RequestParams(params))
    }

    func call(_ method: String, _ params: RequestParams) async throws(ClientError) -> Value {
        let ticket = nextTicket()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                send(ticket, method, params) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            core.queue.async { [core] in core.withObject { $0.giveUp(ticket) } }
        }
        return try result.get()
    }

    /// Sends a request.
    /// - Parameters:
    ///   - method: A method of the protocol.
    ///   - params: Its params by name.
    ///   - completion: Gets the result, on a queue of the client's.
    public func call(
        _ method: String,
        _ params: [String: Value] = [:],
        completion: @escaping @Sendable (Result<Value, ClientError>) -> Void
    ) {
        send(nextTicket(), method, RequestParams(params), completion)
    }

    private func nextTicket() -> UInt64 { lastTicket.add(1, ordering: .relaxed).newValue }

    private func send(
        _ ticket: UInt64,
        _ method: String,
        _ params: RequestParams,
        _ completion: @escaping @Sendable (Result<Value, ClientError>) -> Void
    ) {
        core.queue.async { [core] in
            core.withObject { core in
                core.call(ticket, method, params.sorted) { result in
                    completion(result.flatMap { $0.parsed() })
                }
            }
        }
    }

    // MARK: Subscriptions

    /// Follows paths until the token goes.
    ///
    /// - Parameters:
    ///   - paths: Key paths, or patterns.
    ///   - options: What to be told, and when.
    ///   - receive: Gets each change, on a queue of the client's, and the error that ends it, if one does.
    public func subscribe(
        to paths: [String],
        options: SubscriptionOptions = SubscriptionOptions(),
        receive: @escaping @Sendable (Result<DaemonChange, ClientError>) -> Void
    ) -> SubscriptionToken {
        let ticket = nextTicket()
        let params = options.params(paths)
        core.queue.async { [core] in
            core.withObject { core in
                core.subscribe(
                    ticket,
                    ClientCore.Subscription(params) { receive($0.flatMap { $0.change() }) }
                )
            }
        }
        return SubscriptionToken { [core] in
            core.queue.async { core.withObject { $0.unsubscribe(ticket) } }
        }
    }
}

/// Ends a subscription: by ``cancel()``, or when the last reference to it goes.
///
/// - Threading: use it from anywhere. What is under way on the client's queue when it is cancelled is still told.
public final class SubscriptionToken: Sendable {
    private let end: Mutex<(@Sendable () -> Void)?>

    init(_ end: @escaping @Sendable () -> Void) { self.end = Mutex(end) }

    deinit { cancel() }

    /// Ends the subscription.
    public func cancel() {
        let end = end.withLock { $0.take() }
        end?()
    }
}

extension RawJSON {
    fileprivate func parsed() -> Result<Value, ClientError> {
        do throws(JSONError) { return .success(try value()) } catch {
            return .failure(.malformed("a result with \(error)"))
        }
    }
}
