// SPDX-License-Identifier: MIT
// Commits and bindings as other layers read them. Independent of what a commit changed: see ``CommitView``.

extension TreeReader {
    /// Who asked for the commit under way.
    var author: CommitAuthor { tree.pending.author }

    /// Whether commits are being undone now.
    var isUndoing: Bool {
        @inline(__always) get { tree.history.undoing.isUnderWay }
    }

    /// The numbers of the commits in the history.
    var pastCommits: Range<Int> { tree.history.commits.first..<tree.history.commits.end }

    // MARK: Bindings

    /// The number of the newest binding, which may have ended.
    var lastBinding: Int32 { tree.dependents.bindings.last }

    /// All bindings, in the order in which they were made.
    var bindings: [Binding] { tree.allBindings }

    func binding(_ number: Int32) -> Binding? { tree.dependents.binding(number) }
}
