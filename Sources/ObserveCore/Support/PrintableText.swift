// SPDX-License-Identifier: MIT
// Makes text of unknown origin safe to print.

extension String {
    /// At most so many bytes of UTF-8 of the text, with `…` for the rest.
    package func cut(atBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        let mark = "…"
        var end = utf8.index(startIndex, offsetBy: max(0, limit - mark.utf8.count))
        // To the start of a scalar.
        while end > startIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
        return self[..<end] + mark
    }

    /// The text for the log, in which no name or value may take more than its share of a line.
    package var logged: String { cut(atBytes: 200) }

    /// The text in one line, with hidden characters escaped: a peer may choose names that would change a terminal or deceive.
    package var printable: String { printable(keepingLines: false) }

    /// - Parameter keepingLines: whether line feeds and tabs stay as they are.
    package func printable(keepingLines: Bool) -> String {
        showingHidden { scalar in
            switch scalar {
            case "\n", "\t": keepingLines ? String(scalar) : scalar == "\n" ? "\\n" : "\\t"
            default: scalar.escaped
            }
        }
    }

    /// Whether the text has characters that are not shown as they are.
    package var hasHidden: Bool {
        if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return false }
        var isFound = false
        _ = showingHidden { _ in
            isFound = true
            return ""
        }
        return isFound
    }

    /// Decides for all output which characters people see as they are. Control characters, ends of lines, and what has no
    /// form of its own (category Cf, and tags) are hidden. A joiner between letters or emoji is part of their form.
    ///
    /// - Parameter escape: the text in the place of a hidden character.
    package func showingHidden(_ escape: (Unicode.Scalar) -> String) -> String {
        if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return self }
        var text = ""
        var isJoinable = false
        var rest = unicodeScalars[...]
        while let scalar = rest.popFirst() {
            let joins = scalar.isJoiner && isJoinable && rest.first?.isJoinable == true
            if scalar.isHidden, !joins { text += escape(scalar) } else { text.unicodeScalars.append(scalar) }
            isJoinable = scalar.isJoinable || isJoinable && scalar.isMark
        }
        return text
    }
}

extension Unicode.Scalar {
    /// `\u{202e}`
    package var escaped: String { "\\u{\(String(value, radix: 16))}" }

    fileprivate var isHidden: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x2028, 0x2029: true
        case 0..<0x600: false
        default:
            switch properties.generalCategory {
            case .format: true
            // Such as unassigned tags.
            case .unassigned: properties.isDefaultIgnorableCodePoint
            default: false
            }
        }
    }

    fileprivate var isJoiner: Bool { value == 0x200C || value == 0x200D }

    /// Letters and emoji. Digits can be part of an emoji, and are none.
    fileprivate var isJoinable: Bool {
        properties.isAlphabetic && !isMark || value > 0xFF && properties.isEmoji
    }

    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }
}
