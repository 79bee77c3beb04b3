// SPDX-License-Identifier: MIT
// Whether the root `observed` has subscribers, and the tree that they observe.

/// The tree of the root `observed`; there is one while it has subscribers.
struct DaemonRoot: ~Copyable {
    var tree: ModelTree?
    /// Whether the timer queue has the next refresh.
    var isDue = false
}
