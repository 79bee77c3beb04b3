// SPDX-License-Identifier: MIT
// Numbers as columns of one line. Independent of their source.

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
        for number in numbers.suffix(space) {
            let bar = number.map { number in
                // Both ends of the range can be seen, and a constant is in the middle.
                let share = high > low ? (number - low) / (high - low) : 0.5
                return glyphs.bars[1 + Int((share * Double(glyphs.bars.count - 2)).rounded())]
            }
            line.append(bar ?? " ", .of(.number), in: glyphs)
        }
        line.append(range, .dim, in: glyphs)
        return line
    }
}
