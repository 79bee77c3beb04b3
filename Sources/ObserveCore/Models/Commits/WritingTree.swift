// SPDX-License-Identifier: MIT
// Who may write.

/// A tree that is written by path: each write checks the path and the value, and then assigns.
package class WritingTree: NotifyingTree {
    /// Whether clients can't write to the tree. Only such a tree may have the reserved root `observed`.
    final private(set) var isReadOnly = false

    package convenience init(limits: TreeLimits = TreeLimits(), isReadOnly: Bool = false) {
        self.init(limits: limits)
        self.isReadOnly = isReadOnly
    }
}
