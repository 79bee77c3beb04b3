// SPDX-License-Identifier: MIT
// Counts and exact sums of elements. Independent of their order.

struct Tally {
    var elements = 0
    private var numbers = 0
    private var doubles = 0
    /// Exact: it can sum 2⁶³ integers of 64 bits.
    private var integers: Int128 = 0
    private var fractions = ExactSum()

    /// Adds an element's value once, or removes it.
    mutating func add(_ value: StoredValue, isRemoved: Bool = false) {
        let times = isRemoved ? -1 : 1
        switch value {
        case .int(let int):
            numbers += times
            integers += Int128(int) * Int128(times)
        case .double(let double):
            numbers += times
            doubles += times
            fractions.add(double, isSubtracted: isRemoved)
        default: break
        }
    }

    /// The value of `@count`, `@sum` or `@avg`.
    func value(of function: CollectionOperator) -> StoredValue {
        if function == .count { return .int(Int64(elements)) }
        if function == .avg, numbers == 0 { return .null }
        if function == .sum, doubles == 0, let sum = Int64(exactly: integers) { return .int(sum) }
        let sum = doubles == 0 ? Double(integers) : fractions.rounded(adding: integers)
        let result = function == .sum ? sum : sum / Double(numbers)
        return result.isFinite ? .double(result) : .null
    }
}

/// An exact sum of doubles in two's complement, wide enough for every double and for 2⁶⁰ of the largest.
/// - Cost: O(1) for each operation; 296 bytes from the first double on.
struct ExactSum {
    /// How many words of 64 bits are below the binary point. The smallest double is 2⁻¹⁰⁷⁴.
    private static let fractionWords = 17
    private static let wordCount = 37
    /// The place of the smallest double's bit.
    private static let lowestBit = fractionWords * 64 - 1074

    /// The least significant word first; empty before the first double.
    private var words: ContiguousArray<UInt64> = []

    mutating func add(_ double: Double, isSubtracted: Bool = false) {
        guard double != 0 else { return }
        if words.isEmpty { words = ContiguousArray(repeating: 0, count: ExactSum.wordCount) }
        let isSubnormal = double.exponentBitPattern == 0
        let significand = double.significandBitPattern | (isSubnormal ? 0 : 1 << 52)
        // The significand's last bit has the place 0 for the exponent 1, and also for subnormal numbers.
        let place = Int(max(double.exponentBitPattern, 1)) - 1 + ExactSum.lowestBit
        let (word, shift) = (place / 64, UInt64(place % 64))
        let low = significand &<< shift
        let high = shift == 0 ? 0 : significand &>> (64 - shift)
        if (double < 0) == isSubtracted {
            add(low, high, at: word)
        } else {
            add(~low, ~high, at: word, extending: .max, carry: 1)
        }
    }

    /// The nearest double to the sum of all doubles and of the integer. Not finite if it is out of range.
    func rounded(adding integer: Int128) -> Double {
        if words.isEmpty { return Double(integer) }
        var sum = self
        let (low, high) = (UInt64(truncatingIfNeeded: integer), UInt64(truncatingIfNeeded: integer >> 64))
        sum.add(low, high, at: ExactSum.fractionWords, extending: integer < 0 ? .max : 0)
        let isNegative = sum.words[ExactSum.wordCount - 1] >> 63 == 1
        if isNegative { sum.negate() }
        guard let top = sum.words.lastIndex(where: { $0 != 0 }) else { return 0 }
        let highest = top * 64 + 63 - sum.words[top].leadingZeroBitCount
        let lowest = max(highest - 52, ExactSum.lowestBit)
        var significand = sum.bits(from: lowest)
        if lowest > ExactSum.lowestBit, sum.bits(from: lowest - 1) & 1 == 1,
            significand & 1 == 1 || sum.hasBits(below: lowest - 1)
        {
            significand += 1
        }
        let exponent = lowest - ExactSum.fractionWords * 64
        let magnitude = Double(sign: .plus, exponent: exponent, significand: Double(significand))
        return isNegative ? -magnitude : magnitude
    }

    /// Adds two words, with the bits of `sign` above them, and `carry`. To subtract is to add the complement, and one.
    private mutating func add(
        _ low: UInt64,
        _ high: UInt64,
        at word: Int,
        extending sign: UInt64 = 0,
        carry: UInt64 = 0
    ) {
        var carry = carry
        for index in word..<ExactSum.wordCount {
            let part = index == word ? low : index == word + 1 ? high : sign
            // From here on, the sign's bits and the carry add up to zero.
            if index > word + 1, carry == sign & 1 { return }
            let (once, over) = words[index].addingReportingOverflow(part)
            let (twice, overAgain) = once.addingReportingOverflow(carry)
            words[index] = twice
            carry = over || overAgain ? 1 : 0
        }
    }

    private mutating func negate() {
        for index in words.indices { words[index] = ~words[index] }
        add(1, 0, at: 0)
    }

    private func bits(from place: Int) -> UInt64 {
        let (word, shift) = (place / 64, UInt64(place % 64))
        let low = words[word] &>> shift
        guard shift > 0, word + 1 < ExactSum.wordCount else { return low }
        return low | words[word + 1] &<< (64 - shift)
    }

    private func hasBits(below place: Int) -> Bool {
        let (word, shift) = (place / 64, UInt64(place % 64))
        return words[word] & ((1 &<< shift) - 1) != 0 || words[..<word].contains { $0 != 0 }
    }
}
