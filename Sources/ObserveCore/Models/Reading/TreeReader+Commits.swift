// SPDX-License-Identifier: MIT
// Commits and bindings as other layers read them. Independent of a commit's changes: see ``CommitView``.

extension TreeReader {
    var author: CommitAuthor { tree.pending.author }

    /// When the open commit was made, in milliseconds since 1970; nil if that is unknown.
    var commitTime: Int64? {
        let time = tree.pending.author.time
        return time == 0 ? nil : time
    }

    var pastCommits: Range<Int> { tree.history.commits.first..<tree.history.commits.end }

    // MARK: Bindings

    /// The number of the newest binding; it may no longer exist.
    var lastBinding: Int32 { tree.dependents.bindings.numbers.last }

    /// All bindings, in the order of their numbers.
    var bindings: [Binding] { tree.allBindings }

    func binding(_ number: Int32) -> Binding? { tree.dependents.binding(number) }
}
