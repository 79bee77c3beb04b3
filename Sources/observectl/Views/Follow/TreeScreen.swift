// SPDX-License-Identifier: MIT
// A live tree that fills a screen, with pins above and a panel beside or below. Independent of connections and keys.

import ObserveCore

/// `tree --follow` as a function of rows, a state and a size.
struct TreeScreen {
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
            let text = state.filter.isEmpty ? "no models yet" : "no path contains '\(state.filter)'"
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

    /// Adds the panel, beside the lines or below them.
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
            screen[index].fit(layout.treeColumns, in: glyphs)
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
