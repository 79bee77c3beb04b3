// SPDX-License-Identifier: MIT
// HEADER

extension PathIndex {
    /// Whether collection operators over the node's value are observed.
    @inline(__always)
    func isOperatedUpon(_ node: NodeID) -> Bool {
        // They stand before its other children.
        nodes[node].firstChild != .noRecord && nodes[nodes[node].firstChild].isOperator
    }
}
