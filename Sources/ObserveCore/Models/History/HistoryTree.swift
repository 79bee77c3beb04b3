// SPDX-License-Identifier: MIT
// The storey of past commits. Their state lies lower, in `AssigningTree`: assignments and releases feed it.

/// A tree with a past: it steps back and forth between its last commits, to replay, read or revert them.
package class HistoryTree: BindingTree {}
