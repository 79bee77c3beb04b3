// SPDX-License-Identifier: MIT
// X

/// Observed patterns, and the nodes at which their wildcards are expanded.
struct WildcardTable: ~Copyable {
    var patterns = Arena(blank: PatternRecord())
    var places = Arena(blank: WildcardRecord())
    /// The nodes with stars that follow each model, and the model that each such node is listed under.
    var nodes: [ModelID: [NodeID]] = [:]
    var models: [NodeID: ModelID] = [:]
    /// How often each observer that patterns made is wanted, as itself and with all below it.
    var multiplicity: [ObserverID: Multiplicity] = [:]
    /// Nodes that were found to exist no more in the telling under way.
    var vanished = Scratch<NodeID>()
    /// Nodes that the telling under way has made for properties that appeared.
    var appeared = Scratch<NodeID>()
}
