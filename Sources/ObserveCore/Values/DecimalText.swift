// SPDX-License-Identifier: MIT
// A number that mostly counts up, and its digits. Does not know what it counts.

/// What a counter reads as in decimal, kept from one number to the next: the next is most often one more, and differs in
/// its last digit.
///
/// - Threading: none of its own; its owner is its only user.
struct DecimalText: ~Copyable {
    /// How much room writing it takes: all words are written, and as much of them counts as there are digits.
    static var maxBytes: Int { 24 }

    private(set) var value: UInt64 = 0
    private(set) var count = 1
    /// The digits, the first of them lowest in the first word.
    private(set) var words: (UInt64, UInt64, UInt64) = (0x30, 0, 0)

    /// Makes it the text of `number`.
    @inline(__always)
    mutating func show(_ number: UInt64) {
        if number == value { return }
        if number == value &+ 1, count <= 8, (words.0 &>> shiftOfLast) & 0xFF != 0x39 {
            words.0 &+= 1 &<< shiftOfLast
            value = number
        } else {
            spell(number)
        }
    }

    private var shiftOfLast: UInt64 {
        @inline(__always) get { UInt64(truncatingIfNeeded: (count &- 1) &* 8) }
    }

    @inline(never)
    private mutating func spell(_ number: UInt64) {
        value = number
        words = (0, 0, 0)
        count = 0
        var rest = number
        repeat {
            // What is there moves up by one byte, and the next digit comes before it.
            words.2 = words.2 &<< 8 | words.1 &>> 56
            words.1 = words.1 &<< 8 | words.0 &>> 56
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            words.0 = words.0 &<< 8 | (digit &+ 0x30)
            count &+= 1
            rest = quotient
        } while rest > 0
    }
}
