// SPDX-License-Identifier: MIT
// Which sequences of a stream are older than a week.

import Testing

@testable import observectl

@Suite struct TombstoneAgeTests {
    private static let day: UInt64 = 86_400_000_000_000

    @Test func `a message is old from the eighth day on`() {
        var ages = TombstoneAge()
        #expect(ages.lastOld(at: 100 * Self.day) == 0)
        ages.note(3, at: 10 * Self.day)
        ages.note(7, at: 11 * Self.day - 1)
        ages.note(9, at: 11 * Self.day)
        #expect(ages.lastOld(at: 18 * Self.day - 1) == 0)
        #expect(ages.lastOld(at: 18 * Self.day) == 7)
        #expect(ages.lastOld(at: 19 * Self.day) == 9)
    }

    @Test func `many days keep the last one that is old`() {
        var ages = TombstoneAge()
        for day in 1...400 { ages.note(UInt64(day), at: UInt64(day) * Self.day) }
        #expect(ages.lastOld(at: 400 * Self.day) == 392)
        // A clock that jumps back makes nothing old.
        ages.note(401, at: 5 * Self.day)
        #expect(ages.lastOld(at: 400 * Self.day) == 392)
    }
}
