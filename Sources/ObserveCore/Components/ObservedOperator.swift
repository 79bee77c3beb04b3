// SPDX-License-Identifier: MIT
// The function, value and operands of one collection operator. Independent of its observers.

/// An observed collection operator: it has a node in the path index, over the value of the node's parent.
final class ObservedOperator {
    let node: NodeID
    let call: OperatorCall
    /// Shared with the other operators over the container that have the key path.
    let operands: Operands
    /// The value at the last notification.
    var value: StoredValue = .null
    /// The index in ``OperatorTable/stale``, if the running notification has found the operator stale.
    var staleIndex: Int?

    init(_ call: OperatorCall, at node: NodeID, _ operands: Operands) {
        self.call = call
        self.node = node
        self.operands = operands
    }

    var function: CollectionOperator { call.function }
    var keyPath: [NameID] { call.keyPath }
}
