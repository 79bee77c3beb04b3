// SPDX-License-Identifier: MIT
// The failures of a disk, and whether it must be repaired. Independent of the operations that failed.

/// The failures of a journal's disk.
struct DiskFailures {
    /// The last failure; nil after a success.
    var last: DiskError?
    /// A sync failed: its bytes may not be on the disk, and must be written again.
    private(set) var hasFailedSync = false
    /// How many syncs failed.
    private(set) var syncCount = 0

    mutating func noteFailedSync(_ error: DiskError) {
        last = error
        hasFailedSync = true
        syncCount += 1
    }

    /// Notes that everything was written again.
    mutating func noteRepaired() {
        hasFailedSync = false
        last = nil
    }
}
