// SPDX-License-Identifier: MIT
// A clock that a test advances. Independent of due work.

@testable import ObserveCore

/// A hub's clock in tests.
final class TestClock {
    var now = MonotonicTime(nanoseconds: 1_000_000_000)
    /// So much time passes between two looks at the clock.
    var nanosecondsPerReading: UInt64 = 0

    /// The system's clock, in milliseconds since 1970.
    var timeOfDay: Int64 { 1_700_000_000_000 + Int64(now.nanoseconds / 1_000_000) }

    /// Reads the clock, as the hub does.
    func read() -> MonotonicTime {
        now = now.adding(nanoseconds: nanosecondsPerReading)
        return now
    }

    /// Lets that much time pass. The hub does all due work, each at its time, as in the event loop.
    func pass(milliseconds: UInt64, in hub: Hub) {
        let end = now.adding(milliseconds: milliseconds)
        while let next = hub.clients.timers.next, next <= end {
            now = max(now, next)
            hub.runTimers(at: now)
        }
        now = end
    }

    /// The same, with a call of `afterEach` after each piece of work.
    func pass(milliseconds: UInt64, in hub: Hub, _ afterEach: () -> Void) {
        let end = now.adding(milliseconds: milliseconds)
        while let next = hub.clients.timers.next, next <= end {
            now = max(now, next)
            hub.journaling.flushBatch()
            while let item = hub.clients.timers.popDue(at: now) {
                hub.run(item, at: now)
                afterEach()
            }
        }
        now = end
    }
}
