// SPDX-License-Identifier: MIT
// The state of the commit under way.

/// The state of the commit under way.
struct PendingCommit: ~Copyable {
    /// The author of the commits that the tree makes or replays now.
    var author = CommitAuthor()
    /// Whether the layout in progress is part of one commit: see ``ModelTree/layOut(_:)``.
    var isLayingOut = false
    // Empty between commits.
    var touches = Scratch<Touch>()
    var hasChanged = false
    /// The cause of the changes that are being made now.
    var cause = ChangeCause.writer
    /// Changes to the order of properties; a rollback reverts them last to first.
    var orderChanges = Scratch<OrderChange>()
    /// Models that had no strong reference at some moment of this commit.
    var unreferenced = Scratch<ModelID>()
    var releasedModels = Scratch<ModelID>()
}
