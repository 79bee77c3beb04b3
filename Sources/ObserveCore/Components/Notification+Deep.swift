// SPDX-License-Identifier: MIT
// Decides which nodes get events for single changes below them.

extension Notification {
    /// Whether the node gets events for single changes. It does not if this notification has an event for its
    /// whole value.
    func isWanted(_ node: NodeID) -> Bool {
        (reboundDeepNodes.isEmpty || !reboundDeepNodes.contains(node))
            && (deep.overflowed.isEmpty || !deep.overflowed.contains(node))
    }
}
