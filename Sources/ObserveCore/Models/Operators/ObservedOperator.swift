// SPDX-License-Identifier: MIT
// The function, value and tally of one collection operator. Independent of its observers.

/// A collection operator. If observed, it has a node in the path index, over the value of the node's parent.
final class ObservedOperator {
    /// `noRecord` for an operator without observers: in a dependent's path, or evaluated once.
    let node: NodeID
    let function: CollectionOperator
    /// The operator's path in each element.
    let keyPath: [NameID]
    /// The value at the last notification.
    var value: StoredValue = .null
    var tally = Tally()
    /// Whether single changes in the container suffice to update ``value``, and ``tally`` if in use.
    var isKept = false
    /// The index in ``OperatorTable/stale``, if the running notification has found the operator stale.
    var staleIndex: Int?

    init(_ function: CollectionOperator, _ keyPath: [NameID], at node: NodeID = .noRecord) {
        self.node = node
        self.function = function
        self.keyPath = keyPath
    }

    /// Whether the value follows from a ``Tally``, so that only the changed elements matter.
    var canTally: Bool { function == .count || function == .sum || function == .avg }

    /// Whether the operator prefers number `a` to number `b`.
    func prefers(_ a: StoredValue, to b: StoredValue) -> Bool {
        function == .min ? a.isLess(than: b) : b.isLess(than: a)
    }
}

/// Counts and sums, updated by adding and removing elements. Valid while no element is a double, since a sum
/// of doubles depends on their order.
struct Tally {
    var elements = 0
    var numbers = 0
    var doubles = 0
    /// Exact: it can sum 2⁶³ elements of 64 bits.
    var total: Int128 = 0

    /// Adds an element's value `times` times; a negative number removes it.
    mutating func add(_ value: StoredValue, times: Int) {
        switch value {
        case .int(let int):
            numbers += times
            total += Int128(int) * Int128(times)
        case .double:
            numbers += times
            doubles += times
        default: break
        }
    }
}
