// SPDX-License-Identifier: MIT
// Reads the tree as it was after an earlier commit. Independent of the values that are read.

extension HistoryTree {
    /// Runs `body` while the tree is as it was at that revision, which the history has. `body` only reads.
    ///
    /// - Cost: proportional to the later commits, not to the tree.
    func read<Result, E: Error>(at past: UInt64, _ body: () throws(E) -> Result) throws(E) -> Result {
        precondition(pending.touches.isEmpty, "the past was read in the middle of a commit")
        guard let first = history.firstCommit(after: past, records.horizon), first < history.commits.end
        else {
            return try body()
        }
        let present = revision
        var position = presentPosition
        rewind(to: &position, before: first)
        records.effort.count(16 * (history.touches.end - position.touch))
        revision = past
        defer {
            for number in first..<history.commits.end {
                redo(history.commits[number], at: &position)
                forgetRedone()
            }
            selections.revisions = [:]
            revision = present
        }
        return try body()
    }
}

extension History {
    /// The revision at that time, in milliseconds since 1970; nil if the history does not go back that far.
    ///
    /// If the clock was set back, the newest commit that claims to be old enough decides.
    ///
    /// - Parameter start: from which time on the tree has had the commits without a time.
    /// - Parameter horizon: ``Records/horizon``.
    func revision(at time: Int64, start: Int64, _ horizon: UInt64) -> UInt64? {
        for number in (commits.first..<commits.end).reversed() {
            let made = authors[commits[number].author].time
            if (made == 0 ? start : made) <= time { return commits[number].revision }
        }
        return (horizonTime == 0 ? start : horizonTime) <= time ? horizon : nil
    }
}
