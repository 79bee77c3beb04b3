// SPDX-License-Identifier: MIT
// Counts and sums of elements. Independent of their order.

/// Counts and sums, which elements can join and leave in any order.
struct Tally {
    var elements = 0
    private var numbers = 0
    private var doubles = 0
    /// Exact: it can sum 2⁶³ integers of 64 bits.
    private var integers: Int128 = 0
    private var fractions = ExactSum()

    /// Adds an element's value once, or removes it.
    mutating func add(_ value: StoredValue, isRemoved: Bool = false) {
        let times = isRemoved ? -1 : 1
        switch value {
        case .int(let int):
            numbers += times
            integers += Int128(int) * Int128(times)
        case .double(let double):
            numbers += times
            doubles += times
            fractions.add(double, isSubtracted: isRemoved)
        default: break
        }
    }

    /// The value of `@count`, `@sum` or `@avg`.
    func value(of function: CollectionOperator) -> StoredValue {
        if function == .count { return .int(Int64(elements)) }
        if function == .avg, numbers == 0 { return .null }
        if function == .sum, doubles == 0, let sum = Int64(exactly: integers) { return .int(sum) }
        let sum = doubles == 0 ? Double(integers) : fractions.rounded(adding: integers)
        let result = function == .sum ? sum : sum / Double(numbers)
        return result.isFinite ? .double(result) : .null
    }
}
