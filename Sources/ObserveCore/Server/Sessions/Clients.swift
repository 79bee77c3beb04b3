// SPDX-License-Identifier: MIT
// Connects one tree with its clients' sessions. Independent of sockets, of requests and of the journal's work.

/// The clients of one tree: their sessions, subscriptions and output.
///
/// Events and answers wait in the sessions' outputs; ``SessionTable/dirty`` lists the sessions with new output.
/// `CatchingUp` has the marks of slow clients, `Timers` the work with a due time.
///
/// - Threading: none of its own; its owner confines it to one queue, with its sessions.
@safe
final class Clients {
    let tree: ModelTree
    /// The limits of each client; ``ModelTree/limits`` has those of the tree.
    private(set) var limits: ClientLimits
    let clock: () -> MonotonicTime
    /// Which fast paths requests and events may take.
    var fastPaths = FastPaths()

    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe var sessions: SessionTable
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe var registry = SubscriptionRegistry()
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe var broadcast = Broadcast()
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe var frames = FrameTracker()
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe var spares = SpareBuffers()
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe var writer = CurrentWriter()
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe var gate = JournalGate()
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe var metrics: Metrics
    var timers = TimerQueue<TimerItem>()
    var daemonRoot = DaemonRoot()

    init(limits: ServerLimits, now: MonotonicTime, clock: @escaping () -> MonotonicTime) {
        self.limits = limits.clients
        sessions = SessionTable(limits.clients)
        self.clock = clock
        tree = ModelTree(limits: limits.tree)
        metrics = Metrics(startedAt: now)
        tree.notify(self)
        tree.keepHistory(commits: limits.tree.maxHistoryCommits)
        act(for: nil)
    }

    deinit {
        tree.notify(nil)
        daemonRoot.dismiss()
    }

    /// Adopts other limits. The tree keeps its `maxDepth`.
    func adopt(_ limits: ServerLimits) {
        self.limits = limits.clients
        sessions.buffered.adopt(limits.clients)
        tree.adopt(limits.tree)
    }

    // MARK: The author of commits

    /// Makes the session's client the author of the next commits; without a session, this process.
    @inline(__always)
    func act(for session: Session?) {
        writer.act(for: session)
        tree.setAuthor(session?.author ?? CommitAuthor(writer.process))
        if session != nil { noteTime() }
    }

    /// Gives the next commits the present time. Call it once for several commits of one turn.
    func noteTime() { tree.setTime(writer.timeOfDay()) }

    /// The time at zero of the clock, in milliseconds since 1970.
    var clockOffset: Int64 { writer.timeOfDay() - Int64(clock().nanoseconds / 1_000_000) }

    /// Makes the end of a lifetime the author of the next commits; nil ends that.
    func act(forEndOf lifetime: Lifetime?) {
        writer.endingLifetime = lifetime
        tree.setEndingLifetime(lifetime?.code ?? 0)
        noteTime()
    }

    // MARK: Revision

    /// The revision in events and answers: the daemon's own tree has none.
    @inline(__always)
    var revision: UInt64 { tree.reader.revision }
}
