// SPDX-License-Identifier: MIT
// The results of a transaction under way, and the events that follow its answer. Independent of how they are sent.

/// The result of a write.
struct WriteOutcome {
    var changed: Bool
    /// Whether the result leaves ``changed`` out: the client may not read the path.
    var isHidden = false
    /// The value at the path, if the result has it: after an increment.
    var value = StoredValue.absent
}

/// The missed events of a subscription, which follow the answer to `subscribe`.
struct Resumption {
    /// The subscription's number.
    let subscription: Int32
    let missed: MissedEvents
    /// The number of the first commit after them.
    let end: Int
}

/// Events of commits that a client missed.
struct MissedEvents {
    let lines: ByteBuffer
    /// How many changes they report.
    let count: Int
}

/// The results and events of the request under way; empty between requests.
struct Reply: ~Copyable {
    /// The results of the operations of the transaction under way.
    var outcomes = Scratch<WriteOutcome>()
    /// The attachments whose initial events follow the answer.
    var freshAttachments: [AttachmentID] = []
    /// The resumed subscriptions, whose missed events follow the answer.
    var resumptions: [Resumption] = []

    var isIdle: Bool { outcomes.isEmpty && freshAttachments.isEmpty && resumptions.isEmpty }

    /// Drops the events that would follow the answer.
    mutating func dropEvents() {
        freshAttachments.removeAll()
        resumptions.removeAll()
    }
}
