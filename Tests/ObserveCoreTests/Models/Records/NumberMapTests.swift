// SPDX-License-Identifier: MIT
// Integers of records, beside Swift's dictionary.

import Testing

@testable import ObserveCore

struct NumberMapTests {
    private typealias Number = ID<PropertyRecord>

    @Test(arguments: [1, 20, 3000])
    func `random changes are those of a dictionary`(numbers: Int32) {
        var generator = SeededGenerator(seed: UInt64(numbers))
        var map = NumberMap<PropertyRecord>()
        var expected: [Int32: Int] = [:]
        for step in 0..<20_000 {
            let number = Int32.random(in: 0..<numbers, using: &generator)
            switch Int.random(in: 0..<100, using: &generator) {
            case 0 where numbers < 3000 || step % 4000 == 0:
                map.removeAll()
                expected = [:]
            case 1..<40:
                map[Number(number)] = nil
                expected[number] = nil
            default:
                map[Number(number)] = step
                expected[number] = step
            }
            #expect(map.count == expected.count && map.isEmpty == expected.isEmpty)
            #expect(map[Number(number)] == expected[number])
        }
        for number in 0..<numbers { #expect(map[Number(number)] == expected[number]) }
    }

    /// Whole rows of neighbours leave, as the matches of a pattern do.
    @Test func `records leave in the order in which they came, and backwards`() {
        for isReversed in [false, true] {
            var map = NumberMap<PropertyRecord>()
            for number in 0..<5000 { map[Number(Int32(number))] = -number }
            let order = isReversed ? Array((0..<5000).reversed()) : Array(0..<5000)
            for (step, number) in order.enumerated() {
                map[Number(Int32(number))] = nil
                let next = step + 1 < order.count ? order[step + 1] : nil
                #expect(map[Number(Int32(number))] == nil)
                if let next { #expect(map[Number(Int32(next))] == -next) }
            }
            #expect(map.isEmpty)
        }
    }
}
