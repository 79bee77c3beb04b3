// SPDX-License-Identifier: MIT
// How far the nodes for a pattern's matches are made, before the pattern observes them. Data only.

/// The nodes that a pattern with many matches is about to need, made in slices between commits.
///
/// Nothing depends on them. If a commit changes the matches meanwhile, the pattern lacks some nodes, and makes them itself,
/// or it does not need some, and the hub discards these.
///
/// - Threading: none of its own; its owner is its only user.
final class PatternPreparation {
    /// A container whose properties or elements match a wildcard.
    struct Level {
        let node: NodeID
        /// The component behind the wildcard.
        let component: Int
        let model: ModelID
        /// The next property of ``model``.
        var property: PropertyID = .noRecord
        /// The next element, if the container is an array.
        var index = 0
    }

    /// The patterns that are still to be prepared. Their names are retained.
    var patterns: [[PatternComponent]] = []
    /// The containers above the next node; none before the first pattern.
    var levels: [Level] = []
    /// All nodes that it has made. The tree may have freed some since.
    var nodes: [NodeID] = []

    var isDone: Bool { patterns.isEmpty }
}
