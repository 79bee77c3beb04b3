// SPDX-License-Identifier: MIT
// When the loop spins: for clients that wait for answers, as long as that comes to something.

import Testing

@testable import ObserveCore

@Suite struct SpinPolicyTests {
    /// How many times spinning is left out before the next spin; 70 stand for all.
    private func skipped(_ policy: inout SpinPolicy) -> Int {
        var count = 0
        while count < 70, !policy.shallSpin() { count += 1 }
        return count
    }

    @Test func `for who waits for answers, not for who sends many requests at once`() {
        var policy = SpinPolicy()
        var found = [skipped(&policy)]
        for (lines, clients) in [(1, 1), (64, 1), (40, 40), (81, 40)] {
            policy.note(lines: lines, of: clients)
            found.append(skipped(&policy))
        }
        #expect(found == [0, 0, 70, 0, 70])
    }

    @Test func `less and less often for nothing, and at once when it helped`() {
        var policy = SpinPolicy()
        var found: [Int] = []
        for _ in 0..<8 {
            policy.note(cameInTime: false)
            found.append(skipped(&policy))
        }
        #expect(found == [1, 2, 4, 8, 16, 32, 64, 64])
        policy.note(cameInTime: true)
        let count = skipped(&policy)
        #expect(count == 0)
    }
}
