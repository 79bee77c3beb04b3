// SPDX-License-Identifier: MIT
// Changes to a running server, made on its queue. Independent of signals and configuration.

/// A running server on its own queue, for signal handlers.
package struct ServerOnQueue {
    let hub: Hub
    /// Nil without sockets.
    var loop: EventLoop?

    /// Changes the tree, with the daemon as the author.
    ///
    /// - Errors: the journal has no room for a commit of `body`, which is rolled back.
    package func change(_ body: (ModelTree) -> Void) throws(DiskError) {
        guard hub.clients.gate.acceptsWrites else { throw hub.clients.gate.diskError }
        body(hub.tree)
        guard !hub.journaling.refusals.pop(), hub.journaling.flushBatch() else {
            throw hub.clients.gate.diskError
        }
    }

    /// See ``ModelTree/sizeExcess``.
    package var sizeExcess: String? { hub.tree.sizeExcess }

    /// Adopts other limits. Open connections keep their `maxLineBytes`, and the tree its `maxDepth`.
    package func adopt(_ limits: ServerLimits) { hub.clients.adopt(limits) }

    /// Adopts other access rules, and ends the connections that the former ones admitted.
    package func adopt(_ rules: AccessRules) { hub.adopt(rules) }

    /// Whether the mode of the socket's file lets other users connect.
    package var admitsOthers: Bool { loop?.listener?.admitsOthers ?? false }
}

// MARK: - Upgrades

extension ServerOnQueue {
    /// The tree with its history, for another program: see ``Server/takeOver(_:)``.
    package func handover() -> [UInt8] { hub.journaling.handover(socket: nil, withTree: true) }

    /// Runs the program file of this process as a child, and then `ended` on the queue.
    ///
    /// - Parameter seconds: the time after which the child is killed.
    package func runChild(
        _ arguments: [String],
        input: [UInt8],
        seconds: UInt64,
        _ ended: @escaping (Result<ProgramRun, SocketError>, ServerOnQueue) -> Void
    ) {
        loop?.runChild(arguments, input: input, seconds: seconds) { [unowned hub, weak loop] in
            ended($0, ServerOnQueue(hub: hub, loop: loop))
        }
    }

    /// Ends the child that is running, and its children.
    package func endChild() { loop?.upgrade.endChild() }

    /// Answers the clients that asked for an upgrade.
    package func answerUpgrade(_ outcome: UpgradeOutcome) { loop?.answerUpgrade(outcome) }

    /// Ends all connections with the reason `upgrade`. Then ``Server/run(inFirstSilence:)`` returns, and the listener
    /// stays open for the next program.
    package func endForUpgrade() { loop?.shutDown(.upgrade) {} }
}
