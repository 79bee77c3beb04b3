// SPDX-License-Identifier: MIT
// Arithmetic of expressions over integers and doubles. Independent of other kinds.

/// Every result is a number, or nil: for another kind, a division by zero, and what no finite double holds.
enum Arithmetic {
    static func isNumber(_ value: ExpressionScalar) -> Bool { double(value) != nil }

    private static func double(_ value: ExpressionScalar) -> Double? {
        switch value {
        case .int(let int): Double(int)
        case .double(let double): double
        default: nil
        }
    }

    private static func finite(_ double: Double) -> ExpressionScalar? {
        double.isFinite ? .double(double) : nil
    }

    /// Compares by value, without rounding; nil unless both are numbers.
    static func order(_ left: ExpressionScalar, _ right: ExpressionScalar) -> Int? {
        switch (left, right) {
        case (.int(let left), .int(let right)): left < right ? -1 : left > right ? 1 : 0
        case (.double(let left), .double(let right)): left < right ? -1 : left > right ? 1 : 0
        case (.int(let left), .double(let right)): Numbers.compare(left, right)
        case (.double(let left), .int(let right)): -Numbers.compare(right, left)
        default: nil
        }
    }

    static func negated(_ value: ExpressionScalar) -> ExpressionScalar? {
        switch value {
        case .int(.min): .double(0x1p63)
        case .int(let int): .int(-int)
        case .double(let double): .double(-double)
        default: nil
        }
    }

    /// `abs`, `floor`, `ceil` and `round`.
    static func apply(_ operation: Expression.Operation, _ value: ExpressionScalar) -> ExpressionScalar? {
        switch (operation, value) {
        case (.abs, .int(let int)): int < 0 ? negated(value) : value
        case (.abs, .double(let double)): .double(double.magnitude)
        case (_, .int): value
        case (.floor, .double(let double)): whole(double.rounded(.down))
        case (.ceil, .double(let double)): whole(double.rounded(.up))
        case (_, .double(let double)): whole(double.rounded(.toNearestOrAwayFromZero))
        default: nil
        }
    }

    private static func whole(_ double: Double) -> ExpressionScalar {
        Numbers.exactInt64(double).map { .int($0) } ?? .double(double)
    }

    static func apply(
        _ operation: Expression.Operation,
        _ left: ExpressionScalar,
        _ right: ExpressionScalar
    ) -> ExpressionScalar? {
        if operation == .roundDecimals { return rounded(left, right) }
        if case .int(let first) = left, case .int(let second) = right {
            let result: (partialValue: Int64, overflow: Bool)? =
                switch operation {
                case .add: first.addingReportingOverflow(second)
                case .subtract: first.subtractingReportingOverflow(second)
                case .multiply: first.multipliedReportingOverflow(by: second)
                case .remainder where second != 0:
                    (first.remainderReportingOverflow(dividingBy: second).partialValue, false)
                default: nil
                }
            if let result, !result.overflow { return .int(result.partialValue) }
        }
        guard let first = double(left), let second = double(right) else { return nil }
        switch operation {
        case .add: return finite(first + second)
        case .subtract: return finite(first - second)
        case .multiply: return finite(first * second)
        case .divide: return finite(first / second)
        case .remainder: return finite(first.truncatingRemainder(dividingBy: second))
        default: return nil
        }
    }

    /// `round` to a number of decimals.
    private static func rounded(_ value: ExpressionScalar, _ places: ExpressionScalar) -> ExpressionScalar? {
        guard let count = double(places).flatMap(Numbers.exactInt64), 0...15 ~= count else { return nil }
        switch value {
        case .int: return value
        case .double(let double): return .double(value.decimal?.rounded(decimals: Int(count)) ?? double)
        default: return nil
        }
    }
}
