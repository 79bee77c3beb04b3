// SPDX-License-Identifier: MIT
// The interval between two attempts to connect. Independent of connections.

/// Grows from 20 ms to a second or less: a daemon that restarts is found at once, and one that is away costs nothing.
struct RetryDelay {
    static let longest: UInt64 = 1000

    /// The longest interval of this one, in milliseconds.
    var longest = RetryDelay.longest
    /// Before the next attempt; 0 for at once.
    private(set) var milliseconds: UInt64 = 0

    mutating func grow() { milliseconds = min(max(milliseconds * 2, 20), longest) }
    mutating func reset() { milliseconds = 0 }
}
