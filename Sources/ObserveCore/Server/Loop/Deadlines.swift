// SPDX-License-Identifier: MIT
// When an event loop closes connections that got a `goodbye`, accepts again, and gives a sign of life. Independent of timers.

struct Deadlines: ~Copyable {
    private var byToken: [UInt64: (due: MonotonicTime, end: MonotonicTime)] = [:]
    var listenAgainAt = MonotonicTime.distantFuture
    private var heartbeat: (interval: UInt64, due: MonotonicTime)?
    /// The due time of the hub's timer queue that the timer is armed for.
    private(set) var armed: MonotonicTime?
    /// The time that the timer is armed for.
    private(set) var first = MonotonicTime.distantFuture

    var isEmpty: Bool { byToken.isEmpty }

    func has(_ token: UInt64) -> Bool { byToken[token] != nil }

    mutating func remove(_ token: UInt64) { byToken[token] = nil }

    /// Closes that connection `seconds` from `now`, but not later than `total` seconds from the first such call. Returns when.
    mutating func extend(_ token: UInt64, at now: MonotonicTime, seconds: UInt64, total: UInt64)
        -> MonotonicTime
    {
        let end = min(byToken[token]?.end ?? .distantFuture, now.adding(milliseconds: total * 1000))
        let due = min(now.adding(milliseconds: seconds * 1000), end)
        byToken[token] = (due, end)
        return due
    }

    /// The tokens of the connections to close at `now`, in their order.
    func tokens(dueAt now: MonotonicTime) -> [UInt64] {
        byToken.compactMap { $0.value.due <= now ? $0.key : nil }.sorted()
    }

    mutating func beat(every nanoseconds: UInt64, from now: MonotonicTime) {
        heartbeat = (nanoseconds, now.adding(nanoseconds: nanoseconds))
    }

    /// Whether a sign of life is due. The next one is due an interval later.
    mutating func popHeartbeat(dueAt now: MonotonicTime) -> Bool {
        guard let last = heartbeat, last.due <= now else { return false }
        beat(every: last.interval, from: now)
        return true
    }

    /// - Cost: proportional to the connections with a deadline.
    mutating func arm(for next: MonotonicTime?) -> MonotonicTime {
        armed = next
        first = min(
            byToken.values.lazy.map(\.due).min() ?? .distantFuture,
            listenAgainAt,
            heartbeat?.due ?? .distantFuture,
            next ?? .distantFuture
        )
        return first
    }
}
