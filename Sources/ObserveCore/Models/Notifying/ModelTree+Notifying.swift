// SPDX-License-Identifier: MIT
// The end of a commit: who has to hear what, and branches bound anew. Writes no value.

extension ModelTree {
    /// Tells each observed path once what the commit did to its value, and binds what leads elsewhere now.
    ///
    /// Nodes are still bound as they were before the commit, so a node's old value is what ``before(_:)`` says of its
    /// property. Ancestors go first: where one leads to another branch now, everything below it is visited from there.
    func notify() {
        notification.visit &+= 1
        notification.isUnderWay = true
        if !wildcards.nodes.isEmpty, !replay.isUnderWay { makeNodesThatAppeared() }
        gatherAffected()
        if notification.affected.count > 1 { notification.affected.sort { $0.depth < $1.depth } }
        for index in notification.affected.indices
        where paths.nodes[notification.affected[index].node].visit != notification.visit {
            notify(notification.affected[index])
        }
        notification.affected.removeAll()
        if !operators.byNode.isEmpty, !replay.isUnderWay { notifyOperators() }
        if paths.deepObservers > 0, !replay.isUnderWay { notifyDeepObservers() }
        notification.isUnderWay = false
        if !wildcards.newborn.isEmpty {
            wildcards.newborn.drain { paths.nodes[$0].isNewborn = false }
        }
        if !wildcards.vanished.isEmpty || !wildcards.appeared.isEmpty { forgetVanished() }
        if !notification.placeIndex.isEmpty { notification.placeIndex = [:] }
    }

    private func gatherAffected() {
        for index in pending.touches.indices {
            var node = records.properties[pending.touches[index].property].bound
            while node != .noRecord {
                if paths.nodes[node].isReplayed == replay.isUnderWay {
                    notification.affected.append(
                        Affected(node: node, depth: paths.nodes[node].depth, touch: Int32(index))
                    )
                }
                node = paths.nodes[node].nextBound
            }
        }
    }
}
