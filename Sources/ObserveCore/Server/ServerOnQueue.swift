// SPDX-License-Identifier: MIT
// What the server's queue may change while the server runs. Independent of signals and configuration.

/// A server, on its own queue: what a signal's handler may change.
package struct ServerOnQueue {
    let hub: Hub

    package var tree: ModelTree { hub.tree }

    /// Changes the tree in the daemon's own name.
    ///
    /// - Errors: what `body` has changed can't be kept, and was taken back.
    package func change(_ body: (ModelTree) -> Void) throws(DiskError) {
        guard hub.flushBatch(), !hub.isRefusing else { throw hub.journalGate.diskError }
        body(hub.tree)
        guard hub.flushBatch() else { throw hub.journalGate.diskError }
    }

    /// Takes other limits, for connections that are made from now on where they are a connection's. `maxDepth` stays: the
    /// tree was made with it.
    package func adopt(_ limits: ServerLimits) { hub.adopt(limits) }

    /// Adopts other access rules, and ends the connections that the former ones admitted.
    ///
    /// - Returns: false if there were none: then the socket's mode admits only its owner and root.
    package func adopt(_ rules: AccessRules) -> Bool {
        guard hub.access != nil else { return false }
        hub.adopt(rules)
        return true
    }
}
