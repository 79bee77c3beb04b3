// SPDX-License-Identifier: MIT
// A Swift model in a running daemon. Independent of the replication of changes.

public import Dispatch

/// A model of this program that appears in a daemon for the lifetime of the publication.
///
/// ```swift
/// let publication = try publish(player, at: "player")
/// ```
///
/// Clients of the daemon read, write and observe the model under that root like any other. Their assignments change the Swift
/// model and notify its observers; the program's assignments notify the clients. The daemon's order decides: after concurrent
/// assignments, both sides have the daemon's last value. If one side refuses a value, for example of a wrong type, the other side
/// restores its former value. Of an object with members that the class does not have, the Swift model gets the others.
///
/// If the daemon ends, the program continues. When a daemon starts again, the model appears with its current
/// values. When the program ends, the daemon removes the root.
///
/// - The model is a tree in the daemon: a model that two properties refer to becomes two models with equal values.
///   Weak references and references that would close a cycle are omitted.
/// - Threading: the model and the publication belong to a serial queue. Call everything and assign the model on
///   that queue; otherwise the program traps, in release builds too.
public final class Publication {
    private let core: Confined<ReplicatedModel>

    fileprivate init(_ core: Confined<ReplicatedModel>) { self.core = core }

    deinit { end() }

    /// Removes the model from the daemon. The Swift model does not change.
    public func end() { core.async { $0.end() } }

    /// Whether the daemon is connected and has all assignments of the model.
    public var isUpToDate: Bool { core.withObject { $0.replication?.isSynchronized == true } }

    /// A value that the daemon does not have, and why: it refuses the value, or that is too large for an answer. Nil if there is
    /// none. The next assignment below the path tries again.
    public var problem: String? { core.withObject { $0.replication?.problem } }
}

/// Publishes a model in a daemon: see ``Publication``. Call it on the model's queue.
/// - Parameters:
///   - model: The model; the models that it refers to appear with it.
///   - root: The name of the root.
///   - socket: The path of the daemon's socket; nil for the default: see ``DaemonClient/init(socket:)``.
///   - queue: The serial queue that the model belongs to.
/// - Returns: The publication; the model appears for as long as the program keeps it.
/// - Throws: A ``HostingError`` that names the properties of unsupported types, or a ``ClientError`` if no daemon is running.
public func publish(
    _ model: any ObservableModel,
    at root: String,
    socket: String? = nil,
    queue: DispatchQueue = .main
) throws -> Publication { Publication(try ReplicatedModel.start(model, as: root, root: root, socket, queue)) }
