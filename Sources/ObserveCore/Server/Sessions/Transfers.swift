// SPDX-License-Identifier: MIT
// What a client has begun: a dump, a load, a line; the events that follow its answer. Independent of their contents.

/// A load, of which the client has sent some parts.
final class Intake {
    enum Content {
        case dump(DumpReader)
        /// JSON for a path.
        case value(ParsedKeyPath, LoadedValue)
    }

    let content: Content
    var next: Int64 = 0
    /// The last part has come.
    var isComplete = false

    init(_ content: Content) { self.content = content }

    /// The bytes of memory that the client makes it take. Arrays that the server builds after the last part are the tree's soon.
    var heldBytes: Int {
        switch content {
        case .dump(let reader): reader.heldBytes
        case .value(_, let value): value.text.heldBytes
        }
    }
}

/// A read view that a client reads, part by part.
final class Dump {
    /// After so many nanoseconds without a request for a part, the server may cancel a dump that uses much memory.
    static let patience: UInt64 = 10_000_000_000

    /// Nil until the dump is begun.
    var readView: ReadView?
    var next: Int64 = 0
    var lastRead: MonotonicTime

    init(at now: MonotonicTime) { lastRead = now }
}

/// A line whose client's turn was over before the line was executed, or whose client has to catch up before.
final class SuspendedLine {
    /// The text of the batch or the request.
    let text: ByteBuffer
    /// The offset in a batch behind the last request that was executed; nil for a request alone.
    var position: Int?
    /// The answers of a batch so far: an array without its end.
    let answers = ByteBuffer()
    var following = FollowingEvents()
    /// Whether something of it was executed.
    let isBegun: Bool

    var heldBytes: Int {
        text.heldBytes + answers.heldBytes + following.missedBytes
            + following.held.reduce(0) { $0 + $1.initial.capacity * MemoryLayout<AttachmentID>.stride }
    }

    init(_ text: ByteView, position: Int?, isBegun: Bool = true) {
        self.isBegun = isBegun
        self.text = ByteBuffer(capacity: text.count)
        self.text.append(text)
        self.position = position
    }
}

/// The events that follow an answer: those of new subscriptions.
struct FollowingEvents {
    /// The attachments whose initial events follow. In a JSON-RPC batch, only until ``held`` has their subscriptions.
    var attachments: [AttachmentID] = []
    /// The subscriptions whose initial events follow, where these are several, or of a batch: see ``Clients/holdInitial(of:)``.
    var held: [MarkedSubscription] = []
    /// The resumed subscriptions, whose missed events follow.
    private(set) var resumptions: [Resumption] = []
    private(set) var missedBytes = 0

    var isEmpty: Bool { attachments.isEmpty && held.isEmpty && resumptions.isEmpty }

    mutating func append(_ resumption: Resumption) {
        resumptions.append(resumption)
        missedBytes += resumption.missed.lines.count
    }

    /// Adds events to those of the resumption at `index`, in one frame with them.
    mutating func add(_ further: MissedEvents, to index: Int) {
        guard further.count > 0 else { return }
        let known = resumptions[index].missed
        if known.count > 0 { known.lines.continueFrame() }
        known.lines.append(further.lines.view)
        resumptions[index].missed = MissedEvents(lines: known.lines, count: known.count + further.count)
        missedBytes += further.lines.count
    }
}

/// The missed events of a subscription, which follow the answer to `subscribe`.
struct Resumption {
    let subscription: Int32
    var missed: MissedEvents
    /// The number of the first commit after them.
    let end: Int
    let hasTimes: Bool
}

/// Events of commits that a client missed.
struct MissedEvents {
    let lines: ByteBuffer
    let count: Int
}
