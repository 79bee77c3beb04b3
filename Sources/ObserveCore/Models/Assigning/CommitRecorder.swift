// SPDX-License-Identifier: MIT
// The callbacks that record commits outside the process. Independent of the place and the format.

/// Called once per commit that does something, before any observer is notified.
protocol CommitRecorder: AnyObject {
    /// Records a complete commit.
    ///
    /// - Returns: false if there is not enough room. Then the tree rolls it back.
    func record(_ commit: CommitView) -> Bool
    /// Whether there surely is room for a commit that assigns the property the scalar `json` alone.
    func hasRoom(forScalar json: JSONView, of id: PropertyID) -> Bool
    /// Records such a commit. The property already holds the scalar; the commit has no entries.
    func record(_ commit: CommitView, scalar json: JSONView, of id: PropertyID)
}
