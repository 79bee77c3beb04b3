// SPDX-License-Identifier: MIT
// Removes a node with wildcards from its model's list.

extension WildcardTable {
    mutating func unlist(_ node: NodeID) {
        guard let model = models.removeValue(forKey: node) else { return }
        nodes[model]?.removeAll { $0 == node }
        if nodes[model]?.isEmpty == true { nodes[model] = nil }
    }
}
