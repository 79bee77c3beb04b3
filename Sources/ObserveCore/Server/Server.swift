// SPDX-License-Identifier: MIT
// A tree on a socket, for any program. Independent of configurations, signals and disks.

package import Dispatch

/// Serves a tree of models on a Unix socket, on a serial queue.
///
/// - Threading: use it from any thread but its queue. What it is given to run on its tree runs on its queue.
/// - Lifetime: from ``start(on:)`` to ``stop(_:)`` it keeps itself alive.
package final class Server: Sendable {
    let core: Confined<Core>
    private let mailbox: Mailbox

    /// What lives on the queue.
    final class Core {
        let loop: EventLoop
        var hasStarted = false
        /// What calls the loop where it does not keep the queue.
        var source: ReadinessSource?
        /// The loop was woken and has not run yet.
        var isWaking = false

        init(_ loop: EventLoop) { self.loop = loop }
    }

    package init(
        limits: ServerLimits = ServerLimits(),
        access: AccessRules? = nil,
        pacing: Pacing = .embedded,
        queue: DispatchQueue = DispatchQueue(label: "observed.server")
    ) throws(SocketError) {
        let mailbox = try Mailbox()
        let hub = Hub(limits: limits, now: .now)
        hub.access = access
        let loop = try EventLoop(hub: hub, pacing: pacing, mailbox: mailbox)
        self.mailbox = mailbox
        core = Confined(Core(loop), on: queue)
    }

    /// Keeps the tree in that folder from now on, and restores its state from there. Before ``start(on:)``, when types
    /// are declared and nothing else is.
    ///
    /// - Returns: sentences for the log.
    package func keepState(in folder: StateFolder, durability: Durability) throws(StateError) -> [String] {
        let result = core.queue.sync { () -> Result<[String], StateError> in
            core.withObject { core in
                do throws(StateError) {
                    return .success(try core.loop.keepState(in: folder, durability, mailbox))
                } catch { return .failure(error) }
            }
        }
        return try result.get()
    }

    /// Flushes the batch. Throws if the journal refuses it.
    package func flushState() throws(DiskError) {
        let result = core.queue.sync { () -> Result<Void, DiskError> in
            core.withObject { core in
                let hub = core.loop.hub
                guard hub.flushBatch() else {
                    return .failure(hub.journalGate.diskError)
                }
                return .success(())
            }
        }
        try result.get()
    }

    /// Runs `body` with the tree, before ``start(on:)``: to lay out models.
    package func withTree<R: Sendable, E: Error>(_ body: (ModelTree) throws(E) -> R) throws(E) -> R {
        let result = core.queue.sync { () -> Result<R, E> in
            core.withObject { core in
                do throws(E) { return .success(try body(core.loop.hub.tree)) } catch {
                    return .failure(error)
                }
            }
        }
        return try result.get()
    }

    /// Serves the clients of `listener`, which it closes in the end.
    package func start(on listener: sending UnixListener) throws(SocketError) {
        let result = core.queue.sync { () -> Result<Void, SocketError> in
            do throws(SocketError) { return .success(try startOnQueue(listener)) } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// Adopts `listener`, for ``run()`` to serve its clients.
    ///
    /// - Parameter signals: a dozen at most.
    /// - Parameter isEnd: called on the queue when one of the signals has come; says whether the server is to stop.
    package func listen(
        on listener: sending UnixListener,
        until signals: sending [SignalCounter],
        isEnd: @escaping (Int32, ServerOnQueue) -> Bool
    ) throws(SocketError) {
        let result = core.queue.sync { () -> Result<Void, SocketError> in
            core.withObject { core in
                do throws(SocketError) {
                    try core.loop.listen(on: listener)
                    return .success(try core.loop.watch(signals) { isEnd($0, ServerOnQueue(hub: $1)) })
                } catch {
                    return .failure(error)
                }
            }
        }
        try result.get()
    }

    /// Serves on the calling thread, which is the queue's meanwhile, until the server has stopped. So a process that does
    /// nothing else has one thread, for which the kernel does less at each call. Its pacing is `dedicated`.
    ///
    /// - Parameter tidy: called once, as soon as there is nothing to be done for a millisecond.
    package func run(inFirstSilence tidy: @escaping @Sendable () -> Void) {
        core.queue.sync {
            core.withObject { core in
                core.loop.whenIdle = tidy
                core.loop.run()
            }
        }
    }

    /// As ``start(on:)``, on the queue.
    func startOnQueue(_ listener: UnixListener) throws(SocketError) {
        try core.withObject { (core) throws(SocketError) in
            try core.loop.listen(on: listener)
            guard !core.hasStarted else { return }
            core.hasStarted = true
            guard core.loop.pacing == .embedded else {
                // A block that may last as long as the process: a serial queue of one's own has a thread of its own.
                return self.core.queue.async { self.core.withObject { $0.loop.run() } }
            }
            let source = try ReadinessSource(descriptor: core.loop.epoll.number, queue: self.core.queue) {
                self.core.withObject { $0.loop.run() }
            }
            core.source = source
            source.start()
        }
    }

    /// Lets what waits for clients be sent when the queue is free. On the queue.
    func sendSoon() {
        core.withObject { core in
            if core.isWaking { return }
            core.isWaking = true
            mailbox.post { [confined = self.core] _ in confined.withObject { $0.isWaking = false } }
        }
    }

    /// Stops accepting, sends all clients a `goodbye`, and calls `completion` on the server's queue when the last has
    /// gone: clients that read nothing are cut after a second. The socket file is removed at once. Harmless when done twice.
    package func stop(_ completion: @escaping @Sendable () -> Void) {
        let isRunning = mailbox.post { loop in
            loop.shutDown {
                self.core.queue.async {
                    self.core.withObject { core in
                        core.source?.cancel()
                        core.source = nil
                    }
                    completion()
                }
            }
        }
        if !isRunning { core.queue.async { completion() } }
    }
}
