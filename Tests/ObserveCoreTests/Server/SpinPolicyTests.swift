// SPDX-License-Identifier: MIT
// When the loop spins: for clients that wait for answers, as long as that comes to something.

import Testing

@testable import ObserveCore

@Suite struct SpinPolicyTests {
    @Test func `for who waits for answers, not for who sends many requests at once`() {
        var policy = SpinPolicy()
        #expect(policy.shallSpin())
        policy.note(lines: 1, of: 1)
        #expect(policy.shallSpin())
        policy.note(lines: 64, of: 1)
        #expect(!policy.shallSpin())
        #expect(!policy.shallSpin())
        policy.note(lines: 40, of: 40)
        #expect(policy.shallSpin())
    }

    @Test func `less and less often for nothing, and at once when it helped`() {
        var policy = SpinPolicy()
        func skipped(_ policy: inout SpinPolicy) -> Int {
            var count = 0
            while !policy.shallSpin() { count += 1 }
            return count
        }
        for expected in [1, 2, 4, 8, 16, 32, 64, 64] {
            policy.note(cameInTime: false)
            #expect(skipped(&policy) == expected)
        }
        policy.note(cameInTime: true)
        #expect(skipped(&policy) == 0)
    }
}
