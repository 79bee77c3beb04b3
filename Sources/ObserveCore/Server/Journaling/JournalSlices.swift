// SPDX-License-Identifier: MIT
// How long the parts of a snapshot keep the hub from requests.

/// The longest time between two batches that a part of a snapshot took.
struct JournalSlices {
    private(set) var longest: UInt64 = 0
    /// The processor time of the part that needed most of it.
    private(set) var longestWork: UInt64 = 0

    mutating func note(_ time: UInt64, work: UInt64) {
        longest = max(longest, time)
        longestWork = max(longestWork, work)
    }
}
