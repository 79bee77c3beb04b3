// SPDX-License-Identifier: MIT
// Tables of text that fit a terminal. Independent of the rows.

import ObserveCore

/// Rows below a header. Cells that are too wide end in `…`.
struct TextTable {
    private static let gap = 2
    /// No column becomes narrower than that, so a very narrow terminal breaks lines.
    private static let narrowest = 6

    /// All rows, the header first if there is one.
    private let rows: [[String]]

    /// - Parameter header: the titles of the columns; empty for none.
    init(header: [String], rows: [[String]]) {
        self.rows = (header.isEmpty ? [] : [header]) + rows.map { $0.map(\.printable) }
    }

    /// - Returns: the lines, without spaces at their ends.
    func lines(columns: Int) -> [String] {
        let widths = widths(columns: columns)
        return rows.map { row in
            var line = ""
            for (index, cell) in row.enumerated() {
                let cut = TextTable.cut(cell, to: widths[index])
                line += cut
                if index + 1 < row.count {
                    let space = widths[index] - DisplayWidth.of(cut) + TextTable.gap
                    line += String(repeating: " ", count: space)
                }
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// The widths of the columns. If they do not fit, the widest become narrower.
    private func widths(columns: Int) -> [Int] {
        var widths = (rows.first ?? []).indices.map { column in
            rows.map { DisplayWidth.of($0[column]) }.max() ?? 0
        }
        let space = columns - TextTable.gap * (widths.count - 1)
        while widths.reduce(0, +) > space {
            guard let widest = widths.indices.max(by: { widths[$0] < widths[$1] }),
                widths[widest] > TextTable.narrowest
            else { break }
            widths[widest] -= 1
        }
        return widths
    }

    private static func cut(_ cell: String, to width: Int) -> String {
        guard DisplayWidth.of(cell) > width else { return cell }
        var (text, left) = ("", width - 1)
        for character in cell {
            left -= DisplayWidth.of(String(character))
            if left < 0 { break }
            text.append(character)
        }
        return text + "…"
    }
}

/// The columns that text takes on a terminal.
enum DisplayWidth {
    static func of(_ text: String) -> Int {
        text.utf8.allSatisfy { $0 < 0x80 } ? text.utf8.count : text.reduce(0) { $0 + of($1) }
    }

    private static func of(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return isWide(scalar) ? 2 : 1
        }
    }

    /// East Asian wide characters and emoji.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
            0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            true
        default: scalar.properties.isEmojiPresentation
        }
    }
}
