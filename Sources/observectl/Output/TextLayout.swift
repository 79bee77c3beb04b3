// SPDX-License-Identifier: MIT
// Breaks paragraphs into lines. Independent of their subject.

/// A paragraph is text whose line breaks are spaces. A line that begins with two spaces stays as it is.
enum TextLayout {
    /// - Parameter columns: the width of the page. Lines are shorter, unless a single word is not.
    static func wrapped(_ paragraph: String, columns: Int) -> String {
        parts(of: paragraph).flatMap { part -> [String] in
            switch part {
            case .literal(let lines): lines
            case .text(let text): lines(of: text, columns: columns)
            }
        }.joined(separator: "\n")
    }

    enum Part: Equatable {
        case text(String)
        case literal([String])
    }

    static func parts(of paragraph: String) -> [Part] {
        var parts: [Part] = []
        for line in paragraph.split(separator: "\n").map(String.init) {
            let isLiteral = line.hasPrefix("  ")
            switch parts.last {
            case .literal(let lines) where isLiteral: parts[parts.count - 1] = .literal(lines + [line])
            case .text(let text) where !isLiteral: parts[parts.count - 1] = .text("\(text) \(line)")
            default: parts.append(isLiteral ? .literal([line]) : .text(line))
            }
        }
        return parts
    }

    private static func lines(of text: String, columns: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count < columns {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
