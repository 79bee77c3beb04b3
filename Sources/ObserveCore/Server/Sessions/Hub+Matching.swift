// SPDX-License-Identifier: MIT
// Paths that start and cease to match a subscription's patterns. Independent of how the tree finds them.

extension Hub {
    func pathMatched(pattern tag: Int32, _ observer: ObserverID, isMet: Bool, in tree: ModelTree) -> Int32 {
        sessions.turns.count(Turns.attachment)
        let id = registry.add(observer, matchedBy: CompoundID(tag), isDaemons: tree !== self.tree)
        if registry.compounds[CompoundID(tag)].wantsInitial, isMet {
            registry.compounds[CompoundID(tag)].pendingInitial += 1
            reply.following.attachments.append(id)
        }
        return id.number
    }

    /// Closes the session of a pattern with too many matches, rather than losing changes silently. While the
    /// pattern is being subscribed to, the request fails instead.
    func patternOverfull(_ tag: Int32, in tree: ModelTree) {
        let pattern = CompoundID(tag)
        guard let session = registry.compounds[pattern].session,
            session.subscriptions.patterns[registry.compounds[pattern].number] == pattern
        else { return }
        cutFrame(of: pattern, registry.compounds[pattern].number, in: session)
        sendGoodbye(.tooManyMatches, to: session)
    }

    func pathForgotten(_ tag: Int32, in tree: ModelTree) {
        let id = AttachmentID(tag)
        if let session = registry.attachments[id].session {
            if registry.attachments[id].flags.contains(.delayed) { sendPendingInitial(id, to: session) }
            if registry.attachments[id].flags.contains(.paced) { keepDelayed(of: id, in: session) }
            if session.delivery.isQueueing {
                forgetEntry(of: id, in: session)
                compactIfWanted(session)
            }
            session.forgetEntries(of: id)
        }
        sessions.turns.count(Turns.attachment)
        registry.removeMatch(id)
    }
}
