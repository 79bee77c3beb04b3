// SPDX-License-Identifier: MIT
// Lines of cells as text for standard output, and as a picture. Independent of the lines.

import ObserveCore

extension [CellLine] {
    /// The lines as text, each with a line feed, without blank columns at their ends.
    func output(isColoured: Bool) -> [UInt8] {
        flatMap { line -> [UInt8] in
            guard isColoured else { return [UInt8]("\(line.text)\n".utf8) }
            var text = ""
            var style = Style.plain
            let end = (line.cells.lastIndex { $0 != .blank } ?? -1) + 1
            for cell in line.cells[..<end] {
                if cell.style != style {
                    text += cell.style.sequence(isColoured: true)
                    style = cell.style
                }
                text += cell.text
            }
            if style != .plain { text += Style.plain.sequence(isColoured: true) }
            return [UInt8]("\(text)\n".utf8)
        }
    }

    var picture: String {
        let (width, height, margin) = (8.4, 18.0, 12.0)
        let columns = Double(map(\.count).max() ?? 0)
        let size = (columns * width + 2 * margin, Double(count) * height + 2 * margin)
        var svg = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size.0.short) \(size.1.short)" \
            font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14">
            <rect width="100%" height="100%" rx="6" fill="#1c1f26"/>

            """
        for (row, line) in enumerated() {
            let baseline = margin + Double(row) * height + 13
            for run in line.runs {
                let (x, length) = (margin + Double(run.start) * width, Double(run.columns) * width)
                let weight = [.heading, .name].contains(run.style.tone) ? " font-weight=\"bold\"" : ""
                svg += """
                    <text x="\(x.short)" y="\(baseline.short)" textLength="\(length.short)" \
                    lengthAdjust="spacingAndGlyphs" xml:space="preserve" \
                    fill="\(run.style.tone.webColour)"\(weight)>\(run.text.escapedForXML)</text>

                    """
            }
        }
        return svg + "</svg>\n"
    }
}

private extension CellLine {
    /// The texts of one style. Blank columns at the ends are left out.
    var runs: [(start: Int, columns: Int, text: String, style: Style)] {
        var runs: [(start: Int, columns: Int, text: String, style: Style)] = []
        var start = 0
        while start < cells.count {
            let style = cells[start].style
            let end = cells[start...].firstIndex { $0.style != style } ?? cells.count
            let first = cells[start..<end].firstIndex { $0.text != " " }
            if let first, let last = cells[first..<end].lastIndex(where: { $0.text != " " }) {
                let text = cells[first...last].map(\.text).joined()
                runs.append((first, last + 1 - first, text, style))
            }
            start = end
        }
        return runs
    }
}

extension Double {
    func text(decimals: Int) -> String {
        ValueFormat.decimals(decimals).text(of: Value.double(self)) { $1 } ?? ""
    }

    /// The number with at most two digits after the point, for a picture.
    var short: String {
        var text = text(decimals: 2)
        while text.last == "0" { text.removeLast() }
        return text.last == "." ? String(text.dropLast()) : text
    }
}

extension String { var escapedForXML: String { inMarkup.replacing("\"", with: "&quot;") } }
