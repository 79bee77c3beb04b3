// SPDX-License-Identifier: MIT
// X

/// What the commit under way has done so far; empty between commits.
struct PendingCommit: ~Copyable {
    /// Who asks for the commits that are made, or told again, now.
    var author = CommitAuthor()
    /// What is laid out is part of one commit: see ``layOut(_:)``.
    var isLayingOut = false
    // What the commit under way has done so far; empty between commits.
    var touches = Scratch<Touch>()
    var hasChanged = false
    /// Who makes the changes that are being made now.
    var cause = ChangeCause.writer
    /// What the commit did to the order of properties, to be undone backwards.
    var orderChanges = Scratch<OrderChange>()
    /// Models that were without a strong reference at some moment of this commit.
    var unreferenced = Scratch<ModelID>()
    var releasedModels = Scratch<ModelID>()
}
