// SPDX-License-Identifier: MIT
// Exact sums, compared with another algorithm.

import Testing

@testable import ObserveCore

@Suite struct ExactSumTests {
    @Test(
        arguments: [
            ([], 0), ([0.1, 0.2], 0.1 + 0.2), ([0.1, 0.2, 0.3], 0.6), ([1e308, 1e308, -1e308], 1e308),
            ([1e16, 1, -1e16], 1), ([0x1p53, 1], 0x1p53), ([0x1p53, 1, 0x1p-1074], 0x1p53 + 2),
            ([0x1p53, 2, 1], 0x1p53 + 4), ([-0x1p53, -2, -1], -0x1p53 - 4),
            ([0x1p-1074, 0x1p-1074], 0x1p-1073),
            ([-0.0], 0), ([.greatestFiniteMagnitude, .leastNonzeroMagnitude], .greatestFiniteMagnitude),
            ([0x1p-1022, -0x1p-1074], 0x1p-1022 - 0x1p-1074),
        ] as [([Double], Double)]
    )
    func `a sum is rounded once`(doubles: [Double], expected: Double) {
        var sum = ExactSum()
        for double in doubles { sum.add(double) }
        #expect(sum.rounded(adding: 0) == expected)
    }

    @Test func `a sum beyond the range of doubles is not finite`() {
        var sum = ExactSum()
        for _ in 0..<2 { sum.add(.greatestFiniteMagnitude) }
        #expect(sum.rounded(adding: 0) == .infinity)
        sum.add(.greatestFiniteMagnitude, isSubtracted: true)
        #expect(sum.rounded(adding: 0) == .greatestFiniteMagnitude)
    }

    @Test func `integers count exactly`() {
        var sum = ExactSum()
        sum.add(0.5)
        #expect(sum.rounded(adding: Int128(Int64.max)) == 0x1p63)
        #expect(sum.rounded(adding: -1) == -0.5)
        sum.add(-0x1p63)
        #expect(sum.rounded(adding: Int128(Int64.max)) == -0.5)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `additions and subtractions in any order agree with the sum of the rest`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var sum = ExactSum()
        var doubles: [Double] = []
        for _ in 0..<300 {
            if doubles.count > 20, Bool.random(using: &generator) {
                let index = Int.random(in: doubles.indices, using: &generator)
                sum.add(doubles.remove(at: index), isSubtracted: true)
            } else {
                let exponent = Int.random(in: seed % 2 == 0 ? -1080...900 : -60...60, using: &generator)
                let significand = Double.random(in: -2...2, using: &generator)
                let double = Double(sign: .plus, exponent: exponent, significand: significand)
                doubles.append(double)
                sum.add(double)
            }
            #expect(sum.rounded(adding: 0) == exactSum(doubles))
        }
    }
}
