// SPDX-License-Identifier: MIT
// The tree of the root `observed`, and its next refresh.

/// The root `observed`. Its tree exists only while it has subscribers.
struct DaemonRoot: ~Copyable {
    var tree: ModelTree?
    /// Whether the timer queue holds the next refresh.
    var isDue = false
}
