// SPDX-License-Identifier: MIT
// The end of a commit: who has to hear what, and branches bound anew. Writes no value.

extension ModelTree {
    /// Tells each observed path once what the commit did to its value, and binds what leads elsewhere now.
    ///
    /// Nodes are still bound as they were before the commit, so a node's old value is what ``before(_:)`` says of its
    /// property. Ancestors go first: where one leads to another branch now, everything below it is visited from there.
    func notify(_ mode: NotifyingMode) {
        notification.begin(mode)
        paths.beginNotification()
        if mode == .live { makeNodesThatAppeared() }
        gatherAffected()
        if notification.affected.count > 1 { notification.affected.sort { $0.depth < $1.depth } }
        for index in notification.affected.indices
        where paths.nodes[notification.affected[index].node].visit != notification.visit {
            notify(notification.affected[index])
        }
        if mode == .live {
            notifyOperators()
            notifyDeepObservers()
        }
        paths.endNotification()
        forgetVanished()
        notification.end()
    }

    private func gatherAffected() {
        for index in pending.touches.indices {
            var node = records.properties[pending.touches[index].property].bound
            while node != .noRecord {
                if paths.nodes[node].isReplayed == (notification.mode == .replay) {
                    notification.affected.append(
                        Affected(node: node, depth: paths.nodes[node].depth, touch: Int32(index))
                    )
                }
                node = paths.nodes[node].nextBound
            }
        }
    }
}
