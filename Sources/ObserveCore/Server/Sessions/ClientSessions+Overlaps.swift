// SPDX-License-Identifier: MIT
// Patterns of one subscription that match the same paths, or some below: which of them reports a change. Sends nothing.

extension ClientSessions {
    /// Whether a deep observer gets a change below its path: not if another pattern of its subscription reports the same path.
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
