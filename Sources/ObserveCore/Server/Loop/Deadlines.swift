// SPDX-License-Identifier: MIT
// The times for which an event loop arms its timer. Independent of timers and of the work.

/// When the loop closes connections that got a `goodbye`, when its listener accepts again, and when it gives a sign of
/// life.
struct Deadlines: ~Copyable {
    private var byToken: [UInt64: MonotonicTime] = [:]
    var listenAgainAt = MonotonicTime.distantFuture
    private var heartbeat: (interval: UInt64, due: MonotonicTime)?
    /// The due time of the hub's timer queue that the timer is armed for.
    private(set) var armed: MonotonicTime?
    /// The time that the timer is armed for.
    private(set) var first = MonotonicTime.distantFuture

    var isEmpty: Bool { byToken.isEmpty }

    subscript(token: UInt64) -> MonotonicTime? {
        get { byToken[token] }
        set { byToken[token] = newValue }
    }

    /// The tokens of the connections to close at `now`, in their order.
    func tokens(dueAt now: MonotonicTime) -> [UInt64] {
        byToken.compactMap { $0.value <= now ? $0.key : nil }.sorted()
    }

    mutating func beat(every nanoseconds: UInt64, from now: MonotonicTime) {
        heartbeat = (nanoseconds, now.adding(nanoseconds: nanoseconds))
    }

    /// - Returns: whether a sign of life is due at `now`. The next one is due an interval later.
    mutating func popHeartbeat(dueAt now: MonotonicTime) -> Bool {
        guard let last = heartbeat, last.due <= now else { return false }
        beat(every: last.interval, from: now)
        return true
    }

    /// - Cost: proportional to the connections with a deadline.
    mutating func arm(for next: MonotonicTime?) -> MonotonicTime {
        armed = next
        first = min(
            byToken.values.min() ?? .distantFuture,
            listenAgainAt,
            heartbeat?.due ?? .distantFuture,
            next ?? .distantFuture
        )
        return first
    }
}
