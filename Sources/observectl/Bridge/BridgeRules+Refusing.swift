// SPDX-License-Identifier: MIT
// Values that one side refuses: which, why, and when they are tried again. Independent of connections and time.

import ObserveCore

extension BridgeRules {
    func refuse(_ node: KeyNode, _ reason: String, isPut: Bool, isRead: Bool = false) {
        node.refusal = KeyNode.Refusal(reason: reason, isPut: isPut, isRead: isRead)
        inbound.refused[ObjectIdentifier(node)] = node
    }

    func clearRefusal(of node: KeyNode) {
        guard node.refusal != nil else { return }
        node.refusal = nil
        inbound.refused[ObjectIdentifier(node)] = nil
    }

    /// The daemon's value there can't be read, as one that renders to too many bytes.
    func cannotRead(_ names: [String], _ reason: String) {
        guard let node = tree.node(names) else { return }
        refuse(node, reason, isPut: true, isRead: true)
    }

    /// The daemon's values at the node and below it are known again.
    func clearUnread(_ node: KeyNode) {
        guard !inbound.refused.isEmpty else { return }
        node.visit { clearReadRefusal(of: $0) }
    }

    /// What the stream has below the node was not compared with it, and changes of the daemon were not put. Refused values
    /// below stay refused.
    func clearReadRefusal(of node: KeyNode) {
        guard node.refusal?.isRead == true else { return }
        clearRefusal(of: node)
        guard isCompared else { return }
        node.visit { below in
            if below.local == nil {
                check(below)
            } else if below === node || below.refusal == nil && !below.incoming.isPending {
                markChanged(below, at: local.revision)
            }
        }
    }

    /// Ends the pauses after refusals of a full stream or disk.
    func resume() { (inbound.isPaused, outbound.isPaused) = (false, false) }

    /// Tries again all that was refused. Each value counts as refused until it has travelled.
    func retryRefused() { for node in inbound.refused.values { retry(refused: node) } }

    /// Tries a refused value again, any of them. If the daemon takes it, a type has changed: ``retryRefused()`` follows.
    func probeRefused() {
        guard let node = inbound.refused.values.randomElement(), node.refusal?.isPut == false else { return }
        inbound.probe = node
        retry(refused: node)
    }

    private func retry(refused node: KeyNode) {
        guard let refusal = node.refusal, node.remote?.content != .unusable else { return }
        if refusal.isRead { return local.unread.append(node.path) }
        node.incoming.conflicts = 0
        node.refusal?.isTriedAgain = true
        if refusal.isPut { outbound.append(node, changedAt: local.revision) } else { check(node) }
    }

    /// The daemon has the stream's value of a node.
    func accepted(_ node: KeyNode) {
        guard node.refusal?.isPut == false else { return }
        clearRefusal(of: node)
        guard inbound.probe === node else { return }
        inbound.probe = nil
        retryRefused()
    }

    /// The position is in one line with the writes.
    private static let mostUnsent = 100

    /// The keys that the stream refused, or that can't be read, for the next bridge: without them it would take the stream's
    /// older values. Of too many, the bridged paths.
    var unsent: [String] {
        let refused = inbound.refused.values.lazy.filter { node in
            node.refusal.map { $0.isPut && ($0.isRead || node.remote != nil) } ?? false
        }
        let nodes = Array(refused.prefix(BridgeRules.mostUnsent + 1))
        return (nodes.count > BridgeRules.mostUnsent ? tree.scopes : nodes).map { BridgeKey.key(of: $0.path) }
    }

    /// Puts again what the stream refused from the bridge before, unless the stream's value is newer.
    func repeatUnsent(_ position: (KeyNode) -> BridgePosition?) {
        for key in local.position?.unsent ?? [] {
            guard let names = BridgeKey.names(of: Array(key.utf8)[...]), let top = tree.node(names)
            else { continue }
            top.visit { node in
                guard let sequence = position(node)?.sequence, node.remote?.sequence ?? 0 <= sequence,
                    node.local != node.effective, !node.isUnread
                else { return }
                markChanged(node, at: local.revision)
            }
            tree.forget(top)
        }
    }

    // MARK: The report

    /// At most so many refusals are named.
    static let namedRefusals = 20

    /// The value of `bridges.BUCKET.status`.
    func status(isConnected: Bool, lag: UInt64) -> Value {
        let refused = inbound.refused.values.compactMap { node in
            node.refusal.map { (BridgeKey.key(of: node.path), Value.string($0.reason)) }
        }
        let named = refused.sorted { $0.0 < $1.0 }.prefix(BridgeRules.namedRefusals)
        return [
            "connected": .bool(isConnected), "lag": .int(Int64(clamping: lag)),
            "waiting": .int(Int64(outbound.waiting + inbound.queue.count)),
            "refusals": .int(Int64(refused.count)), "refused": .object(ValueMembers(Array(named))),
        ]
    }
}
