// SPDX-License-Identifier: MIT
// What recovery says of commits as a whole: who made them, when and why, and what ends in them.

extension TreeBuilder {
    /// Sets the author of the next commits, and keeps their time.
    func setAuthor(_ author: CommitAuthor) {
        let time = tree.pending.author.time
        tree.pending.author = author
        tree.pending.author.time = time
    }

    /// Sets the time of the next commits.
    func setTime(_ time: Int64) { tree.pending.author.time = time }

    /// Sets the cause of the next changes.
    func setCause(_ cause: ChangeCause) { tree.pending.cause = cause }

    /// Notes a change of a present property, for the commit's entry in the history.
    func noteChange(of id: PropertyID) { tree.pending.touches[tree.touch(id)].isChanged = true }

    /// Expires all temporary values, in one commit.
    func endTemporaryValues() { tree.commit { tree.expireAll() } }
}
