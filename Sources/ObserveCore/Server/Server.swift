// SPDX-License-Identifier: MIT
// A tree put on a socket, for any program. Knows nothing of configurations, signals or disks.

internal import Dispatch

/// Serves a tree of models on a Unix socket, on a serial queue of its own.
///
/// - Threading: use it from any thread. What it is given to run on its tree runs on its queue.
/// - Lifetime: from ``start(on:)`` to ``stop(_:)`` it keeps itself alive.
package final class Server: Sendable {
    private let state: Confined<State>
    private let mailbox: Mailbox

    private struct State {
        let loop: EventLoop
        var source: ReadinessSource?
    }

    package init(limits: ServerLimits = ServerLimits(), pacing: Pacing = .embedded) throws(SocketError) {
        let mailbox = try Mailbox()
        let hub = Hub(limits: limits, now: .now)
        let loop = try EventLoop(hub: hub, pacing: pacing, mailbox: mailbox)
        self.mailbox = mailbox
        state = Confined(State(loop: loop), on: DispatchQueue(label: "observed.server"))
    }

    /// Keeps the tree in that folder from now on, and takes from there what was kept. Before ``start(on:)``, when types
    /// are declared and nothing else is.
    ///
    /// - Returns: sentences for the log.
    package func keepState(in folder: StateFolder, durability: Durability) throws(StateError) -> [String] {
        let result = state.queue.sync { () -> Result<[String], StateError> in
            state.withState { state in
                do throws(StateError) {
                    return .success(try state.loop.keepState(in: folder, durability, mailbox))
                } catch { return .failure(error) }
            }
        }
        return try result.get()
    }

    /// Makes what was laid out safe. Throws if that can't be.
    package func settleState() throws(DiskError) {
        let result = state.queue.sync { () -> Result<Void, DiskError> in
            state.withState { state in
                let hub = state.loop.hub
                guard hub.settleJournal() else {
                    return .failure(hub.journal?.failure ?? DiskError("the disk failed"))
                }
                return .success(())
            }
        }
        try result.get()
    }

    /// Runs `body` with the tree, before ``start(on:)``: to lay out models.
    package func withTree<R: Sendable, E: Error>(_ body: (ModelTree) throws(E) -> R) throws(E) -> R {
        let result = state.queue.sync { () -> Result<R, E> in
            state.withState { state in
                do throws(E) { return .success(try body(state.loop.hub.tree)) } catch {
                    return .failure(error)
                }
            }
        }
        return try result.get()
    }

    /// Serves whoever connects to `listener`, which it closes in the end.
    package func start(on listener: sending UnixListener) throws(SocketError) {
        let box = Confined(Optional(listener), on: state.queue)
        let result = state.queue.sync { () -> Result<Void, SocketError> in
            do throws(SocketError) {
                try startOnQueue(box)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    private func startOnQueue(_ listener: Confined<UnixListener?>) throws(SocketError) {
        try state.withState { (state) throws(SocketError) in
            try listener.withState { (listener) throws(SocketError) in
                guard let listener = listener.take() else { return }
                try state.loop.listen(on: listener)
            }
            let source = try ReadinessSource(descriptor: state.loop.epoll.number, queue: self.state.queue) {
                self.state.withState { $0.loop.turn() }
            }
            state.source = source
            source.start()
        }
    }

    /// Stops accepting, says goodbye to all clients, and calls `completion` on the server's queue when the last has
    /// gone: those that take nothing are cut after a second. The socket file is removed at once.
    package func stop(_ completion: @escaping @Sendable () -> Void) {
        mailbox.post { loop in
            loop.shutDown {
                self.state.queue.async {
                    self.state.withState { state in
                        state.source?.cancel()
                        state.source = nil
                    }
                    completion()
                }
            }
        }
    }
}
