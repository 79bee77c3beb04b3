// SPDX-License-Identifier: MIT
// Tests eight bytes at once, as the lanes of a word. Independent of the source of the bytes.

/// Finds bytes in a word that was loaded with its first byte lowest.
///
/// A result has the top bit of a lane set if the byte matches. Lanes *above* the first match may be set falsely,
/// because a borrow crosses them. Rely only on whether there is a match, and on the first one.
enum ByteLanes {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let tops: UInt64 = 0x8080_8080_8080_8080

    /// The number of bytes before the first match.
    @inline(__always) static func indexOfFirst(_ found: UInt64) -> Int { found.trailingZeroBitCount &>> 3 }

    @inline(__always) static func equal(_ word: UInt64, _ byte: UInt8) -> UInt64 {
        let difference = word ^ (UInt64(byte) &* ones)
        return (difference &- ones) & ~difference & tops
    }

    @inline(__always) static func nonDigit(_ word: UInt64) -> UInt64 {
        let digit = word ^ (ones &* 0x30)
        return ((digit &+ ones &* 0x76) | digit) & tops
    }

    @inline(__always) static func control(_ word: UInt64) -> UInt64 { (word &- ones &* 0x20) & ~word & tops }

    /// Matches the bytes that need attention in a string: quotes, backslashes, control characters, bytes beyond ASCII.
    @inline(__always) static func stopsInString(_ word: UInt64) -> UInt64 {
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        // The top bit of a byte beyond ASCII matches by itself, so the three tests need no complement.
        return ((quote &- ones) | (backslash &- ones) | (word &- ones &* 0x20) | word) & tops
    }

    /// Whether ``stopsInString(_:)`` matches any of sixty-four bytes.
    @inline(__always) static func hasStopInString(_ words: (Pair, Pair, Pair, Pair)) -> Bool {
        let found = stops(words.0) | stops(words.1) | stops(words.2) | stops(words.3)
        return (found[0] | found[1]) & tops != 0
    }

    typealias Pair = SIMD2<UInt64>

    @inline(__always) private static func stops(_ words: Pair) -> Pair {
        let quote = words ^ Pair(repeating: ones &* 0x22)
        let backslash = words ^ Pair(repeating: ones &* 0x5C)
        let lowest = Pair(repeating: ones)
        return (quote &- lowest) | (backslash &- lowest) | (words &- Pair(repeating: ones &* 0x20)) | words
    }

    @inline(__always) static func quoteOrBackslash(_ word: UInt64) -> UInt64 {
        (((word ^ ones &* 0x22) &- ones) | ((word ^ ones &* 0x5C) &- ones)) & ~word & tops
    }

    /// Matches 0xC2 and 0xE2, one of which begins each line separator beyond ASCII.
    @inline(__always) static func separatorLead(_ word: UInt64) -> UInt64 { equal(word | ones &* 0x20, 0xE2) }

    /// Matches bytes that a string must escape, or the first of a character: quotes, backslashes, controls, line separators.
    @inline(__always) static func needsEscape(_ word: UInt64) -> UInt64 {
        equal(word, 0x22) | equal(word, 0x5C) | control(word) | separatorLead(word)
    }

    /// Matches bytes that, outside of strings, may begin a string, or begin or end an array or object. With three more bits, the
    /// four brackets become 0x7F. So do `Y`, `_`, `y` and DEL, which occur only in strings.
    @inline(__always) static func quoteOrBracket(_ word: UInt64) -> UInt64 {
        equal(word, 0x22) | equal(word | ones &* 0x26, 0x7F)
    }
}
