// SPDX-License-Identifier: MIT
// The tree of the root `observed`, and its next refresh.

/// The root `observed`. Its tree exists only while it has subscribers.
struct DaemonRoot: ~Copyable {
    private(set) var tree: ModelTree?
    private var sink: DaemonRootSink?
    /// Whether the timer queue holds the next refresh.
    var isDue = false

    /// Shows `tree` to the clients.
    mutating func show(_ tree: ModelTree, to clients: Clients) {
        let sink = DaemonRootSink(clients, tree)
        tree.notify(sink)
        (self.tree, self.sink) = (tree, sink)
    }

    /// Releases the tree.
    mutating func dismiss() {
        tree?.notify(nil)
        (tree, sink) = (nil, nil)
    }
}

/// Tells the clients which tree has changed: their own sink is that of the main tree.
private final class DaemonRootSink: ChangeSink {
    private unowned let clients: Clients
    private unowned let tree: ModelTree

    init(_ clients: Clients, _ tree: ModelTree) {
        self.clients = clients
        self.tree = tree
    }

    func pathChanged(_ change: borrowing PathChange) { clients.pathChanged(change, in: tree) }

    func pathMatched(pattern tag: Int32, _ observer: ObserverID, isMet: Bool) -> Int32 {
        clients.pathMatched(pattern: tag, observer, isMet: isMet, in: tree)
    }

    func changesEnded() { clients.changesEnded() }
    func pathForgotten(_ tag: Int32) { clients.pathForgotten(tag) }
    func patternOverfull(_ tag: Int32) { clients.patternOverfull(tag) }
    func bindingChanged(_ binding: Binding) { clients.bindingChanged(binding) }
}
