// SPDX-License-Identifier: MIT
// What the hub knows of the batch that still needs a flush. Independent of files and of what the journal writes.

/// Runs a sync on another thread, one at a time.
protocol JournalSyncer: AnyObject {
    /// Begins the work, and calls ``Hub/syncDidFinish(_:_:)`` on the hub's queue when it is done.
    func start(_ work: @escaping @Sendable () -> DiskError?, _ batch: UInt64)
    /// Waits until it is done.
    func wait() -> DiskError?
}

/// A batch that is written, and being synced.
struct InFlightBatch {
    let batch: UInt64
    /// How many of the gate's requests are its own, in how many parts, and how long their text is.
    let requests: Int
    let parts: Int
    let bytes: Int
    let delayed: Int
    let start: MonotonicTime
}

/// Consecutive requests of one client in the open batch.
struct UnflushedRequests {
    let session: Session
    /// The length of their text: a line each, with its line feed.
    var bytes: Int
}

/// Holds output back until the journal has flushed the commits that it shows.
///
/// From the first unflushed commit on, the *batch*, the gate keeps the requests: if the journal refuses the batch, the hub
/// undoes it and executes them again.
@safe
struct JournalGate: ~Copyable {
    /// Where the batch stands.
    enum Phase {
        case open
        /// The batch before this one is being synced.
        case inFlight(InFlightBatch)
        /// That sync has succeeded, and this batch has commits.
        case followsSync
        /// This batch waits for more requests.
        case gathering
    }

    /// Makes commits outlive the process; nil if nothing does.
    private(set) var journal: Journal?
    /// ``journal`` without a reference count.
    private var unretainedJournal: Unmanaged<Journal>?
    private(set) var phase = Phase.open
    /// Counts batches.
    private(set) var batch: UInt64 = 1

    // The requests of the batch, and of the one in flight before it.
    private(set) var text = ByteBuffer()
    private(set) var requests = Scratch<UnflushedRequests>()
    private(set) var requestCount = 0
    /// The delayed events that the batch has changed.
    private(set) var delayed: [PacedPath] = []

    /// With `durability` "commit", another thread syncs a batch of so many requests; for fewer, waking a thread takes
    /// longer. A client that sends many requests then gets some of the answers while the hub executes the others.
    var manyRequests = 256
    /// The mean duration of a sync in nanoseconds, mostly of the last ones. Long, until it is known.
    var syncTime: UInt64 = 1_000_000
    /// A session's output is to be sent as soon as the batch is flushed.
    var wantsRelief = false
    /// Requests of a refused batch are being executed again.
    var isReexecuting = false
    /// A JSON-RPC batch is being executed: its requests can't all be executed again.
    var isInBatch = false
    /// The journal has failed: until then, writes are refused without asking it.
    private(set) var refusesUntil: MonotonicTime?
    /// Whether the timer queue has the next sync.
    var isSyncDue = false
    private(set) var slices = JournalSlices()
    /// Syncs large batches on another thread; nil if there is none.
    var syncer: (any JournalSyncer)?
    /// Runs something on another thread, and then calls ``Hub/finishJournalWork(_:)`` on the hub's queue.
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

    /// Calls `body` with ``journal``, and counts no reference.
    @inline(__always)
    func withJournal<R>(_ body: (Journal) -> R) -> R? {
        unsafe unretainedJournal.map { unsafe $0._withUnsafeGuaranteedRef(body) }
    }

    /// Whether there are commits that may not show yet.
    @inline(__always)
    var needsFlush: Bool { withJournal { $0.needsFlush } ?? false }

    /// Whether writes can be kept, or need not be. If false, ``isRefusing(at:)`` may be true.
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

    /// Why nothing can be kept now.
    var diskError: DiskError { journal?.failure ?? DiskError("the disk failed") }

    // MARK: The batch

    var inFlight: InFlightBatch? {
        @inline(__always) get { if case .inFlight(let batch) = phase { batch } else { nil } }
    }

    /// Whether some bytes in outputs may not be sent yet, though a sync is under way.
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

    /// Notes a delayed event that the batch has changed.
    mutating func note(_ place: PacedPath, changes: Int) {
        if place.batch != batch {
            (place.batch, place.unflushedChanges) = (batch, 0)
            delayed.append(place)
        }
        place.unflushedChanges += changes
    }

    /// Whether the batch may need a flush before it continues.
    @inline(__always)
    var isFull: Bool { requestCount >= manyRequests || mustFlush }

    var mustFlush: Bool { wantsRelief || text.count > 256 << 10 }

    /// The batch is flushed or undone.
    mutating func endBatch() {
        phase = .open
        batch += 1
        wantsRelief = false
        text.removeAll()
        requests.removeAll()
        requestCount = 0
        if !delayed.isEmpty { delayed.removeAll() }
    }

    /// Ends a batch that the journal refuses, with the one in flight before it.
    ///
    /// - Returns: their requests and delayed events, and the number of the first batch.
    mutating func refuseBatch() -> (
        text: ByteBuffer, requests: [UnflushedRequests], delayed: [PacedPath], first: UInt64
    ) {
        let refused = (text, requests.array, delayed, inFlight?.batch ?? batch)
        text = ByteBuffer()
        endBatch()
        return refused
    }

    // MARK: Syncs

    /// Whether two batches at a time are faster than one. Clients that wait for answers fill only half of each. So a sync
    /// must take less time than executing the requests, some 800 ns each on both ends.
    var mayOverlap: Bool {
        guard !isInFlight, !isInBatch, !wantsRelief else { return false }
        return requestCount >= manyRequests / 4 && syncTime < UInt64(requestCount) * 1600
    }

    /// Whether the batch is to wait for more requests. Else clients that were answered while it was made would have one of
    /// their own from then on, and each batch would be half as large as it could be.
    mutating func beginGathering() -> Bool {
        guard case .followsSync = phase, syncTime > 500_000 else { return false }
        phase = .gathering
        return true
    }

    mutating func stopGathering() { if isGathering { phase = .open } }

    /// The batch's sync begins, and the next batch.
    ///
    /// - Returns: the number of the one in flight.
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

    /// The in-flight batch is safe, and the one after it has commits.
    mutating func finishSync(of inFlight: InFlightBatch) {
        phase = .followsSync
        text.consume(inFlight.bytes)
        requests.removeFirst(inFlight.parts)
        requestCount -= inFlight.requests
        delayed.removeFirst(inFlight.delayed)
    }

    mutating func noteSync(took time: UInt64) { syncTime = syncTime - syncTime / 8 + time / 8 }

    mutating func noteSlice(_ time: UInt64, work: UInt64) { slices.note(time, work: work) }

    /// No batch is open: the gate keeps nothing.
    var isIdle: Bool {
        guard case .open = phase else { return false }
        return requests.isEmpty && requestCount == 0 && text.isEmpty && delayed.isEmpty
    }
}
