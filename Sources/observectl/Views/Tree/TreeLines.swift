// SPDX-License-Identifier: MIT
// Rows of a tree as lines of cells: names, values, types and marks. Independent of which rows there are.

import ObserveCore

struct TreeLines {
    private static let longestValue = 4096

    let graph: ModelGraph
    let paths: GraphPaths
    let glyphs: Glyphs
    /// Declared types by path; empty if types are not shown.
    var types: [[UInt8]: String] = [:]
    /// Milliseconds since 1970, for values that expire.
    var now: Int64 = 0
    /// Whether a mark before a name shows that the row is collapsed or expanded.
    var showsExpansion = false

    /// - Parameter glow: of the value, or of the name of a row without one.
    func line(_ row: TreeRow, columns: Int, glow: UInt8 = 0) -> CellLine {
        var line = CellLine()
        for (level, continues) in row.continues.enumerated() {
            let isOwn = level + 1 == row.continues.count
            let stem = continues ? glyphs.stem : "   "
            line.append(isOwn ? (continues ? glyphs.branch : glyphs.lastBranch) : stem, .dim, in: glyphs)
        }
        if showsExpansion {
            let mark = row.isCollapsed.map { $0 ? glyphs.collapsed : glyphs.expanded } ?? " "
            line.append("\(mark) ", .dim, in: glyphs)
        }
        let start = line.count
        let content = graph.content(at: row.place) ?? .scalar(.null)
        var value = self.value(content, row)
        line.append(row.name, Style(tone: .name, glow: value.count == 0 ? glow : 0), in: glyphs)
        if let type = types[row.path.bytes] { line.append(": \(type)", .dim, in: glyphs) }
        value.restyle { $0.glow = glow }
        if value.count > 0 {
            line.append(" ", in: glyphs)
            if types.isEmpty { line.pad(to: start + row.nameColumns + 1) }
            line.append(" ", in: glyphs)
        }
        line.append(value, marks: marks(content, row), columns: columns, in: glyphs)
        return line
    }

    private func value(_ content: ModelGraph.Content, _ row: TreeRow) -> CellLine {
        switch content {
        case .scalar(let value), .computed(let value?): return text(of: value)
        case .computed(nil): return CellLine("?", .dim, in: glyphs)
        case .weak(nil): return text(of: .null)
        case .weak(let instance?):
            return CellLine("\(glyphs.arrow) \(paths.path(to: instance) ?? "?")", .of(.accent), in: glyphs)
        case .list(let elements):
            if let value = content.value { return text(of: value) }
            let isShort = row.isCollapsed == true
            return CellLine(isShort ? "[\(elements.count)]" : "", .dim, in: glyphs)
        case .model(let instance):
            if let link = row.link { return CellLine("\(glyphs.arrow) \(link)", .of(.accent), in: glyphs) }
            let model = graph.models[instance]
            let type = types.isEmpty ? model?.type ?? "" : ""
            let count = model?.properties.count ?? 0
            let size = row.isCollapsed == true ? "{\(count)}" : count == 0 ? "{}" : ""
            return CellLine([type, size].filter { !$0.isEmpty }.joined(separator: " "), .dim, in: glyphs)
        }
    }

    private func text(of value: Value) -> CellLine {
        CellLine(value, longest: TreeLines.longestValue, in: glyphs)
    }

    // MARK: Marks

    private func marks(_ content: ModelGraph.Content, _ row: TreeRow) -> String {
        var marks: [String] = []
        switch content {
        case .model(let instance) where row.link == nil:
            let names = paths.holders(of: instance, except: row.place).lazy.map { holder in
                (holder.isWeak ? "weak " : "") + (paths.path(of: holder.place) ?? "?")
            }
            if let also = names.also() { marks.append(also) }
        case .weak: marks.append("weak")
        case .computed: marks.append("computed")
        case .model, .scalar, .list: break
        }
        for end in paths.bound[row.place] ?? [] {
            let arrow =
                switch end.direction {
                case .feeds: glyphs.arrow
                case .isFed: glyphs.backArrow
                case .both: glyphs.bothArrows
                }
            marks.append("bound \(arrow) \(end.other)")
        }
        if let layers = graph.layers[row.place] { marks.append(held(layers)) }
        return marks.joined(separator: ", ")
    }

    private func held(_ layers: [ModelGraph.Layer]) -> String {
        var text = "held by a connection"
        if case .time(let time) = layers.last?.end {
            text = "held \(Countdown.text(milliseconds: time.remaining(at: now)))"
        }
        return text + (layers.dropLast().last?.value?.value.map { ", then \($0.shortText(40))" } ?? "")
    }
}

extension Collection<String> {
    /// The first of the other references to a model: `also a, b, c and 2 more`; nil for none.
    func also(further: Int64 = 0) -> String? {
        let names = Array(prefix(3))
        let rest = Int64(count - names.count).adding(further)
        let end = rest > 0 ? " and \(rest) more" : ""
        return names.isEmpty ? nil : "also \(names.joined(separator: ", "))\(end)"
    }
}
