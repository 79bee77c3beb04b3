// SPDX-License-Identifier: MIT
// Brings changes of the root `observed` to the clients.

/// Tells the clients which tree has changed: their own sink is that of the main tree.
final class DaemonRootSink: ChangeSink {
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
