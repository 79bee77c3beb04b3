// SPDX-License-Identifier: MIT
// The origin of a value: the author of its commit, and the cause within the commit. Data only.

/// The author of the commit that made a value, and the cause of the change.
struct ValueOrigin: Equatable {
    var author: CommitAuthor
    var cause: ChangeCause
}

/// The commit that last changed a property.
struct LastChange {
    let revision: UInt64
    /// Nil if the commit is not in the history.
    let origin: ValueOrigin?
}
