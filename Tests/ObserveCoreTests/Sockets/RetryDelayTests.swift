// SPDX-License-Identifier: MIT
// The interval between attempts: only a connection that lasted shortens it.

import Testing

@testable import ObserveCore

@Suite struct RetryDelayTests {
    private let start = MonotonicTime(nanoseconds: 1_000_000_000)

    /// The delays of connections that each last so many milliseconds.
    private func delays(lasting milliseconds: UInt64, longest: UInt64 = RetryDelay.longest) -> [UInt64] {
        var (delay, now) = (RetryDelay(longest: longest), start)
        return (0..<8).map { _ in
            delay.connect(at: now)
            // Each message of the peer tells again that it is there.
            now = now.adding(milliseconds: milliseconds)
            delay.connect(at: now)
            delay.fail(at: now)
            now = now.adding(milliseconds: delay.milliseconds)
            return delay.milliseconds
        }
    }

    @Test func `a peer that accepts and closes is asked ever more rarely`() {
        #expect(delays(lasting: 0) == [20, 40, 80, 160, 320, 640, 1000, 1000])
        #expect(
            delays(lasting: RetryDelay.healthyMilliseconds - 1, longest: 250) == [
                20, 40, 80, 160, 250, 250, 250, 250,
            ]
        )
    }

    @Test func `after a healthy connection, the next attempt is soon`() {
        #expect(delays(lasting: RetryDelay.healthyMilliseconds) == Array(repeating: 20, count: 8))
    }

    @Test func `attempts without a connection grow, too`() {
        var delay = RetryDelay()
        for expected in [20, 40, 80, 160, 320, 640, 1000, 1000] as [UInt64] {
            delay.fail(at: start)
            #expect(delay.milliseconds == expected)
        }
        delay.reset()
        #expect(delay.milliseconds == 0)
    }
}
