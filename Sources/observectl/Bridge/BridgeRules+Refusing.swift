// SPDX-License-Identifier: MIT
// Values that one side refuses: which, why, and when they are tried again. Independent of connections and time.

extension BridgeRules {
    func refuse(_ node: KeyNode, _ reason: String, isPut: Bool) {
        node.refusal = KeyNode.Refusal(reason: reason, isPut: isPut)
        inbound.refused[ObjectIdentifier(node)] = node
    }

    func clearRefusal(of node: KeyNode) {
        guard node.refusal != nil else { return }
        node.refusal = nil
        inbound.refused[ObjectIdentifier(node)] = nil
    }

    func clearRefusals() {
        for node in inbound.refused.values { node.refusal = nil }
        inbound.refused = [:]
    }

    /// Tries again all that was refused. Each value counts as refused until it has travelled.
    func retryRefused() {
        for node in inbound.refused.values { retry(refused: node) }
    }

    /// Tries one refused value again. If the daemon takes it, a type has changed: ``retryRefused()`` follows.
    func probeRefused() {
        guard !inbound.refused.isEmpty else { return }
        inbound.probes += 1
        let candidates = inbound.refused.values.dropFirst(inbound.probes % inbound.refused.count)
        guard let node = candidates.first, node.refusal?.isPut == false else { return }
        inbound.probe = node
        retry(refused: node)
    }

    private func retry(refused node: KeyNode) {
        guard let refusal = node.refusal, node.remote?.content != .unusable else { return }
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
}
