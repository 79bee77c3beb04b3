// SPDX-License-Identifier: MIT
// Observed paths as other layers read them. Independent of who observes.

extension TreeReader {
    /// Whether there is an observer, of a path or of a pattern.
    var isObserved: Bool { tree.paths.observers.count > 0 || tree.wildcards.patterns.count > 0 }

    @inline(__always)
    func observer(_ id: ObserverID) -> ObserverRecord { tree.paths.observers[id] }

    /// The first observer of the node's path, or `noRecord`.
    @inline(__always)
    func firstObserver(at node: NodeID) -> ObserverID { tree.paths.nodes[node].firstObserver }

    /// The node of the path without its last component.
    func parent(of node: NodeID) -> NodeID { tree.paths.nodes[node].parent }

    /// The node of the empty path.
    var rootNode: NodeID { tree.paths.rootNode }

    /// The path of a node that has observers: escaped, as between the quotes of a JSON string.
    @inline(__always)
    func path(of node: NodeID) -> ByteView { tree.paths.nodes[node].path.view }

    /// How much of the paths below the node is its own.
    @inline(__always)
    func pathLength(of node: NodeID) -> Int { Int(tree.paths.nodes[node].pathLength) }

    /// Whether the pattern matches more paths than the limits allow.
    func isOverfull(_ pattern: PatternID) -> Bool { tree.wildcards.patterns[pattern].isOverfull }

    /// The first commit after `revision`; nil if the history does not have all since then.
    ///
    /// - Parameter isDistinct: assignments of equal values do not matter.
    func firstCommit(after revision: UInt64, isDistinct: Bool) -> Int? {
        guard isDistinct || revision >= tree.paths.equalAssignmentsNotedSince else { return nil }
        return tree.history.firstCommit(after: revision)
    }
}
