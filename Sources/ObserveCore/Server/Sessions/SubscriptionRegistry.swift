// SPDX-License-Identifier: MIT
// The attachments and pattern subscriptions of all sessions, by the tags of observers in the tree. Independent of the tree.

struct SubscriptionRegistry: ~Copyable {
    var attachments = Arena(blank: AttachmentRecord())
    var compounds = Arena(blank: CompoundSubscription())
    /// The events of new subscriptions, which follow the answer of the request under way; empty between requests.
    var following = FollowingEvents()

    /// Whether other patterns of the observer's subscription may match the same paths, so that another one may have sent a
    /// path's last event.
    @inline(__always) func isOverlapped(_ observer: ObserverRecord) -> Bool {
        observer.group != ObserverRecord.noGroup && compounds[CompoundID(observer.group)].isOverlapped
    }

    /// Whether another pattern of the observer's subscription may match that path, or some above or below, so that a
    /// mirror would apply an edit twice.
    func isOverlapped(_ observer: ObserverRecord, at path: ParsedKeyPath) -> Bool {
        PathShape.overlap(compounds[CompoundID(observer.group)].shapes, at: path)
    }

    /// Makes the attachments of a subscription with several literal paths share their frames.
    mutating func joinFrames(from first: AttachmentID) {
        let compound = compounds.allocate()
        compounds[compound].session = attachments[first].session
        compounds[compound].number = attachments[first].subscription
        var id = first
        while id != .noRecord {
            attachments[id].compound = compound
            attachments[id].flags.insert(.framed)
            id = attachments[id].next
        }
    }

    /// Makes an attachment for a path that a pattern matches. It becomes the first of its subscription.
    mutating func add(_ observer: ObserverID, to compound: CompoundID, isDaemons: Bool) -> AttachmentID {
        let id = attachments.allocate()
        attachments[id].session = compounds[compound].session
        attachments[id].subscription = compounds[compound].number
        attachments[id].flags = compounds[compound].flags
        attachments[id].observer = observer
        attachments[id].compound = compound
        if isDaemons { attachments[id].flags.insert(.daemons) }
        if compounds[compound].wantsInitial || compounds[compound].isResuming {
            attachments[id].flags.insert(.delayed)
        }
        let first = compounds[compound].first
        attachments[id].next = first
        if first != .noRecord { attachments[first].previous = id }
        compounds[compound].first = id
        compounds[compound].count += 1
        return id
    }

    mutating func removeMatch(_ id: AttachmentID) {
        let attachment = attachments[id]
        if attachment.next != .noRecord { attachments[attachment.next].previous = attachment.previous }
        if attachment.previous != .noRecord {
            attachments[attachment.previous].next = attachment.next
        } else {
            compounds[attachment.compound].first = attachment.next
        }
        compounds[attachment.compound].count -= 1
        compounds[attachment.compound].earlierEvents &+= attachment.eventsSent
        attachments.free(id)
    }
}
