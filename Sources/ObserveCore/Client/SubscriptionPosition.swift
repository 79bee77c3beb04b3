// SPDX-License-Identifier: MIT
// A subscription's position in a daemon's history. Independent of connections.

/// The position from which a subscription resumes after a lost connection, and the events to skip then.
package struct SubscriptionPosition: Sendable {
    private var epoch: String?
    /// The latest revision, and the paths of its events.
    private var revision: Int64 = 0
    private var paths: Set<RawJSON> = []
    /// The revision and paths of events that the daemon sends again after resuming.
    private var known: (revision: Int64, paths: Set<RawJSON>) = (0, [])
    /// The number of initial events that have not arrived.
    package private(set) var initialsLeft: Int64 = 0

    package init() {}

    /// The `since` param of the next `subscribe`; nil until all initial events have arrived.
    ///
    /// The connection may have been lost between two events of one commit, so that commit is requested again.
    package var since: Value? {
        guard let epoch, initialsLeft == 0 else { return nil }
        return .object(
            ValueMembers([
                ("epoch", .string(epoch)), ("revision", .int(paths.isEmpty ? revision : revision - 1)),
            ])
        )
    }

    /// Starts from the answer to `subscribe`.
    ///
    /// - Throws: ``ClientError/malformed(_:)``.
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

    /// Advances to an event.
    ///
    /// - Returns: false if the event arrived already before the connection was lost.
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
