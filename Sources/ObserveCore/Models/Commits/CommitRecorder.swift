// SPDX-License-Identifier: MIT
// The callbacks that record commits outside the process. Independent of the place and the format.

/// Called once per commit that does something, before any observer is notified.
protocol CommitRecorder: AnyObject {
    /// Records a complete commit.
    func record(_ commit: CommitView)
    /// Records a commit that only assigned one property the scalar `json`. The property already holds the
    /// scalar; the commit has no entries.
    func record(_ commit: CommitView, scalar json: JSONView, of id: PropertyID)
}
