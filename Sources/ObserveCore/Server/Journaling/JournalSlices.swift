// SPDX-License-Identifier: MIT
// How long the slices of snapshots delay requests.

/// The slowest slices of snapshots, in nanoseconds.
struct JournalSlices {
    private(set) var longest: UInt64 = 0
    /// The most processor time that a slice needed.
    private(set) var longestWork: UInt64 = 0

    mutating func note(_ time: UInt64, work: UInt64) {
        longest = max(longest, time)
        longestWork = max(longestWork, work)
    }
}
