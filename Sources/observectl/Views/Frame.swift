// SPDX-License-Identifier: MIT
// A picture of lines of cells that fills a size. Independent of its drawing.

/// Columns and rows.
struct FrameSize: Equatable, Sendable {
    var columns: Int
    var rows: Int

    init(_ columns: Int, _ rows: Int) { (self.columns, self.rows) = (columns, rows) }
}

/// Lines of cells, as many as the size has rows, each as long as it has columns.
struct Frame: Equatable, Sendable {
    let size: FrameSize
    private(set) var lines: [CellLine]

    /// Cuts the lines, and fills what they leave free.
    init(_ lines: [CellLine], _ size: FrameSize, in glyphs: Glyphs) {
        self.size = size
        self.lines = lines.prefix(size.rows).map { line in
            var line = line
            line.fit(size.columns, in: glyphs)
            return line
        }
        if self.lines.count < size.rows {
            var blank = CellLine()
            blank.pad(to: size.columns)
            self.lines += Array(repeating: blank, count: size.rows - self.lines.count)
        }
    }
}
