// SPDX-License-Identifier: MIT
// Time that passes when a test says so. Knows nothing of what is due.

@testable import ObserveCore

/// What a hub takes for the clock.
final class TestClock {
    private(set) var now = MonotonicTime(nanoseconds: 1_000_000_000)

    /// Lets so much time pass, and the hub do what is due, each thing at its time, as the event loop does.
    func pass(milliseconds: UInt64, in hub: Hub, _ afterEach: () -> Void = {}) {
        let end = now.adding(milliseconds: milliseconds)
        while let next = hub.timers.next, next <= end {
            now = max(now, next)
            hub.flushBatch()
            while let item = hub.timers.popDue(at: now) {
                hub.run(item, at: now)
                afterEach()
            }
        }
        now = end
    }
}
