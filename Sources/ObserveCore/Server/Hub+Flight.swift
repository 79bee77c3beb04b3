// SPDX-License-Identifier: MIT
// Under `commit`, large batches: while one is synced elsewhere, the next is made. Knows neither queues nor files.
//
// What a *flight* has made stands in the sessions' outputs in front of what the batch after it makes, so that it can be
// sent when the flight has landed. When its sync fails, both were not to be: see ``Hub/refuseBatch()``.

/// Does a sync elsewhere. One at a time.
protocol JournalSyncer: AnyObject {
    /// Begins the work; ``Hub/flightHasLanded(_:_:)`` is to be called on the hub's queue when it is done.
    func start(_ work: @escaping @Sendable () -> DiskError?, _ batch: UInt64)
    /// Waits until it is done.
    func wait() -> DiskError?
}

/// A batch that is written, and being synced.
struct Flight {
    let batch: UInt64
    /// How many of the requests in ``JournalKeeping`` are its own, in how many parts, and how much of their text.
    let requests: Int
    let parts: Int
    let bytes: Int
    let held: Int
    let start: MonotonicTime
}

extension Hub {
    /// Whether some of what stands in outputs may not be sent yet.
    @inline(__always)
    var isFlying: Bool { keeping.flight != nil }

    /// As ``settleJournal()``, but a large batch is only begun to be made safe; then ``isFlying``.
    func settleSoon() {
        guard let journal, journal.isUnsettled, !isFlying else { return }
        if takeOff() { return }
        if keeping.hasLanded, keeping.syncTime > 500_000 {
            // Clients that were answered while this batch was made would have one of their own each time from now on, and
            // each batch would be half as large as it could be.
            keeping.hasLanded = false
            keeping.isGathering = true
        } else {
            settleJournal()
        }
    }

    /// Has the batch fly, if it pays.
    @discardableResult
    func takeOff() -> Bool {
        guard isFlightShort, !isFlying, let journal, let syncer = keeping.syncer, journal.mayFly,
            !keeping.isInBatch, !keeping.wantsRelief, tree.markPinned()
        else { return false }
        keeping.isGathering = false
        do throws(DiskError) {
            let work = try journal.takeOff()
            keeping.flight = Flight(
                batch: keeping.batch,
                requests: keeping.requestCount,
                parts: keeping.requests.count,
                bytes: keeping.text.count,
                held: keeping.held.count,
                start: clock()
            )
            keeping.batch += 1
            for session in dirty { session.flightCount = session.outputCount }
            syncer.start(work, keeping.batch - 1)
        } catch {
            noteFailure()
            refuseBatch()
        }
        return true
    }

    /// Whether it pays to have two batches at a time where one would do. Clients that wait for answers fill only half of
    /// each, so a sync must take less time than carrying out requests does, on both ends: some 800 ns each.
    private var isFlightShort: Bool {
        let count = keeping.requestCount
        return count >= keeping.manyRequests / 4 && keeping.syncTime < UInt64(count) * 1600
    }

    func noteSync(since start: MonotonicTime) {
        let time = start.nanoseconds(until: clock())
        keeping.syncTime = keeping.syncTime - keeping.syncTime / 8 + time / 8
    }

    /// The sync of that batch is done; it may have been waited for already.
    func flightHasLanded(_ batch: UInt64, _ error: DiskError?) {
        if keeping.flight?.batch == batch { land(error) }
    }

    /// - Returns: false if the sync has failed: then neither its batch nor the one after it has ever been.
    @discardableResult
    func land(_ error: DiskError?) -> Bool {
        guard let journal, let flight = keeping.flight else { return true }
        journal.land(error)
        noteSync(since: flight.start)
        if error != nil {
            noteFailure()
            refuseBatch()
            return false
        }
        if journal.isUnsettled {
            tree.unpinMarked()
            keeping.hasLanded = true
            keeping.flight = nil
            keeping.text.consume(flight.bytes)
            keeping.requests.removeFirst(flight.parts)
            keeping.requestCount -= flight.requests
            keeping.held.removeFirst(flight.held)
            for session in dirty { session.settledCount = session.flightCount }
        } else {
            endBatch()
            tree.unpin()
        }
        noteSuccess()
        return true
    }

    /// How much of what waits for the client's socket may be sent.
    func sendable(_ session: Session) -> Int {
        // What is not dirty was there before.
        isUnsettled && session.isDirty ? session.settledCount : session.outputCount
    }
}
