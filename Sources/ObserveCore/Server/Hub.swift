// SPDX-License-Identifier: MIT
// Where the tree and its clients' sessions meet. Knows nothing of sockets; a transport carries the bytes.

/// One tree and all sessions that talk to it.
///
/// Lines go in by ``receive(_:from:)``; what comes of them stands in the sessions' outputs, and the sessions that have
/// some in ``dirty``. By file: requests (`+Requests`), the methods (`+Reading`, `+Writing`, `+Transactions`,
/// `+Bindings`, `+Subscribing`), what clients may do (`+Access`), the telling of changes (`+Delivering`) and slow readers
/// (`+Folding`).
///
/// - Threading: none of its own; its owner confines it to one queue, with its sessions.
@safe
final class Hub {
    let tree: ModelTree
    @safe @exclusivity(unchecked) private(set) var limits: ServerLimits
    /// Who else may connect; nil if nobody is asked who they are, since the socket's file lets in nobody else.
    var access: AccessRules?
    /// Names this history of the tree (contract §4).
    var epoch: String
    let startedAt: MonotonicTime

    @safe @exclusivity(unchecked) var attachments = Arena(blank: AttachmentRecord())
    @safe @exclusivity(unchecked) var patternSubscriptions = Arena(blank: PatternSubscription())
    /// Sessions that have output since the last turn.
    @safe @exclusivity(unchecked) var dirty: [Session] = []
    /// What is to be done later.
    @safe @exclusivity(unchecked) var timers = TimerQueue<TimerItem>()
    /// How many items there may be before those are taken off that have become moot.
    @safe @exclusivity(unchecked) var timerLimit = 64
    /// Asked by what begins with a request and ends at a time.
    let clock: () -> MonotonicTime
    /// What makes commits outlive the process; nil if nothing does.
    @safe @exclusivity(unchecked) var journal: Journal? {
        didSet { unsafe unretainedJournal = journal.map { unsafe Unmanaged.passUnretained($0) } }
    }
    /// ``journal``, which holds it.
    @safe @exclusivity(unchecked) private(set) var unretainedJournal: Unmanaged<Journal>?
    @safe @exclusivity(unchecked) var journalGate = JournalGate()
    /// All sessions that are open.
    @safe @exclusivity(unchecked) var sessions: [ObjectIdentifier: Session] = [:]
    /// What the root `observed` holds, while somebody subscribes to it.
    @safe @exclusivity(unchecked) var daemonTree: ModelTree?
    /// Whether the agenda says when to fill it again.
    @safe @exclusivity(unchecked) var isDaemonRootDue = false
    /// Whose requests are being carried out.
    @safe @exclusivity(unchecked) unowned(unsafe) private(set) var writer: Session?
    /// Whether ``writer`` has a grant: for the short ways, that ask nothing but this byte.
    @safe @exclusivity(unchecked) private(set) var isRestricted = false
    /// The lifetime whose end is being committed.
    @safe @exclusivity(unchecked) var endingLifetime: Lifetime? {
        didSet { tree.setEndingLifetime(endingLifetime?.code ?? 0) }
    }
    /// This process: who makes the changes that no client asks for.
    let process: PeerCredentials
    @safe @exclusivity(unchecked) var lastSession: Int32 = 0
    /// How many lines have come from clients.
    @safe @exclusivity(unchecked) var linesRead = 0
    @safe @exclusivity(unchecked) var subscriptionCount = 0
    @safe @exclusivity(unchecked) var eventsSent: UInt64 = 0
    @safe @exclusivity(unchecked) var eventsCoalesced: UInt64 = 0
    @safe @exclusivity(unchecked) var sessionsOverflowed: UInt64 = 0

    // Used again and again by one request at a time.
    let request: Request
    /// The operation of a transaction that is under way.
    let operation: Request
    /// What the operations of the transaction under way came to.
    @safe @exclusivity(unchecked) var outcomes = Scratch<WriteOutcome>()
    let path: ParsedKeyPath
    let secondPath: ParsedKeyPath
    let answer = ByteBuffer(capacity: 4096)
    /// Requests that have come and whose turn has not.
    @safe @exclusivity(unchecked) var prefetchedSets = PrefetchedSets()
    /// What was made of records that were read early.
    @safe @exclusivity(unchecked) var prefetchedSum: Int32 = 0
    /// The revision as answers and events say it.
    @safe @exclusivity(unchecked) var revisionText = DecimalText()
    /// The lines of this turn that several clients are sent, each once: see ``Session/run``.
    let broadcast = ByteBuffer(capacity: 4096)
    /// How many sessions have a run of it.
    @safe @exclusivity(unchecked) var runCount = 0
    /// The texts for subscribers who ask for more, by what they ask for.
    let richTails = [ByteBuffer(), ByteBuffer(), ByteBuffer()]
    /// The attachments whose initial events come after the answer under way.
    @safe @exclusivity(unchecked) var freshAttachments: [AttachmentID] = []
    /// What the answer under way resumes: what was missed comes after it.
    @safe @exclusivity(unchecked) var resumptions: [Resumption] = []
    /// Empty output buffers, for sessions that have something to say.
    @safe @exclusivity(unchecked) var spareBuffers: [ByteBuffer] = []
    /// How much room they have.
    @safe @exclusivity(unchecked) var spareBytes = 0

    init(limits: ServerLimits, now: MonotonicTime, clock: @escaping () -> MonotonicTime = { .now }) {
        self.limits = limits
        self.clock = clock
        process = PeerCredentials(pid: Platform.pid, uid: Platform.uid, gid: Platform.gid)
        tree = ModelTree(limits: limits.tree)
        epoch = String(UInt64.random(in: 1 << 40..<1 << 48), radix: 36)
        startedAt = now
        // A value of an operation stands four levels deeper than one of a request's params.
        request = Request(maxDepth: limits.tree.maxDepth + 8)
        operation = Request(maxDepth: limits.tree.maxDepth)
        path = ParsedKeyPath(maxDepth: limits.tree.maxDepth)
        secondPath = ParsedKeyPath(maxDepth: limits.tree.maxDepth)
        tree.notify(self)
        tree.keepHistory(commits: 1000)
        act(for: nil)
    }

    deinit {
        tree.notify(nil)
        tree.stopRecording()
        daemonTree?.notify(nil)
    }

    /// Takes other limits. The depth stays: the tree and what parses for it were made with it.
    func adopt(_ limits: ServerLimits) {
        let depth = self.limits.tree.maxDepth
        self.limits = limits
        self.limits.tree.maxDepth = depth
        tree.adopt(self.limits.tree)
    }

    // MARK: Sessions

    /// What is committed from now on is that session's client's; the program's own, where there is none.
    @inline(__always)
    func act(for session: Session?) {
        writer = session
        isRestricted = session?.grant != nil
        tree.setAuthor(session?.author ?? CommitAuthor(process))
    }

    func open(_ session: Session) {
        sessions[ObjectIdentifier(session)] = session
        lastSession += 1
        session.author.number = lastSession
    }

    /// Ends a session: nothing of it is left behind.
    func close(_ session: Session) {
        sessions[ObjectIdentifier(session)] = nil
        for pacer in session.pacers.values { pacer.end() }
        session.pacers = [:]
        session.outbox = Outbox()
        session.isQueueing = false
        subscriptionCount -= session.subscriptions.count + session.patternSubscriptions.count
        session.subscriptions.forEach { removeAttachments(from: $0) }
        for id in session.patternSubscriptions.values { removePatterns(of: id) }
        session.subscriptions = SubscriptionTable()
        session.patternSubscriptions = [:]
        session.deepEntries = [:]
        endDump(of: session)
        session.intake = nil
        if session.hasBroadcastRange { endBroadcastRange(of: session) }
        recycleOutput(of: session)
        endLifetimes(of: session)
    }

    func removeAttachments(from first: AttachmentID) {
        var id = first
        while id != .noRecord {
            let next = attachments[id].next
            tree(of: id).removeObserver(attachments[id].observer)
            attachments[id].session?.outbox.forget(id)
            attachments.free(id)
            id = next
        }
        dismissDaemonTree()
    }
}

extension CloseReason {
    /// The word that goodbyes and counters use.
    package var name: StaticString {
        switch self {
        case .peerClosed: "peerClosed"
        case .overflow: "overflow"
        case .shutdown: "shutdown"
        case .tooManyConnections: "tooManyConnections"
        case .accessDenied: "accessDenied"
        case .accessChanged: "accessChanged"
        case .unresponsive: "unresponsive"
        case .failed: "failed"
        }
    }
}
