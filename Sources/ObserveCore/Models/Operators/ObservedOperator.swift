// SPDX-License-Identifier: MIT
// The function, value and operands of one collection operator. Independent of its observers.

/// A collection operator. If observed, it has a node in the path index, over the value of the node's parent.
final class ObservedOperator {
    /// `noRecord` for an operator without observers: in a dependent's path, or evaluated once.
    let node: NodeID
    let function: CollectionOperator
    /// The operator's path in each element.
    let keyPath: [NameID]
    /// Shared with the other operators over the container that have the key path; nil without a node.
    let operands: Operands?
    /// The value at the last notification.
    var value: StoredValue = .null
    /// The index in ``OperatorTable/stale``, if the running notification has found the operator stale.
    var staleIndex: Int?

    init(
        _ function: CollectionOperator,
        _ keyPath: [NameID],
        at node: NodeID = .noRecord,
        _ operands: Operands? = nil
    ) {
        self.node = node
        self.function = function
        self.keyPath = keyPath
        self.operands = operands
    }

    /// Whether the operator prefers number `a` to number `b`.
    func prefers(_ a: StoredValue, to b: StoredValue) -> Bool {
        function == .min ? a.isLess(than: b) : b.isLess(than: a)
    }
}
