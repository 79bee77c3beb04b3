// SPDX-License-Identifier: MIT
// Notifies observers of selections in edited arrays, and of those that appear. Computes nothing.

extension NotifyingTree {
    func formerSelection(at node: NodeID) -> StoredValue {
        let property = paths.nodes[node].property
        return paths.nodes[node][.isNewborn] || property == .noRecord ? .absent : before(property)
    }

    /// Whether the selection has a name of its own: edits of an array move the element at an index, but not a chosen one.
    func isOfElement(_ node: NodeID) -> Bool {
        records.names.text(paths.nodes[node].name).byteOrZero(1) != 0x40
    }

    func notifyCandidate(_ node: NodeID) {
        var descent = Descent()
        descent.cause = .consequence
        notify(node, old: .absent, new: currentValue(of: node), descent)
    }

    func notifySelection(_ node: NodeID, mustVisit: Bool, _ descent: Descent) {
        let property = paths.nodes[node].property
        guard property != .noRecord else { return }
        let touched = Int(records.properties[property].touch)
        guard touched != 0 || paths.nodes[node][.isNewborn] || mustVisit else { return }
        let own = touched == 0 ? descent : extended(descent, to: node, pending.touches[touched - 1])
        notify(node, old: formerSelection(at: node), new: records.properties[property].slot, own)
    }
}
