// SPDX-License-Identifier: MIT
// Parses text with key paths in braces. Independent of models.

/// The template of a computed property: `"To {recipient.firstName}: {contents.@count} items"`.
///
/// A path in braces is relative to the property's model. It ends at the first `}` without a `\` before it.
/// Otherwise it is an ordinary key path, operators included. `{{` and `}}` are literal braces, and so is an
/// unmatched `}`.
package struct Template: Equatable, Sendable {
    package enum Part: Equatable, Sendable {
        case text(String)
        /// A valid key path in dotted form, without wildcards.
        case path(String)
    }

    package let parts: [Part]

    /// Whether the template is a single path: the result then keeps the value's type.
    package var isOnePath: Bool {
        if parts.count == 1, case .path = parts[0] { true } else { false }
    }

    package init(parsing text: String, maxDepth: Int) throws(TemplateError) {
        var parser = TemplateParser(text: Array(text.utf8), maxDepth: maxDepth)
        parts = try parser.parse()
    }
}

/// A fault in the text of a template.
package struct TemplateError: Error, Equatable {
    package enum Reason: Equatable, Sendable {
        case unclosed
        case wildcard(String)
        case path(String, KeyPathError)
    }

    package let reason: Reason

    /// A clause for messages.
    package var description: String {
        switch reason {
        case .unclosed: "the template has a { that no } closes (a brace itself is written {{)"
        case .wildcard(let path): "{\(path)} is a pattern, and a template takes key paths without wildcards"
        case .path(let path, let error): "{\(path)}: \(error.description)"
        }
    }
}

private struct TemplateParser {
    private static let opening = UInt8(ascii: "{")
    private static let closing = UInt8(ascii: "}")
    private static let backslash = UInt8(ascii: "\\")

    let text: [UInt8]
    let maxDepth: Int
    private var index = 0
    private var literal: [UInt8] = []
    private var parts: [Template.Part] = []

    init(text: [UInt8], maxDepth: Int) {
        self.text = text
        self.maxDepth = maxDepth
    }

    mutating func parse() throws(TemplateError) -> [Template.Part] {
        while index < text.count {
            let byte = text[index]
            let isDoubled = index + 1 < text.count && text[index + 1] == byte
            index += 1
            if byte == Self.opening, !isDoubled {
                endLiteral()
                parts.append(.path(try parsePath()))
            } else {
                literal.append(byte)
                if isDoubled, byte == Self.opening || byte == Self.closing { index += 1 }
            }
        }
        endLiteral()
        return parts
    }

    private mutating func endLiteral() {
        if !literal.isEmpty { parts.append(.text(String(decoding: literal, as: UTF8.self))) }
        literal = []
    }

    /// Parses a path and its closing brace.
    private mutating func parsePath() throws(TemplateError) -> String {
        let start = index
        while index < text.count, text[index] != Self.closing {
            index += text[index] == Self.backslash ? 2 : 1
        }
        guard index < text.count else { throw TemplateError(reason: .unclosed) }
        let path = String(decoding: text[start..<index], as: UTF8.self)
        index += 1
        let parsed = ParsedKeyPath(maxDepth: maxDepth)
        do throws(KeyPathError) { try parsed.parse(dotted: path) } catch {
            throw TemplateError(reason: .path(path, error))
        }
        if parsed.hasWildcard { throw TemplateError(reason: .wildcard(path)) }
        return path
    }
}
