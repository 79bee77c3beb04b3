// SPDX-License-Identifier: MIT
// The open subscriptions of a session: their numbers and paths. Independent of events.

extension ClientSessions {
    /// The numbers of the session's subscriptions, the oldest first.
    func subscriptionNumbers(of session: Session) -> [Int32] {
        var numbers = Array(session.subscriptions.compounds.keys)
        session.subscriptions.literal.forEach { numbers.append(registry.attachments[$0].subscription) }
        return numbers.sorted()
    }

    /// The paths of a subscription as JSON, each once: those of the request, in their order.
    func paths(of number: Int32, _ session: Session) -> [String] {
        if let id = session.subscriptions.compounds[number] { return paths(of: id) }
        var paths: [String] = []
        registry.forEachAttachment(of: number, session.subscriptions) { id in
            let reader = tree(of: id).reader
            paths.append(reader.json(of: reader.observer(registry.attachments[id].observer).node))
        }
        return paths
    }

    /// Removes up to `count` prepared nodes that no pattern has come to need.
    ///
    /// - Returns: whether none is left.
    func discardPrepared(_ count: Int, of session: Session) -> Bool {
        guard let preparation = session.subscriptions.preparation else { return true }
        tree.discard(count, of: preparation)
        guard preparation.nodes.isEmpty else { return false }
        session.subscriptions.preparation = nil
        return true
    }

    /// How many events the server has sent to the client.
    func eventsSent(to session: Session) -> UInt64 {
        subscriptionNumbers(of: session).reduce(session.figures.endedEvents) { sum, number in
            sum &+ eventsSent(of: number, session)
        }
    }
}
