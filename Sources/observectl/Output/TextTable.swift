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
