// SPDX-License-Identifier: MIT
// The daemon's figures above a table of its connections, as lines of cells. Independent of their source.

import ObserveCore

struct TopState: Equatable, Sendable {
    var column = TopColumn.requests
    var isDescending = true
    /// The number of rows above the first that shows.
    var scrolled = 0
    /// A sentence in place of the line about keys, for example that the daemon has gone.
    var message: String?

    /// Chooses the next column, or the one before.
    mutating func choose(by step: Int) {
        let all = TopColumn.allCases
        let index = all.firstIndex(of: column) ?? 0
        column = all[(index + step + all.count) % all.count]
        isDescending = column.isNumber
    }

    /// Sorts by a column, or reverses the order if it is that one already.
    mutating func sort(by chosen: TopColumn) {
        if chosen == column {
            isDescending.toggle()
        } else {
            (column, isDescending) = (chosen, chosen.isNumber)
        }
    }
}

/// `top` as a function of figures, settings and a size.
struct TopView {
    /// The lines above the table, its header included.
    static let headRows = 6

    let figures: TopFigures
    let state: TopState
    let glyphs: Glyphs
    /// The connections of this process are dim.
    var ownProcess: Int64 = -1

    /// All lines, for a terminal or a page without end.
    func lines(columns: Int, rows: Int = .max) -> [CellLine] {
        var lines = head(columns)
        let sorted = sortedRows
        let shown = TopLayout(sorted, columns: columns, state, glyphs)
        lines.append(shown.header)
        let isScreen = rows < .max
        let space = isScreen ? max(rows - TopView.headRows - 1, 0) : sorted.count
        let first = min(state.scrolled, max(sorted.count - space, 0))
        for row in sorted.dropFirst(first).prefix(space) {
            lines.append(shown.line(row, isDim: row.client["pid"] == ownProcess))
        }
        guard isScreen else { return lines }
        while lines.count < rows - 1 { lines.append(CellLine()) }
        lines.append(foot(sorted.count))
        return lines
    }

    private var sortedRows: [TopRow] {
        figures.rows.sorted { left, right in
            let (first, second) = (state.column.place(of: left), state.column.place(of: right))
            if first == second { return left.client["connection"] < right.client["connection"] }
            return (first < second) != state.isDescending
        }
    }

    private func foot(_ count: Int) -> CellLine {
        if let message = state.message { return CellLine(message, .of(.warning), in: glyphs) }
        return CellLine("q quits  < > sort  r reverses  \(count) connections", .dim, in: glyphs)
    }

    // MARK: The daemon

    private func head(_ columns: Int) -> [CellLine] {
        [daemonLine, trafficLine, memoryLine(columns), journalLine, CellLine()]
            .map { $0.cut(to: columns, in: glyphs) }
    }

    private func int(_ name: String) -> Int64 { figures.sample.status[name]?.int ?? 0 }

    /// Labels and values in turn.
    private func line(_ parts: [(label: String, value: String)]) -> CellLine {
        var line = CellLine()
        for (index, part) in parts.enumerated() {
            if index > 0 { line.append("  ", in: glyphs) }
            if !part.label.isEmpty { line.append("\(part.label) ", .dim, in: glyphs) }
            line.append(part.value, in: glyphs)
        }
        return line
    }

    private var daemonLine: CellLine {
        let version = figures.sample.status["version"]?.string ?? ""
        var line = CellLine("observed \(version)", .of(.heading), in: glyphs)
        line.append("  ", in: glyphs)
        let uptime = Countdown.text(seconds: figures.sample.status["uptime"]?.double ?? 0)
        let load = figures.load.map { "\(Magnitude.text($0 * 100)) %" } ?? "-"
        let rest = self.line([
            ("up", uptime), ("load", load), ("revision", String(int("revision"))),
            ("models", String(int("models"))), ("bindings", String(int("bindings"))),
        ])
        line.append(rest)
        let failing = int("bindingsFailing")
        if failing > 0 { line.append("  \(failing) failing", .of(.warning), in: glyphs) }
        return line
    }

    private var trafficLine: CellLine {
        let requests = figures.rows.reduce(0) { $0 + $1.requestRate }
        return line([
            ("commits/s", Magnitude.text(figures.commitRate)), ("requests/s", Magnitude.text(requests)),
            ("events/s", Magnitude.text(figures.eventRate)), ("connections", String(int("connections"))),
            ("subscriptions", String(int("subscriptions"))), ("overflowed", String(int("overflowed"))),
        ])
    }

    private func memoryLine(_ columns: Int) -> CellLine {
        var line = CellLine("memory ", .dim, in: glyphs)
        line.append(figures.sample.memory.map { Magnitude.bytes(Double($0)) } ?? "-", in: glyphs)
        for (label, name) in [("tree", "maxTreeBytes"), ("buffers", "maxBufferedBytes")] {
            let limit = figures.sample.status["limits"]?[name]
            let (used, most) = (limit?["used"]?.double ?? 0, limit?["max"]?.double ?? 0)
            let share = most > 0 ? used / most : 0
            line.append("  \(label) ", .dim, in: glyphs)
            line.append("\(Magnitude.bytes(used)) of \(Magnitude.bytes(most)) ", in: glyphs)
            append(share, width: min(max((columns - 68) / 2, 4), 20), to: &line)
        }
        return line
    }

    private func append(_ share: Double, width: Int, to line: inout CellLine) {
        let style = Style.of(share > 0.9 ? .warning : share > 0.7 ? .literal : .string)
        let filled = Int((min(max(share, 0), 1) * Double(width)).rounded(.up))
        line.append("[", .dim, in: glyphs)
        line.append(String(repeating: glyphs.isUnicode ? "■" : "#", count: filled), style, in: glyphs)
        line.append(String(repeating: glyphs.dot, count: width - filled), .dim, in: glyphs)
        line.append("]", .dim, in: glyphs)
    }

    private var journalLine: CellLine {
        guard let journal = figures.sample.status["journal"]
        else { return line([("journal", "none: the models end with the daemon")]) }
        func number(_ name: String) -> Double { journal[name]?.double ?? 0 }
        var line = self.line([
            ("journal", journal["durability"]?.string ?? ""), ("bytes", Magnitude.bytes(number("bytes"))),
            ("snapshot", Magnitude.bytes(number("snapshotBytes"))),
            ("longest slice", "\(Magnitude.text(number("longestSlice"))) ms"),
        ])
        if journal["failing"]?.bool == true {
            line.append("  refuses writes: the disk fails", .of(.warning), in: glyphs)
        }
        return line
    }
}
