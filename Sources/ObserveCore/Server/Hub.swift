// SPDX-License-Identifier: MIT
// Connects one tree with its clients' sessions. Independent of sockets: a transport carries the bytes.

/// One tree and its clients' sessions: coordinates the components below.
///
/// ``receive(_:from:)`` executes the requests in a client's bytes. Answers and events wait in the sessions'
/// outputs; ``SessionTable/dirty`` lists the sessions with new output. Extensions by folder: `Requests` (lines,
/// methods, access), `Sessions` (sending events and answers), `CatchingUp` (marks of slow clients),
/// `Journaling`, `Timers`.
///
/// - Threading: none of its own; its owner confines it to one queue, with its sessions.
@safe
final class Hub {
    let tree: ModelTree
    /// The limits of each client; ``ModelTree/limits`` has those of the tree.
    var limits: ClientLimits
    /// Rules for other users; nil if the socket's mode admits only its owner and root.
    var access: AccessRules?
    /// Names this history of the tree.
    var epoch: String
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
    @safe var prefetched = PrefetchedSets()
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe var journalGate = JournalGate()
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe var reply = Reply()
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe var metrics: Metrics
    var timers = TimerQueue<TimerItem>()
    var daemonRoot = DaemonRoot()
    let parsed: ParsedRequest
    /// The answer of the request under way.
    let answer = ByteBuffer(capacity: 4096)

    init(limits: ServerLimits, now: MonotonicTime, clock: @escaping () -> MonotonicTime = { .now }) {
        self.limits = limits.clients
        sessions = SessionTable(limits.clients)
        self.clock = clock
        tree = ModelTree(limits: limits.tree)
        epoch = String(UInt64.random(in: 1 << 40..<1 << 48), radix: 36)
        metrics = Metrics(startedAt: now)
        parsed = ParsedRequest(maxDepth: limits.tree.maxDepth)
        tree.notify(self)
        tree.keepHistory(commits: limits.tree.maxHistoryCommits)
        act(for: nil)
    }

    deinit {
        tree.notify(nil)
        tree.stopRecording()
        daemonRoot.tree?.notify(nil)
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

    /// The time at zero of the hub's clock, in milliseconds since 1970.
    var clockOffset: Int64 { writer.timeOfDay() - Int64(clock().nanoseconds / 1_000_000) }

    /// Makes the end of a lifetime the author of the next commits; nil ends that.
    func act(forEndOf lifetime: Lifetime?) {
        writer.endingLifetime = lifetime
        tree.setEndingLifetime(lifetime?.code ?? 0)
        noteTime()
    }

    // MARK: Revision and trees

    /// The revision in events and answers: the daemon's own tree has none.
    @inline(__always)
    var revision: UInt64 { tree.reader.revision }

    /// The tree of the attachment's observer.
    @inline(__always)
    func tree(of attachment: AttachmentID) -> ModelTree {
        if registry.attachments[attachment].flags.contains(.daemons), let tree = daemonRoot.tree {
            return tree
        }
        return tree
    }

    /// Whether the path is in the root `observed`, the daemon's own.
    func isDaemonRoot(_ path: ParsedKeyPath) -> Bool { path.name(0) == "observed" }
}
