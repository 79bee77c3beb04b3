// SPDX-License-Identifier: MIT
// A subscription's frames, and its position in a daemon's history. Independent of connections.

/// Collects the events of a subscription into whole frames ("Frames" in `docs/protocol.md`), and knows the position from
/// which the subscription resumes after a lost connection.
package struct SubscriptionPosition: Sendable {
    private var epoch: String?
    /// The revision of the last whole frame.
    private var revision: Int64 = 0
    /// The events of a frame that is not whole yet.
    private var frame: [ChangeEvent] = []
    /// The number of initial events that have not arrived.
    package private(set) var initialsLeft: Int64 = 0

    package init() {}

    /// A position of an earlier run, as ``text`` gave it: `EPOCH:REVISION`. Nil for other texts.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), colon > text.startIndex else { return nil }
        let digits = text[text.index(after: colon)...]
        guard digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let revision = Int64(digits)
        else { return nil }
        epoch = String(text[..<colon])
        self.revision = revision
    }

    /// The position for ``init(_:)``; nil until all initial events have arrived.
    package var text: String? {
        guard let epoch, initialsLeft == 0 else { return nil }
        return "\(epoch):\(revision)"
    }

    /// The position after an earlier commit.
    package func moved(to revision: Int64) -> SubscriptionPosition {
        var position = self
        position.revision = revision
        return position
    }

    /// The `since` param of the next `subscribe`; nil before the first answer. Until all initial events have arrived, it is of
    /// no history, so that they come again, whatever the subscription says of initial values.
    package var since: Value? {
        guard let epoch else { return nil }
        guard initialsLeft == 0 else { return .object(ValueMembers([("epoch", ""), ("revision", 0)])) }
        return .object(ValueMembers([("epoch", .string(epoch)), ("revision", .int(revision))]))
    }

    /// Starts from the answer to `subscribe`. Forgets a frame that the former connection cut: the daemon sends it again.
    package mutating func start(_ answer: RawJSON) throws(ClientError) {
        guard let initial = answer.int("initial")
        else { throw .malformed("an answer to subscribe without initial") }
        frame = []
        initialsLeft = initial
        epoch = (try? answer.member("epoch")?.value())?.string
        if !answer.isTrue("resumed") { revision = answer.int("revision") ?? 0 }
    }

    /// Notes a `goodbye` with that revision, after all events up to it. Call it only after the answer to `subscribe`.
    package mutating func end(at last: Int64) {
        if initialsLeft == 0, frame.isEmpty { revision = max(revision, last) }
    }

    /// Adds an event. Returns the events of the frame that it ends; none if the frame continues.
    package mutating func collect(_ event: ChangeEvent) -> [ChangeEvent] {
        if event.reason == .initial { initialsLeft -= 1 }
        frame.append(event)
        guard event.isLast else { return [] }
        revision = max(revision, event.params.int("revision") ?? 0)
        defer { frame = [] }
        return frame
    }
}

extension RawJSON {
    package func int(_ name: String) -> Int64? { (try? member(name)?.value())?.int }

    package func string(_ name: String) -> String? { (try? member(name)?.value())?.string }

    /// Whether a member is true.
    package func isTrue(_ name: String) -> Bool { member(name) == true }
}
