// SPDX-License-Identifier: MIT
// Where a subscription stands in a daemon's history. Knows nothing of connections.

/// What has been seen of a daemon's history: where to go on after a loss, and what not to tell again.
package struct SubscriptionPosition: Sendable {
    private var epoch: String?
    /// The latest revision that was seen, and the paths of which an event said so.
    private var revision: Int64 = 0
    private var paths: Set<RawJSON> = []
    /// What a resumed subscription is told once more.
    private var known: (revision: Int64, paths: Set<RawJSON>) = (0, [])
    /// How many values at the start are still to come.
    package private(set) var initialsLeft: Int64 = 0

    package init() {}

    /// What to ask for after a loss; nil as long as not even the values at the start have come.
    ///
    /// The connection may have broken in the middle of a commit's events: then that commit is asked for again.
    package var since: Value? {
        guard let epoch, initialsLeft == 0 else { return nil }
        return .object(
            ValueMembers([
                ("epoch", .string(epoch)), ("revision", .int(paths.isEmpty ? revision : revision - 1)),
            ])
        )
    }

    /// Takes note of the answer to a subscription. Throws ``ClientError/malformed(_:)``.
    package mutating func start(_ answer: RawJSON) throws(ClientError) {
        guard let initial = answer.int("initial") else {
            throw .malformed("an answer to subscribe without initial")
        }
        let isResumed = (try? answer.member("resumed")?.value()) == true
        known = isResumed ? (revision, paths) : (0, [])
        initialsLeft = initial
        epoch = (try? answer.member("epoch")?.value())?.string
        guard !isResumed else { return }
        revision = answer.int("revision") ?? 0
        paths = []
    }

    /// Takes note of an event; false if it was seen before the connection was lost.
    package mutating func advance(_ event: ChangeEvent) -> Bool {
        if event.reason == .initial { initialsLeft -= 1 }
        let eventRevision = event.params.int("revision") ?? 0
        guard let path = event.params.member("path") else { return true }
        if eventRevision == known.revision, known.paths.contains(path) { return false }
        if eventRevision > revision {
            revision = eventRevision
            paths = [path]
        } else if event.reason != .initial || !paths.isEmpty {
            paths.insert(path)
        }
        return true
    }
}

extension RawJSON {
    /// The member of that name, if it is an integer.
    package func int(_ name: String) -> Int64? { (try? member(name)?.value())?.int }

    /// The member of that name, if it is text.
    package func string(_ name: String) -> String? { (try? member(name)?.value())?.string }
}
