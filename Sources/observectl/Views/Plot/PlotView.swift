// SPDX-License-Identifier: MIT
// Series of numbers with axes, as lines of cells. Independent of their source.

struct PlotState: Equatable, Sendable {
    var low: Double?
    var high: Double?
    /// The seconds that show; nil for all.
    var window: Double?
    /// The right end of a live plot, in seconds since 1970; nil for the last point.
    var now: Double?
    /// Whether a value holds until the next one; otherwise straight lines connect the points.
    var isStepped = true
    var dots = DotCanvas.Dots.braille
    /// The seconds that the clocks of the axis are ahead of UTC.
    var clockOffset = 0.0
}

/// The ranges and the visible points of a plot, for cells and pictures alike.
struct PlotArea {
    let x: PlotScale
    let y: PlotScale
    let isTime: Bool
    let isStepped: Bool

    init(_ data: PlotData, _ state: PlotState, columns: Int, rows: Int) {
        (isTime, isStepped) = (data.axis == .time, state.isStepped)
        // Lines of standard input may have times in any order.
        let xs = data.series.lazy.flatMap { $0.points.lazy.map(\.x) }
        let end = state.now ?? xs.max() ?? 1
        let start = state.window.map { end - $0 } ?? xs.min() ?? 0
        var x = PlotScale(from: start, to: end, isTime: isTime, ticks: max(columns / 14, 1))
        if isTime { x.clockOffset = state.clockOffset }
        self.x = x
        var values: [Double] = []
        for series in data.series {
            // The value before the start still holds there.
            var held: Double?
            for point in series.points where point.x <= end {
                if point.x < start { held = point.y } else if let y = point.y { values.append(y) }
            }
            if let held { values.append(held) }
        }
        y = PlotScale(values: values, bounds: (state.low, state.high), ticks: max(rows / 4, 1))
    }

    /// How a line comes to a point: it begins there, keeps its value up to there, or goes there.
    enum Move { case begin, hold, reach }

    /// Follows the line of a series to the right end. It ends where a value is not a number.
    func trace(_ series: PlotSeries, _ body: (Move, _ x: Double, _ y: Double) -> Void) {
        var last: Double?
        for point in series.points where point.x <= x.high {
            if isStepped, let last { body(.hold, point.x, last) }
            if let y = point.y { body(last == nil ? .begin : .reach, point.x, y) }
            last = point.y
        }
        if isStepped, let last { body(.hold, x.high, last) }
    }
}

/// `plot` as a function of series, settings and a size.
struct PlotView {
    static func tone(_ number: Int) -> Style.Tone {
        let tones: [Style.Tone] = [.number, .literal, .string, .accent, .name, .warning]
        return tones[number % tones.count]
    }

    let data: PlotData
    let state: PlotState
    let glyphs: Glyphs

    private var dots: DotCanvas.Dots { glyphs.isUnicode ? state.dots : .marks }

    /// A legend, the plot, and an axis of positions below.
    func lines(columns: Int, rows: Int) -> [CellLine] {
        let legend = self.legend(columns, rows: max(rows / 3, 1))
        let height = max(rows - legend.count - 2, 1)
        let area = PlotArea(data, state, columns: columns, rows: height)
        let ticks = area.y.ticks.map { (row(of: $0, area, height), area.y.label($0)) }
        let labels = Dictionary(ticks) { $1 }
        let margin = min((labels.values.map(\.count).max() ?? 0) + 1, max(columns - 2, 1))
        var canvas = DotCanvas(dots, columns: max(columns - margin - 1, 1), rows: height)
        for (number, series) in data.series.enumerated() { draw(series, number, area, &canvas) }
        var lines = legend
        for row in 0..<height {
            var line = CellLine()
            let label = labels[row] ?? ""
            let space = String(repeating: " ", count: max(margin - 1 - label.count, 0))
            line.append("\(space)\(label) ", .dim, in: glyphs)
            line.append(label.isEmpty ? glyphs.vertical : glyphs.isUnicode ? "┤" : "+", .dim, in: glyphs)
            line.append(canvas.line(row, in: glyphs) { .of(PlotView.tone($0)) })
            lines.append(line)
        }
        return lines + axis(area, margin: margin, width: canvas.columns)
    }

    private func row(of value: Double, _ area: PlotArea, _ height: Int) -> Int {
        Int(((1 - area.y.share(value)) * Double(height - 1)).rounded())
    }

    private func draw(_ series: PlotSeries, _ number: Int, _ area: PlotArea, _ canvas: inout DotCanvas) {
        let (width, height) = (Double(canvas.width - 1), Double(canvas.height - 1))
        var last = (x: 0, y: 0)
        area.trace(series) { move, x, y in
            let row = Int(((1 - area.y.share(y)) * height).rounded())
            let here = (x: Int((area.x.share(x) * width).rounded()), y: row)
            canvas.line(from: move == .begin ? here : last, to: here, number)
            last = here
        }
    }

    // MARK: Text

    /// The names of the series with their last values, and the number of those that do not fit.
    private func legend(_ columns: Int, rows: Int) -> [CellLine] {
        var lines: [CellLine] = []
        var hidden = data.omitted.count
        for (number, series) in data.series.enumerated() {
            let style = Style.of(PlotView.tone(number))
            let mark = dots == .marks ? DotCanvas.mark(number) : "■"
            var entry = CellLine("\(mark) ", style, in: glyphs)
            if !series.name.isEmpty { entry.append("\(series.name) ", style, in: glyphs) }
            let last = series.points.last?.y
            entry.append(last.map { PlotView.text($0) } ?? "-", in: glyphs)
            entry = entry.cut(to: columns, in: glyphs)
            if hidden == data.omitted.count, let line = lines.last, line.count + 3 + entry.count <= columns {
                lines[lines.count - 1].append("   ", in: glyphs)
                lines[lines.count - 1].append(entry)
            } else if hidden == data.omitted.count, lines.count < rows {
                lines.append(entry)
            } else {
                hidden += 1
            }
        }
        if hidden > 0 {
            let rest = CellLine(" and \(hidden) more", .dim, in: glyphs)
            var last = lines.removeLast().cut(to: max(columns - rest.count, 0), in: glyphs)
            last.append(rest)
            lines.append(last)
        }
        return lines.isEmpty ? [CellLine("no numbers yet", .dim, in: glyphs)] : lines
    }

    /// A number as short as it is.
    static func text(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? String(Int64(number)) : "\(number)"
    }

    /// The axis, and the labels of its ticks. A label that would touch another is left out.
    private func axis(_ area: PlotArea, margin: Int, width: Int) -> [CellLine] {
        var line = CellLine()
        line.pad(to: margin)
        line.append(glyphs.corner, .dim, in: glyphs)
        var ruler = Array(repeating: glyphs.horizontal, count: width)
        var labels = Array(repeating: Character(" "), count: margin + 1 + width)
        var free = 0
        for tick in area.x.ticks {
            let column = Int((area.x.share(tick) * Double(width - 1)).rounded())
            guard column >= 0, column < width else { continue }
            let text = area.isTime ? area.x.timeLabel(tick) : area.x.label(tick)
            let start = min(max(margin + 1 + column - text.count / 2, 0), labels.count - text.count)
            guard start >= free else { continue }
            ruler[column] = glyphs.isUnicode ? "┬" : "+"
            labels.replaceSubrange(start..<(start + text.count), with: Array(text))
            free = start + text.count + 1
        }
        line.append(ruler.joined(), .dim, in: glyphs)
        return [line, CellLine(String(labels), .dim, in: glyphs)]
    }
}
