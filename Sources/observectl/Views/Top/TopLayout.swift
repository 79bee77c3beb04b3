// SPDX-License-Identifier: MIT
// The table of connections: which columns fit, and how wide they are. Independent of the daemon's figures.

struct TopLayout {
    private static let gap = 2
    private static let widestName = 20

    private let state: TopState
    private let glyphs: Glyphs
    private let columns: Int
    private(set) var shown: [TopColumn]
    private let widths: [TopColumn: Int]

    init(_ rows: [TopRow], columns: Int, _ state: TopState, _ glyphs: Glyphs) {
        (self.state, self.glyphs, self.columns) = (state, glyphs, columns)
        var widths: [TopColumn: Int] = [:]
        for column in TopColumn.allCases where column != .paths {
            let texts = rows.map { CellLine(column.text($0), in: glyphs).count }
            // The mark of the order follows its column's title.
            let title = column.title.count + (column == state.column ? 1 : 0)
            widths[column] = max(texts.max() ?? 0, title)
        }
        widths[.name] = min(widths[.name] ?? 0, min(TopLayout.widestName, max(columns / 5, 8)))
        // The rest of the line.
        widths[.paths] = TopColumn.paths.title.count + 1
        self.widths = widths
        var shown = TopColumn.allCases
        while TopLayout.width(shown, widths) > columns,
            let next = shown.max(by: { $0.expendability < $1.expendability }), next.expendability > 0
        {
            shown.removeAll { $0 == next }
        }
        self.shown = shown
    }

    private static func width(_ shown: [TopColumn], _ widths: [TopColumn: Int]) -> Int {
        shown.reduce(0) { $0 + (widths[$1] ?? 0) } + gap * (shown.count - 1)
    }

    var header: CellLine {
        line { column in
            let mark = state.isDescending ? (glyphs.isUnicode ? "▼" : "v") : glyphs.isUnicode ? "▲" : "^"
            return CellLine(column.title + (column == state.column ? mark : ""), .of(.heading), in: glyphs)
        }
    }

    func line(_ row: TopRow, isDim: Bool) -> CellLine {
        line { column in
            let isLoud = column == .waiting && row.client["bytesWaiting"] > 0 || column == .name
            let style = isDim ? Style.dim : isLoud ? .of(column == .name ? .name : .literal) : .plain
            return CellLine(column.text(row), style, in: glyphs)
        }
    }

    private func line(_ cell: (TopColumn) -> CellLine) -> CellLine {
        var line = CellLine()
        for (index, column) in shown.enumerated() {
            if index > 0 { line.append("  ", in: glyphs) }
            let width = column == .paths ? max(columns - line.count, 0) : widths[column] ?? 0
            let text = cell(column).cut(to: width, in: glyphs)
            if column.isNumber { line.pad(to: line.count + width - text.count) }
            let start = line.count
            line.append(text)
            if index + 1 < shown.count, !column.isNumber { line.pad(to: start + width) }
        }
        return line.cut(to: columns, in: glyphs)
    }

    /// The column whose title or cells are at that column of the terminal.
    func column(at position: Int) -> TopColumn? {
        var start = 0
        for column in shown {
            let end = start + (column == .paths ? columns : widths[column] ?? 0)
            if position < end { return position >= start ? column : nil }
            start = end + TopLayout.gap
        }
        return nil
    }
}
