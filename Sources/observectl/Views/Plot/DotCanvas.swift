// SPDX-License-Identifier: MIT
// Dots in cells: Braille, quarters of blocks, or one character. Independent of plots.

struct DotCanvas {
    enum Dots: Equatable, Sendable {
        case braille, blocks
        /// One in a cell, with a mark for each style.
        case marks

        var columns: Int { self == .marks ? 1 : 2 }
        var rows: Int { self == .braille ? 4 : self == .blocks ? 2 : 1 }
    }

    private static let marks = ["*", "+", "o", "x", "#", "%", "@", "&", "=", "$", "~", "^"]
    /// The bits of Braille patterns, by row and column.
    private static let braille: [[UInt32]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]
    /// By the bits: upper left 1, upper right 2, lower left 4, lower right 8.
    private static let blocks = Array(" ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█").map(String.init)

    let dots: Dots
    let columns: Int
    let rows: Int
    private var bits: [UInt32]
    /// The number of the series that drew last in each cell.
    private var series: [Int]

    init(_ dots: Dots, columns: Int, rows: Int) {
        (self.dots, self.columns, self.rows) = (dots, columns, rows)
        bits = Array(repeating: 0, count: columns * rows)
        series = Array(repeating: 0, count: columns * rows)
    }

    var width: Int { columns * dots.columns }
    var height: Int { rows * dots.rows }

    /// Sets a dot; those outside are left out. The row 0 is above.
    mutating func set(_ x: Int, _ y: Int, _ number: Int) {
        guard x >= 0, y >= 0, x < width, y < height else { return }
        let cell = y / dots.rows * columns + x / dots.columns
        let (column, row) = (x % dots.columns, y % dots.rows)
        switch dots {
        case .braille: bits[cell] |= DotCanvas.braille[row][column]
        case .blocks: bits[cell] |= 1 << UInt32(row * 2 + column)
        case .marks: bits[cell] = 1
        }
        series[cell] = number
    }

    mutating func line(from start: (x: Int, y: Int), to end: (x: Int, y: Int), _ number: Int) {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let steps = max(abs(dx), abs(dy))
        guard steps > 0 else { return set(start.x, start.y, number) }
        for step in 0...steps {
            let x = start.x + (dx * step * 2 + steps * dx.signum()) / (2 * steps)
            let y = start.y + (dy * step * 2 + steps * dy.signum()) / (2 * steps)
            set(x, y, number)
        }
    }

    func line(_ row: Int, in glyphs: Glyphs, style: (Int) -> Style) -> CellLine {
        var line = CellLine()
        for column in 0..<columns {
            let cell = row * columns + column
            guard bits[cell] != 0 else {
                line.append(" ", in: glyphs)
                continue
            }
            let text =
                switch dots {
                case .braille: Unicode.Scalar(0x2800 + bits[cell]).map { String($0) } ?? " "
                case .blocks: DotCanvas.blocks[Int(bits[cell] & 15)]
                case .marks: DotCanvas.mark(series[cell])
                }
            line.append(text, style(series[cell]), in: glyphs)
        }
        return line
    }

    static func mark(_ number: Int) -> String { marks[number % marks.count] }
}
