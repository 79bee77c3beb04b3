// SPDX-License-Identifier: MIT
// The new bindings of a commit, as its recorder reads them.

extension CommitView {
    /// The bindings that the commit made.
    var newBindings: [Binding] {
        tree.pending.bound.isEmpty
            ? [] : tree.pending.bound.compactMap { tree.dependents.binding($0) }
    }
}
