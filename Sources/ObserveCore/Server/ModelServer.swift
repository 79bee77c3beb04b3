// SPDX-License-Identifier: MIT
// A Swift program's own models on a socket. Independent of configurations, signals and disks.

public import Dispatch

/// Puts the models of a Swift program on a Unix socket, where clients read, write and observe them as they do a daemon's.
///
/// ```swift
/// let server = try ModelServer()
/// try server.host(player, at: "player")
/// try server.start(at: "/run/user/1000/player.sock")
/// ```
///
/// A property that the program assigns is an event on the wire; one that a client assigns notifies Swift observers
/// like any other assignment. Beside the Swift models there may be others, which clients or
/// ``set(_:to:)`` make.
///
/// - A wrong type is refused (`typeMismatch`). An object that is assigned where a model belongs becomes one if its class is
///   a ``CreatableModel``, and is refused (`readOnly`) if not. The root itself is the program's: its properties can be
///   assigned, it can't be replaced.
/// - A strong reference that would close a cycle is null on the wire.
/// - Threading: the models and the server belong to one serial queue. Everything here but ``stop(_:)`` is called on it, and
///   hosted models are assigned on it; anything else traps, in release builds too. Clients are served on it as well, so it
///   should not be blocked. ``init(queue:)`` may be called anywhere.
/// - Lifetime: from ``start(at:)`` to ``stop(_:)`` it keeps itself alive, and its models.
public final class ModelServer: Sendable {
    /// The queue that models and clients are served on.
    public let queue: DispatchQueue
    private let server: Server

    /// Makes a server without a socket.
    /// - Parameter queue: A serial queue.
    /// - Throws: A ``SocketError`` when the process is out of descriptors.
    public init(queue: DispatchQueue = .main) throws(SocketError) {
        self.queue = queue
        server = try Server(pacing: .embedded, queue: queue)
    }

    /// Shows a model, and all that it refers to, under a root of that name.
    ///
    /// - Throws: A ``HostingError`` that names the properties whose types can't be shown: those that are neither a
    ///   ``ModelValue`` nor an ``ObservableModel``, nor arrays or optionals of them. Then nothing is shown.
    public func host(_ model: any ObservableModel, at root: String) throws(HostingError) {
        try server.core.withObject { (core) throws(HostingError) in
            try hostedModels(core).host(model, at: root)
        }
        server.sendSoon()
    }

    /// Removes a root; its observers get `sourceDeleted`.
    public func remove(_ root: String) {
        server.core.withObject { hostedModels($0).unhost(root) }
        server.sendSoon()
    }

    /// Assigns a value to a path outside of Swift models, as clients do with the method `set`.
    ///
    /// - Throws: A ``HostingError`` with the sentence that a client would get.
    public func set(_ path: String, to value: Value) throws(HostingError) {
        try server.core.withObject { (core) throws(HostingError) in
            let tree = core.loop.hub.tree
            let parsed = tree.reader.makeKeyPath()
            do throws(KeyPathError) { try parsed.parse(dotted: path) } catch {
                throw HostingError(error.description)
            }
            let json = value.json
            do throws(TreeError) {
                try tree.commit { () throws(TreeError) in
                    _ = try ByteView.with(json) { (view) throws(TreeError) in
                        try tree.set(parsed, to: JSONView(validated: view))
                    }
                }
            } catch {
                throw HostingError(error.message)
            }
        }
        server.sendSoon()
    }

    /// Serves clients at the socket `path`. Only the same user and root may connect.
    ///
    /// - Throws: A ``SocketError`` if another server has the path, or if it is not a socket.
    public func start(at path: String) throws(SocketError) {
        dispatchPrecondition(condition: .onQueue(queue))
        try server.startOnQueue(UnixListener.listen(path: path))
    }

    /// Sends all clients a `goodbye`, and calls `completion` on the queue when the last has gone: after a second at most. The
    /// socket file is removed at once. From any thread.
    public func stop(_ completion: @escaping @Sendable () -> Void = {}) {
        server.stop { [server] in
            server.core.withObject { $0.loop.hub.endHosting() }
            completion()
        }
    }

    private func hostedModels(_ core: Server.Core) -> HostedModels {
        core.loop.hub.hostedModels(
            checkThread: { [queue] in dispatchPrecondition(condition: .onQueue(queue)) },
            didCommit: { [weak server] in server?.sendSoon() }
        )
    }
}
