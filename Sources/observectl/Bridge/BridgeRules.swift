// SPDX-License-Identifier: MIT
// The rules of a bridge: what it puts and applies, so that a daemon and a stream agree. Independent of connections and time.

import ObserveCore

/// Keeps the daemon's values and the stream's, and says what makes them equal: see docs/internals/observectl.md.
/// - Bounds: memory grows with the keys, not with their changes.
final class BridgeRules {
    let paths: [BridgedPath]
    let pid: Int64
    var tree: KeyTree
    var local = LocalSide()
    var remote = RemoteSide()
    var outbound = Outbound()
    var inbound = Inbound()
    /// Counts everything that may move the position.
    var activity = 0
    /// Whether both sides were compared since they were loaded.
    var isCompared = false { didSet { if !isCompared { hasPosition = false } } }
    /// Whether the tree has had a position since then.
    var hasPosition = false
    /// The longest value that the server accepts.
    var payloadLimit = 1 << 20 { didSet { if payloadLimit > oldValue { retryRefused() } } }

    init(_ paths: [BridgedPath], pid: Int64) {
        (self.paths, self.pid) = (paths, pid)
        tree = KeyTree(paths)
    }

    func exports(_ node: KeyNode) -> Bool { node.scope.map { paths[$0].exports } ?? false }
    func imports(_ node: KeyNode) -> Bool { node.scope.map { paths[$0].imports } ?? false }

    /// Whether the daemon and the stream agree, as far as both are known.
    var isSettled: Bool {
        isCompared && outbound.isEmpty && inbound.queue.isEmpty && inbound.outstanding == nil
            && !local.isReading && local.isAttached && remote.isAttached
    }

    /// Whether the daemon may be written to.
    var canWrite: Bool { isCompared && local.isAttached }

    /// Whether both sides were compared, and the tree has no position that says so.
    var lacksPosition: Bool { isCompared && !hasPosition }

    // MARK: Loading the daemon

    /// A daemon has answered `subscribe`. True if its values have to be read: ``load(_:_:)``, then ``finishLoading(at:)``.
    func attachLocal(epoch: String, revision: Int64, isResumed: Bool, position: BridgePosition?) -> Bool {
        local.isAttached = true
        let keeps = isResumed && local.isLoaded && local.epoch == epoch
        guard !keeps else { return false }
        inbound.removeQueue()
        outbound.forgetChanges()
        tree.visit { node in
            node.setLocal(nil)
            clearRefusal(of: node)
        }
        local = LocalSide(isAttached: true, epoch: epoch, isResumed: isResumed, position: position)
        local.revision = revision
        isCompared = false
        return true
    }

    func load(_ names: [String], _ value: RawJSON?) {
        guard let node = tree.node(names) else { return }
        var changes = LocalChanges()
        changes.assign(node, value)
    }

    func finishLoading(at revision: Int64) {
        local.revision = max(local.revision, revision)
        local.isLoaded = true
        compare()
    }

    /// The connection to the daemon is lost. Requests without an answer are planned again.
    func detachLocal() {
        guard local.isAttached else { return }
        local.isAttached = false
        // A read that was lost, or held, leaves a value that is not known: read everything again.
        let holdsRead = inbound.outstanding?.held.contains(where: \.isRead) ?? false
        if local.isReading || holdsRead { local.isLoaded = false }
        (local.unread, local.reading) = ([], 0)
        guard var outstanding = inbound.outstanding else { return }
        outstanding.changes.undo()
        inbound.outstanding = nil
        for node in outstanding.nodes { check(node) }
        unpin(outstanding)
    }

    // MARK: Loading the stream

    /// The stream is there. Returns the first sequence to read; nil to read the last value of each key.
    func attachRemote(identity: String, lastSequence: UInt64) -> UInt64? {
        remote.isAttached = true
        if remote.isLoaded, remote.identity == identity, remote.lastSequence <= lastSequence {
            return remote.lastSequence + 1
        }
        // What another stream of that name had says nothing.
        if remote.identity != identity { inbound.sequence = 0 }
        if !remote.identity.isEmpty {
            local.position = nil
            local.isResumed = false
        }
        remote = RemoteSide(isAttached: true, identity: identity)
        inbound.removeQueue()
        tree.visit { $0.setRemote(nil) }
        isCompared = false
        return nil
    }

    func finishLoadingRemote() {
        guard !remote.isLoaded else { return }
        remote.isLoaded = true
        compare()
    }

    /// The connection to the server is lost: puts without acknowledgement are sent again.
    func detachRemote() {
        remote.isAttached = false
        for flight in outbound.flights.values.sorted(by: { $0.ticket < $1.ticket }) { retry(flight) }
        outbound.flights = [:]
        outbound.isPaused = false
    }

    func retry(_ put: BridgePut) {
        let node = put.node
        guard put.expected == nil, let first = node.outgoing.revision else { return land(node) }
        // The earlier revision stays the node's, in one assignment, so that it does not look free meanwhile.
        node.outgoing = KeyNode.Outgoing(dirty: first, isQueued: node.outgoing.isQueued)
        outbound.enqueue(node)
    }

    /// Forgets deletions up to a sequence, at most `limit` of them, and returns their keys.
    func forgetTombstones(upTo sequence: UInt64, limit: Int) -> [(key: [UInt8], sequence: UInt64)] {
        var nodes: [KeyNode] = []
        tree.visit { node in
            guard nodes.count < limit, let remote = node.remote, remote.content == .gone else { return }
            if remote.sequence <= sequence, node.local == nil, node.waiting == nil, exports(node) {
                nodes.append(node)
            }
        }
        return nodes.map { node in
            let forgotten = (node.key, node.remote?.sequence ?? 0)
            node.setRemote(nil)
            tree.forget(node)
            return forgotten
        }
    }

    // MARK: Comparing

    /// Decides, once both sides are loaded, which of two different values is the newer one.
    func compare() {
        guard local.isLoaded, remote.isLoaded, !isCompared else { return }
        isCompared = true
        let positions = paths.map { usablePosition(for: $0) }
        inbound.sequence = positions.map { $0?.sequence ?? 0 }.min() ?? 0
        var nodes: [KeyNode] = []
        tree.visit { nodes.append($0) }
        func position(of node: KeyNode) -> BridgePosition? { node.scope.flatMap { positions[$0] } }
        for node in nodes { compare(node, position(of: node)) }
        repeatUnsent(position)
        let early = local.early.values.sorted { $0.revision < $1.revision }
        local.early = [:]
        for event in early { repeatEarly(event) }
    }

    private func usablePosition(for path: BridgedPath) -> BridgePosition? {
        guard let position = local.position, position.stream == remote.identity,
            position.sequence <= remote.lastSequence, position.paths.contains(path.key)
        else { return nil }
        return position
    }

    private func compare(_ node: KeyNode, _ position: BridgePosition?) {
        guard node.local != nil || node.remote != nil, !node.isUnread else { return }
        let isRemote: Bool
        if position != nil, local.isResumed {
            // What the daemon changed since then is known, and comes after this. A key that the stream never had was
            // refused before, or its deletion was forgotten: it is put again, since a value must not be lost.
            isRemote = node.remote != nil
        } else if let position {
            let isNew = node.remote.map { $0.sequence > position.sequence } ?? false
            guard isNew || node.local != node.effective else { return }
            isRemote = isNew || !exports(node)
        } else {
            // The bucket's keys win over leaves that exclude them.
            isRemote = node.remote?.leaf != nil || node.shadow(of: 0) != nil
            guard isRemote || node.local != nil else { return }
        }
        if isRemote { check(node) } else { markChanged(node, at: local.revision) }
    }

    /// A change that came before the comparison: the daemon's own wins, a bridge's does not.
    private func repeatEarly(_ event: LocalEvent) {
        guard let node = tree.node(event.names) else { return }
        var nodes: [KeyNode] = []
        node.visit { nodes.append($0) }
        if let above = node.above.first(where: { $0.local != nil || $0.remote?.leaf != nil }) {
            nodes.append(above)
        }
        for node in nodes where (node.local != nil || node.remote != nil) && !node.isUnread {
            if !event.isOwn {
                markChanged(node, at: event.revision)
            } else if node.outgoing.ticket == nil, node.outgoing.dirty != nil, node.remote != nil {
                node.outgoing.dirty = nil
                check(node)
            }
        }
        tree.forget(node)
    }

    // MARK: Shared by both directions

    /// Notes that the daemon's value is newer than all that the stream has.
    func markChanged(_ node: KeyNode, at revision: Int64) {
        guard exports(node) else { return }
        clearRefusal(of: node)
        outbound.append(node, changedAt: revision)
    }

    /// Notes that the stream's value of the key may not be the daemon's.
    func check(_ node: KeyNode) {
        guard imports(node), node.refusal != nil || !node.isAgreed else { return }
        inbound.append(node)
    }

    /// Nothing of the node is under way any more: what waited for it is planned.
    func release(_ node: KeyNode) {
        guard !node.outgoing.isWaiting else { return }
        let blocked = node.incoming.blocked
        node.incoming.blocked = []
        for other in blocked { check(other) }
        check(node)
    }
}
