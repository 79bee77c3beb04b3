// SPDX-License-Identifier: MIT
// Commits for which the journal had no room, and what the log says of them. Independent of their requests.

/// Whether the journal refuses commits.
struct JournalRefusals {
    /// It had no room for a commit since the last call of ``pop()``. The tree has rolled it back.
    private var hasRefused = false
    /// It had no room for the last commit.
    private(set) var lacksRoom = false
    /// Whether the log says so. It says it at most once a second.
    private var hasSaid = false
    private var isSilentUntil = MonotonicTime(nanoseconds: 0)

    /// Notes a commit without room.
    ///
    /// - Returns: whether the log is to say so.
    mutating func note(at now: MonotonicTime) -> Bool {
        hasRefused = true
        lacksRoom = true
        if hasSaid || now < isSilentUntil { return false }
        isSilentUntil = now.adding(milliseconds: 1000)
        hasSaid = true
        return true
    }

    /// Whether there was one since the last call.
    mutating func pop() -> Bool {
        defer { hasRefused = false }
        return hasRefused
    }

    /// Notes that a batch is flushed.
    ///
    /// - Returns: whether the log is to say so.
    mutating func noteSuccess() -> Bool {
        lacksRoom = false
        defer { hasSaid = false }
        return hasSaid
    }
}
