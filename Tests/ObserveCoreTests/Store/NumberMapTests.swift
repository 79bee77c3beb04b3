// SPDX-License-Identifier: MIT
// Values by small numbers, beside Swift's dictionary.

import Testing

@testable import ObserveCore

struct NumberMapTests {
    @Test(arguments: [1, 20, 3000])
    func `random changes are those of a dictionary`(numbers: Int32) {
        var generator = SeededGenerator(seed: UInt64(numbers))
        var map = NumberMap<Int>()
        var expected: [Int32: Int] = [:]
        for step in 0..<20_000 {
            let number = Int32.random(in: 0..<numbers, using: &generator)
            switch Int.random(in: 0..<100, using: &generator) {
            case 0 where numbers < 3000 || step % 4000 == 0:
                map = NumberMap()
                expected = [:]
            case 1..<40:
                if step.isMultiple(of: 2) { map.remove(number) } else { map[number] = nil }
                expected[number] = nil
            default:
                map[number] = step
                expected[number] = step
            }
            #expect(map.count == expected.count && map.isEmpty == expected.isEmpty)
            #expect(map[number] == expected[number])
        }
        for number in 0..<numbers { #expect(map[number] == expected[number]) }
        #expect(Dictionary(uniqueKeysWithValues: map.all.map { ($0.number, $0.value) }) == expected)
    }

    /// Whole rows of neighbours leave, as the matches of a pattern do.
    @Test func `records leave in the order in which they came, and backwards`() {
        for isReversed in [false, true] {
            var map = NumberMap<Int>()
            for number in 0..<5000 { map[Int32(number)] = -number }
            let order = isReversed ? Array((0..<5000).reversed()) : Array(0..<5000)
            for (step, number) in order.enumerated() {
                map.remove(Int32(number))
                let next = step + 1 < order.count ? order[step + 1] : nil
                #expect(map[Int32(number)] == nil)
                if let next { #expect(map[Int32(next)] == -next) }
            }
            #expect(map.isEmpty)
        }
    }
}
