// SPDX-License-Identifier: MIT
// The explanation of a value as a small graph: the models that hold it, its inputs and outputs. Independent of requests.

import ObserveCore

struct ExplainLines {
    private static let longestValue = 4096

    let explained: Value
    let glyphs: Glyphs
    /// Milliseconds since 1970.
    let now: Int64
    /// Milliseconds since the answer: temporary values count down.
    var age: Int64 = 0
    var zone = ClockZone.nameless
    let name: (Int64) -> String?

    /// The graph, an empty line, and facts with labels.
    func lines(columns: Int) -> [CellLine] {
        let chain = chain(columns) + edges(depth: max(components.count - 1, 0))
        return (chain + [CellLine()] + facts(columns)).map { $0.cut(to: columns, in: glyphs) }
    }

    /// The same in that many rows: if they do not suffice, without the chain, whose end the title above has.
    func lines(columns: Int, rows: Int) -> [CellLine] {
        let all = lines(columns: columns)
        guard all.count > rows else { return all }
        let rest = edges(depth: 0) + facts(columns)
        return rest.prefix(max(rows, 0)).map { $0.cut(to: columns, in: glyphs) }
    }

    // MARK: The graph

    private var components: [Value] { explained["components"]?.array ?? [] }

    private func chain(_ columns: Int) -> [CellLine] {
        var lines: [CellLine] = []
        var former: String?
        for (depth, component) in components.enumerated() {
            var line = CellLine(indent(depth), .dim, in: glyphs)
            let path = component["path"]?.string ?? ""
            line.append(former.flatMap(path.rest) ?? path, .of(.name), in: glyphs)
            line.append("  ", in: glyphs)
            former = path
            let isLast = depth + 1 == components.count
            var value = CellLine(isLast ? "" : type(component), .dim, in: glyphs)
            if isLast { value.append(shownValue) }
            line.append(value, marks: marks(component, isLast), columns: columns, in: glyphs)
            lines.append(line)
        }
        return lines
    }

    private func indent(_ depth: Int) -> String {
        depth == 0 ? "" : String(repeating: "   ", count: depth - 1) + glyphs.lastBranch
    }

    private func type(_ component: Value) -> String { component["type"]?.string ?? "" }

    /// A model is in the chain as such, without its contents.
    private var shownValue: CellLine {
        let value = explained["value"]
        if case .object(let members)? = value { return CellLine("{\(members.count)}", .dim, in: glyphs) }
        return CellLine(value, longest: ExplainLines.longestValue, in: glyphs)
    }

    private func marks(_ component: Value, _ isLast: Bool) -> String {
        var marks: [String] = []
        if isLast {
            marks.append(type(component))
            let isComputed = explained["computed"]?.bool == true
            let isReadonly = explained["readonly"]?.bool == true
            marks.append(isComputed ? "computed" : isReadonly ? "read-only" : "")
        }
        if component["weak"]?.bool == true { marks.append("weak") }
        let others = (component["holders"]?.array ?? []).filter { $0["path"] != component["path"] }
        let names = others.lazy.map { holder in
            (holder["weak"]?.bool == true ? "weak " : "") + (holder["path"]?.string ?? "?")
        }
        if let also = names.also(further: component["furtherHolders"]?.int ?? 0) { marks.append(also) }
        return marks.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// The properties that feed the value, and those that it feeds, as branches below it.
    private func edges(depth: Int) -> [CellLine] {
        var edges: [(arrow: String, path: String, label: String)] = []
        let kinds = [("fedBy", glyphs.backArrow, "input"), ("feeds", glyphs.arrow, "computed")]
        for (member, arrow, computed) in kinds {
            for edge in explained[member]?.array ?? [] {
                let binding = edge["binding"]?.int
                let path = edge[binding == nil ? "computed" : "path"]?.string ?? "?"
                edges.append((arrow, path, binding.map { "binding \($0)" } ?? computed))
            }
            let further = explained[member == "feeds" ? "furtherFeeds" : "furtherFedBy"]?.int ?? 0
            if further > 0 { edges.append((arrow, "and \(further) more", "")) }
        }
        return edges.enumerated().map { index, edge in
            let indent = String(repeating: "   ", count: depth)
            let branch = index + 1 == edges.count ? glyphs.lastBranch : glyphs.branch
            var line = CellLine(indent + branch, .dim, in: glyphs)
            line.append("\(edge.arrow) \(edge.path)", .of(.accent), in: glyphs)
            if !edge.label.isEmpty { line.append("  \(edge.label)", .dim, in: glyphs) }
            return line
        }
    }

    // MARK: Facts

    private typealias Fact = (label: String, parts: [String])

    private var facts: [Fact] {
        var facts: [Fact] = []
        if let place = explained["nilAt"]?.string { facts.append(("null at", [place])) }
        facts.append(("changed", lastChange))
        for (index, step) in reasons.enumerated() { facts.append((index == 0 ? "because" : "", step)) }
        for (index, layer) in (explained["lifetimes"]?.array ?? []).enumerated() {
            var parts = [layer["value"]?.shortText(40) ?? "(large)"]
            switch layer["ends"] {
            case .string("connection"): parts.append("until the connection ends")
            case .int(let milliseconds):
                parts.append("for \(Countdown.text(milliseconds: milliseconds.remaining(at: age)))")
            default: break
            }
            parts += maker(layer["origin"])
            facts.append((index == 0 ? "held" : "then", parts))
        }
        if let observers { facts.append(("observed", observers)) }
        if explained["hidden"] != nil { facts.append(("hidden", ["parts that you may not read"])) }
        return facts
    }

    /// The steps of `because`; none if there is only the change itself.
    private var reasons: [[String]] {
        let steps = explained["because"]?["steps"]?.array ?? []
        if steps.count == 1, steps[0]["path"] == explained["path"] { return [] }
        return steps.map { step in
            let parts = [step["path"]?.string ?? "?", RawJSON(step).manner].filter { !$0.isEmpty }
            return parts + maker(step["origin"])
        }
    }

    private var lastChange: [String] {
        guard let change = explained["lastChange"], change != .null else { return ["never"] }
        var parts: [String] = []
        if let time = change["time"]?.string.flatMap(ClockTime.init(rfc3339:)) {
            let shown = zone.shown(time)
            let isToday = shown.day == zone.shown(ClockTime(milliseconds: now)).day
            let text = (isToday ? "" : "\(shown.date) ") + shown.timeOfDay
            parts.append(text + zone.suffix(at: time))
            parts.append("\(Countdown.text(milliseconds: now.remaining(at: time.milliseconds))) ago")
        }
        parts += maker(change["origin"])
        if let revision = change["revision"]?.int { parts.append("revision \(revision)") }
        return parts
    }

    private func maker(_ origin: Value?) -> [String] {
        let maker = MadeBy(origin, name: name)
        if maker.text == "-" { return [] }
        return [maker.isProcess ? "by \(maker.text)" : maker.text]
    }

    private var observers: [String]? {
        let counts = [("exact", "here"), ("below", "below"), ("patterns", "by patterns")]
        let parts = counts.compactMap { name, text -> String? in
            let count = explained["observers"]?[name]?.int ?? 0
            return count > 0 ? "\(count) \(text)" : nil
        }
        return parts.isEmpty ? nil : parts
    }

    private func facts(_ columns: Int) -> [CellLine] { facts.flatMap { lines($0, columns) } }

    /// The parts of a fact, on as many lines as they need.
    private func lines(_ fact: Fact, _ columns: Int) -> [CellLine] {
        let width = 10
        var lines: [CellLine] = []
        var line = CellLine(fact.label, .dim, in: glyphs)
        line.pad(to: width)
        for (index, part) in fact.parts.enumerated() {
            let isLast = index + 1 == fact.parts.count
            let text = CellLine(part + (isLast ? "" : ","), in: glyphs)
            if line.count > width, line.count + 1 + text.count > columns {
                lines.append(line)
                line = CellLine()
                line.pad(to: width)
            }
            if line.count > width { line.append(" ", in: glyphs) }
            line.append(text)
        }
        return lines + [line]
    }
}
