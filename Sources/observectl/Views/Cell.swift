// SPDX-License-Identifier: MIT
// Lines of cells: text that takes a known number of columns. Independent of terminals and views.

import ObserveCore

/// One column of a line. A wide character takes two: the second one has no text.
struct Cell: Equatable, Sendable {
    var text: String
    var style: Style

    static let blank = Cell(text: " ", style: .plain)

    /// Whether it is the second column of a wide character.
    var isContinuation: Bool { text.isEmpty }

    /// Whether all terminals agree on its width.
    var isSimple: Bool { text.utf8.count == 1 }
}

struct CellLine: Equatable, Sendable {
    /// A character may have any number of marks. More than these are left out.
    private static let mostScalars = 16

    private(set) var cells: [Cell] = []

    init() {}

    init(_ text: String, _ style: Style = .plain, in glyphs: Glyphs) { append(text, style, in: glyphs) }

    var count: Int { cells.count }

    /// Appends text. Hidden characters, and with ASCII all others, are shown as escapes.
    mutating func append(_ text: String, _ style: Style = .plain, in glyphs: Glyphs) {
        let text = glyphs.isUnicode ? text.printable : text.printable.inASCII
        var rest = text.utf8[...]
        // Almost all text is ASCII. A mark after it would belong to its last character.
        while let byte = rest.first, byte >= 0x20, byte < 0x7F {
            let next = rest.index(after: rest.startIndex)
            if next < rest.endIndex, rest[next] >= 0x80 { break }
            cells.append(Cell(text: CellLine.ascii[Int(byte) - 0x20], style: style))
            rest = rest[next...]
        }
        guard !rest.isEmpty else { return }
        for character in text[rest.startIndex...] { append(character, style) }
    }

    mutating func append(_ line: CellLine) { cells += line.cells }

    mutating func pad(to columns: Int, _ style: Style = .plain) {
        guard columns > count else { return }
        cells += Array(repeating: Cell(text: " ", style: style), count: columns - count)
    }

    /// The line in at most that many columns, with an ellipsis for the rest.
    func cut(to columns: Int, in glyphs: Glyphs) -> CellLine {
        guard count > columns else { return self }
        var line = CellLine()
        guard columns > 0 else { return line }
        var keep = columns - 1
        while keep > 0, cells[keep].isContinuation { keep -= 1 }
        line.cells = cells[..<keep] + [Cell(text: glyphs.ellipsis, style: cells[keep].style)]
        line.pad(to: columns, cells[keep].style)
        return line
    }

    /// The line in exactly that many columns.
    func fitted(to columns: Int, in glyphs: Glyphs) -> CellLine {
        var line = cut(to: columns, in: glyphs)
        line.pad(to: columns)
        return line
    }

    /// Appends a value and the marks after it. To fit, the value is cut first, and the marks if they leave it less than half.
    mutating func append(_ value: CellLine, marks: String, columns: Int, in glyphs: Glyphs) {
        var (value, notes) = (value, CellLine())
        if !marks.isEmpty { notes.append("  \(marks)", .of(.accent), in: glyphs) }
        let space = max(columns - count, 0)
        if value.count + notes.count > space {
            value = value.cut(to: max(space - notes.count, min(value.count, space / 2)), in: glyphs)
        }
        append(value)
        append(notes)
        self = cut(to: columns, in: glyphs)
    }

    mutating func restyle(_ body: (inout Style) -> Void) {
        for index in cells.indices { body(&cells[index].style) }
    }

    private mutating func append(_ character: Character, _ style: Style) {
        let scalars = character.unicodeScalars
        var text = String(character)
        if scalars.count > CellLine.mostScalars {
            text = String(String.UnicodeScalarView(scalars.prefix(CellLine.mostScalars)))
        }
        switch DisplayWidth.of(character) {
        // A mark without a letter would belong to the cell before it.
        case 0: cells.append(Cell(text: "\u{25CC}\(text)", style: style))
        case 1: cells.append(Cell(text: text, style: style))
        default: cells += [Cell(text: text, style: style), Cell(text: "", style: style)]
        }
    }

    private static let ascii = (0x20..<0x7F).map { String(Unicode.Scalar(UInt8($0))) }

    /// The text, without blank columns at its end.
    var text: String {
        var text = cells.map(\.text).joined()
        while text.last == " " { text.removeLast() }
        return text
    }

    // MARK: Values

    /// A value as JSON, at most that many bytes of it; nil for one that the daemon left out.
    init(_ value: Value?, longest: Int, in glyphs: Glyphs) {
        self.init(value?.shortText(longest) ?? "(large)", .of(value?.tone ?? .dim), in: glyphs)
    }
}

extension Value {
    /// The value as JSON, at most that many bytes of it.
    func shortText(_ limit: Int) -> String {
        if case .string(let text) = self, text.utf8.count > limit {
            return RawJSON(.string(text.cut(atBytes: limit))).text
        }
        return RawJSON(self).text.cut(atBytes: limit + 2)
    }

    /// The tone in which views show it.
    var tone: Style.Tone {
        switch self {
        case .string: .string
        case .int, .double: .number
        case .null, .bool: .literal
        case .array, .object: .plain
        }
    }
}

private extension String {
    var inASCII: String { unicodeScalars.reduce(into: "") { $0 += $1.isASCII ? String($1) : $1.escaped } }
}
