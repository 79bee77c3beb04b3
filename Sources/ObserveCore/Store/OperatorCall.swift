// SPDX-License-Identifier: MIT
// A collection operator with its path, as it occurs in a key path. Data only.

/// A collection operator: its function, and the path that it follows in each element.
struct OperatorCall {
    let function: CollectionOperator
    /// Retained names.
    let keyPath: [NameID]

    /// Whether the operator, a minimum or maximum, prefers number `a` to number `b`.
    func prefers(_ a: StoredValue, to b: StoredValue) -> Bool {
        function == .min ? a.isLess(than: b) : b.isLess(than: a)
    }
}
