// SPDX-License-Identifier: MIT
// A daemon's models for Swift programs, by key path. Independent of the program's own models.

internal import Dispatch
internal import Synchronization

/// An asynchronous connection to a daemon.
///
/// ```swift
/// let daemon = try DaemonClient()
/// try await daemon.set("app.volume", to: 11)
/// for try await title in daemon.values(of: "app.player.videoTitle", as: String?.self) {
///     print(title ?? "nothing")
/// }
/// ```
///
/// The client reconnects after a lost connection. Subscriptions then resume with the missed changes. If the daemon
/// no longer has these, they resume with the current values that differ. A request fails without a connection. It
/// also fails if the connection is lost before its answer; the daemon may have executed it.
///
/// - Errors: everything throws a ``ClientError``.
/// - Threading: any thread. The daemon executes the requests of one task or queue in their order. A program with a loop of its own
///   awaits them in tasks of the main actor: see ``MainQueue``.
/// - Lifetime: it ends with ``close()``, or when it is freed.
public final class DaemonClient: Sendable {
    private let core: Confined<ClientCore>
    private let lastTicket = Atomic<UInt64>(0)
    let socket: String

    /// Connects.
    /// - Parameter socket: The path of the daemon's socket; nil for `$OBSERVED_SOCKET`, else `observed.sock` in
    ///   `$XDG_RUNTIME_DIR`, else `/tmp/observed-UID/observed.sock`.
    /// - Throws: ``ClientError/unreachable(_:)`` if no daemon is running.
    public init(socket: String? = nil) throws(ClientError) {
        let queue = DispatchQueue(label: "observed.client")
        do throws(SocketError) {
            let channel = try ClientChannel(socket: socket)
            self.socket = channel.path
            core = Confined(ClientCore(channel), on: queue)
            try core.sync { (core) throws(SocketError) in try core.channel.start(on: queue) }
        } catch { throw .unreachable(error) }
    }

    deinit { close() }

    /// Closes the connection. Unanswered requests and all subscriptions end with ``ClientError/abandoned``.
    public func close() { core.async { $0.close() } }

    // MARK: Requests

    /// Sends a request and waits for its answer.
    /// - Parameters:
    ///   - method: A method of the protocol.
    ///   - params: Its params by name.
    /// - Returns: The result.
    /// - Throws: ``ClientError/unencodable(path:reason:)`` for a number that JSON does not have.
    public func call(_ method: String, _ params: [String: Value] = [:]) async throws(ClientError) -> Value {
        try await call(method, try RequestParams(params))
    }

    func call(_ method: String, _ params: RequestParams) async throws(ClientError) -> Value {
        let ticket = nextTicket()
        // The task may be cancelled before the client's queue sends the request, which finds this set then.
        let isCancelled = Flag()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                send(ticket, method, params, unless: isCancelled) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            isCancelled.set()
            core.async { $0.cancel(ticket) }
        }
        return try result.get()
    }

    /// Sends a request. Calls `completion` with the result, on the client's queue.
    public func call(
        _ method: String,
        _ params: [String: Value] = [:],
        completion: @escaping @Sendable (Result<Value, ClientError>) -> Void
    ) {
        do throws(ClientError) {
            send(nextTicket(), method, try RequestParams(params), unless: nil, completion)
        } catch {
            core.queue.async { completion(.failure(error)) }
        }
    }

    private func nextTicket() -> UInt64 { lastTicket.add(1, ordering: .relaxed).newValue }

    private func send(
        _ ticket: UInt64,
        _ method: String,
        _ params: RequestParams,
        unless isCancelled: Flag?,
        _ completion: @escaping @Sendable (Result<Value, ClientError>) -> Void
    ) {
        core.async { core in
            if isCancelled?.isSet == true { return completion(.failure(.abandoned)) }
            core.call(ticket, method, params.sorted) { result in
                completion(
                    result.flatMap { json in
                        Result(catching: json.value).mapError { .malformed("a result with \($0)") }
                    }
                )
            }
        }
    }

    // MARK: Subscriptions

    /// Subscribes to paths until the token is cancelled or freed.
    /// - Parameters:
    ///   - paths: Key paths, or patterns.
    ///   - options: The options of the subscription.
    ///   - receive: Called with each change, and with the error that ends the subscription, on the client's queue.
    public func subscribe(
        to paths: [String],
        options: SubscriptionOptions = SubscriptionOptions(),
        receive: @escaping @Sendable (Result<DaemonChange, ClientError>) -> Void
    ) -> SubscriptionToken {
        let ticket = nextTicket()
        core.async { core in
            core.subscribe(
                ticket,
                ClientCore.Subscription(to: paths, options) { receive($0.flatMap { $0.change() }) }
            )
        }
        return SubscriptionToken { [core] in core.async { $0.unsubscribe(ticket) } }
    }
}

/// Ends a subscription: by ``cancel()``, or when the token is freed.
/// - Threading: any thread. Changes that are already on the client's queue may still arrive after the cancellation.
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

private final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .acquiring) }

    func set() { value.store(true, ordering: .releasing) }
}

private extension RequestParams {
    /// - Throws: ``ClientError/unencodable(path:reason:)`` for a number that JSON lacks.
    init(_ params: [String: ObserveCore.Value]) throws(ClientError) {
        self = [:]
        for (name, value) in params { self = self + [name: try value.sent(to: name)] }
    }
}
