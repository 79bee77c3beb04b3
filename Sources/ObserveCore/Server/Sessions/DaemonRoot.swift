// SPDX-License-Identifier: MIT
// The tree of the root `observed`, which exists only while it has subscribers, and its next refresh.

struct DaemonRoot: ~Copyable {
    private(set) var tree: ModelTree?
    /// The tree does not retain its sink.
    private var sink: (any ChangeSink)?
    /// Whether the timer queue holds the next refresh.
    var isDue = false

    mutating func show(_ tree: ModelTree, to sink: any ChangeSink) {
        tree.notify(sink)
        (self.tree, self.sink) = (tree, sink)
    }

    mutating func dismiss() {
        tree?.notify(nil)
        (tree, sink) = (nil, nil)
    }
}
