// SPDX-License-Identifier: MIT
// The table of subscriptions by their numbers, compared with a dictionary.

import Testing

@testable import ObserveCore

@Suite struct SubscriptionTableTests {
    /// Few subscriptions stay, or most, with gaps between their numbers.
    @Test(arguments: [1, 3, 9], [0, 1, 200] as [Int32])
    func `the table finds the same subscriptions as a dictionary`(kept: Int, skipped: Int32) {
        var random = SeededGenerator(seed: UInt64(kept) * 1000 + UInt64(skipped))
        var table = SubscriptionTable()
        var expected: [Int32: AttachmentID] = [:]
        var last: Int32 = 0
        for round in 0..<3000 as Range<Int32> {
            if expected.isEmpty || Int.random(in: 0..<10, using: &random) < kept || round < 50 {
                last += 1 + Int32.random(in: 0...skipped, using: &random)
                table.append(last, AttachmentID(round))
                expected[last] = AttachmentID(round)
            } else {
                let number = Int32.random(in: 0...last + 1, using: &random)
                #expect(table.remove(number) == expected.removeValue(forKey: number))
            }
            #expect(table.count == expected.count && table.isEmpty == expected.isEmpty)
            let probe = Int32.random(in: 0...last + 1, using: &random)
            #expect(table[probe] == expected[probe])
        }
        var found: [AttachmentID] = []
        table.forEach { found.append($0) }
        #expect(found.sorted() == expected.values.sorted())
        for number in expected.keys { #expect(table.remove(number) == expected[number]) }
        #expect(table.isEmpty)
    }
}
