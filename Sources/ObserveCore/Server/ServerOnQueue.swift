// SPDX-License-Identifier: MIT
// Changes to a running server, made on its queue. Independent of signals and configuration.

/// A running server on its own queue, for signal handlers.
package struct ServerOnQueue {
    let hub: Hub

    /// Changes the tree, with the daemon as the author.
    ///
    /// - Errors: the journal failed, and the tree has undone the changes of `body`.
    package func change(_ body: (ModelTree) -> Void) throws(DiskError) {
        guard hub.flushBatch(), !hub.isRefusing else { throw hub.journalGate.diskError }
        body(hub.tree)
        guard hub.flushBatch() else { throw hub.journalGate.diskError }
    }

    /// Adopts other limits. Open connections keep their `maxLineBytes`, and the tree its `maxDepth`.
    package func adopt(_ limits: ServerLimits) { hub.adopt(limits) }

    /// Adopts other access rules, and ends the connections that the former ones admitted.
    ///
    /// - Returns: false if the server has no rules: then the socket's mode admits only its owner and root.
    package func adopt(_ rules: AccessRules) -> Bool {
        guard hub.access != nil else { return false }
        hub.adopt(rules)
        return true
    }
}
