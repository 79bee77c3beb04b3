// SPDX-License-Identifier: MIT
// The attachments and pattern subscriptions of all sessions. Independent of the tree.

/// The records behind the numbers that observers in the tree carry as their tags.
struct SubscriptionRegistry: ~Copyable {
    var attachments = Arena(blank: AttachmentRecord())
    var patterns = Arena(blank: PatternSubscription())

    /// Whether other patterns of the observer's subscription may match the same paths. Then the client's last event
    /// of a path may come from another pattern.
    @inline(__always)
    func isOverlapped(_ observer: ObserverRecord) -> Bool {
        observer.group != ObserverRecord.noGroup
            && patterns[PatternSubscriptionID(observer.group)].isOverlapped
    }

    /// Whether another pattern of the observer's subscription may match that path, or some above or below, so that a
    /// mirror would apply an edit twice.
    func isOverlapped(_ observer: ObserverRecord, at path: ParsedKeyPath) -> Bool {
        PatternShape.overlap(patterns[PatternSubscriptionID(observer.group)].shapes, at: path)
    }

    /// Makes an attachment for a path that a pattern matches. It becomes the first of its subscription.
    mutating func add(_ observer: ObserverID, matchedBy pattern: PatternSubscriptionID, isDaemons: Bool)
        -> AttachmentID
    {
        let subscription = patterns[pattern]
        let id = attachments.allocate()
        attachments[id].session = subscription.session
        attachments[id].subscription = subscription.number
        attachments[id].flags = subscription.flags
        attachments[id].observer = observer
        attachments[id].pattern = pattern
        if isDaemons { attachments[id].flags.insert(.daemons) }
        if subscription.wantsInitial { attachments[id].flags.insert(.delayed) }
        attachments[id].next = subscription.first
        if subscription.first != .noRecord { attachments[subscription.first].previous = id }
        patterns[pattern].first = id
        patterns[pattern].count += 1
        return id
    }

    /// Frees the attachment of a path that its pattern no longer matches.
    mutating func removeMatch(_ id: AttachmentID) {
        let attachment = attachments[id]
        if attachment.next != .noRecord { attachments[attachment.next].previous = attachment.previous }
        if attachment.previous != .noRecord {
            attachments[attachment.previous].next = attachment.next
        } else {
            patterns[attachment.pattern].first = attachment.next
        }
        patterns[attachment.pattern].count -= 1
        patterns[attachment.pattern].earlierEvents &+= attachment.eventsSent
        attachments.free(id)
    }
}
