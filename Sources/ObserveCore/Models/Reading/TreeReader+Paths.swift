// SPDX-License-Identifier: MIT
// Observed paths as other layers read them. Independent of subscriptions.

extension TreeReader {
    var isObserved: Bool { tree.paths.observers.count > 0 || tree.wildcards.patterns.count > 0 }

    @inline(__always) func observer(_ id: ObserverID) -> ObserverRecord { tree.paths.observers[id] }

    @inline(__always)
    func firstObserver(at node: NodeID) -> ObserverID { tree.paths.nodes[node].firstObserver }

    func parent(of node: NodeID) -> NodeID { tree.paths.nodes[node].parent }

    var rootNode: NodeID { tree.paths.rootNode }

    /// The path of a node that has observers: escaped, as between the quotes of a JSON string.
    @inline(__always) func path(of node: NodeID) -> ByteView { tree.paths.nodes[node].path.view }

    func json(of node: NodeID) -> String { "\"\(path(of: node).string)\"" }

    func json(of pattern: PatternID) -> String {
        let (dotted, json) = (ByteBuffer(), ByteBuffer())
        let components = tree.wildcards.patterns[pattern].components
        for (index, component) in components.enumerated() {
            // The tree has `**` as `*.**`.
            if index == 0, components.count == 2, case .anyDepth = components[1], case .anyName = component {
                continue
            }
            if !dotted.isEmpty { dotted.append(0x2E) }
            switch component {
            case .name(let name), .derived(let name):
                dotted.appendEscaped(name: tree.records.names.text(name))
            case .anyName(where: let condition):
                dotted.append("*")
                if condition != .noRecord { dotted.append(tree.records.names.text(condition)) }
            case .anyDepth: dotted.append("**")
            }
        }
        json.appendJSONString(decoded: dotted.view)
        return json.string
    }

    /// Whether a `*` with a condition may have made the node, of which the patterns are.
    func isCandidate(_ node: NodeID, of patterns: [PatternID]) -> Bool {
        tree.paths.nodes[node][.isSelected]
            && patterns.contains { tree.wildcards.patterns[$0].components.hasCondition }
    }

    /// The length of the node's path, in bytes of JSON text.
    @inline(__always) func pathLength(of node: NodeID) -> Int { Int(tree.paths.nodes[node].pathLength) }

    func root(of node: NodeID) -> NodeID {
        var root = node
        while parent(of: root) != rootNode { root = parent(of: root) }
        return root
    }

    func ancestor(of node: NodeID, withPathLength length: Int) -> NodeID {
        var above = node
        while above != rootNode {
            if pathLength(of: above) == length { return above }
            above = parent(of: above)
        }
        return .noRecord
    }

    func isOverfull(_ pattern: PatternID) -> Bool { tree.wildcards.patterns[pattern].isOverfull }

    /// The first revision at which the tree can be read.
    var oldestRevision: UInt64 { min(tree.records.horizon, tree.revision) }

    /// The revision at a time: see ``History/revision(at:start:_:)``.
    func revision(at time: Int64, start: Int64) -> UInt64? {
        tree.history.revision(at: time, start: start, tree.records.horizon)
    }

    /// The number of the first commit after `revision`; nil if the history lacks any commit after it.
    /// - Parameter isDistinct: whether the caller ignores assignments of equal values.
    func firstCommit(after revision: UInt64, isDistinct: Bool) -> Int? {
        guard isDistinct || revision >= tree.paths.equalAssignmentsNotedSince else { return nil }
        return tree.history.firstCommit(after: revision, tree.records.horizon)
    }
}
