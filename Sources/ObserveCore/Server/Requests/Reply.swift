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
    let hasTimes: Bool
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
    /// The events that follow the answer.
    var following = FollowingEvents()

    /// The client's turn was over before the request's end. The hub executes it again in the next turn, and the method
    /// continues from what it has kept.
    var isSuspended = false

    /// Whether the request under way must leave nothing: see ``Hub/preview(isLimited:_:)``.
    var isDryRun = false

    var isIdle: Bool { !isSuspended && !isDryRun && outcomes.isEmpty && following.isEmpty }

    /// Whether the last request is to be executed again.
    mutating func popSuspended() -> Bool {
        defer { isSuspended = false }
        return isSuspended
    }
}

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
