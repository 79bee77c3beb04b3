// SPDX-License-Identifier: MIT
// Lets the tree's owner set limits, the sink, authors, causes and hosted models. Independent of writes.

extension ModelTree {
    /// Replaces the limits, except `maxDepth`: existing parsers of paths have the old one.
    func adopt(_ limits: TreeLimits) {
        let depth = records.limits.maxDepth
        records.limits = limits
        records.limits.maxDepth = depth
        // The value may fit now.
        records.effort.tooLarge = nil
        if history.commitLimit > 0 { history.commitLimit = limits.maxHistoryCommits }
    }

    /// Sets the sink, which gets every change on an observed path. The tree does not retain it: set nil before its end.
    func notify(_ sink: (any ChangeSink)?) { hooks.sink = sink }

    // MARK: Authors

    @inline(__always) func setAuthor(_ author: CommitAuthor) { pending.author = author }

    /// Sets the time of the commits from now on, in milliseconds since 1970.
    @inline(__always) func setTime(_ milliseconds: Int64) { pending.author.time = milliseconds }

    /// Sets what makes the commits from now on instead of a requester: see ``CommitAuthor/occasion``.
    func setOccasion(_ code: Int64) { pending.author.occasion = code }

    func commit(causedBy cause: ChangeCause, _ body: () -> Void) {
        commit {
            pending.cause = cause
            body()
            pending.cause = .writer
        }
    }
}
