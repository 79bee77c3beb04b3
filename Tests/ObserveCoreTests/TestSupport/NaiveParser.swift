// SPDX-License-Identifier: MIT
// Parses expressions and templates after the grammar in the protocol, with no regard to limits, columns and speed.

@testable import ObserveCore

/// A second parser of expressions, with whose results tests compare the library's.
///
/// Of a key path, it takes its lexical form: operators and their places are those of ``ParsedKeyPath``. An operand of the
/// result is numbered by its place among all operands outside of conditions.
struct NaiveParser {
    private struct Fault: Error {}

    private let text: [Unicode.Scalar]
    private let maxDepth: Int
    private var at = 0
    private var operandCount = 0
    private var isCondition = false

    /// The expression that is the whole text; nil if it is faulty.
    static func expression(_ text: String, maxDepth: Int) -> NaiveExpression? {
        var parser = NaiveParser(text: Array(text.unicodeScalars), maxDepth: maxDepth)
        guard let expression = try? parser.conditional(), parser.isNext(nil) else { return nil }
        return expression
    }

    /// The expressions of a template, each with its operands numbered from 0; nil if it is faulty.
    static func template(_ text: String, maxDepth: Int) -> [NaiveExpression]? {
        var parser = NaiveParser(text: Array(text.unicodeScalars), maxDepth: maxDepth)
        return try? parser.template()
    }

    private init(text: [Unicode.Scalar], maxDepth: Int) { (self.text, self.maxDepth) = (text, maxDepth) }

    // MARK: Scalars

    private func scalar(_ index: Int) -> Unicode.Scalar? { text.indices ~= index ? text[index] : nil }

    private mutating func pop(_ wanted: String) -> Bool {
        let wanted = Array(wanted.unicodeScalars)
        guard text.dropFirst(at).starts(with: wanted) else { return false }
        at += wanted.count
        return true
    }

    private mutating func skipSpace() {
        while let next = scalar(at), " \t\n".unicodeScalars.contains(next) { at += 1 }
    }

    private mutating func isNext(_ next: Unicode.Scalar?) -> Bool {
        skipSpace()
        return scalar(at) == next
    }

    private mutating func expect(_ wanted: String) throws {
        skipSpace()
        if !pop(wanted) { throw Fault() }
    }

    private func isDigit(_ scalar: Unicode.Scalar?) -> Bool {
        scalar.map { ("0"..."9").contains($0) } ?? false
    }

    private func isName(_ scalar: Unicode.Scalar?) -> Bool {
        guard let scalar else { return false }
        return !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
            && !"-.[](){}\"',:?|&!<>=+*/%\\".unicodeScalars.contains(scalar)
    }

    // MARK: Operators

    private mutating func conditional() throws -> NaiveExpression {
        let condition = try binary(0)
        guard isNext("?"), scalar(at + 1) != "?" else { return condition }
        at += 1
        let value = try conditional()
        try expect(":")
        return .choose(condition, value, try conditional())
    }

    private mutating func binary(_ level: Int) throws -> NaiveExpression {
        guard level < NaiveExpression.precedences.count else { return try unary() }
        let isComparison = NaiveExpression.precedences[level].contains("<")
        let signs = NaiveExpression.precedences[level].sorted { $0.count > $1.count }
        var left = try binary(level + 1)
        var count = 0
        while true {
            skipSpace()
            guard let sign = signs.first(where: { pop($0) }) else { return left }
            count += 1
            if isComparison, count > 1 { throw Fault() }
            left = .binary(sign, left, try binary(level + 1))
        }
    }

    private mutating func unary() throws -> NaiveExpression {
        skipSpace()
        let start = at
        if pop("-9223372036854775808") {
            if !isName(scalar(at)), scalar(at) != ".", scalar(at) != "\\" { return literal(.int(.min)) }
            at = start
        }
        for sign in ["!", "-"] where pop(sign) { return .unary(sign, try unary()) }
        return try operand()
    }

    // MARK: Operands

    private mutating func operand() throws -> NaiveExpression {
        if pop("(") {
            let expression = try conditional()
            try expect(")")
            return expression
        }
        if isDigit(scalar(at)) { return literal(try number()) }
        if scalar(at) == "'" || scalar(at) == "\"" { return literal(try quoted()) }
        if isCondition, pop(".") { return path() }
        let start = at
        try keyPath()
        let word = string(start..<at)
        if scalar(at) == "(", !word.contains(where: { ".\\[".contains($0) }) { return try call(word) }
        switch word {
        case "true": return literal(true)
        case "false": return literal(false)
        case "null": return literal(.null)
        default: return path()
        }
    }

    private mutating func literal(_ value: Value) -> NaiveExpression {
        operandCount += 1
        return .literal(value)
    }

    private mutating func path() -> NaiveExpression {
        operandCount += 1
        return .path(operandCount - 1)
    }

    private mutating func call(_ name: String) throws -> NaiveExpression {
        at += 1
        var operands: [NaiveExpression] = []
        repeat {
            operands.append(try conditional())
            skipSpace()
        } while pop(",")
        try expect(")")
        let counts: [String: ClosedRange<Int>] = [
            "min": 2...Int.max, "max": 2...Int.max, "round": 1...2, "contains": 2...2, "starts": 2...2,
            "abs": 1...1, "floor": 1...1, "ceil": 1...1, "len": 1...1, "lower": 1...1, "upper": 1...1,
        ]
        guard counts[name]?.contains(operands.count) == true else { throw Fault() }
        return .call(name, operands)
    }

    private func string(_ range: Range<Int>) -> String {
        var string = String.UnicodeScalarView()
        string.append(contentsOf: text[range])
        return String(string)
    }

    private func endOfDigits(_ start: Int) -> Int {
        text[start...].firstIndex { !isDigit($0) } ?? text.count
    }

    private mutating func number() throws -> Value {
        let start = at
        if scalar(at) == "0" { at += 1 } else { at = endOfDigits(at) }
        if scalar(at) == ".", isDigit(scalar(at + 1)) {
            at = endOfDigits(at + 1)
        }
        if scalar(at) == "e" || scalar(at) == "E" {
            var end = at + 1
            if scalar(end) == "+" || scalar(end) == "-" { end += 1 }
            if isDigit(scalar(end)) { at = endOfDigits(end) }
        }
        if isName(scalar(at)) || scalar(at) == "." || scalar(at) == "\\" { throw Fault() }
        return try Value(json: string(start..<at))
    }

    private mutating func quoted() throws -> Value {
        let quote = text[at]
        var json = "\""
        at += 1
        while let next = scalar(at), next != quote {
            at += 1
            if next == "\\", let escaped = scalar(at) {
                at += 1
                json += quote == "'" && escaped == "'" ? "'" : "\\\(escaped)"
            } else {
                json += next == "\"" ? "\\\"" : "\(next)"
            }
        }
        guard scalar(at) == quote else { throw Fault() }
        at += 1
        return try Value(json: json + "\"")
    }

    // MARK: Key paths

    private mutating func keyPath() throws {
        var withoutConditions = ""
        repeat {
            let start = at
            while true {
                if scalar(at) == "\\", scalar(at + 1) != nil {
                    at += 2
                } else if isName(scalar(at)) {
                    at += 1
                } else if scalar(at) == "-", at > start {
                    let end = text[at...].firstIndex { $0 != "-" }
                    guard let end, isName(text[end]) || text[end] == "\\" else { break }
                    at = end
                } else {
                    break
                }
            }
            if at == start { throw Fault() }
            withoutConditions += (withoutConditions.isEmpty ? "" : ".") + string(start..<at)
            guard scalar(at) == "[" else { continue }
            try condition()
            if isName(scalar(at)) || scalar(at) == "[" || scalar(at) == "\\" { throw Fault() }
        } while pop(".")
        if scalar(at) == "\\" { throw Fault() }
        try ParsedKeyPath(maxDepth: maxDepth).parse(dotted: withoutConditions, isKnown: true)
    }

    /// Parses a condition in brackets, and refuses one that is never true, or always.
    private mutating func condition() throws {
        let outer = (operandCount, isCondition)
        at += 1
        isCondition = true
        let expression = try conditional()
        try expect("]")
        (operandCount, isCondition) = outer
        switch expression {
        case .literal, .unary("-", _): throw Fault()
        case .binary(let sign, _, _) where ["+", "-", "*", "/", "%"].contains(sign): throw Fault()
        case .call(let name, _) where name != "contains" && name != "starts": throw Fault()
        default: break
        }
    }

    // MARK: Templates

    private mutating func template() throws -> [NaiveExpression] {
        var expressions: [NaiveExpression] = []
        while at < text.count {
            if pop("{{") { continue }
            guard pop("{") else {
                at += 1
                continue
            }
            operandCount = 0
            expressions.append(try conditional())
            skipSpace()
            while pop(":") { try format() }
            if pop("|") { try textForNull() }
            if !pop("}") { throw Fault() }
        }
        return expressions
    }

    private mutating func format() throws {
        skipSpace()
        let start = at
        while let next = scalar(at), next == "." || isName(next) { at += 1 }
        let name = string(start..<at)
        let digits = name.drop { $0 == "." }
        let number = digits.unicodeScalars.allSatisfy { isDigit($0) } ? Int(digits) : nil
        let isLength = name == digits && digits.count <= 3 && (number ?? 0) > 0
        let isDecimals = name == ".\(digits)" && digits.count <= 3 && (number ?? 16) <= 15
        if !isLength, !isDecimals, !["duration", "json", "markup"].contains(name) { throw Fault() }
        skipSpace()
    }

    private mutating func textForNull() throws {
        while let next = scalar(at), next != "}" {
            if next == "{" { throw Fault() }
            at += next == "\\" && scalar(at + 1) != nil ? 2 : 1
        }
    }
}
