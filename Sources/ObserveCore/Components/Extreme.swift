// SPDX-License-Identifier: MIT
// The least or the greatest number among many operands. Independent of the tree.

/// The numbers among the operands of one container, the least or the greatest first.
///
/// A heap has the numbers with the places of their operands. It forgets no number at once: if the operand has another value by
/// now, the number is skipped when it comes first. The first read searches all operands, and the second one makes the heap: a
/// subscription reads once. If too many numbers are out of date, the heap is dropped, and the next read makes it again.
///
/// - Bounds: twice as many numbers as there are operands, and 64.
/// - Cost: O(log n) to add a number and to read the first one, amortised. O(n) for the first two reads.
struct Extreme {
    private struct Number: Comparable {
        // Exactly the sum of both: so all compare without rounding. Values of the tree would count references with each move.
        let rounded: Double
        let rest: Int16
        let place: UInt64

        /// - Returns: nil if the value is not a number.
        init?(_ value: StoredValue, at place: UInt64, isNegated: Bool) {
            var (rounded, rest) = (0.0, 0)
            switch value {
            case .int(let int):
                rounded = Double(int)
                if int.magnitude > 1 << 53 { rest = Int(Int128(int) - Int128(rounded)) }
            case .double(let double): rounded = double
            default: return nil
            }
            self.rounded = isNegated ? -rounded : rounded
            // Doubles of 64 bits are at most 1024 apart.
            self.rest = Int16(isNegated ? -rest : rest)
            self.place = place
        }

        static func < (left: Number, right: Number) -> Bool {
            left.rounded == right.rounded ? left.rest < right.rest : left.rounded < right.rounded
        }

        static func == (left: Number, right: Number) -> Bool {
            left.rounded == right.rounded && left.rest == right.rest
        }
    }

    /// Whether the greatest number comes first: all are negated in the heap.
    private let isGreatest: Bool
    private var isRead = false
    /// Nil if the next read has to make it.
    private var heap: Heap<Number>?

    static var least: Extreme { Extreme(isGreatest: false) }
    static var greatest: Extreme { Extreme(isGreatest: true) }

    private init(isGreatest: Bool) { self.isGreatest = isGreatest }

    /// How many numbers take memory.
    var count: Int { heap?.count ?? 0 }

    /// Notes an operand's new value.
    /// - Parameter count: how many operands there are.
    mutating func add(_ value: StoredValue, at place: UInt64, among count: Int) {
        guard heap != nil, let number = Number(value, at: place, isNegated: isGreatest) else { return }
        if self.count < 2 * count + 64 { heap?.insert(number) } else { heap = nil }
    }

    /// The first number; null if there is none.
    /// - Parameter now: the value of the operand at a place.
    mutating func first(
        among operands: ContiguousArray<Operands.Operand>,
        now: (UInt64) -> StoredValue
    ) -> StoredValue {
        let isGreatest = isGreatest
        let numbers = operands.lazy.compactMap { Number($0.value, at: $0.place, isNegated: isGreatest) }
        guard isRead else {
            isRead = true
            return numbers.min().map { now($0.place) } ?? .null
        }
        if heap == nil { heap = Heap(ContiguousArray(numbers).withoutSlack) }
        while let first = heap?.first {
            let value = now(first.place)
            if Number(value, at: first.place, isNegated: isGreatest) == first { return value }
            _ = heap?.removeFirst()
        }
        return .null
    }
}
