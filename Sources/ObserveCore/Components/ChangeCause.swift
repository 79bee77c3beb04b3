// SPDX-License-Identifier: MIT
// The cause of an assignment within a commit, and the origin of a value. Independent of connections and processes.

/// The cause of one change in a commit: the request's own write, or a consequence ("Origin" in docs/protocol.md).
struct ChangeCause: Equatable {
    /// The cause as the journal has it: a binding's number, or one of those below.
    let code: Int32

    /// The request's own write.
    static let writer = ChangeCause(code: 0)
    /// A reference nulled with its target, or an operator or computed property whose inputs changed.
    static let consequence = ChangeCause(code: -1)
    /// A temporary value expired.
    static let termEnd = ChangeCause(code: -2)

    static func binding(_ number: Int32) -> ChangeCause { ChangeCause(code: number) }

    /// The number of the binding that made the change; nil for other causes.
    var binding: Int32? { code > 0 ? code : nil }
}

/// The author of the commit that made a value, and the cause of the change.
struct ValueOrigin: Equatable {
    var author: CommitAuthor
    var cause: ChangeCause
}
