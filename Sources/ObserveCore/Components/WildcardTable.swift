// SPDX-License-Identifier: MIT
// The state of all observed patterns: lists the wildcards of a node, and the nodes with wildcards by their models.

/// Where ``WildcardTable/nodes`` lists a node.
struct ListedNode {
    let model: ModelID
    var index: Int
}

/// Observed patterns, and the nodes at which their wildcards are expanded.
struct WildcardTable: ~Copyable {
    var patterns = Arena(blank: PatternRecord())
    var places = Arena(blank: WildcardRecord())
    /// (pattern, node) → the pattern's wildcard there.
    private(set) var index = HashIndex<WildcardRecord>()
    /// The nodes with wildcards for each model, and the place at which each such node is listed.
    var nodes: [ModelID: [NodeID]] = [:]
    var listed: [NodeID: ListedNode] = [:]
    /// How many patterns use an observer that more than one pattern uses. Nearly all are used by one.
    var shared: [ObserverID: Multiplicity] = [:]
    /// The nodes that are made for patterns before the tree observes these.
    var preparations: [ObjectIdentifier: PatternPreparation] = [:]
    /// How many matches a pattern has at least that is worth a preparation. Tests make it fewer.
    var fewestPrepared = 1024
    /// Nodes whose paths the running notification found to exist no longer.
    var vanished = Scratch<NodeID>()
    /// Nodes that the running notification has made for new properties.
    var appeared = Scratch<NodeID>()
    /// Nodes with conditions that the running notification has made for such properties, until it visits them.
    var candidates: [NodeID] = []

    var isIdle: Bool { vanished.isEmpty && appeared.isEmpty }
}

extension WildcardTable {
    /// - Returns: the node's first wildcard from now on.
    mutating func add(_ pattern: PatternID, to node: NodeID, first: WildcardID) -> WildcardID {
        let wildcard = places.allocate()
        places[wildcard] = WildcardRecord(pattern: pattern, node: node.number, next: first)
        if first != .noRecord { places[first].previous = wildcard }
        index.insert(pairHash(pattern, node, seed: 0), wildcard)
        return wildcard
    }

    /// The pattern's only wildcard at a node; `noRecord` if there is none.
    func place(of pattern: PatternID, at node: NodeID) -> WildcardID {
        index.find(pairHash(pattern, node, seed: 0)) {
            places[$0].pattern == pattern && places[$0].node == node.number
        } ?? .noRecord
    }

    /// - Returns: the node's first wildcard from now on.
    mutating func remove(_ wildcard: WildcardID, from node: NodeID, first: WildcardID) -> WildcardID {
        let record = places[wildcard]
        if record.next != .noRecord { places[record.next].previous = record.previous }
        if record.previous != .noRecord { places[record.previous].next = record.next }
        index.remove(pairHash(record.pattern, node, seed: 0), wildcard)
        places.free(wildcard)
        return wildcard == first ? record.next : first
    }

    mutating func list(_ node: NodeID, under model: ModelID) {
        let index = nodes[model]?.count ?? 0
        nodes[model, default: []].append(node)
        listed[node] = ListedNode(model: model, index: index)
    }

    /// Removes a node from its model's list. The last one takes its place: with shared models, many nodes may lead to one.
    mutating func unlist(_ node: NodeID) {
        guard let place = listed.removeValue(forKey: node), let last = nodes[place.model]?.popLast()
        else { return }
        if last != node {
            nodes[place.model]?[place.index] = last
            listed[last]?.index = place.index
        }
        if nodes[place.model]?.isEmpty == true { nodes[place.model] = nil }
    }
}
