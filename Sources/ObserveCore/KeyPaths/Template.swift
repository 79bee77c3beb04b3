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
        var parser = TemplateParser(text, syntax)
        parts = try parser.parse()
    }
}

private struct TemplateParser {
    private var parser: ExpressionParser
    private let syntax: ExpressionSyntax
    private var literal = String.UnicodeScalarView()
    private var parts: [Template.Part] = []

    init(_ text: String, _ syntax: ExpressionSyntax) {
        parser = ExpressionParser(ExpressionScanner(text), syntax)
        self.syntax = syntax
    }

    mutating func parse() throws(ExpressionError) -> [Template.Part] {
        while let scalar = parser.scanner.next {
            parser.scanner.index += 1
            let isBrace = scalar == "{" || scalar == "}"
            if scalar == "{", parser.scanner.next != "{" {
                endLiteral()
                parts.append(try value())
            } else {
                literal.append(scalar)
                if isBrace, parser.scanner.next == scalar { parser.scanner.index += 1 }
            }
        }
        endLiteral()
        return parts
    }

    private mutating func endLiteral() {
        if !literal.isEmpty { parts.append(.text(String(literal))) }
        literal = String.UnicodeScalarView()
    }

    private func unclosed() -> ExpressionError {
        parser.scanner.error(
            at: parser.scanner.index,
            "the template has a { that no } closes (a brace itself is written {{)"
        )
    }

    /// Parses an expression, its formats, its text for null, and the brace after them.
    private mutating func value() throws(ExpressionError) -> Template.Part {
        parser.scanner.skipSpace()
        if parser.scanner.isAtEnd { throw unclosed() }
        let expression = try parser.expression()
        var formats: [ValueFormat] = []
        while parser.scanner.pop(":") { formats.append(try format()) }
        let null = parser.scanner.pop("|") ? try textForNull() : nil
        if parser.scanner.isAtEnd { throw unclosed() }
        guard parser.scanner.pop("}") else {
            throw parser.scanner.unexpected(formats.isEmpty ? "an operator or }" : "another format, | or }")
        }
        return .value(expression, formats: formats, null: null)
    }

    private mutating func format() throws(ExpressionError) -> ValueFormat {
        parser.scanner.skipSpace()
        let start = parser.scanner.index
        let name = (parser.scanner.pop(".") ? "." : "") + parser.scanner.word()
        guard let format = ValueFormat(name, or: syntax.furtherFormats) else {
            let known = ([".1", "20", "duration", "json", "markup"] + syntax.furtherFormats).joined(
                separator: ", "
            )
            throw parser.scanner.error(
                at: start,
                "\(name.isEmpty ? "nothing" : name) is not a format: known are \(known)"
            )
        }
        parser.scanner.skipSpace()
        return format
    }

    /// Parses a text up to its brace. A backslash before a brace, a `|` or a backslash makes it text.
    private mutating func textForNull() throws(ExpressionError) -> String {
        var text = String.UnicodeScalarView()
        while let scalar = parser.scanner.next, scalar != "}" {
            guard scalar != "{" else {
                throw parser.scanner.error(
                    at: parser.scanner.index,
                    "the text for null has a {; a second path is {a ?? b}, and a brace itself is \\{ there"
                )
            }
            parser.scanner.index += 1
            if scalar == "\\", let escaped = parser.scanner.next {
                parser.scanner.index += 1
                if !["{", "}", "|", "\\"].contains(escaped) { text.append(scalar) }
                text.append(escaped)
            } else {
                text.append(scalar)
            }
        }
        return String(text)
    }
}
