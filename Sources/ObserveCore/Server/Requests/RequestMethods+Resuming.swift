// SPDX-License-Identifier: MIT
// Subscriptions that resume after a disconnect. Independent of how the tree keeps its history.

struct SeenState {
    let epoch: String
    let revision: UInt64
    /// Whether the missed events have the times of their commits.
    let wantsTimes: Bool

    init?(_ params: Request) throws(WireError) {
        guard let since = params.value(.since) else { return nil }
        guard since.kind == .object
        else { throw .invalidParams("the param since is an object with an epoch and a revision") }
        var epoch: String?
        var revision: UInt64?
        var wantsTimes = false
        for (name, value) in since.members {
            switch (name.decodedString(), value.kind) {
            case ("epoch", .string): epoch = value.decodedString()
            case ("epoch", _): throw .invalidParams("the epoch in since is a string")
            case ("revision", _):
                guard let number = value.int64(), number >= 0
                else { throw .invalidParams("the revision in since is an integer that is not negative") }
                revision = UInt64(number)
            case ("times", .true), ("times", .false): wantsTimes = value.kind == .true
            case ("times", _): throw .invalidParams("times in since is true or false")
            case (let other, _): throw .invalidParams("since has no member \(other)")
            }
        }
        guard let epoch, let revision
        else { throw .invalidParams("the param since needs an epoch and a revision") }
        self.epoch = epoch
        self.revision = revision
        self.wantsTimes = wantsTimes
    }
}

extension RequestMethods {
    /// The subscription's events since the commit with that number; nil if they exceed the limit, together with those of
    /// the batch's other subscriptions.
    func missedEvents(
        of subscription: Int32,
        from commit: Int,
        withTimes: Bool,
        _ session: Session
    ) -> MissedEvents? {
        clients.count(work: (tree.reader.pastCommits.upperBound - commit) * Cost.replayedCommit)
        var (observers, patterns): ([ObserverID], [PatternID]) = ([], [])
        let head = clients.registry.attachments.allocate()
        defer { clients.registry.attachments.free(head) }
        clients.registry.attachments[head].subscription = subscription
        clients.registry.attachments[head].session = session
        if let compound = session.subscriptions.compounds[subscription] {
            patterns = clients.registry.compounds[compound].patterns
            clients.registry.attachments[head].flags = clients.registry.compounds[compound].flags
        } else {
            guard let first = session.subscriptions.literal[subscription] else { return nil }
            clients.registry.attachments[head].flags = clients.registry.attachments[first].flags
            clients.forEachAttachment(of: subscription, session) {
                observers.append(clients.registry.attachments[$0].observer)
            }
        }
        let room = clients.limits.maxOutboxBytes / 2 - clients.registry.following.missedBytes
        let missed = MissedEventEncoder(clients, session, head, withTimes: withTimes, limitBytes: room)
        tree.replay(from: commit, observers, patterns, missed)
        clients.count(work: missed.count * Cost.replayedEvent)
        return missed.wantsMore ? MissedEvents(lines: missed.lines, count: missed.count) : nil
    }

    /// Adds the changes since the subscriptions, which were made in a JSON-RPC batch. Closes a client that would miss some: it
    /// gets no answer, and may resume again.
    func completeResumptions(of session: Session) {
        for (index, resumption) in clients.registry.following.resumptions.enumerated() {
            let number = resumption.subscription
            guard resumption.end < tree.reader.pastCommits.upperBound, session.subscriptions.contains(number)
            else { continue }
            let (end, withTimes) = (resumption.end, resumption.hasTimes)
            guard end >= tree.reader.pastCommits.lowerBound,
                let further = missedEvents(of: number, from: end, withTimes: withTimes, session)
            else {
                clients.metrics.sessionsOverflowed += 1
                return clients.sendGoodbye(.overflow, to: session)
            }
            clients.registry.following.add(further, to: index)
        }
    }

    func finish(_ resumption: Resumption, to session: Session) {
        let number = resumption.subscription
        guard session.subscriptions.contains(number) else { return }
        if resumption.missed.count > 0 {
            clients.write(to: session) { $0.append(resumption.missed.lines.view) }
            clients.count(events: resumption.missed.count, of: number, session)
        }
        if let compound = session.subscriptions.compounds[number] {
            clients.registry.compounds[compound].isResuming = false
        }
        clients.forEachAttachment(of: number, session) {
            clients.registry.attachments[$0].flags.remove(.delayed)
        }
    }
}

/// Renders the events of one subscription while the tree replays commits.
private final class MissedEventEncoder: ReplaySink {
    private unowned let clients: Clients
    private unowned let session: Session
    /// An attachment with the subscription's number and flags, for paths that matched a pattern then.
    private let head: AttachmentID
    private let withTimes: Bool
    private let limitBytes: Int
    let lines = ByteBuffer()
    /// How many changes they report, not counting prior events.
    private(set) var count = 0
    /// A pattern matched too many paths, or the replay needed too many steps.
    private var isOverfull = false

    init(_ clients: Clients, _ session: Session, _ head: AttachmentID, withTimes: Bool, limitBytes: Int) {
        self.clients = clients
        self.session = session
        self.head = head
        self.withTimes = withTimes
        self.limitBytes = limitBytes
    }

    func replayEnded(isComplete: Bool) { isOverfull = isOverfull || !isComplete }

    var wantsMore: Bool { lines.count <= limitBytes && !isOverfull }

    func pathChanged(_ change: borrowing PathChange) {
        let tree = clients.tree
        var observer = tree.reader.firstObserver(at: change.node)
        while observer != .noRecord {
            let record = tree.reader.observer(observer)
            if clients.isWanted(change, in: tree, by: record) {
                if clients.isWantedWhole(change, in: tree, by: record) {
                    append(clients.whole(change, in: tree), for: record, in: tree)
                } else {
                    append(change, for: record, in: tree)
                }
            }
            observer = record.next
        }
    }

    private func append(_ change: borrowing PathChange, for observer: ObserverRecord, in tree: ModelTree) {
        let options = observer.options
        guard wantsMore, !options.contains(.othersOnly) || !clients.isOwn(change, of: session, options)
        else { return }
        if count > 0 { lines.continueFrame() }
        if options.contains(.prior) {
            appendHead(tree.reader.commitTime)
            clients.appendPrior(change, in: tree, for: observer, to: lines)
        }
        appendHead(tree.reader.commitTime)
        let origin = options.contains(.origin) ? clients.origin(of: change.cause) : nil
        let extras = TreeReader.EventExtras(withOld: options.contains(.old), origin: origin)
        tree.reader.encode(change, revision: tree.reader.revision, extras, to: lines)
        count += 1
    }

    private func appendHead(_ time: Int64?) {
        clients.appendHead(of: clients.registry.attachments[head].subscription, session, to: lines)
        if withTimes, let time { lines.appendTime(time) }
    }

    func pathMatched(pattern tag: Int32, _ observer: ObserverID, isMet: Bool) -> Int32 { head.number }
    func patternOverfull(_ tag: Int32) { isOverfull = true }
    func pathForgotten(_ tag: Int32) {}
    func changesEnded() {}
    func bindingChanged(_ binding: Binding) {}
}
