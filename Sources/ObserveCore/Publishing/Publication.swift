// SPDX-License-Identifier: MIT
// A Swift model in a running daemon. Knows nothing of how changes are carried.

public import Dispatch

/// A model of this program that appears in a daemon, for as long as the publication lives.
///
/// ```swift
/// let publication = try publish(player, at: "player")
/// ```
///
/// Clients of the daemon read, write and observe it under that root like any other model. What they assign is assigned to
/// the Swift model, and told to its observers; what the program assigns is told to them. The daemon's order is the truth:
/// when both assign at once, both end with what the daemon had last. What one side can't have, a wrong type for instance, is
/// taken back on the other.
///
/// When the daemon goes, the program goes on; when it is there again, the model appears as it is then. When the program
/// goes, however it does, the root goes with it.
///
/// - The model is a tree there: a model that two properties refer to becomes two, which follow each other; weak references
///   and those that would close a cycle are left out.
/// - Threading: the model and the publication belong to a serial queue. Everything is called on it, and the model assigned
///   on it; anything else traps, in release builds too.
public final class Publication {
    private let core: Confined<Core>
    private let queue: DispatchQueue

    fileprivate init(_ core: Confined<Core>, _ queue: DispatchQueue) {
        self.core = core
        self.queue = queue
    }

    deinit { end() }

    /// Takes the model out of the daemon. The model stays as it is.
    public func end() { queue.async { [core] in core.withObject { $0.end() } } }

    /// Whether the daemon is there, and has all that the model was assigned.
    public var isUpToDate: Bool { core.withObject { $0.replication.isSynchronized } }

    /// What lives on the queue.
    fileprivate final class Core: ReplicationTarget {
        let channel: ClientChannel
        let hub: Hub
        let local: LocalSession
        var source: ReadinessSource?
        private(set) lazy var replication = Replication(root, local, to: self)
        private let root: String

        init(_ channel: ClientChannel, _ root: String) {
            self.channel = channel
            self.root = root
            hub = Hub(limits: ServerLimits(), now: .now)
            local = LocalSession(hub)
        }

        func start(_ model: any ObservableModel, on queue: DispatchQueue, _ source: ReadinessSource)
            throws(HostingError)
        {
            let hosted = hub.hostedModels(
                checkThread: { dispatchPrecondition(condition: .onQueue(queue)) },
                didCommit: { [unowned self] in replication.sendChanges() }
            )
            try hosted.host(model, at: root)
            _ = replication
            channel.didConnect = { [unowned self] in replication.begin() }
            channel.didDisconnect = { [unowned self] _ in replication.end() }
            channel.received = { [unowned self] in replication.receive($0) }
            self.source = source
            source.start()
        }

        func send(
            _ method: String,
            _ params: RequestParams,
            _ reply: @escaping (Result<RawJSON, DaemonError>) -> Void
        ) {
            channel.send(method, params) { result in
                switch result {
                case .success(let answer): reply(.success(answer))
                case .failure(.refused(let error)): reply(.failure(error))
                // The connection is gone; the next one begins anew.
                case .failure: break
                }
            }
        }

        func end() {
            source?.cancel()
            source = nil
            channel.close()
            hub.tree.hosted = nil
        }
    }
}

/// Publishes a model in a daemon: see ``Publication``. On the model's queue.
///
/// - Parameters:
///   - model: The model; all that it refers to appears with it.
///   - root: The name of the root.
///   - socket: Where the daemon listens; nil for where it does by itself: see ``DaemonClient/init(socket:)``.
///   - queue: The serial queue that the model belongs to.
/// - Returns: What keeps it there.
/// - Throws: A ``HostingError`` that names the properties whose types can't be shown, or a ``ClientError`` if there is no
///   daemon now.
public func publish(
    _ model: any ObservableModel,
    at root: String,
    socket: String? = nil,
    queue: DispatchQueue = .main
) throws -> Publication {
    dispatchPrecondition(condition: .onQueue(queue))
    do {
        let channel = try ClientChannel(socket: socket)
        let descriptor = channel.descriptor
        let core = Confined(Publication.Core(channel, root), on: queue)
        let source = try ReadinessSource(descriptor: descriptor, queue: queue) {
            core.withObject { $0.channel.turn() }
        }
        try core.withObject { try $0.start(model, on: queue, source) }
        try core.withObject { try $0.channel.connect() }
        return Publication(core, queue)
    } catch let error as SocketError {
        throw ClientError.unreachable(error)
    }
}
