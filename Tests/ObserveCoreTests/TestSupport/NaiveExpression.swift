// SPDX-License-Identifier: MIT
// Expressions as trees, after the protocol: random ones, their text, and their values by plain recursion over JSON.

@testable import ObserveCore

indirect enum NaiveExpression {
    /// The index of a path.
    case path(Int)
    case literal(Value)
    case unary(String, NaiveExpression)
    case binary(String, NaiveExpression, NaiveExpression)
    case choose(NaiveExpression, NaiveExpression, NaiveExpression)
    case call(String, [NaiveExpression])

    /// The operators, the weakest first, as the grammar has them.
    static let precedences = [
        ["||"], ["&&"], ["==", "=", "!=", "<", "<=", ">", ">="], ["??"], ["+", "-"], ["*", "/", "%"],
    ]

    // MARK: Random expressions

    static func random(_ depth: Int, paths: Int, _ random: inout SeededGenerator) -> NaiveExpression {
        func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
        if depth == 0 || below(4) == 0 {
            if below(3) > 0 { return .path(below(paths)) }
            let literals: [Value] = [
                .null, true, false, 0, 1, 2, 9_223_372_036_854_775_807, 0.5, 2.5, 1e300, "", "a", "é", "a\"b",
            ]
            return .literal(literals[below(literals.count)])
        }
        let (kind, first, second) = (below(10), below(6), below(7))
        func part() -> NaiveExpression { .random(depth - 1, paths: paths, &random) }
        switch kind {
        case 0: return .unary(first < 3 ? "!" : "-", part())
        case 1: return .choose(part(), part(), part())
        case 2, 3:
            let names = ["abs", "floor", "ceil", "round", "len", "lower", "upper"]
            return .call(names[second], [part()])
        case 4:
            let names = ["min", "max", "round", "contains", "starts", "min", "max"]
            let isLong = second > 4
            return .call(names[second], [part(), part()] + (isLong ? [part()] : []))
        default:
            let row = precedences[first]
            return .binary(row[second % row.count], part(), part())
        }
    }

    // MARK: Text

    /// The expression with no more parentheses than it needs.
    func text(_ paths: [String]) -> String { text(paths, 0) }

    /// - Parameter level: the weakest operators that need no parentheses here; -1 for `? :`.
    private func text(_ paths: [String], _ level: Int) -> String {
        switch self {
        case .path(let index): return paths[index]
        case .literal(.string(let text)) where !text.contains("\""): return "'\(text)'"
        case .literal(let value): return value.json
        case .unary(let sign, let part): return "\(sign)\(part.text(paths, 7))"
        case .choose(let condition, let value, let other):
            let text = "\(condition.text(paths, 1)) ? \(value.text(paths, 0)) : \(other.text(paths, 0))"
            return level > 0 ? "(\(text))" : text
        case .call(let name, let parts):
            return "\(name)(\(parts.map { $0.text(paths, 0) }.joined(separator: ",")))"
        case .binary(let sign, let left, let right):
            let own = 1 + (Self.precedences.firstIndex { $0.contains(sign) } ?? 0)
            let text = "\(left.text(paths, own == 3 ? 4 : own)) \(sign) \(right.text(paths, own + 1))"
            return own < level ? "(\(text))" : text
        }
    }

    /// The indices of the paths, in the order of the text.
    var pathIndices: [Int] {
        switch self {
        case .path(let index): [index]
        case .literal: []
        case .unary(_, let part): part.pathIndices
        case .binary(_, let left, let right): left.pathIndices + right.pathIndices
        case .choose(let condition, let value, let other):
            condition.pathIndices + value.pathIndices + other.pathIndices
        case .call(_, let parts): parts.flatMap(\.pathIndices)
        }
    }

    // MARK: Values

    func value(_ paths: [Value]) -> Value {
        switch self {
        case .path(let index): return paths[index]
        case .literal(let value): return value
        case .unary("!", let part): return .bool(part.value(paths) != true)
        case .unary(_, let part): return Self.arithmetic("-", 0, part.value(paths), isSign: true)
        case .choose(let condition, let value, let other):
            return (condition.value(paths) == true ? value : other).value(paths)
        case .call(let name, let parts): return Self.call(name, parts.map { $0.value(paths) })
        case .binary(let sign, let left, let right):
            return Self.binary(sign, left.value(paths), right.value(paths))
        }
    }

    private static func binary(_ sign: String, _ left: Value, _ right: Value) -> Value {
        switch sign {
        case "||": return .bool(left == true || right == true)
        case "&&": return .bool(left == true && right == true)
        case "==", "=": return .bool(left == right)
        case "!=": return .bool(left != right)
        case "<": return .bool(isLess(left, right))
        case ">": return .bool(isLess(right, left))
        case "<=": return .bool(isLess(left, right) || isOrdered(left, right) && left == right)
        case ">=": return .bool(isLess(right, left) || isOrdered(left, right) && left == right)
        case "??": return left.isNull ? right : left
        case "+":
            if let left = left.string, let right = right.string { return .string(left + right) }
            return arithmetic(sign, left, right)
        default: return arithmetic(sign, left, right)
        }
    }

    private static func isOrdered(_ left: Value, _ right: Value) -> Bool {
        left.double != nil && right.double != nil || left.string != nil && right.string != nil
    }

    private static func isLess(_ left: Value, _ right: Value) -> Bool {
        if let left = left.string, let right = right.string {
            return left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
        }
        switch (left, right) {
        case (.int(let left), .int(let right)): return left < right
        case (.int(let left), .double(let right)): return isLess(left, right)
        case (.double(let left), .int(let right)):
            return !isLess(right, left) && Value.int(right) != Value.double(left)
        case (.double(let left), .double(let right)): return left < right
        default: return false
        }
    }

    private static func isLess(_ left: Int64, _ right: Double) -> Bool {
        let whole = right.rounded(.down)
        guard whole < 0x1p63 else { return true }
        return whole >= -0x1p63 && (left < Int64(whole) || left == Int64(whole) && right > whole)
    }

    private static func arithmetic(_ sign: String, _ left: Value, _ right: Value, isSign: Bool = false)
        -> Value
    {
        guard let first = left.double, let second = right.double else { return .null }
        if case .int(let first) = left, case .int(let second) = right, sign != "/" {
            if sign == "%", second == 0 { return .null }
            let exact: Int128 =
                switch sign {
                case "+": Int128(first) + Int128(second)
                case "-": Int128(first) - Int128(second)
                case "*": Int128(first) * Int128(second)
                default: Int128(first) % Int128(second)
                }
            if let int = Int64(exactly: exact) { return .int(int) }
        }
        let double: Double =
            switch sign {
            case "+": first + second
            case "-": isSign ? -second : first - second
            case "*": first * second
            case "/": first / second
            default: first.truncatingRemainder(dividingBy: second)
            }
        return double.isFinite ? .double(double) : .null
    }

    private static func call(_ name: String, _ values: [Value]) -> Value {
        let first = values[0]
        switch name {
        case "min", "max":
            var best = Value.null
            for value in values where value.double != nil {
                let isBetter = name == "min" ? isLess(value, best) : isLess(best, value)
                if best.isNull || isBetter { best = value }
            }
            return best
        case "len":
            let count = first.string.map { $0.unicodeScalars.count } ?? first.array?.count
            return count.map { .int(Int64($0)) } ?? .null
        case "lower": return first.string.map { .string($0.lowercased()) } ?? .null
        case "upper": return first.string.map { .string($0.uppercased()) } ?? .null
        case "starts":
            guard let text = first.string, let beginning = values[1].string else { return false }
            return .bool(
                Array(text.unicodeScalars.prefix(beginning.unicodeScalars.count))
                    == Array(beginning.unicodeScalars)
            )
        case "contains": return .bool(contains(first, values[1]))
        case "abs":
            if case .int(.min) = first { return .double(0x1p63) }
            if case .int(let int) = first { return .int(abs(int)) }
            return first.double.map { .double(abs($0)) } ?? .null
        default: return round(name, first, values.dropFirst().first)
        }
    }

    private static func contains(_ container: Value, _ value: Value) -> Bool {
        if let elements = container.array { return elements.contains(value) }
        guard let text = container.string.map({ Array($0.unicodeScalars) }),
            let wanted = value.string.map({ Array($0.unicodeScalars) })
        else { return false }
        return (0...text.count).contains { text[$0...].starts(with: wanted) }
    }

    private static func round(_ name: String, _ value: Value, _ decimals: Value?) -> Value {
        guard let decimals else {
            guard case .double(let double) = value else { return value.double == nil ? .null : value }
            let rounded: Double =
                switch name {
                case "floor": double.rounded(.down)
                case "ceil": double.rounded(.up)
                default: double.rounded(.toNearestOrAwayFromZero)
                }
            return Int64(exactly: rounded).map { .int($0) } ?? .double(rounded)
        }
        guard let count = decimals.int, count >= 0, count <= 15, value.double != nil else { return .null }
        guard case .double(let double) = value else { return value }
        return .double(rounded(double, Int(count)))
    }

    /// Rounds the digits that JSON shows.
    private static func rounded(_ double: Double, _ count: Int) -> Double {
        let parts = Value.double(double.magnitude).json.split(separator: "e")
        let halves = parts[0].split(separator: ".")
        var digits = halves.joined().utf8.map { Int($0) - 0x30 }
        var point = halves[0].count + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
        while point + count < 0 { (digits, point) = ([0] + digits, point + 1) }
        let end = point + count
        guard end < digits.count else { return double }
        var carry = digits[end] >= 5 ? 1 : 0
        digits.removeSubrange(end...)
        for index in digits.indices.reversed() {
            digits[index] += carry
            carry = digits[index] / 10
            digits[index] %= 10
        }
        let text = ([carry] + digits).map(String.init).joined()
        return Double("\(double.sign == .minus ? "-" : "")\(text)e-\(count)") ?? .nan
    }
}
