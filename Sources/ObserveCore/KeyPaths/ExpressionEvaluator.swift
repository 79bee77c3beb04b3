// SPDX-License-Identifier: MIT
// Evaluates expressions over any values. Independent of where operands come from.

/// Evaluates expressions on a stack that it reuses. An operand may need another evaluation.
///
/// - Bounds: an evaluation reads at most `maxWork` bytes of texts and arrays; beyond, its value is null. A joined text has at
///   most `maxTextBytes`.
/// - Threading: confined to its owner.
/// - Cost: a step for each operand and operation. Allocates for texts alone, and for the digits of `round(a, n)`.
package final class ExpressionEvaluator<Value: ExpressionValue> {
    private var stack: ContiguousArray<Value> = []
    private let maxTextBytes: Int
    private let maxWork: Int
    /// How many bytes the last evaluation has read.
    package private(set) var work = 0

    package init(maxTextBytes: Int) {
        self.maxTextBytes = maxTextBytes
        maxWork = maxTextBytes.multipliedReportingOverflow(by: 4).overflow ? .max : 4 * maxTextBytes
    }

    /// The value of the expression.
    ///
    /// - Parameter operand: gives the value of the operand at an index; called for each of them, in their order.
    package func value(of expression: Expression, _ operand: (Int) -> Value) -> Value {
        let base = stack.count
        if base == 0 { work = 0 }
        defer {
            stack.removeLast(stack.count - base)
            if base == 0, stack.capacity > 64 { stack = [] }
        }
        for step in expression.steps {
            switch step {
            case .operand(let index):
                let value = operand(index)
                stack.append(value)
            case .apply(let operation): apply(operation)
            }
        }
        return work <= maxWork && stack.count > base ? stack.removeLast() : .nothing
    }

    private func apply(_ operation: Expression.Operation) {
        guard stack.count >= operation.operandCount else { return }
        if operation == .choose {
            let (other, value) = (stack.removeLast(), stack.removeLast())
            stack[stack.count - 1] = stack[stack.count - 1].isTrue ? value : other
        } else if operation.operandCount == 1 {
            stack[stack.count - 1] = apply(operation, stack[stack.count - 1])
        } else {
            let right = stack.removeLast()
            stack[stack.count - 1] = apply(operation, stack[stack.count - 1], right)
        }
    }

    /// Counts the bytes of values before they are read.
    ///
    /// - Returns: false if they are too many.
    private func mayRead(_ values: Value...) -> Bool {
        for value in values { work += value.size }
        return work <= maxWork
    }

    // MARK: One operand

    private func apply(_ operation: Expression.Operation, _ value: Value) -> Value {
        switch operation {
        case .not: return Value(.bool(!value.isTrue))
        case .negate: return Arithmetic.negated(value.operand).map { Value($0) } ?? .nothing
        case .abs, .floor, .ceil, .round:
            return Arithmetic.apply(operation, value.operand).map { Value($0) } ?? .nothing
        default: break
        }
        if operation == .len, case .array(let count) = value.operand { return Value(.int(Int64(count))) }
        guard case .text = value.operand, mayRead(value) else { return .nothing }
        switch operation {
        case .len: return Value(.int(Int64(value.text.unicodeScalars.count)))
        case .lower: return Value(text: value.text.lowercased())
        case .upper: return Value(text: value.text.uppercased())
        default: return .nothing
        }
    }

    // MARK: Two operands

    private func apply(_ operation: Expression.Operation, _ left: Value, _ right: Value) -> Value {
        switch operation {
        case .and: return Value(.bool(left.isTrue && right.isTrue))
        case .or: return Value(.bool(left.isTrue || right.isTrue))
        case .fallback: return left.isNull ? right : left
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
            return Value(.bool(compare(operation, left, right)))
        case .min, .max:
            guard Arithmetic.isNumber(right.operand) else {
                return Arithmetic.isNumber(left.operand) ? left : .nothing
            }
            let order = Arithmetic.order(right.operand, left.operand)
            return order.map { operation == .min ? $0 < 0 : $0 > 0 } ?? true ? right : left
        case .contains, .starts: return Value(.bool(find(operation, right, in: left)))
        case .add:
            guard case .text = left.operand, case .text = right.operand else { break }
            guard left.size + right.size <= maxTextBytes, mayRead(left, right) else { return .nothing }
            return left.joined(with: right)
        default: break
        }
        return Arithmetic.apply(operation, left.operand, right.operand).map { Value($0) } ?? .nothing
    }

    /// Whether a comparison holds.
    package func compare(_ operation: Expression.Operation, _ left: Value, _ right: Value) -> Bool {
        switch operation {
        case .equal: return isEqual(left, right)
        case .notEqual: return !isEqual(left, right)
        default: break
        }
        guard let order = order(left, right) else { return false }
        return switch operation {
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        default: false
        }
    }

    private func isEqual(_ left: Value, _ right: Value) -> Bool {
        left.size <= 64 || right.size <= 64 || mayRead(left, right) ? left.equals(right) : false
    }

    /// Negative if the left is less, 0 if both are equal; nil unless both are numbers or both are texts.
    private func order(_ left: Value, _ right: Value) -> Int? {
        guard case .text = left.operand, case .text = right.operand else {
            return Arithmetic.order(left.operand, right.operand)
        }
        guard mayRead(left, right) else { return nil }
        // The order of UTF-8 is that of scalars.
        let (first, second) = (left.text.utf8, right.text.utf8)
        return first.lexicographicallyPrecedes(second) ? -1 : second.lexicographicallyPrecedes(first) ? 1 : 0
    }

    private func find(_ operation: Expression.Operation, _ value: Value, in container: Value) -> Bool {
        switch (container.operand, value.operand) {
        case (.array, _) where operation == .contains:
            return mayRead(container) && container.hasElement(equalTo: value)
        case (.text, .text):
            guard mayRead(container, value) else { return false }
            return operation == .starts
                ? container.text.utf8.starts(with: value.text.utf8)
                : TextSearch.occurs(Array(value.text.utf8), in: Array(container.text.utf8))
        default: return false
        }
    }
}

/// Searches for a text in time proportional to both.
private enum TextSearch {
    /// Knuth, Morris and Pratt: after a mismatch, the search continues with the longest border of the matched part.
    static func occurs(_ wanted: [UInt8], in text: [UInt8]) -> Bool {
        if wanted.isEmpty { return true }
        guard wanted.count <= text.count else { return false }
        var borders = [0]
        var matched = 0
        for byte in wanted.dropFirst() {
            while matched > 0, wanted[matched] != byte { matched = borders[matched - 1] }
            if wanted[matched] == byte { matched += 1 }
            borders.append(matched)
        }
        matched = 0
        for byte in text {
            while matched > 0, wanted[matched] != byte { matched = borders[matched - 1] }
            if wanted[matched] == byte { matched += 1 }
            if matched == wanted.count { return true }
        }
        return false
    }
}
