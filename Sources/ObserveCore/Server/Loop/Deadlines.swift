// SPDX-License-Identifier: MIT
// The times for which an event loop arms its timer. Independent of timers.

/// When the loop closes connections that got a `goodbye`, and when its listener accepts again.
struct Deadlines: ~Copyable {
    private var byToken: [UInt64: MonotonicTime] = [:]
    var listenAgainAt = MonotonicTime.distantFuture
    /// The due time of the hub's timer queue that the timer is armed for.
    private(set) var armed: MonotonicTime?

    var isEmpty: Bool { byToken.isEmpty }

    subscript(token: UInt64) -> MonotonicTime? {
        get { byToken[token] }
        set { byToken[token] = newValue }
    }

    /// The tokens of the connections to close at `now`.
    func tokens(dueAt now: MonotonicTime) -> [UInt64] {
        byToken.compactMap { $0.value <= now ? $0.key : nil }
    }

    /// The time to arm the timer for.
    mutating func arm(for next: MonotonicTime?) -> MonotonicTime {
        armed = next
        return min(byToken.values.min() ?? .distantFuture, listenAgainAt, next ?? .distantFuture)
    }
}
