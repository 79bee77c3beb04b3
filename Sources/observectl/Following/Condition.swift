// SPDX-License-Identifier: MIT
// A condition of `observectl wait`, and whether it holds for a value. Independent of the daemon and of its syntax.

import ObserveCore

/// A test of the value at one path, or an expression over several.
struct Condition {
    enum Test {
        case comparison(Expression.Operation, Value)
        /// The pattern occurs in the text.
        case matches(TextPattern)
        case expression(Expression)
    }

    /// One path, unless the test is an expression.
    let paths: [String]
    let test: Test
    let text: String

    /// Whether it holds for the values at the paths, in their order; nil if the deadline passes first.
    func holds(for values: [Value], until deadline: MonotonicTime? = nil) -> Bool? {
        switch test {
        case .comparison(let operation, let other):
            return Condition.evaluator().compare(operation, values[0], other)
        case .matches(let pattern):
            guard let text = values[0].string else { return false }
            return pattern.occurs(in: text, until: deadline)
        case .expression: return value(values).bool == true
        }
    }

    /// What the condition is about: the value of its expression, or the one at its path.
    func value(_ values: [Value]) -> Value {
        guard case .expression(let expression) = test else { return values[0] }
        return Condition.evaluator().value(of: expression) { index in
            switch expression.operands[index] {
            case .path(let path): zip(paths, values).first { $0.0.isExactly(path) }?.1 ?? .null
            case .literal(let literal): literal
            case .field, .empty: .null
            }
        }
    }

    private static func evaluator() -> ExpressionEvaluator<Value> { ExpressionEvaluator(maxTextBytes: .max) }
}

extension [String] {
    /// Each element once, where it stands first.
    var withoutRepeats: [String] {
        var seen: Set<[UInt8]> = []
        return filter { seen.insert($0.bytes).inserted }
    }
}
