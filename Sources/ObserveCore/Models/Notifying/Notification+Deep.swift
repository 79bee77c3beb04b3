// SPDX-License-Identifier: MIT
// Which nodes get events of single deep changes.

extension Notification {
    /// Whether the node gets single changes. A node that gets its whole value in this notification does not.
    func isWanted(_ node: NodeID) -> Bool {
        (reboundDeepNodes.isEmpty || !reboundDeepNodes.contains(node))
            && (deep.overflowed.isEmpty || !deep.overflowed.contains(node))
    }
}
