// SPDX-License-Identifier: MIT
// Whether operators depend on a node, for the fast path of a commit.

extension PathIndex {
    /// Whether collection operators over the node's value are observed.
    @inline(__always)
    func isOperatedUpon(_ node: NodeID) -> Bool {
        // Operators are the first children of a node.
        nodes[node].firstChild != .noRecord && nodes[nodes[node].firstChild].isOperator
    }
}
