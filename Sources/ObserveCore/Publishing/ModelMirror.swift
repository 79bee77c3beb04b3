// SPDX-License-Identifier: MIT
// A Swift model that follows a daemon's model. Independent of the replication of changes.

public import Dispatch

/// What a mirror knows of the daemon's model.
public enum MirrorState: Equatable, Sendable {
    /// The Swift model has the daemon's values.
    case current
    /// The daemon's values or the program's assignments are on their way, the connection is lost, or the mirror has ended.
    case behind
    /// The path leads to no model. The Swift model keeps its last values.
    case absent
    /// The path is a pattern, the daemon refuses it, one of its values is too large for an answer, or the Swift model can't hold
    /// it. The text names it.
    case failing(String)
}

/// A Swift model that follows a model of a daemon.
///
/// ```swift
/// let mirror = try daemon.mirror(Player.self, at: "app.player")
/// let token = mirror.model.observe(\.videoTitle) { print($0) }
/// mirror.model.position = 7
/// ```
///
/// ``model`` is the same object for as long as the mirror lives. It has the values of whatever model the path leads to
/// *now*. Each frame of the daemon's changes is one change of the Swift models: observers never see half a commit.
/// Assignments to the Swift models go to the daemon, whose order decides. If it refuses one, the daemon's value returns.
///
/// Properties with the same names are mirrored. The others keep their values, on both sides. Models below follow in the same
/// way: their classes are ``CreatableModel``s, since the daemon's objects become new Swift models.
///
/// If the connection is lost, the mirror is ``MirrorState/behind``, and connects again. The daemon's values win then:
/// assignments made without a connection are lost.
///
/// - Threading: the mirror and its models belong to a serial queue. Call everything and assign the models on that queue;
///   otherwise the program traps, in release builds too.
/// - Lifetime: it ends with ``end()``, or when it is freed. The Swift model then keeps its values.
public final class ModelMirror<Model: CreatableModel>: ObservableModel {
    /// The mirror's observers.
    public let observationStore = ObservationStore()
    /// The Swift model.
    public let model: Model
    /// Whether the model has the daemon's values. It can be observed.
    @Published public private(set) var state = MirrorState.behind

    private var core: Confined<ReplicatedModel>?

    fileprivate init(_ path: String, _ socket: String?, _ queue: DispatchQueue) throws {
        model = Model()
        core = try ReplicatedModel.start(
            model,
            as: "mirror",
            root: path,
            socket,
            queue,
            isMirror: true,
            didChange: { [weak self] in self?.update() }
        )
        update()
    }

    deinit { endReplication() }

    /// Ends the mirror, which is ``MirrorState/behind`` then. Both models keep their values.
    public func end() {
        endReplication()
        if state != .behind { state = .behind }
    }

    private func endReplication() {
        guard let core else { return }
        self.core = nil
        core.async { $0.end() }
    }

    private func update() {
        guard let core else { return }
        let fresh = core.withObject { $0.replication.map { Self.state(of: $0) } } ?? .behind
        if state != fresh { state = fresh }
    }

    private static func state(of replication: Replication) -> MirrorState {
        guard replication.isConnected else { return .behind }
        if let problem = replication.problem { return .failing(problem) }
        let isBehind = replication.mirrored == .current && !replication.isSynchronized
        return isBehind ? .behind : replication.mirrored
    }
}

extension DaemonClient {
    /// Makes a Swift model that follows the daemon's model at a path: see ``ModelMirror``. Call it on the model's queue.
    /// - Parameters:
    ///   - type: The class of the model.
    ///   - path: A key path without patterns. It may lead to no model yet.
    ///   - queue: The serial queue that the model belongs to.
    /// - Returns: The mirror; the model follows for as long as the program keeps it. It has a connection of its own.
    /// - Throws: A ``HostingError`` that names the properties of unsupported types, or a ``ClientError`` if no daemon is running.
    public func mirror<Model: CreatableModel>(
        _ type: Model.Type = Model.self,
        at path: String,
        queue: DispatchQueue = .main
    ) throws -> ModelMirror<Model> { try ModelMirror(path, socket, queue) }
}
