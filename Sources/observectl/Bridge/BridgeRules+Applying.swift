// SPDX-License-Identifier: MIT
// From the stream to the daemon: deliveries, transactions, answers. Independent of connections.

import ObserveCore

extension BridgeRules {
    /// A message of the stream; without names, of a key that no bridge makes.
    func delivered(_ names: [String]?, _ value: RemoteValue) {
        activity += 1
        remote.lastSequence = max(remote.lastSequence, value.sequence)
        guard let names, let node = tree.node(names) else { return }
        guard value.sequence > node.remote?.sequence ?? 0 else { return tree.forget(node) }
        node.setRemote(value)
        // A value that can't be read stays unknown, and is neither replaced nor deleted.
        if node.refusal?.isRead != true { clearRefusal(of: node) }
        node.incoming.conflicts = 0
        if value.content == .unusable { refuse(node, "the bucket's value is not a leaf's", isPut: false) }
        if isCompared { recheck(node) }
    }

    /// The stream's value of the node changed: it, and the keys that it excluded or excludes, may be another value's turn.
    func recheck(_ node: KeyNode) {
        check(node)
        var related = node.above.filter { $0.remote?.leaf != nil }
        if node.liveBelow > 0 {
            node.visit(while: { $0.liveBelow > 0 }) {
                if $0 !== node, $0.remote?.leaf != nil { related.append($0) }
            }
        }
        for other in related { check(other) }
        guard let remote = node.remote, remote.leaf != nil else { return }
        for other in related {
            guard let last = other.remote else { continue }
            if node.isOurs, last.sequence < remote.sequence { outbound.cleanups.append(other) }
            if other.isOurs, last.sequence > remote.sequence { outbound.cleanups.append(node) }
        }
    }

    // MARK: Transactions

    /// The next transaction, perhaps of the position alone; nil if there is nothing to write, or one is not answered.
    func nextTransaction(wantsPosition: Bool = false) -> BridgeTransaction? {
        guard canWrite, !inbound.isPaused, inbound.outstanding == nil else { return nil }
        guard !inbound.queue.isEmpty || wantsPosition else { return nil }
        var plan = Inbound.Outstanding()
        // Nodes that need no write make place for others.
        while plan.writes.isEmpty, !inbound.queue.isEmpty { add(inbound.next(), to: &plan) }
        if inbound.queue.isEmpty { inbound.sequence = remote.lastSequence }
        guard !plan.writes.isEmpty || wantsPosition else {
            unpin(plan)
            return nil
        }
        inbound.outstanding = plan
        return BridgeTransaction(writes: plan.writes, position: notePosition(), revision: local.revision)
    }

    private func add(_ nodes: [KeyNode], to plan: inout Inbound.Outstanding) {
        plan.nodes += nodes
        var gone: [KeyNode] = []
        for node in nodes {
            node.incoming.isPlanned = true
            if let other = node.waiting {
                other.incoming.blocked.append(node)
            } else if node.refusal?.isTriedAgain ?? true {
                if node.refusal != nil, node.local == node.effective { accepted(node) }
                if let value = node.effective { plan.set(node, value) } else { gone.append(node) }
            }
        }
        // Removals come last: a value that is set above or below makes them needless. A model that loses its last leaf by
        // them is the next transaction's: its condition would find this one's writes.
        let removals = gone.filter { $0.local != nil && $0.remote?.content != .unusable }
        for node in removals { plan.write(node, node, nil) }
    }

    /// How far the bridge has come, for the tree.
    func notePosition() -> BridgePosition {
        let sent = outbound.sentRevision(last: local.revision)
        let former = local.position?.epoch == local.epoch ? local.position?.revision ?? 0 : 0
        let position = BridgePosition(
            stream: remote.identity,
            sequence: inbound.sequence,
            epoch: local.epoch,
            revision: local.isReading ? min(former, sent) : sent,
            pid: pid,
            paths: paths.map(\.key),
            unsent: unsent
        )
        local.position = position
        return position
    }

    // MARK: Answers

    /// The daemon's answer to a transaction: its revision, or a refusal after which nothing was written.
    func answered(_ answer: Result<Int64, DaemonError>) {
        guard var outstanding = inbound.outstanding else { return }
        inbound.outstanding = nil
        defer { unpin(outstanding) }
        switch answer {
        case .success(let revision):
            finish(&outstanding, at: revision)
            hasPosition = hasPosition || isCompared && local.position?.stream == remote.identity
        case .failure(let error):
            outstanding.changes.undo()
            process(outstanding.held)
            if let revision = error.data?.int("revision") { local.revision = max(local.revision, revision) }
            for node in outstanding.nodes { check(node) }
            // One write alone shows nothing of the others.
            let count = outstanding.writes.count
            if count > 1 { inbound.limit = max(min(count, inbound.limit) / 2, 1) }
            guard error.code != .unavailable else { return inbound.isPaused = true }
            if let index = error.operation, outstanding.writes.indices.contains(index) {
                let isExplained = !outstanding.held.isEmpty
                // Earlier writes of the transaction, rolled back now, may have made the value found: try again, with fewer.
                let isFirst = index == 0 || outstanding.nodes.count == 1
                guard isFirst || isExplained || error.code != .conflict else { return }
                refused(outstanding.writes[index], error, isExplained: isExplained)
            } else if let node = outstanding.writes.first?.node,
                outstanding.writes.allSatisfy({ $0.node === node })
            {
                refuse(node, error.message, isPut: false)
            }
        }
    }

    /// The transaction is done. Changes from before it are older than its values.
    private func finish(_ outstanding: inout Inbound.Outstanding, at revision: Int64) {
        inbound.limit = min(inbound.limit * 2, Inbound.longest)
        let older = outstanding.held.filter { $0.revision < revision }
        if !older.isEmpty {
            let written = Set(outstanding.writes.map { ObjectIdentifier($0.target) })
            outstanding.changes.undo()
            process(older) { written.contains(ObjectIdentifier($0)) }
            var changes = LocalChanges()
            for write in outstanding.writes { changes.assign(write.target, write.value) }
        }
        process(outstanding.held.filter { $0.revision >= revision })
        local.revision = max(local.revision, revision)
        for write in outstanding.writes {
            write.node.incoming.conflicts = 0
            accepted(write.node)
            // A model that lost its last leaf by removals from elsewhere goes too.
            let above = write.value == nil ? write.target.parent : nil
            if let above, above.scope != nil, above.local == .emptyModel { check(above) }
            if write.node.local != write.node.effective { check(write.node) }
        }
    }

    /// The nodes may be forgotten again.
    func unpin(_ outstanding: Inbound.Outstanding) {
        for node in outstanding.nodes { node.incoming.isPlanned = false }
        for write in outstanding.writes {
            write.target.incoming.isPlanned = false
            tree.forget(write.target)
        }
        for node in outstanding.nodes { tree.forget(node) }
    }

    /// The refusal is explained if changes of the daemon came before the answer.
    private func refused(_ write: BridgeWrite, _ error: DaemonError, isExplained: Bool) {
        let isConflict = error.code == .conflict
        // A change that is put now is the reason.
        guard write.target.waiting == nil, write.node.waiting == nil else { return }
        write.node.incoming.conflicts += 1
        guard isConflict || isExplained, write.node.incoming.conflicts <= 3
        else { return refuse(write.node, error.message, isPut: false) }
        // The daemon gave the value another form, as a type demands it: shared models and defaults.
        guard isConflict, !isExplained, !local.isReading else { return }
        var changes = LocalChanges()
        changes.assign(write.target, error.data?.member("value"))
    }
}

private extension Inbound.Outstanding {
    mutating func set(_ node: KeyNode, _ value: RawJSON) {
        guard node.local != value else { return }
        // A leaf above is in the way: a model takes its place.
        if let above = node.above.first(where: { $0.local != nil }), above.local != .emptyModel {
            write(node, above, .emptyModel)
        }
        write(node, node, value)
    }

    mutating func write(_ node: KeyNode, _ target: KeyNode, _ value: RawJSON?) {
        // What a model renders is not what the bridge keeps of it: nulls are missing here.
        let expected = target.isLocalModel ? nil : target.local ?? RawJSON.nothing
        target.incoming.isPlanned = true
        writes.append(BridgeWrite(node: node, target: target, value: value, expected: expected))
        changes.assign(target, value)
    }
}
