// SPDX-License-Identifier: MIT
// From the daemon to the stream: changes, puts, acknowledgements. Independent of connections.

import ObserveCore

extension BridgeRules {
    /// A frame of changes. While a transaction is not answered they are held: its answer says which of both is newer.
    func receive(_ events: [LocalEvent]) {
        guard local.isAttached else { return }
        activity += 1
        if inbound.outstanding != nil {
            inbound.outstanding?.held += events
        } else {
            process(events)
        }
    }

    /// - Parameter isOlder: whether a node's own write is newer, so that these changes are not put.
    func process(_ events: [LocalEvent], unless isOlder: (KeyNode) -> Bool = { _ in false }) {
        for event in events {
            local.revision = max(local.revision, event.revision)
            guard let node = tree.node(event.names) else { continue }
            // The end of a value that was never read is a change, too.
            let isEnd = isCompared && (event.value?.isNull ?? true) && !event.isRead && node.isUnread
            // It came after what could not be read.
            clearUnread(node)
            if !isCompared { local.early[BridgeKey.key(of: event.names)] = event }
            // An element of an array changed: the array travels whole.
            if let array = node.above.first(where: { $0.local?.isArray ?? false }) {
                local.unread.append(array.path)
                tree.forget(node)
                continue
            }
            var changes = LocalChanges()
            changes.assign(node, event.value)
            if isCompared, !event.isOwn {
                for changed in changes.differing where !isOlder(changed) {
                    markChanged(changed, at: event.revision)
                }
                if isEnd { node.visit { if $0.refusal == nil { markChanged($0, at: event.revision) } } }
            } else if isCompared {
                for changed in changes.differing { check(changed) }
            }
            tree.forget(node)
        }
    }

    /// The value of a path that ``LocalSide/unread`` had.
    func receiveRead(_ names: [String], _ value: RawJSON?, at revision: Int64) {
        local.reading -= 1
        receive([LocalEvent(names: names, value: value, revision: revision, isRead: true)])
    }

    /// The members of a model that is too large to read at once: each is read by itself, and others are gone.
    func receiveMembers(_ members: [String], of names: [String], at revision: Int64) {
        local.reading -= 1
        guard let node = tree.node(names) else { return }
        clearReadRefusal(of: node)
        let present = Set(members.map(MemberName.init))
        let gone = node.children.filter {
            !present.contains(MemberName($0.name)) && ($0.local != nil || $0.localBelow > 0)
        }
        receive(gone.map { LocalEvent(names: $0.path, value: nil, revision: revision, isRead: true) })
        local.unread += members.map { names + [$0] }
        tree.forget(node)
    }

    /// The paths to read now.
    func takeUnread() -> [[String]] {
        let paths = local.unread
        local.unread = []
        local.reading += paths.count
        return paths
    }

    // MARK: Puts

    /// The next puts, as many as may be under way.
    func nextPuts() -> [BridgePut] {
        guard isCompared, remote.isAttached, !outbound.isPaused else { return [] }
        var bytes = 0
        // Large writes cost the server less. While half of the window is under way, it has work.
        guard outbound.flights.count <= Outbound.window / 2 else { return [] }
        var puts: [BridgePut] = []
        while outbound.flights.count < Outbound.window, bytes < Outbound.mostBytes, let node = outbound.next()
        {
            // Its acknowledgement queues it again.
            guard node.outgoing.ticket == nil, node.outgoing.dirty != nil, let put = put(of: node)
            else { continue }
            bytes += put.value?.bytes.count ?? 0
            puts.append(put)
        }
        while outbound.flights.count < Outbound.window, let node = outbound.cleanups.popLast() {
            if let put = cleanup(of: node) { puts.append(put) }
        }
        return puts
    }

    private func put(of node: KeyNode) -> BridgePut? {
        // What can't be read is neither a value nor a deletion. It stays refused, and is read again.
        let isUnread = node.refusal?.isRead == true
        let isEqual = node.local == nil ? node.remote?.leaf == nil : node.local == node.effective
        let excess = isUnread || isEqual ? nil : excess(of: node)
        guard !isUnread, !isEqual, excess == nil else {
            node.outgoing.dirty = nil
            if let excess {
                refuse(node, excess, isPut: true)
            } else if !isUnread {
                clearRefusal(of: node)
            }
            release(node)
            tree.forget(node)
            return nil
        }
        let put = outbound.put(node, node.local)
        // In one assignment, so that it does not look free meanwhile.
        node.outgoing = KeyNode.Outgoing(ticket: put.ticket, revision: node.outgoing.dirty)
        return put
    }

    /// The deletion of a key that a later one of this bridge excludes. If it has changed meanwhile, the server refuses.
    private func cleanup(of node: KeyNode) -> BridgePut? {
        guard !node.outgoing.isWaiting, let remote = node.remote, remote.leaf != nil, exports(node),
            node.shadow(of: remote.sequence) != nil
        else { return nil }
        let put = outbound.put(node, nil, expecting: remote.sequence)
        node.outgoing.ticket = put.ticket
        return put
    }

    /// Why the server can't take the daemon's value; nil if it can.
    private func excess(of node: KeyNode) -> String? {
        guard let bytes = node.local?.bytes.count else { return nil }
        if bytes > payloadLimit {
            return "the value has \(bytes) bytes, and the server's max_payload is \(payloadLimit)"
        }
        return node.key.count <= BridgeKey.longestBytes
            ? nil
            : "the key has more than \(BridgeKey.longestBytes) bytes, the most that fits into the server's lines"
    }

    // MARK: Acknowledgements

    func acknowledged(_ ticket: Int, at sequence: UInt64) {
        guard let flight = outbound.flights.removeValue(forKey: ticket) else { return }
        activity += 1
        let node = flight.node
        if node.refusal?.isPut == true { clearRefusal(of: node) }
        if sequence > node.remote?.sequence ?? 0 {
            let content = flight.value.map { RemoteValue.Content.leaf($0) } ?? .gone
            node.setRemote(RemoteValue(sequence: sequence, content: content), isOurs: true)
        }
        land(node)
        recheck(node)
    }

    /// The key's last sequence was another one: it is not excluded any more, or is another bridge's concern. False, with
    /// nothing done, for a put that expected no sequence. The daemon's value is newer all the same.
    @discardableResult func overtaken(_ ticket: Int) -> Bool {
        guard let flight = outbound.flights[ticket] else { return true }
        guard flight.expected != nil else { return false }
        outbound.flights[ticket] = nil
        land(flight.node)
        return true
    }

    /// The server does not take the put now: it waits until ``resume()``.
    func postponed(_ ticket: Int) {
        guard let flight = outbound.flights.removeValue(forKey: ticket) else { return }
        retry(flight)
        outbound.isPaused = true
    }

    /// The server does not take the key at all.
    func forbidden(_ names: [String], _ reason: String) {
        guard let node = tree.node(names) else { return }
        if let ticket = node.outgoing.ticket { refused(ticket, reason) } else { tree.forget(node) }
    }

    /// The stream does not take that value.
    func refused(_ ticket: Int, _ reason: String) {
        guard let node = outbound.flights.removeValue(forKey: ticket)?.node else { return }
        refuse(node, reason, isPut: true)
        land(node)
    }

    func land(_ node: KeyNode) {
        (node.outgoing.ticket, node.outgoing.revision) = (nil, nil)
        if node.outgoing.dirty != nil { outbound.enqueue(node) } else { release(node) }
    }
}
