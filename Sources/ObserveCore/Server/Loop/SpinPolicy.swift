// SPDX-License-Identifier: MIT
// When polling is better than sleeping. Independent of sockets: its caller polls.

/// The loop polls for 30 µs before it sleeps if the last batch began within 100 µs of the one before. By measurement, this saves
/// a wake-up of 20 µs. It does not poll for slower clients, like a hundred subscribers that read their events.
///
/// Each poll yields the processor, since the client may be waiting for it. A slow poll shows that other threads used it, and then
/// sleeping is better. So the loop does not poll for the next batch, and after each further slow poll for twice as many, at most
/// 4096, until a poll is fast. The first slow poll may be a timer interrupt, and does not count.
struct SpinPolicy {
    static let duration: UInt64 = 30_000

    private var lastBatchEndedAt = MonotonicTime(nanoseconds: 0)
    /// The last batch came soon after the one before, so that another may follow.
    private var isInDialogue = false
    /// How many more batches the loop awaits without polling.
    private var unspunBatches = 0
    /// The next value of ``unspunBatches``; 0 before the first disturbance.
    private var disturbance = 0
    /// The clients of the last batch did not wait for each answer. A late wake-up then only gathers more requests.
    private var isPipelined = false

    mutating func beginBatch(at now: MonotonicTime) {
        isInDialogue = lastBatchEndedAt.nanoseconds(until: now) < 100_000
    }

    /// Notes the end of a batch, with so many lines from so many descriptors.
    mutating func endBatch(lines: Int, descriptors: Int) { isPipelined = lines > 2 &* descriptors }

    mutating func noteEnd(at now: MonotonicTime) { lastBatchEndedAt = now }

    mutating func mayPoll() -> Bool {
        if isPipelined || !isInDialogue { return false }
        if unspunBatches > 0 {
            unspunBatches &-= 1
            return false
        }
        return true
    }

    /// Notes a slow poll. Returns whether to stop polling.
    mutating func noteDisturbance() -> Bool {
        guard disturbance > 0 else {
            disturbance = 1
            return false
        }
        unspunBatches = disturbance
        disturbance = min(disturbance &* 2, 4096)
        return true
    }

    mutating func noteCalm() { disturbance = 0 }
}
