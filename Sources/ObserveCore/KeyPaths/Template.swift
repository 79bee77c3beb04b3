// SPDX-License-Identifier: MIT
// Parses text with expressions in braces. Independent of values.

/// A template such as `"{artist ?? composer} – {title|nothing} {position:duration}"`.
///
/// An expression in braces may have formats, each after a `:`, and after `|` a text for null. `{{` and `}}` are literal
/// braces, and so is an unmatched `}`.
package struct Template: Equatable, Sendable {
    package enum Part: Equatable, Sendable {
        case text(String)
        /// - Parameter null: nil without a text for null.
        case value(Expression, formats: [ValueFormat], null: String?)
    }

    package let parts: [Part]

    /// The expression, if the template is nothing else: the result then keeps the value's type.
    package var single: Expression? {
        if parts.count == 1, case .value(let expression, [], nil) = parts[0] { expression } else { nil }
    }

    package var expressions: [Expression] {
        parts.compactMap { if case .value(let expression, _, _) = $0 { expression } else { nil } }
    }

    package init(parsing text: String, _ syntax: ExpressionSyntax) throws(ExpressionError) {
        parts = try ByteView.with(text) { (text) throws(ExpressionError) in
            var parser = ExpressionParser(ExpressionScanner(text), syntax)
            return try parser.template()
        }
    }
}

extension ExpressionParser {
    fileprivate mutating func template() throws(ExpressionError) -> [Template.Part] {
        var parts: [Template.Part] = []
        var literal: [UInt8] = []
        func endLiteral() {
            if !literal.isEmpty { parts.append(.text(String(decoding: literal, as: UTF8.self))) }
            literal = []
        }
        while let byte = scanner.popByte() {
            if byte == 0x7B, scanner.next != "{" {
                endLiteral()
                parts.append(try value())
            } else {
                literal.append(byte)
                if byte == 0x7B || byte == 0x7D { _ = scanner.pop(Unicode.Scalar(byte)) }
            }
        }
        endLiteral()
        return parts
    }

    private func unclosed() -> ExpressionError {
        scanner.error(
            at: scanner.index,
            "the template has a { that no } closes (a brace itself is written {{)"
        )
    }

    /// Parses an expression, its formats, its text for null, and the brace after them.
    private mutating func value() throws(ExpressionError) -> Template.Part {
        scanner.skipSpace()
        if scanner.isAtEnd { throw unclosed() }
        let expression = try expression()
        var formats: [ValueFormat] = []
        while scanner.pop(":") { formats.append(try format()) }
        // Escapes are made last, so that no other format cuts one.
        formats = formats.filter { !$0.isEscape } + formats.filter(\.isEscape)
        let null = scanner.pop("|") ? try textForNull() : nil
        if scanner.isAtEnd { throw unclosed() }
        guard scanner.pop("}")
        else { throw scanner.unexpected(formats.isEmpty ? "an operator or }" : "another format, | or }") }
        return .value(expression, formats: formats, null: null)
    }

    private mutating func format() throws(ExpressionError) -> ValueFormat {
        scanner.skipSpace()
        let start = scanner.index
        let name = (scanner.pop(".") ? "." : "") + scanner.word()
        guard let format = ValueFormat(name, or: syntax.furtherFormats) else {
            let known = ([".1", "20", "duration", "json", "markup"] + syntax.furtherFormats).joined(
                separator: ", "
            )
            while !scanner.isAtEnd, !scanner.isAtEmptyOperand, scanner.next.value >= 0x20 {
                scanner.index += 1
            }
            let found = scanner.trimmed(start..<scanner.index)
            throw scanner.error(
                at: start,
                "\(found.isEmpty ? "nothing" : found) is not a format: known are \(known)"
            )
        }
        scanner.skipSpace()
        return format
    }

    /// Parses a text up to its brace. A backslash before a brace, a `|` or a backslash makes it text.
    private mutating func textForNull() throws(ExpressionError) -> String {
        var text: [UInt8] = []
        while scanner.next != "}" {
            guard scanner.next != "{" else {
                throw scanner.error(
                    at: scanner.index,
                    "the text for null has a {; a second path is {a ?? b}, and a brace itself is \\{ there"
                )
            }
            guard let byte = scanner.popByte() else { break }
            text.append(byte)
            if byte == 0x5C, let escaped = scanner.popByte() {
                if "{}|\\".utf8.contains(escaped) { text.removeLast() }
                text.append(escaped)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
