// SPDX-License-Identifier: MIT
// When polling is better than sleeping. Independent of sockets: its caller polls.

/// Decides whether the loop polls before it sleeps: for 30 µs, if the last batch came within 100 µs. Measured to save a
/// wake-up of 20 µs. Clients that take longer to answer, as a hundred subscribers do to read their events, are not
/// awaited.
///
/// If other threads wait for this processor, the client may be one of them: at each poll the processor is theirs. A poll
/// that took long shows them, and then sleeping is better: the loop does not poll for the next batch, and then for the
/// next 2, 4 and so on to 4096, until no poll is disturbed. The first long poll may be a timer's interrupt, and does not
/// count.
struct SpinPolicy {
    static let duration: UInt64 = 30_000

    private var lastBatchEndedAt = MonotonicTime(nanoseconds: 0)
    /// The last batch came soon after the one before, so that another may follow.
    private var isInDialogue = false
    /// How many more batches are awaited without polling.
    private var unspunBatches = 0
    /// How many will be after the next disturbance.
    private var disturbance = 0
    /// The last batch had more requests than clients send that wait for each answer: then a late wake-up only lets more of
    /// them gather.
    private var isPipelined = false

    /// A batch of ready descriptors begins.
    mutating func beginBatch(at now: MonotonicTime) {
        isInDialogue = lastBatchEndedAt.nanoseconds(until: now) < 100_000
    }

    /// The batch has ended: so many lines from so many descriptors.
    mutating func endBatch(lines: Int, descriptors: Int) { isPipelined = lines > 2 &* descriptors }

    mutating func noteEnd(at now: MonotonicTime) { lastBatchEndedAt = now }

    /// Whether to poll before sleeping.
    mutating func mayPoll() -> Bool {
        if isPipelined || !isInDialogue { return false }
        if unspunBatches > 0 {
            unspunBatches &-= 1
            return false
        }
        return true
    }

    /// A poll took longer than it does without other threads.
    ///
    /// - Returns: whether to stop polling.
    mutating func noteDisturbance() -> Bool {
        guard disturbance > 0 else {
            disturbance = 1
            return false
        }
        unspunBatches = disturbance
        disturbance = min(disturbance &* 2, 4096)
        return true
    }

    /// The loop has polled to the end, undisturbed.
    mutating func noteCalm() { disturbance = 0 }
}
