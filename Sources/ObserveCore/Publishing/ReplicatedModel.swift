// SPDX-License-Identifier: MIT
// A Swift model, the local tree that shows it, and the connection that keeps it equal to a daemon's. Independent of which
// side leads.

internal import Dispatch

/// The state of a publication or a mirror.
/// - Threading: confined to the model's queue.
final class ReplicatedModel {
    private let channel: ClientChannel
    private let hub = Hub(limits: ServerLimits(), now: .now)
    /// Nil before the start.
    private(set) var replication: Replication?

    private init(_ channel: ClientChannel) { self.channel = channel }

    /// Connects, and begins to replicate. Call it on the model's queue.
    /// - Parameters:
    ///   - name: The name of the local root.
    ///   - root: The model's path in the daemon.
    ///   - isMirror: Whether the daemon's values win: see ``Replication``.
    static func start(
        _ model: any ObservableModel,
        as name: String,
        root: String,
        _ socket: String?,
        _ queue: DispatchQueue,
        isMirror: Bool = false,
        didChange: @escaping () -> Void = {}
    ) throws -> Confined<ReplicatedModel> {
        dispatchPrecondition(condition: .onQueue(queue))
        do {
            let core = Confined(ReplicatedModel(try ClientChannel(socket: socket)), on: queue)
            try core.withObject { core in
                let local = LocalSession(core.hub)
                let type = type(of: model)
                let replication = Replication(
                    name,
                    root,
                    isMirror: isMirror,
                    { value, path in ReplicatedClass.fitting(value, type, below: path) },
                    local,
                    core.channel,
                    didChange: didChange
                )
                let hosted = core.hub.hostedModels(
                    checkThread: { dispatchPrecondition(condition: .onQueue(queue)) },
                    didCommit: { [unowned replication] in replication.sendChanges() }
                )
                try hosted.host(model, at: name)
                replication.start()
                core.channel.didConnect = { [unowned replication] in replication.begin() }
                core.channel.didDisconnect = { [unowned replication] _ in replication.end() }
                core.channel.received = { [unowned replication] in replication.receive($0) }
                core.replication = replication
                try core.channel.start(on: queue)
            }
            return core
        } catch let error as SocketError { throw ClientError.unreachable(error) }
    }

    func end() {
        channel.close()
        hub.endHosting()
    }
}
