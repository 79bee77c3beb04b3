// SPDX-License-Identifier: MIT
// Scans the characters of expressions: spaces, names, key paths, numbers and texts in quotes. Independent of operators.

/// A position in the text of an expression or a template, valid as long as the text.
struct ExpressionScanner {
    private let text: ByteView
    /// The offset of the next byte.
    var index: Int
    /// The last result of ``column(at:)``, and its place.
    private var known: (offset: Int, column: Int)

    /// The longest first.
    private static let symbols: [StaticString] = ["??", "||", "&&", "==", "!=", "<=", ">=", "**"]

    /// - Parameter column: the column of `index`.
    init(_ text: ByteView, at index: Int = 0, column: Int = 1) {
        (self.text, self.index) = (text, index)
        known = (index, column)
    }

    var isAtEnd: Bool { index >= text.count }

    /// The byte here as a character, which stands for itself if it is ASCII; zero at the end.
    var next: Unicode.Scalar { Unicode.Scalar(text.byteOrZero(index)) }

    /// The byte behind it.
    var second: Unicode.Scalar { Unicode.Scalar(text.byteOrZero(index + 1)) }

    /// Whether an expression whose first operand is missing begins here.
    var isAtEmptyOperand: Bool { next == "}" || next == ":" || next == "|" || isAt("??") }

    private func isAt(_ expected: StaticString) -> Bool {
        text.dropFirst(index).starts(with: ByteView(expected))
    }

    @inline(__always) mutating func pop(_ expected: Unicode.Scalar) -> Bool {
        guard next == expected else { return false }
        index += 1
        return true
    }

    mutating func popByte() -> UInt8? {
        guard !isAtEnd else { return nil }
        defer { index += 1 }
        return text[index]
    }

    mutating func skipSpace() { while next == " " || next == "\t" || next == "\n" { index += 1 } }

    func string(_ range: Range<Int>) -> String { text.slice(range).string }

    /// A part of the text without the white space at its end.
    func trimmed(_ range: Range<Int>) -> String {
        string(range.lowerBound..<(range.last(where: { text[$0] > 0x20 }) ?? range.lowerBound - 1) + 1)
    }

    // MARK: Columns and errors

    /// The column of an offset, from 1. The offsets of all calls ascend.
    mutating func column(at offset: Int) -> Int {
        known = (offset, known.column + text.slice(known.offset..<offset).scalarCount)
        return known.column
    }

    func error(at offset: Int, _ reason: String, exceedsLimit: Bool = false) -> ExpressionError {
        ExpressionError(
            column: text.prefix(offset).scalarCount + 1,
            reason: reason,
            exceedsLimit: exceedsLimit
        )
    }

    /// Operators of other languages.
    private static let foreign = ["and": "&&", "&": "&&", "AND": "&&", "or": "||", "|": "||", "OR": "||"]

    /// The error of a character that can't follow.
    func unexpected(_ expected: String) -> ExpressionError {
        let meant = expected.hasPrefix("an operator") ? Self.foreign[found] : nil
        let offer = meant.map { "; did you mean \($0)?" } ?? ""
        return error(at: index, "expected \(expected), found \(found)\(offer)")
    }

    /// The token here, for messages.
    private var found: String {
        if isAtEnd { return "the end" }
        if let symbol = Self.symbols.first(where: isAt) { return "\(symbol)" }
        let (scalar, _) = scalar(at: index)
        if scalar.isBlank { return "U+\(String(scalar.value, radix: 16, uppercase: true))" }
        var scanner = self
        let word = scanner.word()
        return word.isEmpty ? String(Character(scalar)) : word
    }

    // MARK: Names and key paths

    /// Scans a name without escapes; empty if none begins here.
    mutating func word() -> String {
        let start = index
        skipName(from: start)
        return string(start..<index)
    }

    /// Skips the rest of the name that began at `start`, up to an escape. Dashes belong to it between other parts of it.
    private mutating func skipName(from start: Int) {
        while true {
            let length = lengthOfCharacter(at: index)
            index += length
            if length > 0 { continue }
            guard next == "-", index > start else { return }
            var end = index + 1
            while text.byteOrZero(end) == 0x2D { end += 1 }
            guard lengthOfCharacter(at: end) > 0 || text.byteOrZero(end) == 0x5C else { return }
            index = end
        }
    }

    /// How many bytes the character there has; 0 if it is none of a name: a dash, white space, a control, or one with a meaning.
    private func lengthOfCharacter(at offset: Int) -> Int {
        switch text.byteOrZero(offset) {
        case 0...0x22, 0x25...0x2F, 0x3A, 0x3C...0x3F, 0x5B...0x5D, 0x7B...0x7D, 0x7F: return 0
        case 0..<0x80: return 1
        default:
            let (scalar, length) = scalar(at: offset)
            return scalar.isBlank ? 0 : length
        }
    }

    private func scalar(at offset: Int) -> (scalar: Unicode.Scalar, length: Int) {
        let length = max(1, text.lengthOfUTF8(at: offset))
        return (text.slice(from: offset, count: length).string.unicodeScalars.first ?? "\u{FFFD}", length)
    }

    /// Checks the key path from `start` to here. Returns the path as it is written.
    func path(from start: Int, _ parsed: ParsedKeyPath) throws(ExpressionError) -> String {
        do throws(KeyPathError) { try parsed.parse(dotted: text.slice(start..<index), isKnown: true) } catch {
            throw self.error(
                at: start + parsed.lastStart,
                error.description,
                exceedsLimit: error.exceedsLimit
            )
        }
        return string(start..<index)
    }

    /// Scans a component up to its condition.
    mutating func component(isFirst: Bool, _ syntax: ExpressionSyntax) throws(ExpressionError) {
        let start = index
        if next == "*" {
            guard syntax.allowsPatterns else {
                throw unexpected(isFirst ? "an operand" : "a name, since these key paths have no wildcards")
            }
            index += second == "*" ? 2 : 1
            return
        }
        skipName(from: start)
        while pop("\\") {
            guard !isAtEnd else { throw error(at: index, "the backslash at the end escapes nothing") }
            index += scalar(at: index).length
            skipName(from: start)
        }
        if index == start { throw unexpected(isFirst ? "an operand" : "a name") }
    }

    /// Whether no character of a component follows here.
    var isAtEndOfComponent: Bool { lengthOfCharacter(at: index) == 0 && next != "[" && next != "\\" }

    // MARK: Literals

    /// Scans a number or a text in quotes; nil if none begins here.
    mutating func literal() throws(ExpressionError) -> Value? {
        switch next {
        case "\"", "'": try quoted()
        case "0"..."9": try number()
        default: nil
        }
    }

    /// Consumes the lowest integer with its sign: without it, the number is out of range.
    mutating func popLowestInt() -> Bool {
        let lowest: StaticString = "-9223372036854775808"
        let end = index + lowest.utf8CodeUnitCount
        guard isAt(lowest), !continuesName(at: end) else { return false }
        index = end
        return true
    }

    /// Whether a number that ends there would be part of a name.
    private func continuesName(at offset: Int) -> Bool {
        lengthOfCharacter(at: offset) > 0 || text.byteOrZero(offset) == 0x2E
            || text.byteOrZero(offset) == 0x5C
    }

    private mutating func skipDigits() { while "0"..."9" ~= next { index += 1 } }

    private mutating func number() throws(ExpressionError) -> Value {
        let start = index
        if !pop("0") { skipDigits() }
        if next == ".", "0"..."9" ~= second {
            index += 1
            skipDigits()
        }
        if next == "e" || next == "E" {
            let mark = index
            index += 1
            if !pop("+") { _ = pop("-") }
            if "0"..."9" ~= next { skipDigits() } else { index = mark }
        }
        if continuesName(at: index) {
            throw error(
                at: index,
                "expected an operator, found \(found); a name that begins with a digit is written \\5ghz"
            )
        }
        do throws(JSONError) { return try Value(json: text.slice(start..<index)) } catch {
            throw self.error(at: start, "the number is out of range")
        }
    }

    /// Scans a JSON string, in its quotes or in apostrophes.
    private mutating func quoted() throws(ExpressionError) -> Value {
        let (start, quote) = (index, next)
        var json: [UInt8] = [0x22]
        index += 1
        while next != quote {
            guard let byte = popByte()
            else { throw error(at: index, "the text in \(quote) has no second \(quote)") }
            if byte == 0x5C, let escaped = popByte() {
                if escaped != 0x27 || quote != "'" { json.append(byte) }
                json.append(escaped)
            } else {
                if byte == 0x22 { json.append(0x5C) }
                json.append(byte)
            }
        }
        index += 1
        json.append(0x22)
        do throws(JSONError) { return try Value(json: json) } catch {
            throw self.error(at: start, "the text in \(quote) has \(error.message)")
        }
    }
}

extension Unicode.Scalar {
    /// Whether it is white space or a control character, so that no unescaped name has it.
    fileprivate var isBlank: Bool { properties.isWhitespace || properties.generalCategory == .control }
}
