// SPDX-License-Identifier: MIT
// The sessions of one tree's clients. Independent of sockets, of requests and of the journal's work.

/// The sessions of one tree's clients, with subscriptions and output. ``Clients`` adds who gets which event, and when.
///
/// Events and answers wait in the sessions' outputs; ``SessionTable/dirty`` lists the sessions with new output.
@safe class ClientSessions {
    final let tree: ModelTree
    /// The limits of each client; ``ModelTree/limits`` has those of the tree.
    private(set) final var limits: ClientLimits
    final let clock: () -> MonotonicTime
    final var fastPaths = FastPaths()

    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe final var sessions: SessionTable
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe final var registry = SubscriptionRegistry()
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe final var frames = FrameTracker()
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe final var writer = CurrentWriter()
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe final var gate = JournalGate()
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe final var metrics: Metrics
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe final var broadcast = Broadcast()
    final var timers = TimerQueue<TimerItem>()
    final var daemonRoot = DaemonRoot()

    init(limits: ServerLimits, now: MonotonicTime, clock: @escaping () -> MonotonicTime) {
        self.limits = limits.clients
        sessions = SessionTable(limits.clients)
        self.clock = clock
        tree = ModelTree(limits: limits.tree)
        metrics = Metrics(startedAt: now)
        tree.keepHistory(commits: limits.tree.maxHistoryCommits)
        act(for: nil)
    }

    /// The tree keeps its `maxDepth`.
    final func adopt(_ limits: ServerLimits) {
        self.limits = limits.clients
        sessions.buffered.adopt(limits.clients)
        tree.adopt(limits.tree)
    }

    // MARK: The author of commits

    /// Makes the session's client the author of the next commits; without a session, this process.
    @inline(__always) final func act(for session: Session?) {
        writer.act(for: session)
        tree.setAuthor(session?.author ?? CommitAuthor(writer.process))
        if session != nil { noteTime() }
    }

    /// Gives the next commits the present time. Call it once for several commits of one turn.
    final func noteTime() { tree.setTime(writer.timeOfDay()) }

    /// The time at zero of the clock, in milliseconds since 1970.
    final var clockOffset: Int64 { writer.timeOfDay() - Int64(clock().nanoseconds / 1_000_000) }

    /// Makes the end of a lifetime the author of the next commits: 5001 for one of 5 s, see ``Lifetime/code``; 0 ends that.
    final func act(on occasion: Int64) {
        writer.occasion = occasion
        tree.setOccasion(occasion)
        noteTime()
    }

    /// The revision in events and answers: the daemon's own tree has none.
    @inline(__always) final var revision: UInt64 { tree.reader.revision }
}
