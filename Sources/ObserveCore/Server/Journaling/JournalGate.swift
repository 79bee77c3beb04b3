// SPDX-License-Identifier: MIT
// The batch that still needs a flush, and its requests. Independent of files and of the journal's format.

/// Runs a sync on another thread, one at a time.
protocol JournalSyncer: AnyObject {
    /// Begins the work, and calls ``Hub/syncDidFinish(_:_:)`` on the hub's queue when it is done.
    func start(_ work: @escaping @Sendable () -> DiskError?, _ batch: UInt64)
    /// Waits until the sync is done, and returns its error.
    func wait() -> DiskError?
}

/// A batch that is written, and whose sync is running.
struct InFlightBatch {
    let batch: UInt64
    /// How many of the gate's requests belong to it, in how many parts, and with how many bytes of text.
    let requests: Int
    let parts: Int
    let bytes: Int
    let delayed: Int
    let start: MonotonicTime
}

/// Consecutive requests of one client in the open batch.
struct UnflushedRequests {
    let session: Session
    /// The length of their text: one line each, with its line feed.
    var bytes: Int
}

/// Holds output until the journal has flushed the commits that it shows.
///
/// The *batch* begins with the first unflushed commit. The gate keeps its requests: if the journal refuses the
/// batch, the hub undoes it and executes them again.
@safe
struct JournalGate: ~Copyable {
    /// The stage of the open batch.
    enum Phase {
        case open
        /// The sync of the batch before this one is running.
        case inFlight(InFlightBatch)
        /// That sync has succeeded, and this batch has commits.
        case followsSync
        /// This batch waits for more requests.
        case gathering
    }

    /// Nil if the tree is kept in memory only.
    private(set) var journal: Journal?
    /// ``journal`` without a reference count.
    private var unretainedJournal: Unmanaged<Journal>?
    private(set) var phase = Phase.open
    /// The number of the open batch.
    private(set) var batch: UInt64 = 1

    // The requests of the open batch, and of the in-flight one before it.
    private(set) var text = ByteBuffer()
    private(set) var requests = Scratch<UnflushedRequests>()
    private(set) var requestCount = 0
    /// The delayed events that these batches have changed, as they were before.
    private(set) var delayed: [FormerDelay] = []

    /// With `durability` "commit", another thread syncs a batch of so many requests. For fewer, waking a thread
    /// takes longer. A client that sends many requests then gets the first answers while the hub executes the
    /// others.
    var manyRequests = 256
    /// A moving average of the duration of a sync, in nanoseconds. It starts high.
    var syncTime: UInt64 = 1_000_000
    /// A session has too many bytes that wait for the flush.
    var wantsRelief = false
    /// The hub is executing the requests of a refused batch again.
    var isReexecuting = false
    /// The hub is executing a JSON-RPC batch, whose line the gate does not have yet.
    var isInBatch = false
    /// Set after a failure: until then, the hub refuses writes without asking the journal.
    private(set) var refusesUntil: MonotonicTime?
    /// Whether the timer queue holds the next sync.
    var isSyncDue = false
    private(set) var slices = JournalSlices()
    /// Syncs large batches on another thread; nil if there is none.
    var syncer: (any JournalSyncer)?
    /// Runs work on another thread, and then calls ``Hub/finishJournalWork(_:)`` on the hub's queue.
    var worker: ((@escaping @Sendable () -> DiskError?) -> Void)?

    // MARK: The journal

    mutating func open(_ journal: Journal) {
        self.journal = journal
        unsafe unretainedJournal = .passUnretained(journal)
        if journal.durability != .commit { manyRequests = .max }
    }

    /// Forgets the journal, which is closed.
    mutating func close() {
        journal = nil
        unsafe unretainedJournal = nil
    }

    /// Calls `body` with ``journal``, without counting a reference.
    @inline(__always)
    func withJournal<R>(_ body: (Journal) -> R) -> R? {
        unsafe unretainedJournal.map { unsafe $0._withUnsafeGuaranteedRef(body) }
    }

    /// Whether some commits must not show yet.
    @inline(__always)
    var needsFlush: Bool { withJournal { $0.needsFlush } ?? false }

    /// Whether the hub surely accepts writes. If false, ask ``isRefusing(at:)``.
    @inline(__always)
    var isWell: Bool {
        if refusesUntil != nil || isReexecuting { return false }
        return withJournal { !$0.hasFailedSync } ?? true
    }

    // MARK: Failures

    var isFailing: Bool { refusesUntil != nil }

    func isRefusing(at now: @autoclosure () -> MonotonicTime) -> Bool {
        if isReexecuting || journal?.hasFailedSync == true { return true }
        guard let refusesUntil else { return false }
        return now() < refusesUntil
    }

    /// - Returns: whether this is the first failure after a success.
    mutating func noteFailure(until end: MonotonicTime) -> Bool {
        defer { refusesUntil = end }
        return refusesUntil == nil
    }

    /// - Returns: whether this is the first success after a failure.
    mutating func noteSuccess() -> Bool {
        defer { refusesUntil = nil }
        return refusesUntil != nil
    }

    /// The last failure of the journal.
    var diskError: DiskError { journal?.failure ?? DiskError("the disk failed") }

    // MARK: The batch

    var inFlight: InFlightBatch? {
        @inline(__always) get { if case .inFlight(let batch) = phase { batch } else { nil } }
    }

    /// Whether a sync is running on another thread. Until it is done, bytes that show its batch must not leave.
    @inline(__always)
    var isInFlight: Bool { if case .inFlight = phase { true } else { false } }

    var isGathering: Bool { if case .gathering = phase { true } else { false } }

    @inline(__always)
    mutating func note(_ line: ByteView, from session: Session) {
        text.append(atMost: line.count &+ 1) { writer in
            writer.put(line)
            writer.put("\n")
        }
        requestCount &+= 1
        let last = requests.count &- 1
        if last >= inFlight?.parts ?? 0, requests[last].session === session {
            requests[last].bytes &+= line.count &+ 1
        } else {
            requests.append(UnflushedRequests(session: session, bytes: line.count &+ 1))
        }
    }

    /// Notes a delayed event before the batch changes it.
    mutating func note(_ place: PacedPath) {
        if place.batch == batch { return }
        place.batch = batch
        delayed.append(FormerDelay(of: place))
    }

    /// The first batch that the journal may refuse.
    var firstBatch: UInt64 { inFlight?.batch ?? batch }

    /// Whether to begin a flush before the next request.
    @inline(__always)
    var isFull: Bool { requestCount >= manyRequests || mustFlush }

    /// The batch that an answer belongs to: the open one, or the one before while the open one has no commit.
    var answeredBatch: UInt64 { needsFlush ? batch : batch &- 1 }

    var mustFlush: Bool { wantsRelief || text.count > 256 << 10 }

    /// Ends the batch, which is flushed or undone.
    mutating func endBatch() {
        phase = .open
        batch += 1
        wantsRelief = false
        text.removeAll()
        requests.removeAll()
        requestCount = 0
        if !delayed.isEmpty { delayed.removeAll() }
    }

    /// Ends a batch that the journal refuses, and the in-flight batch before it.
    ///
    /// - Returns: their requests and delayed events, and the number of the first batch.
    mutating func refuseBatch() -> (
        text: ByteBuffer, requests: [UnflushedRequests], delayed: [FormerDelay], first: UInt64
    ) {
        let refused = (text, requests.array, delayed, firstBatch)
        text = ByteBuffer()
        endBatch()
        return refused
    }

    // MARK: Syncs

    /// Whether overlapping two batches is faster than one at a time. Clients that wait for answers fill only half
    /// of each batch. So a sync must take less time than executing the requests, about 800 ns each in client and
    /// daemon.
    var mayOverlap: Bool {
        guard !isInFlight, !isInBatch, !wantsRelief else { return false }
        return requestCount >= manyRequests / 4 && syncTime < UInt64(requestCount) * 1600
    }

    /// Lets the batch after an overlapped sync wait for more requests. Otherwise two groups of clients would
    /// alternate, and each batch would be half as large as it could be.
    ///
    /// - Returns: whether the batch waits.
    mutating func beginGathering() -> Bool {
        guard case .followsSync = phase, syncTime > 500_000 else { return false }
        phase = .gathering
        return true
    }

    mutating func stopGathering() { if isGathering { phase = .open } }

    /// Makes the open batch the in-flight batch, and opens the next one.
    ///
    /// - Returns: the number of the in-flight batch.
    mutating func beginSync(at now: MonotonicTime) -> UInt64 {
        phase = .inFlight(
            InFlightBatch(
                batch: batch,
                requests: requestCount,
                parts: requests.count,
                bytes: text.count,
                delayed: delayed.count,
                start: now
            )
        )
        batch += 1
        return batch - 1
    }

    /// Removes the in-flight batch, whose sync has succeeded. The batch after it has commits.
    mutating func finishSync(of inFlight: InFlightBatch) {
        phase = .followsSync
        text.consume(inFlight.bytes)
        requests.removeFirst(inFlight.parts)
        requestCount -= inFlight.requests
        delayed.removeFirst(inFlight.delayed)
    }

    mutating func noteSync(took time: UInt64) { syncTime = syncTime - syncTime / 8 + time / 8 }

    mutating func noteSlice(_ time: UInt64, work: UInt64) { slices.note(time, work: work) }

    /// Whether no batch is open, and the gate keeps nothing.
    var isIdle: Bool {
        guard case .open = phase else { return false }
        return requests.isEmpty && requestCount == 0 && text.isEmpty && delayed.isEmpty
    }
}
