// SPDX-License-Identifier: MIT
// Subscriptions that resume after a disconnect. Independent of how the tree keeps its history.

/// The last revision that a client has seen, and the epoch that it belongs to.
struct SeenState {
    let epoch: String
    let revision: UInt64

    /// Nil if the request has no `since`.
    init?(_ params: Params) throws(WireError) {
        guard let since = params.value(.since) else { return nil }
        guard since.kind == .object else {
            throw .invalidParams("the param since is an object with an epoch and a revision")
        }
        var epoch: String?
        var revision: UInt64?
        try since.forEachMember { (name, value) throws(WireError) in
            switch name.decodedString() {
            case "epoch":
                guard value.kind == .string else { throw .invalidParams("the epoch in since is a string") }
                epoch = value.decodedString()
            case "revision":
                guard let number = value.int64(), number >= 0 else {
                    throw .invalidParams("the revision in since is an integer that is not negative")
                }
                revision = UInt64(number)
            case let other: throw .invalidParams("since has no member \(other)")
            }
        }
        guard let epoch, let revision else {
            throw .invalidParams("the param since needs an epoch and a revision")
        }
        self.epoch = epoch
        self.revision = revision
    }
}

extension Hub {
    /// The first commit that a client with `state` has missed; nil if the history does not go back that far.
    func firstMissed(after state: SeenState, isDistinct: Bool) -> Int? {
        guard state.epoch == epoch, state.revision <= revision else { return nil }
        return tree.reader.firstCommit(after: state.revision, isDistinct: isDistinct)
    }

    /// The subscription's events since the commit with that number; nil if they are not stored or exceed the limit.
    func missedEvents(of subscription: Int32, from commit: Int, _ session: Session) -> MissedEvents? {
        guard let first = session.subscriptions.literal[subscription] else { return nil }
        let missed = MissedEventEncoder(self, session, limitBytes: limits.maxOutboxBytes / 2)
        var observers: [ObserverID] = []
        var id = first
        while id != .noRecord {
            observers.append(registry.attachments[id].observer)
            id = registry.attachments[id].next
        }
        let isStored = tree.replay(from: commit, to: observers, missed)
        return isStored && missed.wantsMore ? MissedEvents(lines: missed.lines, count: missed.count) : nil
    }

    /// Sends the missed events, and lets later changes through. In a JSON-RPC batch, commits may have followed the
    /// subscription.
    func finish(_ resumption: Resumption, to session: Session) {
        guard let first = session.subscriptions.literal[resumption.subscription] else { return }
        var missed = [resumption.missed]
        var isComplete = true
        if resumption.end < tree.reader.pastCommits.upperBound {
            let isKept = resumption.end >= tree.reader.pastCommits.lowerBound
            let further =
                isKept ? missedEvents(of: resumption.subscription, from: resumption.end, session) : nil
            isComplete = further != nil
            if let further { missed.append(further) }
        }
        for part in missed where part.count > 0 {
            send(lines: part.lines.view, to: session)
            count(events: part.count, of: resumption.subscription, session)
        }
        var id = first
        while id != .noRecord {
            registry.attachments[id].flags.remove(.delayed)
            if !isComplete { sendInitial(id, to: session) }
            id = registry.attachments[id].next
        }
    }
}

/// Renders the events of one subscription while the tree replays commits.
private final class MissedEventEncoder: ReplaySink {
    private unowned let hub: Hub
    private unowned let session: Session
    private let limitBytes: Int
    let lines = ByteBuffer()
    /// How many changes they report, not counting prior events.
    private(set) var count = 0

    init(_ hub: Hub, _ session: Session, limitBytes: Int) {
        self.hub = hub
        self.session = session
        self.limitBytes = limitBytes
    }

    var wantsMore: Bool { lines.count <= limitBytes }

    func pathChanged(_ change: borrowing PathChange, in tree: ModelTree) {
        var observer = tree.reader.firstObserver(at: change.node)
        while observer != .noRecord {
            let record = tree.reader.observer(observer)
            if change.differs || change.reason == .sourceDeleted || !record.options.contains(.distinct) {
                if change.edit != nil, hub.isWantedWhole(change, in: tree, by: record) {
                    append(hub.whole(change, in: tree), for: record, in: tree)
                } else {
                    append(change, for: record, in: tree)
                }
            }
            observer = record.next
        }
    }

    private func append(_ change: borrowing PathChange, for observer: ObserverRecord, in tree: ModelTree) {
        let options = observer.options
        guard wantsMore, !options.contains(.othersOnly) || !hub.isOwn(change, of: session, options) else {
            return
        }
        if options.contains(.prior) { hub.appendPrior(change, in: tree, for: observer, to: lines) }
        hub.appendHead(of: hub.registry.attachments[observer.attachment], to: lines)
        let origin = options.contains(.origin) ? hub.origin(of: change.cause) : nil
        tree.encode(
            change,
            revision: tree.reader.revision,
            .init(withOld: options.contains(.old), origin: origin),
            to: lines
        )
        count += 1
    }

    func pathMatched(pattern tag: Int32, _ observer: ObserverID, in tree: ModelTree) -> Int32 {
        AttachmentID.noRecord.number
    }
    func pathForgotten(_ tag: Int32, in tree: ModelTree) {}
    func patternOverfull(_ tag: Int32, in tree: ModelTree) {}
    func bindingChanged(_ binding: Binding, in tree: ModelTree) {}
}
