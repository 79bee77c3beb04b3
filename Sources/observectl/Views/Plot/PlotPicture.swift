// SPDX-License-Identifier: MIT
// Series of numbers as an SVG picture. Independent of their source.

import ObserveCore

struct PlotPicture {
    private static let (right, bottom) = (16.0, 30.0)
    /// Of the legend.
    private static let rowHeight = 16.0
    /// Of a digit.
    private static let characterWidth = 7.4

    private let data: PlotData
    /// In pixels.
    private let (width, height): (Double, Double)

    private let area: PlotArea
    /// The column of the axis, beside the longest label.
    private let left: Double
    /// The texts of the legend, each with its place.
    private var legendTexts: [(x: Double, row: Int, text: String)] = []
    /// Below the legend.
    private var top: Double { 34 + Double(legendTexts.last?.row ?? 0) * PlotPicture.rowHeight }

    init(data: PlotData, state: PlotState, width: Double = 800, height: Double = 320) {
        (self.data, self.width, self.height) = (data, width, height)
        area = PlotArea(data, state, columns: Int(width / 8.4), rows: Int(height / 14))
        let longest = area.y.ticks.map(area.y.label).map(\.count).max() ?? 0
        left = Double(longest) * PlotPicture.characterWidth + 24
        arrangeLegend()
    }

    /// Places the names of the series in rows that fit the width. A name that is longer than a row is cut.
    private mutating func arrangeLegend() {
        var (x, row) = (left, 0)
        for series in data.series {
            let space = Int((width - left - 16 - PlotPicture.right) / PlotPicture.characterWidth)
            let whole = CellLine(series.name.isEmpty ? "standard input" : series.name, in: .unicode)
            let name = whole.cut(to: max(space, 1), in: .unicode)
            let end = x + 16 + Double(name.count) * PlotPicture.characterWidth
            if end > width - PlotPicture.right, x > left { (x, row) = (left, row + 1) }
            legendTexts.append((x, row, name.text))
            x += 40 + Double(name.count) * PlotPicture.characterWidth
        }
    }

    var svg: String {
        var svg = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width.short) \(height.short)" \
            font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="12">
            <rect width="100%" height="100%" rx="6" fill="#1c1f26"/>
            <clipPath id="area"><rect x="\(left.short)" y="\((top - 2).short)" \
            width="\(innerWidth.short)" height="\((innerHeight + 4).short)"/></clipPath>

            """
        svg += grid
        for (number, series) in data.series.enumerated() { svg += path(series, number) }
        return svg + legend + "</svg>\n"
    }

    private var innerWidth: Double { width - left - PlotPicture.right }
    private var innerHeight: Double { height - top - PlotPicture.bottom }

    private func x(_ number: Double) -> Double { left + area.x.share(number) * innerWidth }
    private func y(_ number: Double) -> Double { top + (1 - area.y.share(number)) * innerHeight }

    private var grid: String {
        var svg = ""
        for tick in area.y.ticks {
            let y = self.y(tick)
            svg += """
                <line x1="\(left.short)" x2="\((width - PlotPicture.right).short)" y1="\(y.short)" \
                y2="\(y.short)" stroke="#3a3f4a"/>
                <text x="\((left - 8).short)" y="\((y + 4).short)" text-anchor="end" \
                fill="#9aa0ac">\(area.y.label(tick).escapedForXML)</text>

                """
        }
        for tick in area.x.ticks {
            let x = self.x(tick)
            let label = area.isTime ? area.x.timeLabel(tick) : area.x.label(tick)
            svg += """
                <line x1="\(x.short)" x2="\(x.short)" y1="\((height - PlotPicture.bottom).short)" \
                y2="\((height - PlotPicture.bottom + 5).short)" stroke="#9aa0ac"/>
                <text x="\(x.short)" y="\((height - 8).short)" text-anchor="middle" fill="#9aa0ac">\(label)</text>

                """
        }
        return svg
    }

    private func path(_ series: PlotSeries, _ number: Int) -> String {
        var commands = ""
        area.trace(series) { move, x, y in
            let (x, y) = (self.x(x).short, self.y(y).short)
            switch move {
            case .begin: commands += "M\(x) \(y)"
            case .hold: commands += "H\(x)"
            case .reach: commands += area.isStepped ? "V\(y)" : "L\(x) \(y)"
            }
        }
        guard !commands.isEmpty else { return "" }
        return """
            <path d="\(commands)" clip-path="url(#area)" fill="none" stroke="\(colour(number))" stroke-width="2" \
            stroke-linejoin="round"/>

            """
    }

    private var legend: String {
        var svg = ""
        for (number, entry) in legendTexts.enumerated() {
            let y = 12 + Double(entry.row) * PlotPicture.rowHeight
            svg += """
                <rect x="\(entry.x.short)" y="\(y.short)" width="10" height="10" fill="\(colour(number))"/>
                <text x="\((entry.x + 16).short)" y="\((y + 9).short)" fill="#d4d7dd">\(entry.text.escapedForXML)</text>

                """
        }
        return svg
    }

    private func colour(_ number: Int) -> String { PlotView.tone(number).webColour }
}
