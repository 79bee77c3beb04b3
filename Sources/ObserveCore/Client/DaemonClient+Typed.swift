// SPDX-License-Identifier: MIT
// Reads, writes and subscriptions with Swift types. Independent of connections.

/// The result of a write.
public struct Commit: Equatable, Sendable {
    /// The daemon's revision after the write.
    public let revision: UInt64
    /// Whether the write changed a value. True if the client may not read a path that it has written: then the
    /// daemon does not answer this.
    public let changed: Bool
}

/// The lifetime of a value.
public enum ValueLifetime: Equatable, Sendable {
    /// Until the next write.
    case permanent
    /// Until this client's connection ends.
    case connection
    /// That number of milliseconds.
    case milliseconds(Int)

    fileprivate var json: RawJSON? {
        switch self {
        case .permanent: nil
        case .connection: RawJSON("connection")
        case .milliseconds(let count): RawJSON(count.modelValue)
        }
    }
}

extension DaemonClient {
    /// The value at a path.
    /// - Parameters:
    ///   - path: A key path.
    ///   - type: The type of the result; an optional accepts null.
    /// - Throws: ``ClientError/unexpected(path:value:)`` if the value does not have the type.
    public func get<Wanted: ModelValue>(_ path: String, as type: Wanted.Type = Wanted.self)
        async throws(ClientError) -> Wanted
    {
        let value = try await call("get", ["path": .string(path)])["value"] ?? .null
        return try Wanted.read(value, at: path)
    }

    /// The values at several paths, all at one revision, in the order of the paths.
    /// - Parameter paths: At least one key path.
    public func get(_ paths: [String]) async throws(ClientError) -> [Value] {
        let answer = try await call("get", ["paths": .array(paths.map(Value.string))])
        guard let found = answer["values"]?.array, found.count == paths.count
        else { throw .unexpected(path: paths.first ?? "", value: answer.json) }
        return found.map { $0["value"] ?? .null }
    }

    /// Assigns a value.
    /// - Parameters:
    ///   - path: A key path.
    ///   - value: The new value.
    ///   - lifetime: The lifetime of the value. A temporary value shadows the value before it.
    ///   - parents: Create missing models along the path.
    ///   - ifRevision: If the path has changed since that revision, the daemon refuses (`conflict`).
    /// - Throws: ``ClientError/unencodable(path:reason:)`` for a number that JSON does not have, with its place.
    @discardableResult public func set(
        _ path: String,
        to value: some ModelValue,
        lifetime: ValueLifetime = .permanent,
        parents: Bool = false,
        ifRevision: UInt64? = nil
    ) async throws(ClientError) -> Commit {
        let params: RequestParams = [
            "value": try value.sent(to: path), "lifetime": lifetime.json, "parents": parents ? true : nil,
            "ifRevision": ifRevision.map { RawJSON(.int(Int64(clamping: $0))) },
        ]
        return try await write(WriteOperation(.set, path, params))
    }

    /// Applies a JSON merge patch to the model at a path.
    /// - Throws: ``ClientError/unencodable(path:reason:)`` as `set` does.
    @discardableResult public func merge(_ path: String, _ patch: Value) async throws(ClientError) -> Commit {
        try await write(WriteOperation(.merge, path, ["value": try patch.sent(to: path)]))
    }

    /// Removes a property, an element or a root.
    @discardableResult public func remove(_ path: String) async throws(ClientError) -> Commit {
        try await write(WriteOperation(.remove, path))
    }

    /// Makes a path refer to the model that another path leads to.
    @discardableResult
    public func link(_ path: String, to target: String, weak: Bool = false) async throws(ClientError)
        -> Commit
    {
        try await write(
            WriteOperation(.link, path, ["target": RawJSON(.string(target)), "weak": RawJSON(.bool(weak))])
        )
    }

    /// Executes several writes as one commit. If the daemon refuses one of them, it makes none.
    ///
    /// ```swift
    /// try await daemon.transaction {
    ///     $0.set("person.firstName", to: "Grace")
    ///     $0.set("person.lastName", to: "Hopper")
    /// }
    /// ```
    ///
    /// - Parameter body: Notes the writes, on the caller's actor.
    @discardableResult public nonisolated(nonsending) func transaction(
        _ body: (inout DaemonTransaction) -> Void
    ) async throws(ClientError) -> Commit {
        var transaction = DaemonTransaction()
        body(&transaction)
        if let fault = transaction.fault { throw fault }
        return try await write(
            "transaction",
            ["operations": RawJSON(array: transaction.operations.map(\.json))]
        )
    }

    private func write(_ operation: WriteOperation) async throws(ClientError) -> Commit {
        try await write(operation.method.rawValue, operation.params)
    }

    private func write(_ method: String, _ params: RequestParams) async throws(ClientError) -> Commit {
        let result = try await call(method, params)
        guard let revision = result["revision"]?.int
        else { throw .malformed("an answer to \(method) without a revision") }
        return Commit(revision: UInt64(max(0, revision)), changed: result["changed"]?.bool ?? true)
    }

    // MARK: Sequences

    /// The values at a path, in order. The sequence survives reconnects.
    /// - Parameters:
    ///   - path: A key path.
    ///   - type: The type of the values; an optional accepts null.
    ///   - options: The options of the subscription.
    ///   - buffering: The values to keep while the loop is busy.
    /// - Returns: A sequence. It throws a ``ClientError`` if the daemon refuses the path, a value has another type or is too
    ///   large for an event, or the client is closed. It unsubscribes when the loop ends or its task is cancelled.
    public func values<Wanted: ModelValue & Sendable>(
        of path: String,
        as type: Wanted.Type = Wanted.self,
        options: SubscriptionOptions = SubscriptionOptions(),
        buffering: ChangeBuffering = .every
    ) -> AsyncThrowingStream<Wanted, any Error> {
        values(of: path, options, buffering) { (value, path) throws(ClientError) in
            try Wanted.read(value, at: path)
        }
    }

    func values<Wanted: Sendable>(
        of path: String,
        _ options: SubscriptionOptions,
        _ buffering: ChangeBuffering,
        _ read: @escaping @Sendable (_ value: Value, _ path: String) throws(ClientError) -> Wanted
    ) -> AsyncThrowingStream<Wanted, any Error> {
        // Else the events of edits have the edited elements alone.
        var options = options
        options.whole = true
        return stream([path], options, buffering) { (change) throws(ClientError) in
            guard let value = change.new else {
                throw .refused(
                    DaemonError(
                        code: .limitExceeded,
                        message: "\(change.path) exceeds a limit, so its event has no value (truncated)"
                    )
                )
            }
            return try read(value, change.path)
        }
    }

    /// The changes of paths or patterns, in order. The sequence survives reconnects.
    /// - Returns: A sequence that throws a ``ClientError`` if the daemon refuses a path or the client is closed. It
    ///   unsubscribes when the loop ends or its task is cancelled.
    public func changes(
        of paths: String...,
        options: SubscriptionOptions = SubscriptionOptions(),
        buffering: ChangeBuffering = .every
    ) -> AsyncThrowingStream<DaemonChange, any Error> { stream(paths, options, buffering) { $0 } }

    private func stream<Element: Sendable>(
        _ paths: [String],
        _ options: SubscriptionOptions,
        _ buffering: ChangeBuffering,
        _ element: @escaping @Sendable (DaemonChange) throws(ClientError) -> Element
    ) -> AsyncThrowingStream<Element, any Error> {
        let policy: AsyncThrowingStream<Element, any Error>.Continuation.BufferingPolicy =
            switch buffering {
            case .every: .unbounded
            case .latest: .bufferingNewest(1)
            }
        return AsyncThrowingStream(bufferingPolicy: policy) { continuation in
            let token = subscribe(to: paths, options: options) { result in
                do throws(ClientError) {
                    continuation.yield(try element(try result.get()))
                } catch { continuation.finish(throwing: error) }
            }
            continuation.onTermination = { _ in token.cancel() }
        }
    }
}

/// The writes of a transaction.
public struct DaemonTransaction: Sendable {
    private(set) fileprivate var operations: [WriteOperation] = []
    /// Why it can't be sent: the first value that can't be encoded.
    private(set) fileprivate var fault: ClientError?

    /// Adds a write of a value, unless that can't be encoded.
    private mutating func write(
        _ method: WriteOperation.Method,
        _ path: String,
        _ value: some ModelValue,
        _ others: RequestParams = [:]
    ) {
        do throws(ClientError) {
            operations.append(WriteOperation(method, path, ["value": try value.sent(to: path)] + others))
        } catch { fault = fault ?? error }
    }

    /// Assigns a value. If JSON can't hold it, the transaction throws, and nothing is written.
    public mutating func set(_ path: String, to value: some ModelValue) { write(.set, path, value) }

    /// Applies a JSON merge patch.
    public mutating func merge(_ path: String, _ patch: Value) { write(.merge, path, patch) }

    /// Removes a property, an element or a root.
    public mutating func remove(_ path: String) { operations.append(WriteOperation(.remove, path)) }

    /// Inserts an element into an array, at its end without an index.
    public mutating func insert(_ value: some ModelValue, into path: String, at index: Int? = nil) {
        write(.insert, path, value, ["index": index.map { RawJSON($0.modelValue) }])
    }

    /// Adds to a number.
    public mutating func increment(_ path: String, by step: Int = 1) {
        operations.append(WriteOperation(.increment, path, ["by": RawJSON(step.modelValue)]))
    }

    /// Makes a path refer to the model that another path leads to.
    public mutating func link(_ path: String, to target: String, weak: Bool = false) {
        operations.append(
            WriteOperation(.link, path, ["target": RawJSON(.string(target)), "weak": RawJSON(.bool(weak))])
        )
    }
}

extension ModelValue {
    fileprivate static func read(_ value: Value, at path: String) throws(ClientError) -> Self {
        guard let read = Self(modelValue: value) else { throw .unexpected(path: path, value: value.json) }
        return read
    }
}
