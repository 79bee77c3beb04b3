// SPDX-License-Identifier: MIT
// A condition of `observectl wait`, and whether it holds for a value. Independent of the daemon and of its syntax.

import ObserveCore

/// A test of the value at one path.
struct Condition {
    /// The operators that take a value to compare with, as they are typed.
    enum Comparison: String, CaseIterable {
        case equal = "="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
    }

    enum Test {
        /// Not null.
        case exists
        case gone
        case comparison(Comparison, Value)
        /// The pattern occurs in the text.
        case matches(TextPattern)
    }

    let path: String
    let test: Test
    /// The condition as it was typed.
    let text: String

    /// Nil if the deadline passes first.
    func holds(for value: Value, until deadline: MonotonicTime? = nil) -> Bool? {
        switch test {
        case .exists: !value.isNull
        case .gone: value.isNull
        case .comparison(.equal, let other): value == other
        case .comparison(.notEqual, let other): value != other
        case .comparison(.less, let other): value.order(to: other).map { $0 < 0 } ?? false
        case .comparison(.lessOrEqual, let other): value.order(to: other).map { $0 <= 0 } ?? false
        case .comparison(.greater, let other): value.order(to: other).map { $0 > 0 } ?? false
        case .comparison(.greaterOrEqual, let other): value.order(to: other).map { $0 >= 0 } ?? false
        case .matches(let pattern):
            if let text = value.string { pattern.occurs(in: text, until: deadline) } else { false }
        }
    }
}

private extension Value {
    /// Negative if this is less, 0 if both are equal, else positive; nil unless both are numbers or both are text.
    func order(to other: Value) -> Int? {
        switch (self, other) {
        case (.int(let left), .int(let right)): left < right ? -1 : left > right ? 1 : 0
        case (.double(let left), .double(let right)): left < right ? -1 : left > right ? 1 : 0
        case (.int(let left), .double(let right)): Numbers.compare(left, right)
        case (.double(let left), .int(let right)): -Numbers.compare(right, left)
        // By Unicode scalars, as text is compared for equality.
        case (.string(let left), .string(let right)):
            left.utf8.lexicographicallyPrecedes(right.utf8)
                ? -1 : right.utf8.lexicographicallyPrecedes(left.utf8) ? 1 : 0
        default: nil
        }
    }
}
