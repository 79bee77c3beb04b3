// SPDX-License-Identifier: MIT
// The bindings of a commit, as a recorder reads them.

extension CommitView {
    /// The bindings that the commit made.
    var newBindings: [Binding] {
        tree.history.undoing.bound.isEmpty
            ? [] : tree.history.undoing.bound.compactMap { tree.dependents.binding($0) }
    }
}
