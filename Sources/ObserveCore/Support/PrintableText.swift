// SPDX-License-Identifier: MIT
// Makes text of unknown origin safe to print.

extension String {
    /// At most so many bytes of UTF-8 of the text, with `…` for the rest.
    package func cut(atBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        let mark = "…"
        var end = utf8.index(startIndex, offsetBy: max(0, limit - mark.utf8.count))
        while end > startIndex, !isScalarStart(end) {
            end = utf8.index(before: end)
        }
        return self[..<end] + mark
    }

    private func isScalarStart(_ index: Index) -> Bool { utf8[index] & 0xC0 != 0x80 }

    /// The text for the log, in which no name or value may take more than its share of a line.
    package var logged: String { cut(atBytes: 200) }

    /// The text in one line, with control characters escaped: a peer may choose names that would change a terminal.
    package var printable: String { printable(keepingLines: false) }

    /// - Parameter keepingLines: whether line feeds and tabs stay as they are.
    package func printable(keepingLines: Bool) -> String {
        guard unicodeScalars.contains(where: \.isUnprintable) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            if keepingLines, scalar == "\n" || scalar == "\t" {
                text.unicodeScalars.append(scalar)
            } else if scalar == "\n" {
                text += "\\n"
            } else if scalar.isUnprintable {
                text += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    /// Whether the character is a control character, ends a line, or changes the direction of text.
    package var isUnprintable: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
