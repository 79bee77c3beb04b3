// SPDX-License-Identifier: MIT
// The bytes that change one frame on a terminal into another. Independent of the terminal.

/// Draws frames by difference: a cell that stays the same costs nothing, and never flickers.
struct FrameDifference {
    /// A few equal cells between two changes cost less than to move the cursor.
    private static let shortGap = 4

    private let isColoured: Bool
    private var output = ""
    private var style: Style?

    /// The bytes that show `new` where `old` is shown; where the screen is empty if that is nil. Empty if both are equal.
    static func bytes(from old: Frame?, to new: Frame, isColoured: Bool) -> [UInt8] {
        var difference = FrameDifference(isColoured: isColoured)
        let former = old.flatMap { $0.size == new.size ? $0 : nil }
        if former == nil { difference.output += "\u{1B}[0m\u{1B}[2J" }
        for (row, line) in new.lines.enumerated() {
            difference.draw(line.cells, over: former?.lines[row].cells, row: row)
        }
        guard !difference.output.isEmpty else { return [] }
        // A terminal that can shows all of it at once.
        return "\u{1B}[?2026h\(difference.output)\u{1B}[0m\u{1B}[?2026l".bytes
    }

    private mutating func draw(_ new: [Cell], over old: [Cell]?, row: Int) {
        let end = (new.lastIndex { $0 != .blank } ?? -1) + 1
        // The column of the cursor; nil if it is elsewhere.
        var cursor: Int?
        var column = 0
        while column < end {
            guard new[column] != (old?[column] ?? .blank) else {
                column += 1
                continue
            }
            if let at = cursor, column - at <= FrameDifference.shortGap,
                new[at..<column].allSatisfy(\.isSimple)
            {
                for cell in new[at..<column] { put(cell) }
            } else if cursor != column {
                move(row, column)
            }
            put(new[column])
            let isWide = column + 1 < new.count && new[column + 1].isContinuation
            // Terminals do not agree on how wide other characters are.
            cursor = new[column].isSimple ? column + 1 : nil
            column += isWide ? 2 : 1
        }
        guard let old, old[end...].contains(where: { $0 != .blank }) else { return }
        if cursor != end { move(row, end) }
        select(.plain)
        output += "\u{1B}[K"
    }

    private mutating func move(_ row: Int, _ column: Int) { output += "\u{1B}[\(row + 1);\(column + 1)H" }

    private mutating func put(_ cell: Cell) {
        select(cell.style)
        output += cell.text
    }

    private mutating func select(_ new: Style) {
        guard style != new else { return }
        style = new
        output += new.sequence(isColoured: isColoured)
    }
}

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
        self.lines = lines.prefix(size.rows).map { $0.fitted(to: size.columns, in: glyphs) }
        let blank = CellLine().fitted(to: size.columns, in: glyphs)
        self.lines += Array(repeating: blank, count: size.rows - self.lines.count)
    }
}
