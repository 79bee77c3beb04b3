// SPDX-License-Identifier: MIT
// Patterns of one subscription that match the same paths, or some below: which of them reports a change. Sends nothing.

extension ClientSessions {
    /// Whether a deep observer gets a change below its path. It does not if another pattern of its subscription
    /// reports the same path.
    func isWantedBelow(_ change: borrowing PathChange, in tree: ModelTree, _ observer: ObserverRecord) -> Bool
    {
        guard observer.options.contains(.deep), let suffix = change.suffix else { return false }
        guard registry.compounds[CompoundID(observer.group)].hasSeveral else { return true }
        let path = ByteBuffer()
        path.append(tree.reader.path(of: change.node))
        let start = path.count
        path.append(suffix.view)
        var end = start
        while end < path.count {
            end = path.view.endOfComponent(from: end + 1)
            guard let node = tree.visitedNode(path.view.prefix(end)) else { continue }
            if isObserved(node, in: tree, by: observer.group, deepOnly: end < path.count) { return false }
        }
        return true
    }

    private func isObserved(_ node: NodeID, in tree: ModelTree, by group: Int32, deepOnly: Bool) -> Bool {
        var id = tree.reader.firstObserver(at: node)
        while id != .noRecord {
            let observer = tree.reader.observer(id)
            if observer.group == group, !deepOnly || observer.options.contains(.deep) { return true }
            id = observer.next
        }
        return false
    }
}

/// The part of a pattern that decides where it may match.
struct PathShape {
    /// Nil for a wildcard.
    private var names: [[UInt8]?] = []
    private var isDeep = false

    init(_ path: ParsedKeyPath) {
        for index in 0..<path.count {
            switch path.kind(index) {
            case .anyDepth: isDeep = true
            case .name, .choice, .collectionOperator:
                names.append(
                    path.isSelection(index) ? Array(path.escaped(index).utf8) : path.name(index).array
                )
            case .anyName: names.append(nil)
            }
        }
    }

    /// Whether one of the patterns ends in `**` and another may match the same paths, or some above or below.
    static func overlap(_ shapes: [PathShape]) -> Bool {
        shapes.indices.contains { deep in
            shapes[deep].isDeep
                && shapes.indices.contains { $0 != deep && shapes[$0].mayMeet(shapes[deep]) }
        }
    }

    /// Whether at least two of the patterns, one of which ends in `**`, may match the path, or some above or below.
    static func overlap(_ shapes: [PathShape], at path: ParsedKeyPath) -> Bool {
        let shape = PathShape(path)
        let meeting = shapes.filter { $0.mayMeet(shape) }
        return meeting.count > 1 && meeting.contains(where: \.isDeep)
    }

    private func mayMeet(_ other: PathShape) -> Bool {
        zip(names, other.names).allSatisfy { $0 == nil || $1 == nil || $0 == $1 }
    }
}
