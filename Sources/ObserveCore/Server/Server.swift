// SPDX-License-Identifier: MIT
// A tree on a socket, for any program. Independent of configurations, signals and disks.

package import Dispatch

/// - Threading: call its package functions on any thread but its queue, on which their closures run.
/// - Lifetime: keeps itself alive from ``start(on:)`` to ``stop(_:)``.
package final class Server: Sendable {
    let core: Confined<Core>
    private let mailbox: Mailbox

    final class Core {
        let loop: EventLoop
        var hasStarted = false
        /// Runs an embedded loop when a descriptor is ready; nil for a dedicated one.
        var source: ReadinessSource?
        /// Whether ``sendSoon()`` has woken the loop, which has not run since.
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
        let loop = try EventLoop(hub: hub, pacing: pacing, mailbox: mailbox, system: LoopSystem())
        self.mailbox = mailbox
        core = Confined(Core(loop), on: queue)
    }

    /// Lends the loop to `body` on the queue, and waits until it returns.
    package func onQueue<R, E: Error>(_ body: (EventLoop) throws(E) -> R) throws(E) -> R {
        try core.sync { (core) throws(E) in try body(core.loop) }
    }

    /// Serves the clients of `listener`, which it closes in the end.
    package func start(on listener: sending UnixListener) throws(SocketError) {
        try core.sync { (_) throws(SocketError) in try startOnQueue(listener) }
    }

    /// As ``start(on:)``, on the queue.
    func startOnQueue(_ listener: UnixListener) throws(SocketError) {
        try core.withObject { (core) throws(SocketError) in
            try core.loop.listen(on: listener)
            guard !core.hasStarted else { return }
            core.hasStarted = true
            guard core.loop.pacing == .embedded else {
                // This block occupies the queue's thread until the server has stopped.
                return self.core.async { $0.loop.run() }
            }
            let source = try ReadinessSource(descriptor: core.loop.system.descriptor, queue: self.core.queue)
            {
                self.core.withObject { $0.loop.run() }
            }
            core.source = source
            source.start()
        }
    }

    /// Wakes the loop to send the waiting output when the queue is free. On the queue.
    func sendSoon() {
        core.withObject { core in
            if core.isWaking { return }
            core.isWaking = true
            mailbox.post { [confined = self.core] _ in confined.withObject { $0.isWaking = false } }
        }
    }

    /// Stops accepting, removes the socket file, and sends all clients a `goodbye`. Closes clients that read nothing for a
    /// second, and all after 5 s. Calling it twice is harmless.
    ///
    /// - Parameter completion: called on the server's queue when the last client has gone.
    package func stop(_ completion: @escaping @Sendable () -> Void) {
        let isRunning = mailbox.post { loop in
            loop.shutDown {
                self.core.async { core in
                    core.source?.cancel()
                    core.source = nil
                    completion()
                }
            }
        }
        if !isRunning { core.queue.async { completion() } }
    }
}
