// SPDX-License-Identifier: MIT
// The tables of lists: their columns, their rows as JSON objects, and how a row fills the columns.

import ObserveCore

struct TableSpec: Sendable {
    let header: [String]
    let cells: @Sendable (RawJSON) -> [String]

    static let bindings = TableSpec(header: ["BINDING", "SOURCE", "", "TARGET", ""]) { row in
        [
            row.cell("binding"), row.cell("source"), row.isTrue("twoWay") ? "<->" : "-->", row.cell("target"),
            row.isTrue("failing") ? "failing: \(row.cell("message"))" : "",
        ]
    }

    static let properties = TableSpec(header: ["NAME", "TYPE"]) { [$0.cell("name"), $0.typeCell] }

    /// Properties, each with a member `value`.
    static let values = TableSpec(header: ["NAME", "TYPE", "VALUE"]) { row in
        [row.cell("name"), row.typeCell, row.cell("value")]
    }

    static let changes = TableSpec(header: ["PATH", "OLD", "NEW", ""]) { row in
        [row.cell("path"), row.cell("old"), row.cell("new"), row.manner]
    }

    static func reasons(_ names: [Int64: String]) -> TableSpec {
        TableSpec(header: []) { row in
            let origin = try? row.member("origin")?.value()
            let maker = origin.map { MadeBy($0, name: { names[$0] }).text } ?? ""
            return [row.cell("path"), [row.manner, maker].filter { !$0.isEmpty }.joined(separator: "  ")]
        }
    }

    static let clients = TableSpec(
        header: ["ID", "PID", "NAME", "UID", "AGE", "REQUESTS", "EVENTS", "WAITING", "SUBSCRIPTIONS"]
    ) { row in
        let paths = (row.member("subscriptions")?.elements ?? []).flatMap { subscription in
            subscription.member("paths")?.elements.map { String(decoding: $0.unquoted, as: UTF8.self) } ?? []
        }
        let seconds = row.cell("seconds").prefix { $0 != "." }
        return [
            row.cell("connection"), row.cell("pid"), row.cell("name"), row.cell("uid"), "\(seconds) s",
            row.cell("requests"), row.cell("eventsSent"), row.cell("bytesWaiting"),
            paths.joined(separator: " "),
        ]
    }
}

extension RawJSON {
    /// The object with one more member.
    func adding(_ name: String, _ value: RawJSON) -> RawJSON {
        RequestParams(self).map { ($0 + [name: value]).json } ?? self
    }

    /// A figure of `status` with its unit, which follows from its name; other values unquoted.
    func text(withUnitOf name: String) -> String {
        guard let number = (try? value())?.double else { return String(decoding: unquoted, as: UTF8.self) }
        switch name.split(separator: ".").last.map(String.init) ?? "" {
        case "uptime": return Countdown.text(seconds: number)
        case "longestSlice", "longestSliceWork": return "\(text) ms"
        case let name where name.lowercased().hasSuffix("bytes"): return Magnitude.bytes(number)
        default: return text
        }
    }
}

private extension RawJSON {
    func cell(_ name: String) -> String {
        guard let member = member(name) else { return "" }
        return name == "value" ? member.text : String(decoding: member.unquoted, as: UTF8.self)
    }

    /// The declared type, else the kind; then how the property is special.
    var typeCell: String {
        let declared = cell("type")
        let type = ["", "Any", "Any?"].contains(declared) ? cell("kind") : declared
        return ([type] + ["weak", "computed", "readonly"].filter(isTrue)).joined(separator: ", ")
    }
}

/// Rows below a header. Cells that are too wide end in `…`.
struct TextTable {
    private static let gap = 2
    /// No column becomes narrower than that, so a very narrow terminal breaks lines.
    private static let narrowest = 6

    /// All rows, the header first if there is one.
    private let rows: [[CellLine]]

    /// - Parameter header: the titles of the columns; empty for none. It needs a row below it.
    init(header: [String] = [], rows: [[String]]) {
        let all = (header.isEmpty || rows.isEmpty ? [] : [header]) + rows
        self.rows = all.map { $0.map { CellLine($0, in: .unicode) } }
    }

    /// - Returns: the lines, without spaces at their ends.
    func lines(columns: Int) -> [String] {
        let widths = widths(columns: columns)
        return rows.map { row in
            var line = CellLine()
            for (column, width) in widths.enumerated() {
                if column > 0 { line.pad(to: line.count + TextTable.gap) }
                line.append(row[column].fitted(to: width, in: .unicode))
            }
            return line.text
        }
    }

    /// The widths of the columns. If they do not fit, the widest become narrower.
    private func widths(columns: Int) -> [Int] {
        var widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let space = columns - TextTable.gap * (widths.count - 1)
        while widths.reduce(0, +) > space {
            guard let widest = widths.indices.max(by: { widths[$0] < widths[$1] }),
                widths[widest] > TextTable.narrowest
            else { break }
            widths[widest] -= 1
        }
        return widths
    }
}
