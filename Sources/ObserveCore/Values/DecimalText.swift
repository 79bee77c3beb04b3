// SPDX-License-Identifier: MIT
// A counter with its decimal digits.

/// The decimal digits of a counter. The next number is most often one more, and then only the last digit changes.
///
/// - Threading: confined to its owner.
struct DecimalText: ~Copyable {
    /// The space that ``ByteWriter`` needs: it writes all words and keeps the digits.
    static var maxBytes: Int { 24 }

    private(set) var value: UInt64 = 0
    private(set) var count = 1
    /// The digits; the first digit is the lowest byte of the first word.
    private(set) var words: (UInt64, UInt64, UInt64) = (0x30, 0, 0)

    /// Sets the number.
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
            // Move the digits up by one byte, and insert the next one before them.
            words.2 = words.2 &<< 8 | words.1 &>> 56
            words.1 = words.1 &<< 8 | words.0 &>> 56
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            words.0 = words.0 &<< 8 | (digit &+ 0x30)
            count &+= 1
            rest = quotient
        } while rest > 0
    }
}
