// SPDX-License-Identifier: MIT
// The batch that still needs a flush. Independent of files and of the journal's format.

/// A batch that is written, and whose sync is running.
struct InFlightBatch {
    let batch: UInt64
    /// The revision before its first commit.
    let baseRevision: UInt64
    let requests: Int
    let start: MonotonicTime
}

/// Holds output until the journal has flushed the commits that it shows.
///
/// The *batch* begins with the first unflushed commit.
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

    /// The revision before its first commit; valid while the journal needs a flush.
    private(set) var baseRevision: UInt64 = 0
    /// How many requests the open batch and the in-flight one before it have, and how many bytes of text.
    private(set) var requestCount = 0
    private var requestBytes = 0

    /// With `durability` "commit", another thread syncs a batch of so many requests. For fewer, waking a thread
    /// takes longer. A client that sends many requests then gets the first answers while the server executes the
    /// others.
    var manyRequests = 256
    /// A moving average of the duration of a sync, in nanoseconds. It starts high.
    var syncTime: UInt64 = 1_000_000
    /// A session has too many bytes that wait for the flush.
    var mustSend = false
    /// The server is executing a JSON-RPC batch.
    var isInBatch = false

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

    /// Whether the server executes writes: not behind a broken disk, nor before it is proved.
    @inline(__always)
    var acceptsWrites: Bool { withJournal { !$0.isBroken && !$0.needsProof } ?? true }

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

    /// Notes an executed request of the open batch.
    @inline(__always)
    mutating func note(_ line: ByteView) {
        requestCount &+= 1
        requestBytes &+= line.count
    }

    /// Whether to begin a flush before the next request.
    @inline(__always)
    var isFull: Bool { requestCount >= manyRequests || mustFlush }

    var mustFlush: Bool { mustSend || requestBytes > 256 << 10 }

    /// Notes that a commit begins the batch.
    mutating func beginBatch(at revision: UInt64) { baseRevision = revision }

    /// The batch that an answer belongs to: the open one, or the one before while the open one has no commit.
    var answeredBatch: UInt64 { needsFlush ? batch : batch &- 1 }

    /// The first batch that is not flushed.
    var firstBatch: UInt64 { inFlight?.batch ?? batch }

    /// The last flushed revision.
    ///
    /// - Parameter present: the tree's.
    func flushedRevision(_ present: UInt64) -> UInt64 {
        inFlight?.baseRevision ?? (needsFlush ? baseRevision : present)
    }

    /// Ends the batch, which is flushed.
    mutating func endBatch() {
        phase = .open
        batch += 1
        mustSend = false
        requestCount = 0
        requestBytes = 0
    }

    // MARK: Syncs

    /// Whether overlapping two batches is faster than one at a time. Clients that wait for answers fill only half
    /// of each batch. So a sync must take less time than executing the requests, about 800 ns each in client and
    /// daemon.
    var mayOverlap: Bool {
        guard !isInFlight, !isInBatch, !mustSend else { return false }
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
    /// - Parameter revision: the present one.
    /// - Returns: the number of the in-flight batch.
    mutating func beginSync(at now: MonotonicTime, _ revision: UInt64) -> UInt64 {
        phase = .inFlight(
            InFlightBatch(batch: batch, baseRevision: baseRevision, requests: requestCount, start: now)
        )
        baseRevision = revision
        batch += 1
        return batch - 1
    }

    /// Removes the in-flight batch, whose sync has succeeded. The batch after it has commits.
    mutating func finishSync(of inFlight: InFlightBatch) {
        phase = .followsSync
        requestCount -= inFlight.requests
        requestBytes = 0
    }

    mutating func noteSync(took time: UInt64) { syncTime = syncTime - syncTime / 8 + time / 8 }

    /// Whether no batch is open.
    var isIdle: Bool {
        guard case .open = phase else { return false }
        return requestCount == 0
    }
}
