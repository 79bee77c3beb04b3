// SPDX-License-Identifier: MIT
// A Swift program's own models on a socket. Independent of configurations, signals and disks.

public import Dispatch

/// Serves the models of a Swift program on a Unix socket. Clients read, write and observe them like a daemon's.
///
/// ```swift
/// let server = try ModelServer()
/// try server.host(player, at: "player")
/// try server.start(at: "/run/user/1000/player.sock")
/// ```
///
/// If the program assigns a property, subscribed clients get an event. If a client assigns one, Swift observers are
/// notified as of any other assignment. Clients and ``set(_:to:)`` may make further models beside the Swift models.
///
/// - The server refuses a value of a wrong type (`typeMismatch`).
/// - If a client assigns an object to a place for a model, it becomes a model if the class is a ``CreatableModel``.
///   Otherwise the server refuses it (`readOnly`).
/// - Clients can assign the properties of a root, but not replace the root.
/// - A strong reference that would close a cycle, and a weak one to a model that no root reaches, are null on the wire.
/// - Threading: the models and the server belong to one serial queue. Call everything here on it, except ``init(queue:)`` and
///   ``stop(_:)``, and assign hosted models on it. Anything else traps, in release builds too. The server also serves its clients
///   on this queue, so do not block it. A main thread with a loop of its own polls ``MainQueue``.
/// - Lifetime: keeps itself and its models alive from ``start(at:)`` to ``stop(_:)``.
public final class ModelServer: Sendable {
    /// The queue of the models, on which the server also serves clients.
    public let queue: DispatchQueue
    let server: Server

    /// Makes a server without a socket.
    /// - Parameter queue: A serial queue.
    /// - Throws: A ``SocketError`` if the process is out of descriptors.
    public init(queue: DispatchQueue = .main) throws(SocketError) {
        self.queue = queue
        server = try Server(pacing: .embedded, queue: queue)
    }

    /// Shows a model, with all models that it refers to, as the root of that name.
    /// - Throws: A ``HostingError`` that names the properties with unsupported types. Supported are ``ModelValue``,
    ///   ``ObservableModel``, and arrays and optionals of them. After an error nothing is shown.
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
    /// - Throws: A ``HostingError`` with the message that a client would get.
    public func set(_ path: String, to value: Value) throws(HostingError) {
        try server.core.withObject { (core) throws(HostingError) in
            let tree = core.loop.hub.tree
            let parsed = tree.reader.makeKeyPath()
            do throws(KeyPathError) { try parsed.parse(dotted: path) } catch {
                throw HostingError(error.description)
            }
            let json = value.json
            core.loop.clients.noteTime()
            tree.allowElements()
            do throws(TreeError) {
                try tree.commit(refusingAs: { $0 }) { () throws(TreeError) in
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
    /// - Throws: A ``SocketError`` if another server has the path, or if it is not a socket.
    public func start(at path: String) throws(SocketError) {
        dispatchPrecondition(condition: .onQueue(queue))
        try server.startOnQueue(UnixListener.listen(path: path))
    }

    /// Removes the socket file, and sends all clients a `goodbye`. Closes clients that read nothing for a second, and all after
    /// 5 s. May be called on any thread.
    ///
    /// - Parameter completion: Called on the queue when the last client has gone.
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
