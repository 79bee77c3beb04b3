// SPDX-License-Identifier: MIT
// All about the chosen row of a live tree: its explanation, its numbers, its changes. Independent of the tree.

import ObserveCore

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
            lines += log.lines(
                Array(changes.prefix(size.rows - lines.count)),
                columns: size.columns,
                of: path
            )
        }
        return Array(lines.prefix(size.rows))
    }
}
