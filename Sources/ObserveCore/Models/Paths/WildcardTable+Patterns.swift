// SPDX-License-Identifier: MIT
// Lists the nodes with wildcards by their models.

extension WildcardTable {
    mutating func list(_ node: NodeID, under model: ModelID) {
        let index = nodes[model]?.count ?? 0
        nodes[model, default: []].append(node)
        listed[node] = ListedNode(model: model, index: index)
    }

    /// Removes a node from its model's list. The last one takes its place: with shared models, many nodes may lead to one.
    mutating func unlist(_ node: NodeID) {
        guard let place = listed.removeValue(forKey: node), let last = nodes[place.model]?.popLast() else {
            return
        }
        if last != node {
            nodes[place.model]?[place.index] = last
            listed[last]?.index = place.index
        }
        if nodes[place.model]?.isEmpty == true { nodes[place.model] = nil }
    }
}
