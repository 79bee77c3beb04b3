// SPDX-License-Identifier: MIT
// Scans the characters of expressions: spaces, names, key paths, numbers and texts in quotes. Independent of operators.

/// A position in the text of an expression or a template.
struct ExpressionScanner {
    private let text: [Unicode.Scalar]
    var index = 0

    /// The ASCII characters of an unescaped name: all but white space, control characters and these.
    private static let names: [Bool] = {
        let special = Set(".[](){}\"',:?|&!<>=+*/%\\".unicodeScalars)
        return (0..<0x80 as Range<UInt8>).map {
            $0 > 0x20 && $0 != 0x7F && !special.contains(Unicode.Scalar($0))
        }
    }()
    /// The longest first.
    private static let symbols = ["??", "||", "&&", "==", "!=", "<=", ">=", "**"]

    init(_ text: String) { self.text = Array(text.unicodeScalars) }

    var isAtEnd: Bool { index >= text.count }

    /// The character here; nil at the end.
    var next: Unicode.Scalar? { index < text.count ? text[index] : nil }

    /// The character behind it.
    var second: Unicode.Scalar? { index + 1 < text.count ? text[index + 1] : nil }

    /// Whether an expression whose first operand is missing begins here.
    var isAtEmptyOperand: Bool { isAt("}") || isAt(":") || isAt("|") || isAt("??") }

    func isAt(_ expected: String) -> Bool {
        var position = index
        for scalar in expected.unicodeScalars {
            guard position < text.count, text[position] == scalar else { return false }
            position += 1
        }
        return true
    }

    mutating func pop(_ expected: String) -> Bool {
        guard isAt(expected) else { return false }
        index += expected.unicodeScalars.count
        return true
    }

    mutating func skipSpace() {
        while let next, Self.isSpace(next) { index += 1 }
    }

    func byteCount(from start: Int) -> Int { scalars(from: start).reduce(0) { $0 + UTF8.width($1) } }

    func string(from start: Int) -> String {
        let scalars = scalars(from: start)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(scalars.count)
        for scalar in scalars { bytes.append(contentsOf: scalar.utf8) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text without the white space at its end.
    func trimmed(from start: Int) -> String {
        var scanner = self
        while scanner.index > start, Self.isSpace(text[scanner.index - 1]) { scanner.index -= 1 }
        return scanner.string(from: start)
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t" || scalar == "\n"
    }

    private func scalars(from start: Int) -> ArraySlice<Unicode.Scalar> {
        text[start..<min(index, text.count)]
    }

    // MARK: Errors

    func error(at position: Int, _ reason: String, exceedsLimit: Bool = false) -> ExpressionError {
        ExpressionError(column: position + 1, reason: reason, exceedsLimit: exceedsLimit)
    }

    /// The error of a character that can't follow.
    func unexpected(_ expected: String) -> ExpressionError {
        error(at: index, "expected \(expected), found \(found)")
    }

    /// The token here, for messages.
    private var found: String {
        guard let next else { return "the end" }
        if let symbol = Self.symbols.first(where: isAt) { return symbol }
        if next.properties.isWhitespace || next.properties.generalCategory == .control {
            return "U+\(String(next.value, radix: 16, uppercase: true))"
        }
        var scanner = self
        let word = scanner.word()
        return word.isEmpty ? String(Character(next)) : word
    }

    // MARK: Names and key paths

    /// Scans a name without escapes; empty if none begins here.
    mutating func word() -> String {
        let start = index
        while isName(at: index) || isDash(from: start) { index += 1 }
        return string(from: start)
    }

    private func isName(at position: Int) -> Bool {
        guard position < text.count, text[position] != "-" else { return false }
        let scalar = text[position]
        if scalar.isASCII { return Self.names[Int(scalar.value)] }
        return !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
    }

    /// Whether a dash here is part of the name that began at `start`: the dashes have a name character on each side.
    private func isDash(from start: Int) -> Bool {
        guard index > start, next == "-" else { return false }
        let end = text[index...].firstIndex { $0 != "-" } ?? text.count
        return isName(at: end) || end < text.count && text[end] == "\\"
    }

    /// Checks the key path that ends here.
    ///
    /// - Parameter starts: where its components begin.
    /// - Returns: the path as it is written.
    func path(_ starts: [Int], _ syntax: ExpressionSyntax) throws(ExpressionError) -> String {
        let whole = string(from: starts[0])
        let parsed = ParsedKeyPath(maxDepth: syntax.maxDepth)
        do throws(KeyPathError) { try parsed.parse(dotted: whole, isKnown: true) } catch {
            throw self.error(at: fault(of: starts, parsed), error.description)
        }
        return whole
    }

    /// The beginning of the component with which a path becomes faulty.
    private func fault(of starts: [Int], _ parsed: ParsedKeyPath) -> Int {
        var scanner = self
        for (start, end) in zip(starts, starts.dropFirst()) {
            scanner.index = end - 1
            let part = scanner.string(from: starts[0])
            if (try? parsed.parse(dotted: part, isKnown: true)) == nil { return start }
        }
        return starts[starts.count - 1]
    }

    /// Scans a component up to its condition.
    mutating func component(isFirst: Bool, _ syntax: ExpressionSyntax) throws(ExpressionError) {
        let start = index
        if isAt("*") {
            guard syntax.allowsPatterns else {
                throw unexpected(isFirst ? "an operand" : "a name, since these key paths have no wildcards")
            }
            if !pop("**") { index += 1 }
            return
        }
        while true {
            if isAt("\\") {
                guard index + 1 < text.count else {
                    throw error(at: text.count, "the backslash at the end escapes nothing")
                }
                index += 2
            } else if isName(at: index) || isDash(from: start) {
                index += 1
            } else {
                break
            }
        }
        if index == start { throw unexpected(isFirst ? "an operand" : "a name") }
    }

    /// Whether no character of a component follows here.
    var isAtEndOfComponent: Bool { !isName(at: index) && !isAt("[") && !isAt("\\") }

    // MARK: Literals

    /// Scans a number or a text in quotes; nil if none begins here.
    mutating func literal() throws(ExpressionError) -> Value? {
        switch next {
        case "\"", "'": try quoted()
        case let first? where isDigit(first): try number()
        default: nil
        }
    }

    private func isDigit(_ scalar: Unicode.Scalar?) -> Bool { scalar.map { $0 >= "0" && $0 <= "9" } ?? false }

    private mutating func skipDigits() { while isDigit(next) { index += 1 } }

    private mutating func number() throws(ExpressionError) -> Value {
        let start = index
        if !pop("0") { skipDigits() }
        if isAt("."), index + 1 < text.count, isDigit(text[index + 1]) {
            index += 1
            skipDigits()
        }
        if isAt("e") || isAt("E") {
            let mark = index
            index += 1
            if !pop("+") { _ = pop("-") }
            if isDigit(next) { skipDigits() } else { index = mark }
        }
        if isName(at: index) || isAt(".") || isAt("\\") {
            throw error(
                at: index,
                "expected an operator, found \(found); a name that begins with a digit is written \\5ghz"
            )
        }
        do throws(JSONError) { return try Value(json: string(from: start)) } catch {
            throw self.error(at: start, "the number is out of range")
        }
    }

    /// Scans a JSON string, in its quotes or in apostrophes.
    private mutating func quoted() throws(ExpressionError) -> Value {
        let start = index
        let quote = text[start]
        var json = String.UnicodeScalarView("\"".unicodeScalars)
        index += 1
        while let scalar = next, scalar != quote {
            index += 1
            if scalar == "\\", let escaped = next {
                index += 1
                if escaped != "'" || quote != "'" { json.append(scalar) }
                json.append(escaped)
            } else {
                if scalar == "\"" { json.append("\\") }
                json.append(scalar)
            }
        }
        guard next == quote else {
            throw error(at: text.count, "the text in \(quote) has no second \(quote)")
        }
        index += 1
        json.append("\"")
        do throws(JSONError) { return try Value(json: String(json)) } catch {
            throw self.error(at: start, "the text in \(quote) has \(error.message)")
        }
    }
}
