// SPDX-License-Identifier: MIT
// The state of notifying the observers of one commit, and which nodes get events for single changes below them.

struct Notification: ~Copyable {
    /// The number of the notification. A node with the same number has had its visit.
    var visit: UInt32 = 0
    /// The nodes bound to touched properties, collected before the first visit.
    var affected = Scratch<Affected>()
    /// Counts the nodes below changed ones that were compared, in all notifications.
    var comparedNodes: UInt64 = 0
    /// Whether ``ModelTree/moveLeaf(_:to:_:_:)`` is in use; tests turn this fast path off.
    var movesLeaves = true
    /// Deeply observed nodes that get an event for their whole value in this notification.
    var reboundDeepNodes: Set<NodeID> = []
    /// The changes below deeply observed nodes; empty between notifications.
    var deep = DeepNotification()

    var isIdle: Bool { affected.isEmpty && reboundDeepNodes.isEmpty && deep.isIdle }

    /// Whether the node gets events for single changes. It does not if this notification has an event for its whole value.
    func isWanted(_ node: NodeID) -> Bool {
        (reboundDeepNodes.isEmpty || !reboundDeepNodes.contains(node))
            && (deep.overflowed.isEmpty || !deep.overflowed.contains(node))
    }
}
