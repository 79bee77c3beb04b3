// SPDX-License-Identifier: MIT
// What may be changed of a server while it serves, by who is on its queue. Knows nothing of who asks for it.

/// A server as who is told of a signal finds it.
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

    /// Lets others in by other rules, and ends the connections of those whom the former ones let in.
    ///
    /// - Returns: false where there were none: then the socket lets nobody in who would have to be asked.
    package func adopt(_ rules: AccessRules) -> Bool {
        guard hub.access != nil else { return false }
        hub.adopt(rules)
        return true
    }
}
