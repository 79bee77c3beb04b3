// SPDX-License-Identifier: MIT
// Under `commit`, large batches: while one is synced elsewhere, the next is made. Knows neither queues nor files.
//
// What a *flight* has made stands in the sessions' outputs in front of what the batch after it makes, so that it can be
// sent when the flight has landed. When its sync fails, both were not to be: see ``Hub/refuseBatch()``.

/// Does a sync elsewhere. One at a time.
protocol JournalSyncer: AnyObject {
    /// Begins the work; ``Hub/syncDidFinish(_:_:)`` is to be called on the hub's queue when it is done.
    func start(_ work: @escaping @Sendable () -> DiskError?, _ batch: UInt64)
    /// Waits until it is done.
    func wait() -> DiskError?
}

/// A batch that is written, and being synced.
struct InFlightBatch {
    let batch: UInt64
    /// How many of the requests in ``JournalGate`` are its own, in how many parts, and how much of their text.
    let requests: Int
    let parts: Int
    let bytes: Int
    let delayed: Int
    let start: MonotonicTime
}

extension Hub {
    /// Whether some of what stands in outputs may not be sent yet.
    @inline(__always)
    var isFlying: Bool { journalGate.inFlight != nil }

    /// As ``flushBatch()``, but a large batch is only begun to be made safe; then ``isFlying``.
    func beginFlush() {
        guard let journal, journal.needsFlush, !isFlying else { return }
        if beginSync() { return }
        if journalGate.hasFinishedSync, journalGate.syncTime > 500_000 {
            // Clients that were answered while this batch was made would have one of their own each time from now on, and
            // each batch would be half as large as it could be.
            journalGate.hasFinishedSync = false
            journalGate.isGathering = true
        } else {
            flushBatch()
        }
    }

    /// Has the batch fly, if it pays.
    @discardableResult
    func beginSync() -> Bool {
        guard isSyncShort, !isFlying, let journal, let syncer = journalGate.syncer, journal.mayFly,
            !journalGate.isInBatch, !journalGate.wantsRelief, tree.markPinned()
        else { return false }
        journalGate.isGathering = false
        do throws(DiskError) {
            let work = try journal.beginSync()
            journalGate.inFlight = InFlightBatch(
                batch: journalGate.batch,
                requests: journalGate.requestCount,
                parts: journalGate.requests.count,
                bytes: journalGate.text.count,
                delayed: journalGate.delayed.count,
                start: clock()
            )
            journalGate.batch += 1
            for session in dirty { session.inFlightCount = session.outputCount }
            syncer.start(work, journalGate.batch - 1)
        } catch {
            noteFailure()
            refuseBatch()
        }
        return true
    }

    /// Whether it pays to have two batches at a time where one would do. Clients that wait for answers fill only half of
    /// each, so a sync must take less time than carrying out requests does, on both ends: some 800 ns each.
    private var isSyncShort: Bool {
        let count = journalGate.requestCount
        return count >= journalGate.manyRequests / 4 && journalGate.syncTime < UInt64(count) * 1600
    }

    func noteSync(since start: MonotonicTime) {
        let time = start.nanoseconds(until: clock())
        journalGate.syncTime = journalGate.syncTime - journalGate.syncTime / 8 + time / 8
    }

    /// The sync of that batch is done; it may have been waited for already.
    func syncDidFinish(_ batch: UInt64, _ error: DiskError?) {
        if journalGate.inFlight?.batch == batch { finishSync(error) }
    }

    /// - Returns: false if the sync has failed: then neither its batch nor the one after it has ever been.
    @discardableResult
    func finishSync(_ error: DiskError?) -> Bool {
        guard let journal, let inFlight = journalGate.inFlight else { return true }
        journal.finishSync(error)
        noteSync(since: inFlight.start)
        if error != nil {
            noteFailure()
            refuseBatch()
            return false
        }
        if journal.needsFlush {
            tree.unpinMarked()
            journalGate.hasFinishedSync = true
            journalGate.inFlight = nil
            journalGate.text.consume(inFlight.bytes)
            journalGate.requests.removeFirst(inFlight.parts)
            journalGate.requestCount -= inFlight.requests
            journalGate.delayed.removeFirst(inFlight.delayed)
            for session in dirty { session.flushedCount = session.inFlightCount }
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
        needsFlush && session.isDirty ? session.flushedCount : session.outputCount
    }
}
