// SPDX-License-Identifier: MIT
// A terminal's screen, as far as frames need it: shows the bytes of drawings as cells.

/// Understands the cursor, erasing and styles of frames, and the way to the ordinary screen and back. Traps at anything
/// else: then the test fails.
package struct ScreenModel {
    private let columns: Int
    private let width: (Character) -> Int
    /// The text and the style of each column; an empty text for the second column of a wide character.
    package private(set) var rows: [[(text: String, style: String)]]
    private var (row, column) = (0, 0)
    private var style = ""
    /// False on the ordinary screen, whose text is not kept.
    private var isDrawing = true

    /// An empty screen. `width` gives the columns of a character.
    package init(columns: Int, rows count: Int, width: @escaping (Character) -> Int = { _ in 1 }) {
        self.columns = columns
        self.width = width
        rows = Array(repeating: Array(repeating: (" ", ""), count: columns), count: count)
    }

    package var text: String {
        rows.map { row in
            var text = row.map(\.text).joined()
            while text.last == " " { text.removeLast() }
            return text
        }.joined(separator: "\n")
    }

    /// Draws whole escape sequences: `text` ends inside of none.
    package mutating func draw(_ text: String) {
        var rest = Substring(text)
        while let character = rest.popFirst() {
            if character == "\u{1B}" {
                escape(&rest)
            } else if isDrawing {
                put(character)
            }
        }
    }

    private mutating func escape(_ rest: inout Substring) {
        precondition(rest.popFirst() == "[", "a sequence that is not CSI")
        let params = rest.prefix { !$0.isLetter }
        rest = rest.dropFirst(params.count)
        let numbers = params.split(separator: ";").map { Int($0) ?? 0 }
        switch (rest.popFirst(), params) {
        case ("H", _): (row, column) = (numbers[0] - 1, numbers[1] - 1)
        case ("K", ""): for at in column..<columns { rows[row][at] = (" ", "") }
        case ("J", "2"): self = ScreenModel(columns: columns, rows: rows.count, width: width)
        case ("m", _): style = params == "0" ? "" : String(params)
        case ("h", "?1049"): isDrawing = true
        case ("l", "?1049"): isDrawing = false
        // Whole frames, the mouse, lines without an end, the cursor: none of them changes a cell.
        case ("h", "?2026"), ("l", "?2026"), ("h", "?1000"), ("l", "?1000"), ("h", "?1006"), ("l", "?1006"),
            ("h", "?7"), ("l", "?7"), ("h", "?25"), ("l", "?25"):
            break
        case (let final, _): preconditionFailure("an unknown sequence: \(params)\(final ?? " ")")
        }
    }

    private mutating func put(_ character: Character) {
        let width = width(character)
        precondition(width > 0 && column + width <= columns, "a character outside of the row")
        rows[row][column] = (String(character), style)
        if width == 2 { rows[row][column + 1] = ("", style) }
        column += width
    }
}
