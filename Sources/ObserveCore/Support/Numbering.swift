// SPDX-License-Identifier: MIT
// Numbers for things that come and go. Independent of the things.

/// Counts up to a largest number, then from 1 again. The owner skips the numbers in use, so no peer can use them up.
struct Numbering {
    static let largest: Int32 = 1 << 30

    /// The newest number.
    var last: Int32 = 0

    mutating func advance() { last = last < Numbering.largest ? last + 1 : 1 }
}
