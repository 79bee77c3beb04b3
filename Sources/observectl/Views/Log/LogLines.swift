// SPDX-License-Identifier: MIT
// Changes as aligned lines of cells. Independent of their source.

import ObserveCore

/// Lines for changes. Columns widen with what they have shown, so that lines stay aligned as they come.
struct LogLines {
    private static let widestPath = 40
    private static let widestMaker = 28
    private static let longestValue = 1000
    /// Narrower lines have no makers and no milliseconds; with dates, no years and no seconds.
    private static let narrow = 60

    private let glyphs: Glyphs
    private let zone: ClockZone
    private var pathColumns = 0
    private var makerColumns = 0
    /// Today, or else the day of the first line. From a line of another day on, all have dates.
    private var firstDay: Int64?
    private var hasDates = false

    /// - Parameter now: nil if the day of the first line counts as today.
    init(_ glyphs: Glyphs, _ zone: ClockZone = .utc, now: ClockTime? = nil, hasDates: Bool = false) {
        (self.glyphs, self.zone, self.hasDates) = (glyphs, zone, hasDates)
        firstDay = now.map { zone.shown($0).day }
    }

    mutating func lines(_ changes: [LoggedChange], columns: Int) -> [CellLine] {
        for change in changes { widen(for: change, columns) }
        return changes.map { line($0, columns) }
    }

    /// Lines for changes at one path and below it: each has the rest of its path alone.
    mutating func lines(_ changes: [LoggedChange], columns: Int, of path: String) -> [CellLine] {
        let relative = changes.map { change in
            var change = change
            change.path = change.path.rest(below: path) ?? ""
            return change
        }
        return lines(relative, columns: columns)
    }

    private mutating func widen(for change: LoggedChange, _ columns: Int) {
        let (path, maker) = (CellLine(change.path, in: glyphs), CellLine(change.maker.text, in: glyphs))
        pathColumns = max(pathColumns, min(path.count, LogLines.widestPath, columns / 3))
        makerColumns = max(makerColumns, min(maker.count, LogLines.widestMaker, columns / 4))
        guard let day = change.time.map(zone.shown)?.day else { return }
        if let firstDay, firstDay != day { hasDates = true }
        firstDay = firstDay ?? day
    }

    private func line(_ change: LoggedChange, _ columns: Int) -> CellLine {
        var line = CellLine()
        let shown = change.time.map(zone.shown)
        let isNarrow = columns < LogLines.narrow
        let date = shown?.date ?? "          "
        let time = shown?.timeOfDay ?? "            "
        let day = hasDates ? "\(date.dropFirst(isNarrow ? 5 : 0)) " : ""
        let clock = isNarrow ? time.prefix(hasDates ? 5 : 8) : time[...]
        line.append("\(day)\(clock)  ", .dim, in: glyphs)
        if !isNarrow { append(change.maker.text, .of(.accent), makerColumns, to: &line) }
        if pathColumns > 0 { append(change.path, .of(.name), pathColumns, to: &line) }
        let space = max(columns - line.count, 0)
        line.append(change.values(glyphs, longest: LogLines.longestValue, columns: space))
        return line.cut(to: columns, in: glyphs)
    }

    private func append(_ text: String, _ style: Style, _ columns: Int, to line: inout CellLine) {
        line.append(CellLine(text, style, in: glyphs).fitted(to: columns, in: glyphs))
        line.append("  ", in: glyphs)
    }
}

extension LoggedChange {
    /// The former value, an arrow, and the new one. If both do not fit, the former one has a third at most.
    func values(_ glyphs: Glyphs, longest: Int, columns: Int) -> CellLine {
        var before = CellLine(old, longest: longest, in: glyphs)
        let after = CellLine(new, longest: longest, in: glyphs)
        let space = max(columns - 3, 0)
        if before.count + after.count > space {
            before = before.cut(to: max(space / 3, space - after.count), in: glyphs)
        }
        before.append(" \(glyphs.arrow) ", .dim, in: glyphs)
        before.append(after.cut(to: max(columns - before.count, 0), in: glyphs))
        return before
    }
}
