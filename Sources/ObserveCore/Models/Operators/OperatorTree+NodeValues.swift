// SPDX-License-Identifier: MIT
// The current values of observed paths.

extension OperatorTree {
    /// The current value of the node's path; text is borrowed.
    func currentValue(of node: NodeID) -> StoredValue {
        let property = paths.nodes[node].property
        if property != .noRecord { return records.properties[property].slot }
        if paths.nodes[node].isOperator { return operators.byNode[node]?.value ?? .null }
        guard node != paths.rootNode else { return .model(records.root) }
        guard case .array(let array) = currentValue(of: paths.nodes[node].parent) else { return .absent }
        return array.element(Int(paths.nodes[node].index))
    }
}
