// SPDX-License-Identifier: MIT
// What a collection operator makes of a container's elements. Knows nothing of who observes it.

/// A collection operator at one node of the path index, over what the node's parent leads to.
final class ObservedOperator {
    let function: CollectionOperator
    /// The path behind the operator, looked at in each element.
    let keyPath: [NameID]
    /// What it reads as, since the last telling.
    var value: StoredValue = .null
    var tally = Tally()
    /// Whether ``value``, and ``tally`` where it comes from that, can be kept up by what changes in the container.
    var isKept = false

    init(_ function: CollectionOperator, _ keyPath: [NameID]) {
        self.function = function
        self.keyPath = keyPath
    }

    /// Whether its value follows from a ``Tally``, and so from the elements concerned alone.
    var canTally: Bool { function == .count || function == .sum || function == .avg }

    /// Whether it takes `a` rather than `b`, of two numbers.
    func prefers(_ a: StoredValue, to b: StoredValue) -> Bool {
        function == .min ? a.isLess(than: b) : b.isLess(than: a)
    }
}

/// Counts and sums that elements can be added to and taken from, as long as no double is among them: the sum of doubles
/// depends on their order.
struct Tally {
    var elements = 0
    var numbers = 0
    var doubles = 0
    /// Exact: 2⁶³ elements of 64 bits fit.
    var total: Int128 = 0

    /// Adds an element's value `times` times; takes it away where that is negative.
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
