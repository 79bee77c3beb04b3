// SPDX-License-Identifier: MIT
// Questions asked of eight bytes at once, as the lanes of one word. Knows nothing of where the bytes come from.

/// Finds bytes in a word that was loaded with its first byte lowest.
///
/// Each answer has the top bit of a lane set where a byte was found. Lanes *above* the first found may be set falsely,
/// because a borrow crosses them: only whether there is one, and the first one, can be relied upon.
enum ByteLanes {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let tops: UInt64 = 0x8080_8080_8080_8080

    /// How many bytes come before the first one found.
    @inline(__always)
    static func indexOfFirst(_ found: UInt64) -> Int { found.trailingZeroBitCount &>> 3 }

    @inline(__always)
    static func equal(_ word: UInt64, _ byte: UInt8) -> UInt64 {
        let difference = word ^ (UInt64(byte) &* ones)
        return (difference &- ones) & ~difference & tops
    }

    /// Where a byte is no decimal digit.
    @inline(__always)
    static func nonDigit(_ word: UInt64) -> UInt64 {
        let digit = word ^ (ones &* 0x30)
        return ((digit &+ ones &* 0x76) | digit) & tops
    }

    /// Where a byte is below 0x20.
    @inline(__always)
    static func control(_ word: UInt64) -> UInt64 { (word &- ones &* 0x20) & ~word & tops }

    /// What a scanner of strings must look at: quotes, backslashes, control characters, bytes beyond ASCII.
    @inline(__always)
    static func stopsInString(_ word: UInt64) -> UInt64 {
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        // A lane beyond ASCII is found by its own top bit, so the three tests need no complement.
        return ((quote &- ones) | (backslash &- ones) | (word &- ones &* 0x20) | word) & tops
    }

    /// Whether there is any of those among sixty-four bytes.
    @inline(__always)
    static func hasStopInString(_ words: (Pair, Pair, Pair, Pair)) -> Bool {
        let found = stops(words.0) | stops(words.1) | stops(words.2) | stops(words.3)
        return (found[0] | found[1]) & tops != 0
    }

    typealias Pair = SIMD2<UInt64>

    @inline(__always)
    private static func stops(_ words: Pair) -> Pair {
        let quote = words ^ Pair(repeating: ones &* 0x22)
        let backslash = words ^ Pair(repeating: ones &* 0x5C)
        let lowest = Pair(repeating: ones)
        return (quote &- lowest) | (backslash &- lowest) | (words &- Pair(repeating: ones &* 0x20)) | words
    }

    @inline(__always)
    static func quoteOrBackslash(_ word: UInt64) -> UInt64 {
        (((word ^ ones &* 0x22) &- ones) | ((word ^ ones &* 0x5C) &- ones)) & ~word & tops
    }

    /// What has to be escaped in a string: quotes, backslashes, control characters.
    @inline(__always)
    static func needsEscape(_ word: UInt64) -> UInt64 {
        equal(word, 0x22) | equal(word, 0x5C) | control(word)
    }

    /// Where a byte outside of strings can begin a string, or begin or end an array or object.
    ///
    /// The four brackets become 0x7F when three bits are set; so do `Y`, `_`, `y` and DEL, which JSON has in strings only.
    @inline(__always)
    static func quoteOrBracket(_ word: UInt64) -> UInt64 {
        equal(word, 0x22) | equal(word | ones &* 0x26, 0x7F)
    }
}
