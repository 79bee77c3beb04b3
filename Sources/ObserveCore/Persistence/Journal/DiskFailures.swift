// SPDX-License-Identifier: MIT
// What went wrong on a disk, and whether all that should be there is. Independent of what failed.

/// The failures of a journal's disk.
struct DiskFailures {
    /// What went wrong last; nil once something succeeds.
    var last: DiskError?
    /// The last sync failed: what it was for may not be on the disk, and has to be written again.
    private(set) var hasFailedSync = false
    /// How many syncs failed.
    private(set) var syncCount = 0

    mutating func noteFailedSync(_ error: DiskError) {
        last = error
        hasFailedSync = true
        syncCount += 1
    }

    /// All was written again.
    mutating func noteRepaired() {
        hasFailedSync = false
        last = nil
    }
}
