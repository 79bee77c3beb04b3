// SPDX-License-Identifier: MIT
// HEADER

extension Notification {
    /// Whether the node is told of single changes: not where it has been, or will be, told as a whole.
    func isWanted(_ node: NodeID) -> Bool {
        (reboundDeepNodes.isEmpty || !reboundDeepNodes.contains(node))
            && (deep.overflowed.isEmpty || !deep.overflowed.contains(node))
    }
}
