// SPDX-License-Identifier: MIT
// A tree on a socket, for any program. Independent of configurations, signals and disks.

package import Dispatch

/// Serves a tree of models on a Unix socket, on a serial queue.
///
/// - Threading: call its package functions on any thread but its queue. The closures that they take run on its
///   queue.
/// - Lifetime: keeps itself alive from ``start(on:)`` to ``stop(_:)``.
package final class Server: Sendable {
    let core: Confined<Core>
    private let mailbox: Mailbox

    /// The state that is confined to the queue.
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

    /// Restores the tree from the folder, and keeps its state there from now on. Call it before ``start(on:)``,
    /// when the tree is empty.
    ///
    /// - Returns: sentences for the log.
    ///
    /// - Parameter end: where the commits end that the broken disk of the former program has kept.
    package func keepState(
        in folder: StateFolder,
        durability: Durability,
        salvages: Bool = false,
        upTo end: JournalPlace? = nil
    ) throws(StateError) -> [String] {
        try keepState(durability: durability, salvages: salvages, upTo: end) { FileDisk(folder) }
    }

    /// Restores the tree from a copy of the files of a folder, and keeps nothing.
    package func restore(from files: [String: [UInt8]], salvages: Bool) throws(StateError) {
        _ = try keepState(durability: .none, salvages: salvages) { MemoryDisk(files) }
    }

    private func keepState(
        durability: Durability,
        salvages: Bool,
        upTo end: JournalPlace? = nil,
        on disk: () -> any StateDisk
    ) throws(StateError) -> [String] {
        try core.sync { (core) throws(StateError) in
            try core.loop.keepState(on: disk(), durability, salvages: salvages, upTo: end, mailbox)
        }
    }

    /// Flushes the open batch. Throws if the journal is broken.
    ///
    /// - Returns: why the journal had no room for a commit; nil if it had.
    package func flushState() throws(DiskError) -> DiskError? {
        try core.sync { (core) throws(DiskError) in
            let hub = core.loop.hub
            let refusal = hub.journaling.refusals.pop() ? hub.clients.gate.diskError : nil
            guard hub.journaling.flushBatch() else { throw hub.clients.gate.diskError }
            return refusal
        }
    }

    /// Saves a dump of the tree in the folder of ``keepState(in:durability:)``. Call it between commits.
    ///
    /// - Returns: the name of the file; nil if no state is kept.
    package func saveDump() throws(DiskError) -> String? {
        try core.sync { (core) throws(DiskError) in
            let hub = core.loop.hub
            return try hub.clients.gate.journal?.saveDump(of: hub.tree)
        }
    }

    /// Runs `body` with the tree, to build models before ``start(on:)``.
    package func withTree<R: Sendable, E: Error>(_ body: (ModelTree) throws(E) -> R) throws(E) -> R {
        try core.sync { (core) throws(E) in
            core.loop.clients.noteTime()
            return try body(core.loop.hub.tree)
        }
    }

    /// Serves the clients of `listener`, which it closes in the end.
    package func start(on listener: sending UnixListener) throws(SocketError) {
        try core.sync { (_) throws(SocketError) in try startOnQueue(listener) }
    }

    /// Adopts `listener`, whose clients ``run(inFirstSilence:)`` serves.
    ///
    /// - Parameter signals: a dozen at most.
    /// - Parameter isEnd: called on the queue for each of the signals; returns whether the server is to stop.
    package func listen(
        on listener: sending UnixListener,
        until signals: sending [SignalCounter],
        isEnd: @escaping (Int32, ServerOnQueue) -> Bool
    ) throws(SocketError) {
        try core.sync { (core) throws(SocketError) in
            try core.loop.listen(on: listener)
            try core.loop.watch(signals) { isEnd($0, ServerOnQueue(hub: $1.hub, loop: $1)) }
        }
    }

    /// The shortest interval between two signs of life.
    package static let shortestBeatMicroseconds: UInt64 = 1000

    /// Calls `beat` on the queue at each interval while the loop turns: a sign that it does not hang.
    package func beat(everyMicroseconds interval: UInt64, _ beat: @escaping @Sendable () -> Void) {
        let (nanoseconds, isTooLong) = max(interval, Server.shortestBeatMicroseconds)
            .multipliedReportingOverflow(by: 1000)
        core.sync { $0.loop.beat(every: isTooLong ? .max : nanoseconds, beat) }
    }

    /// Serves clients on the calling thread until the server has stopped, and occupies the queue meanwhile. So a
    /// process that does nothing else has one thread, which makes its system calls cheaper. Requires `dedicated`
    /// pacing.
    ///
    /// - Parameter tidy: called once, when the loop has been idle for a millisecond for the first time.
    package func run(inFirstSilence tidy: @escaping @Sendable () -> Void) {
        core.sync { core in
            core.loop.whenIdle = tidy
            core.loop.run()
        }
    }

    /// As ``start(on:)``, on the queue.
    func startOnQueue(_ listener: UnixListener) throws(SocketError) {
        try core.withObject { (core) throws(SocketError) in
            try core.loop.listen(on: listener)
            guard !core.hasStarted else { return }
            core.hasStarted = true
            guard core.loop.pacing == .embedded else {
                // This block occupies the queue's thread until the server has stopped.
                return self.core.queue.async { self.core.withObject { $0.loop.run() } }
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

    /// Stops accepting, removes the socket file, and sends all clients a `goodbye`. Closes clients that read
    /// nothing for a second. Calling it twice is harmless.
    ///
    /// - Parameter completion: called on the server's queue when the last client has gone.
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
