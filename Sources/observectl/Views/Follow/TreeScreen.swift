// SPDX-License-Identifier: MIT
// A live tree that fills a screen, with pins above and a panel beside or below. Independent of connections and keys.

import ObserveCore

/// `tree --follow` as a function of rows, a state and a size.
struct TreeScreen {
    static let beginning = "there is nothing yet; begin with: observectl set app '{\"volume\": 50}'"

    private static let keys = "q quits  space opens  / filters  p pins  e edits  l follows  y prints"

    let rows: [TreeRow]
    let pinned: [TreeRow]
    let lines: TreeLines
    let state: TreeScreenState
    let panel: TreePanel?
    /// How recently a row has changed.
    let glow: (TreeRow) -> UInt8

    private var glyphs: Glyphs { lines.glyphs }

    func lines(_ size: FrameSize) -> [CellLine] {
        let layout = TreeScreenLayout(size, pins: pinned.count)
        var screen: [CellLine] = []
        for row in pinned.prefix(layout.pins) {
            var line = CellLine("\(glyphs.pin) ", .of(.accent), in: glyphs)
            line.append(self.line(row, columns: max(layout.treeColumns - line.count, 0)))
            screen.append(line)
        }
        if layout.pins > 0 { screen.append(rule(layout.treeColumns)) }
        let shown = rows.dropFirst(state.first).prefix(layout.treeRows)
        for (index, row) in zip(shown.indices, shown) {
            var line = line(row, columns: layout.treeColumns)
            if index == state.index {
                line.pad(to: layout.treeColumns)
                line.restyle { $0.isReversed = true }
            }
            screen.append(line)
        }
        if rows.isEmpty {
            let text = state.filter.isEmpty ? TreeScreen.beginning : "no path contains '\(state.filter)'"
            screen.append(CellLine(text, .dim, in: glyphs))
        }
        add(layout, to: &screen)
        screen.append(foot)
        return screen
    }

    private func line(_ row: TreeRow, columns: Int) -> CellLine {
        lines.line(row, columns: columns, glow: glow(row))
    }

    private func rule(_ columns: Int) -> CellLine {
        CellLine(String(repeating: glyphs.horizontal, count: max(columns, 0)), .dim, in: glyphs)
    }

    private func add(_ layout: TreeScreenLayout, to screen: inout [CellLine]) {
        let height = layout.size.rows - 1 - (layout.isBeside ? 0 : layout.panel.map { $0.rows + 1 } ?? 0)
        while screen.count < height { screen.append(CellLine()) }
        guard let size = layout.panel else { return }
        let contents = panel?.lines(size) ?? []
        guard layout.isBeside else {
            screen.append(rule(layout.size.columns))
            screen += contents + Array(repeating: CellLine(), count: size.rows - contents.count)
            return
        }
        for index in screen.indices {
            screen[index] = screen[index].fitted(to: layout.treeColumns, in: glyphs)
            screen[index].append("\(glyphs.vertical) ", .dim, in: glyphs)
            if index < contents.count { screen[index].append(contents[index]) }
        }
    }

    private var foot: CellLine {
        if state.isTyping {
            var line = CellLine("/\(state.filter)", in: glyphs)
            line.append(" ", Style(isReversed: true), in: glyphs)
            return line
        }
        if let message = state.message { return CellLine(message, .of(.warning), in: glyphs) }
        let place = rows.isEmpty ? "" : "\(state.index + 1)/\(rows.count)  "
        let filter = state.filter.isEmpty ? "" : "/\(state.filter)  "
        return CellLine(place + filter + TreeScreen.keys, .dim, in: glyphs)
    }
}

struct TreePanel {
    let path: String
    /// Nil until the daemon has answered.
    let explained: ExplainLines?
    let numbers: [Double?]
    /// The newest first.
    let changes: [LoggedChange]
    let glyphs: Glyphs
    var zone = ClockZone.utc

    func lines(_ size: FrameSize) -> [CellLine] {
        var lines = [CellLine(path, .of(.heading), in: glyphs)]
        if let line = Sparkline.line(numbers, columns: size.columns, in: glyphs) { lines.append(line) }
        let space = max(size.rows - lines.count, 0)
        // Changes get what the explanation leaves, and a third at least.
        let wanted = changes.isEmpty ? 0 : min(changes.count + 1, space / 3)
        lines += explained?.lines(columns: size.columns, rows: space - wanted) ?? []
        if !changes.isEmpty, size.rows - lines.count > 1 {
            lines.append(CellLine("recent changes", .dim, in: glyphs))
            var log = LogLines(glyphs, zone)
            let shown = Array(changes.prefix(size.rows - lines.count))
            lines += log.lines(shown, columns: size.columns, of: path)
        }
        return Array(lines.prefix(size.rows))
    }
}

/// Numbers as columns of one line.
enum Sparkline {
    /// The last numbers, one in each column; those that are nil are blank. Empty if fewer than two are numbers.
    static func line(_ numbers: [Double?], columns: Int, in glyphs: Glyphs) -> CellLine? {
        let known = numbers.compactMap(\.self)
        guard known.count > 1, let low = known.min(), let high = known.max() else { return nil }
        let middle = glyphs.isUnicode ? "…" : "to"
        let range = "  \(PlotView.text(low)) \(middle) \(PlotView.text(high))"
        let space = columns - range.count
        guard space > 0 else { return nil }
        var line = CellLine()
        let bars = glyphs.bars
        for number in numbers.suffix(space) {
            let bar = number.map { number in
                // Both ends of the range can be seen, and a constant is in the middle.
                let share = high > low ? (number - low) / (high - low) : 0.5
                return bars[1 + Int((share * Double(bars.count - 2)).rounded())]
            }
            line.append(bar ?? " ", .of(.number), in: glyphs)
        }
        line.append(range, .dim, in: glyphs)
        return line
    }
}
