// SPDX-License-Identifier: MIT
// Evaluates expressions over any values. Independent of where operands come from.

/// Evaluates expressions on stacks that it reuses. An operand may need another evaluation.
/// - Bounds: a joined text has at most `maxTextBytes`. An evaluation reads at most four times as many bytes of texts and arrays;
///   beyond, its value is null.
/// - Cost: a step for each operand and operation. Allocates for texts alone, and for the digits of `round(a, n)`.
package final class ExpressionEvaluator<Value: ExpressionValue> {
    /// The stacks that no evaluation uses. Each evaluation takes one out.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe private var stacks: [ContiguousArray<Value>] = []
    private var evaluations = 0
    package var maxTextBytes: Int
    /// How many bytes the evaluation has read, with those within it.
    private var readBytes = 0
    /// The time of all evaluations, as the number of bytes that could have been read in it. Wraps around.
    package private(set) var work = 0

    package init(maxTextBytes: Int) {
        self.maxTextBytes = maxTextBytes
    }

    /// Whether the evaluation has read no more than it may: divided, since four times the bound may overflow.
    private var isWithinBounds: Bool { (readBytes &+ 3) >> 2 <= maxTextBytes }

    /// The value of the expression.
    /// - Parameter operand: gives the value of the operand at an index; called for each of them, in their order.
    package func value(of expression: Expression, _ operand: (Int) -> Value) -> Value {
        if evaluations == 0 { readBytes = 0 }
        evaluations += 1
        var stack = stacks.popLast() ?? []
        for step in expression.steps {
            switch step {
            case .operand(let index): stack.append(operand(index))
            case .apply(let operation): apply(operation, on: &stack)
            }
        }
        let value = isWithinBounds ? stack.popLast() : nil
        evaluations -= 1
        if stack.capacity <= 64 {
            if !stack.isEmpty { stack.removeAll(keepingCapacity: true) }
            stacks.append(stack)
        }
        return value ?? .null
    }

    private func apply(_ operation: Expression.Operation, on stack: inout ContiguousArray<Value>) {
        guard stack.count >= operation.operandCount else { return }
        let last = stack.removeLast()
        switch operation.operandCount {
        case 1: stack.append(apply(operation, last))
        case 2: stack[stack.count - 1] = apply(operation, stack[stack.count - 1], last)
        default:
            let value = stack.removeLast()
            stack[stack.count - 1] = stack[stack.count - 1].isTrue ? value : last
        }
    }

    /// Counts the bytes of values before they are read. Returns false if they are too many.
    private func mayRead(_ values: Value...) -> Bool {
        let count = values.reduce(0) { $0 + $1.size }
        readBytes += count
        work &+= count
        return isWithinBounds
    }

    // MARK: One operand

    private func apply(_ operation: Expression.Operation, _ value: Value) -> Value {
        switch operation {
        case .not: return .bool(!value.isTrue)
        case .negate: return Value(Arithmetic.negated(value.operand))
        case .abs, .floor, .ceil, .round: return Value(Arithmetic.apply(operation, value.operand))
        default: break
        }
        if operation == .len, case .array(let count) = value.operand { return .int(Int64(count)) }
        guard case .text = value.operand, mayRead(value) else { return .null }
        switch operation {
        case .len: return .int(Int64(value.withUTF8 { $0.scalarCount }))
        case .lower, .upper:
            // A scalar beyond ASCII goes through Unicode's tables: a text of them takes about sixteen times as long as a search.
            if value.withUTF8({ $0.scalarCount < $0.count }) { work &+= 16 &* value.size }
            return Value(text: value.text.cased(isLower: operation == .lower))
        default: return .null
        }
    }

    // MARK: Two operands

    private func apply(_ operation: Expression.Operation, _ left: Value, _ right: Value) -> Value {
        switch operation {
        case .and: return .bool(left.isTrue && right.isTrue)
        case .or: return .bool(left.isTrue || right.isTrue)
        case .fallback: return left.isNull ? right : left
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
            return .bool(compare(operation, left, right))
        case .min, .max:
            if !Arithmetic.isNumber(right.operand) { return Arithmetic.isNumber(left.operand) ? left : .null }
            let order = Arithmetic.order(right.operand, left.operand)
            return order.map { operation == .min ? $0 < 0 : $0 > 0 } ?? true ? right : left
        case .contains, .starts: return .bool(find(operation, right, in: left))
        case .add:
            guard case .text = left.operand, case .text = right.operand else { break }
            guard left.size + right.size <= maxTextBytes, mayRead(left, right) else { return .null }
            return left.joined(with: right)
        default: break
        }
        return Value(Arithmetic.apply(operation, left.operand, right.operand))
    }

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
        guard case .text = left.operand, case .text = right.operand
        else { return Arithmetic.order(left.operand, right.operand) }
        guard mayRead(left, right) else { return nil }
        // The order of UTF-8 is that of scalars.
        return left.withUTF8 { left in right.withUTF8 { left.order(to: $0) } }
    }

    private func find(_ operation: Expression.Operation, _ value: Value, in container: Value) -> Bool {
        switch (container.operand, value.operand) {
        case (.array, _) where operation == .contains:
            return mayRead(container) && container.hasElement(equalTo: value)
        case (.text, .text):
            guard mayRead(container, value) else { return false }
            return container.withUTF8 { text in
                value.withUTF8 { operation == .starts ? text.starts(with: $0) : text.contains($0) }
            }
        default: return false
        }
    }
}

extension String {
    /// What `lowercased()` or `uppercased()` returns, in half the time: no `String` is made of each ASCII letter.
    fileprivate func cased(isLower: Bool) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(utf8.count)
        let letters: ClosedRange<UInt32> = isLower ? 0x41...0x5A : 0x61...0x7A
        for scalar in unicodeScalars {
            if scalar.isASCII {
                result.append(UInt8(letters.contains(scalar.value) ? scalar.value ^ 0x20 : scalar.value))
            } else {
                let properties = scalar.properties
                result += (isLower ? properties.lowercaseMapping : properties.uppercaseMapping).utf8
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
