// SPDX-License-Identifier: MIT
// Commits that outlive the process: nothing that shows one leaves before the journal has it, and where it can't have it,
// it never was. Knows neither files nor what is written.
//
// From the first commit that the journal does not have yet, the *batch*, requests are kept, and sessions know how much of
// their output is older. When the journal refuses the batch, the tree is taken back to before it, the outputs are cut,
// and the requests are carried out once more, the writes among them refused. So everybody is answered, and nobody has
// seen what was not to be.

/// Requests of one client, one after another, of the batch that the journal does not have yet.
struct UnflushedRequests {
    let session: Session
    /// How much of the text is theirs: a line each, with its line feed.
    var bytes: Int
}

/// What the hub knows of its journal beyond the journal itself.
struct JournalGate: ~Copyable {
    /// Requests of the batch: their text, and whose they are.
    var text = ByteBuffer()
    var requests = Scratch<UnflushedRequests>()
    /// How many of them there are.
    var requestCount = 0
    /// What the batch has made of what `throttle` and `debounce` hold back.
    var delayed: [PacedPath] = []
    /// Counts batches.
    var batch: UInt64 = 1
    /// The batch before, whose sync is under way.
    var inFlight: InFlightBatch?
    /// Under `commit` a batch is synced elsewhere as soon as it has so many requests: fewer take less time than waking
    /// another thread up. A client that sends many and waits for all of their answers then gets some of them while the
    /// rest is carried out.
    var manyRequests = 256
    /// How long a sync takes, in nanoseconds: a mean in which the last ones count most. Long, until it is known.
    var syncTime: UInt64 = 1_000_000
    /// A flight has landed with a batch behind it, and: that batch waits for requests to join it.
    var hasFinishedSync = false
    var isGathering = false
    /// Syncs elsewhere; nil where nothing does.
    var syncer: (any JournalSyncer)?
    /// Somebody's output is to be sent as soon as the batch is settled.
    var wantsRelief = false
    /// Requests are being carried out once more.
    var isRefusing = false
    /// The journal has failed: writes are refused without asking it until then.
    var refusesUntil: MonotonicTime?
    var isFailing = false
    /// A JSON-RPC batch is being carried out: not all of its requests could be carried out once more.
    var isInBatch = false
    /// Whether the agenda says when to write and sync what waits.
    var isSyncDue = false
    /// The longest time that was spent on a snapshot between two batches, in nanoseconds; and the processor's part of one.
    var longestSlice: UInt64 = 0
    var longestWork: UInt64 = 0
    /// Does something elsewhere, and then calls ``Hub/finishJournalWork(_:)`` on the hub's queue.
    var worker: ((@escaping @Sendable () -> DiskError?) -> Void)?
}

extension JournalGate {
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

    /// Whether something may have to be done about the batch before it goes on.
    @inline(__always)
    var isFull: Bool { requestCount >= manyRequests || wantsRelief || text.count > 256 << 10 }
}

extension Hub: CommitRecorder {
    /// Has every commit outlive the process from now on. Before anybody connects.
    ///
    /// - Parameter journal: opened with the hub's tree.
    /// - Parameter afterEnd: called after each commit that ends what a connection of the past had set.
    func keep(_ journal: Journal, afterEnd: () -> Void = {}) {
        self.journal = journal
        if journal.durability != .commit { journalGate.manyRequests = .max }
        epoch = journal.epoch
        tree.record(with: self)
        act(for: nil)
        // Their numbers are not given out again.
        lastSession = max(lastSession, tree.reader.temporaryOwners.last ?? 0)
        for owner in tree.reader.temporaryOwners {
            endLifetimes(of: owner)
            afterEnd()
        }
        for number in tree.reader.timedValues {
            if let end = tree.end(ofTimed: number) { schedule(.endLifetime(number), at: end) }
        }
        if journal.failure != nil { noteFailure() }
    }

    func record(_ commit: borrowing CommitView) {
        guard let journal else { return }
        if !journal.needsFlush { markOutputs() }
        journal.record(commit)
    }

    @inline(__always)
    func record(_ commit: borrowing CommitView, scalar json: JSONView, of id: PropertyID) {
        unsafe unretainedJournal?._withUnsafeGuaranteedRef { journal in
            if !journal.needsFlush { markOutputs() }
            journal.record(commit, scalar: json, of: id)
        }
    }

    /// Whether there are commits that may not show yet.
    @inline(__always)
    var needsFlush: Bool {
        unsafe unretainedJournal.map { unsafe $0._withUnsafeGuaranteedRef { $0.needsFlush } } ?? false
    }

    /// Whether nothing is wrong with the journal, if there is one. While something is, ``isRefusing`` may be true.
    @inline(__always)
    var isJournalWell: Bool {
        if journalGate.isFailing || journalGate.isRefusing { return false }
        return unsafe unretainedJournal?._withUnsafeGuaranteedRef { !$0.hasFailedSync } ?? true
    }

    private func markOutputs() {
        for session in dirty { session.flushedCount = session.outputCount }
    }

    /// Notes a request that was carried out while the batch is open: it may have to be carried out once more.
    @inline(__always)
    func noteUnflushed(_ line: ByteView, from session: Session) {
        journalGate.note(line, from: session)
        if journalGate.isFull { flushFull() }
    }

    @inline(never)
    private func flushFull() {
        if !isFlying { beginSync() }
        guard journalGate.wantsRelief || journalGate.text.count > 256 << 10 else { return }
        flushBatch()
        for session in dirty where session.waitingBytes > limits.foldAfterBytes && !session.isBlocked {
            session.transport?.flush(session)
        }
    }

    /// Makes what was committed since the last time as safe as was promised. Between requests, and before any output is
    /// sent.
    ///
    /// - Returns: false if that was not to be: then it is as if it had never been committed.
    @discardableResult
    func flushBatch() -> Bool {
        guard let journal, journal.needsFlush else { return true }
        if journalGate.inFlight != nil {
            if !finishSync(journalGate.syncer?.wait()) { return false }
            if !journal.needsFlush { return true }
        }
        let start = journal.durability == .commit ? clock() : MonotonicTime(nanoseconds: 0)
        do throws(DiskError) { try journal.flush() } catch {
            noteFailure()
            refuseBatch()
            return false
        }
        if journal.durability == .commit { noteSync(since: start) }
        endBatch()
        tree.unpin()
        noteSuccess()
        scheduleSync()
        return true
    }

    func endBatch() {
        journalGate.inFlight = nil
        (journalGate.hasFinishedSync, journalGate.isGathering) = (false, false)
        journalGate.batch += 1
        journalGate.wantsRelief = false
        journalGate.text.removeAll()
        journalGate.requests.removeAll()
        journalGate.requestCount = 0
        if !journalGate.delayed.isEmpty { journalGate.delayed.removeAll() }
    }

    /// Undoes the batch, and carries its requests out once more without its commits.
    func refuseBatch() {
        let (text, requests, delayed) = (journalGate.text, journalGate.requests.array, journalGate.delayed)
        let first = journalGate.inFlight?.batch ?? journalGate.batch
        journalGate.text = ByteBuffer()
        endBatch()
        tree.undoPinned()
        forgetUndone(delayed)
        for session in dirty { cut(session, to: session.flushedCount) }
        for session in sessions.values where session.queuedInBatch >= first {
            // What waits for a slow reader shows what never was: it has to begin anew.
            sendGoodbye(.overflow, to: session)
        }
        let wasRefusing = journalGate.isRefusing
        journalGate.isRefusing = true
        let presentWriter = writer
        for part in requests {
            var lines = text.view.prefix(part.bytes)
            text.consume(part.bytes)
            while let end = lines.firstIndex(of: 0x0A, from: 0) {
                let line = lines.prefix(end)
                lines = lines.dropFirst(end + 1)
                guard sessions[ObjectIdentifier(part.session)] != nil, part.session.closing == nil else {
                    break
                }
                act(for: part.session)
                handle(line, from: part.session)
            }
        }
        act(for: presentWriter)
        journalGate.isRefusing = wasRefusing
    }

    // MARK: Refusing

    /// Throws while commits can't be kept.
    @inline(__always)
    func requireJournal() throws(WireError) {
        if journal != nil { try requireWorkingJournal() }
    }

    private func requireWorkingJournal() throws(WireError) {
        if isRefusing { throw journalUnavailable }
    }

    /// Why nothing can be kept now.
    var diskError: DiskError { journal?.failure ?? DiskError("the disk failed") }

    /// Why a write is refused that could not be kept.
    var journalUnavailable: WireError {
        WireError(
            .unavailable,
            "the journal can't be written (\(diskError)), so nothing can be changed now"
        )
    }

    var isRefusing: Bool {
        if journalGate.isRefusing || journal?.hasFailedSync == true { return true }
        guard let end = journalGate.refusesUntil else { return false }
        if clock() < end { return true }
        journalGate.refusesUntil = nil
        return false
    }

    func noteFailure() {
        journalGate.refusesUntil = clock().adding(milliseconds: 100)
        scheduleSync()
        guard !journalGate.isFailing else { return }
        journalGate.isFailing = true
        Log.shared.error("the journal can't be written: \(diskError); writes are refused until it can")
    }

    func noteSuccess() {
        guard journalGate.isFailing else { return }
        journalGate.isFailing = false
        journalGate.refusesUntil = nil
        Log.shared.info("the journal can be written again")
    }

    // MARK: Now and then

    private func scheduleSync() {
        guard !journalGate.isSyncDue, let journal, journal.durability != .commit || journal.hasFailedSync
        else {
            return
        }
        journalGate.isSyncDue = true
        schedule(.syncJournal, at: clock().adding(milliseconds: 1000))
    }

    /// Writes and syncs what waits.
    func syncJournal() {
        journalGate.isSyncDue = false
        guard let journal else { return }
        do throws(DiskError) {
            if journal.hasFailedSync { try journal.repair() }
            if !journal.needsFlush { try journal.write() }
            noteSuccess()
        } catch {
            return noteFailure()
        }
        startJournalWork(isSyncDue: true)
        if journal.isWorking != nil, journal.durability == .interval { scheduleSync() }
    }

    private func startJournalWork(isSyncDue: Bool) {
        guard let worker = journalGate.worker, let work = journal?.popWork(isSyncDue: isSyncDue) else {
            return
        }
        worker(work)
    }

    func finishJournalWork(_ error: DiskError?) {
        measuringSlice("what follows from a snapshot's part") {
            journal?.finish(error)
            startJournalWork(isSyncDue: false)
        }
        guard let error else { return }
        if journal?.failure == nil {
            return Log.shared.warning("no snapshot could be taken: \(error); the journal goes on without")
        }
        noteFailure()
    }

    /// Whether there is something to be done for a snapshot while nothing else is.
    var wantsJournalStep: Bool { journal?.wantsStep ?? false }

    /// Writes a slice of a snapshot down: about half a millisecond's worth.
    func stepJournal() {
        guard let journal else { return }
        let what: StaticString = journal.snapshot == nil ? "beginning a snapshot" : "a slice of a snapshot"
        measuringSlice(what) {
            let end = clock().adding(nanoseconds: 500_000)
            journal.step { clock() >= end }
            startJournalWork(isSyncDue: false)
        }
        if journal.failure != nil { noteFailure() }
    }

    private func measuringSlice(_ what: StaticString, _ body: () -> Void) {
        let (start, work) = (clock(), ProcessorTime.ofThread)
        body()
        let (time, effort) = (start.nanoseconds(until: clock()), ProcessorTime.ofThread &- work)
        journalGate.longestSlice = max(journalGate.longestSlice, time)
        journalGate.longestWork = max(journalGate.longestWork, effort)
        if effort > 2_000_000 {
            Log.shared.debug("\(what) took \(time / 1000) µs, \(effort / 1000) of them at work")
        }
    }

    /// The process ends as it should.
    func closeJournal() {
        guard let journal else { return }
        flushBatch()
        do throws(DiskError) { try journal.close() } catch {
            Log.shared.error("the journal could not be closed: \(error)")
        }
        tree.stopRecording()
        self.journal = nil
    }
}
