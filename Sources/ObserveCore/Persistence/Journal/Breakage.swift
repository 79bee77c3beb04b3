// SPDX-License-Identifier: MIT
// Where a broken disk left the journal, for the next program of the process.

/// A broken disk: what it has kept, and when it is tried again.
package struct Breakage: Equatable, Sendable {
    /// The milliseconds between two attempts to prove the disk, at least and at most.
    static let shortestWait: UInt64 = 100
    static let longestWait: UInt64 = 10_000

    /// The place behind the last commit that clients may have seen.
    package let place: JournalPlace
    /// The revision of that commit.
    let revision: UInt64
    /// The milliseconds before the first attempt.
    let wait: UInt64
    /// Whether the files can be read, so that the next program can continue.
    package var isReadable = true
}
