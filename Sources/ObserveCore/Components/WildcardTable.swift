// SPDX-License-Identifier: MIT
// The state of all observed patterns.

/// Where ``WildcardTable/nodes`` lists a node.
struct ListedNode {
    let model: ModelID
    var index: Int
}

/// Observed patterns, and the nodes at which their wildcards are expanded.
struct WildcardTable: ~Copyable {
    var patterns = Arena(blank: PatternRecord())
    var places = Arena(blank: WildcardRecord())
    /// The wildcards at nodes with many, by their patterns.
    var crowds = CrowdIndex<WildcardRecord>()
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

    /// Holds between notifications.
    var isIdle: Bool { vanished.isEmpty && appeared.isEmpty }
}
