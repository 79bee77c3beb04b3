// SPDX-License-Identifier: MIT
// Notifies observers at the end of a commit, and rebinds branches. Writes no value.

extension NotifyingTree {
    /// Notifies each observed path once of the commit's change to its value, and rebinds nodes that lead elsewhere now.
    ///
    /// Nodes are still bound as before the commit, so ``before(_:)`` of a node's property is the node's old
    /// value. Ancestors come first: if one leads to another branch now, its visit includes all nodes below it.
    func notify(_ kind: PathIndex.Notifying) {
        notification.visit &+= 1
        paths.beginNotification(kind)
        makeNodesThatAppeared()
        gatherAffected()
        if notification.affected.count > 1 { notification.affected.sort { $0.order < $1.order } }
        for index in notification.affected.indices
        where paths.nodes[notification.affected[index].node].visit != notification.visit {
            notify(notification.affected[index])
        }
        while let node = popCandidate() {
            if paths.nodes[node].visit != notification.visit { notifyCandidate(node) }
        }
        notifyOperators()
        notifyDeepObservers()
        forgetVanished()
        paths.endNotification()
        notification.affected.removeAll()
        notifySinkOfEnd()
        assert(notification.isIdle && paths.isIdle)
    }

    @inline(__always) func markVisited(_ node: NodeID) { paths.nodes[node].visit = notification.visit }

    /// Ancestors come first. Of nodes with one depth, selections come last: see ``notifySelections(of:old:new:_:)``.
    @inline(__always) private func order(of node: NodeID) -> Int32 {
        paths.nodes[node].depth &* 2 &+ (paths.nodes[node][.isSelection] ? 1 : 0)
    }

    private func gatherAffected() {
        for index in pending.touches.indices {
            forEachNode(boundTo: pending.touches[index].property) { node in
                guard paths.isVisited(node) else { return }
                let order = order(of: node)
                notification.affected.append(Affected(node: node, order: order, touch: Int32(index)))
            }
        }
    }
}
