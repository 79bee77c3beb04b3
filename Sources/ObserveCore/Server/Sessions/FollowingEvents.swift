// SPDX-License-Identifier: MIT
// The events that follow an answer. Independent of how they are sent.

/// The events that follow an answer: those of new subscriptions.
struct FollowingEvents {
    /// The attachments whose initial events follow. In a JSON-RPC batch, some may be free since, or of other sessions.
    var attachments: [AttachmentID] = []
    /// The resumed subscriptions, whose missed events follow.
    private(set) var resumptions: [Resumption] = []
    /// The bytes of the missed events.
    private(set) var missedBytes = 0

    var isEmpty: Bool { attachments.isEmpty && resumptions.isEmpty }

    mutating func append(_ resumption: Resumption) {
        resumptions.append(resumption)
        missedBytes += resumption.missed.lines.count
    }

    mutating func removeAll() {
        if !attachments.isEmpty { attachments.removeAll(keepingCapacity: true) }
        if !resumptions.isEmpty { resumptions.removeAll() }
        missedBytes = 0
    }
}

/// The missed events of a subscription, which follow the answer to `subscribe`.
struct Resumption {
    /// The subscription's number.
    let subscription: Int32
    let missed: MissedEvents
    /// The number of the first commit after them.
    let end: Int
    let hasTimes: Bool
}

/// Events of commits that a client missed.
struct MissedEvents {
    let lines: ByteBuffer
    /// How many changes they report.
    let count: Int
}
