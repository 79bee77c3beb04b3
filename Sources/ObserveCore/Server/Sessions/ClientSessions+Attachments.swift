// SPDX-License-Identifier: MIT
// Open subscriptions and their attachments: their trees, numbers and paths; removes them. Independent of events.

extension ClientSessions {
    @inline(__always) func tree(of attachment: AttachmentID) -> ModelTree {
        if registry.attachments[attachment].flags.contains(.daemons), let tree = daemonRoot.tree {
            return tree
        }
        return tree
    }

    /// Removes the attachments of a subscription to literal paths, or the first `limit`, and returns the first of the rest.
    @discardableResult
    func removeAttachments(from first: AttachmentID, atMost limit: Int = .max) -> AttachmentID {
        var (id, removed) = (first, 0)
        while id != .noRecord, removed < limit {
            count(work: Cost.attachment)
            let attachment = registry.attachments[id]
            tree(of: id).removeObserver(attachment.observer)
            attachment.session?.forgetMark(of: id)
            if attachment.next == .noRecord, attachment.compound != .noRecord {
                registry.compounds.free(attachment.compound)
            }
            registry.attachments.free(id)
            (id, removed) = (attachment.next, removed + 1)
        }
        dismissDaemonTree()
        return id
    }

    /// Removes the subscription that is ending, until the turn is over. Returns whether none is left.
    func removeEnding(of session: Session) -> Bool {
        let compound = session.subscriptions.endingCompound
        if compound != .noRecord {
            guard reduceCompound(compound) else { return false }
            session.subscriptions.endingCompound = .noRecord
            removeCompound(compound)
            countTreeWork()
        }
        while session.subscriptions.ending != .noRecord {
            session.subscriptions.ending = removeAttachments(
                from: session.subscriptions.ending,
                atMost: ClientSessions.mostEndedAtOnce
            )
            countTreeWork()
            if isTurnOver { break }
        }
        return session.subscriptions.ending == .noRecord
    }

    func removeCompound(_ id: CompoundID) {
        count(work: registry.compounds[id].count * Cost.attachment)
        for pattern in registry.compounds[id].patterns { tree.removePattern(pattern) }
        for pattern in registry.compounds[id].daemonPatterns { daemonRoot.tree?.removePattern(pattern) }
        registry.compounds.free(id)
        dismissDaemonTree()
    }

    /// Before the removal of a subscription with a pattern: it gets no more events, and no new matches.
    func silenceCompound(_ id: CompoundID) {
        for pattern in registry.compounds[id].patterns { tree.ignoreNewPaths(pattern) }
        for pattern in registry.compounds[id].daemonPatterns { daemonRoot.tree?.ignoreNewPaths(pattern) }
        forEachAttachment(from: registry.compounds[id].first) {
            registry.attachments[$0].flags.insert(.delayed)
        }
    }

    /// Ends the matches of a subscription until the turn is over. Returns whether few are left.
    private func reduceCompound(_ id: CompoundID) -> Bool {
        for pattern in registry.compounds[id].patterns {
            var isReduced = registry.compounds[id].count <= ClientSessions.mostEndedAtOnce
            while !isReduced {
                isReduced = tree.endMatches(of: pattern, atMost: ClientSessions.mostEndedAtOnce)
                count(work: ClientSessions.mostEndedAtOnce * Cost.attachment)
                countTreeWork()
                if !isReduced, isTurnOver { return false }
            }
        }
        return true
    }

    /// How many matches or attachments end before the server asks whether the turn is over.
    private static let mostEndedAtOnce = threshold(256, debug: 4)

    func dismissDaemonTree() {
        guard let daemonTree = daemonRoot.tree, !daemonTree.reader.isObserved else { return }
        daemonRoot.dismiss()
    }

    // MARK: Subscriptions

    /// Calls `body` with each attachment from `first` on; it may free that attachment.
    func forEachAttachment(from first: AttachmentID, _ body: (AttachmentID) -> Void) {
        var id = first
        while id != .noRecord {
            let next = registry.attachments[id].next
            body(id)
            id = next
        }
    }

    func forEachAttachment(of number: Int32, _ session: Session, _ body: (AttachmentID) -> Void) {
        let matches = session.subscriptions.compounds[number].map { registry.compounds[$0].first }
        forEachAttachment(from: matches ?? session.subscriptions.literal[number] ?? .noRecord, body)
    }

    /// The oldest first.
    func subscriptionNumbers(of session: Session) -> [Int32] {
        var numbers = Array(session.subscriptions.compounds.keys)
        session.subscriptions.literal.forEach { numbers.append(registry.attachments[$0].subscription) }
        return numbers.sorted()
    }

    /// The paths of a subscription as JSON, each once: those of the request, in their order.
    func paths(of number: Int32, _ session: Session) -> [String] {
        if let id = session.subscriptions.compounds[number] {
            return registry.compounds[id].patterns.map(tree.reader.json(of:))
                + registry.compounds[id].daemonPatterns.compactMap { daemonRoot.tree?.reader.json(of: $0) }
        }
        var paths: [String] = []
        forEachAttachment(of: number, session) { id in
            let reader = tree(of: id).reader
            paths.append(reader.json(of: reader.observer(registry.attachments[id].observer).node))
        }
        return paths
    }

    /// Removes up to `count` prepared nodes that no pattern has come to need. Returns whether none is left.
    func discardPrepared(_ count: Int, of session: Session) -> Bool {
        guard let preparation = session.subscriptions.further.preparation else { return true }
        tree.discard(count, of: preparation)
        guard preparation.nodes.isEmpty else { return false }
        session.subscriptions.further.preparation = nil
        return true
    }

    func eventsSent(to session: Session) -> UInt64 {
        subscriptionNumbers(of: session).reduce(session.figures.earlierEvents) { sum, number in
            sum &+ eventsSent(of: number, session)
        }
    }
}
