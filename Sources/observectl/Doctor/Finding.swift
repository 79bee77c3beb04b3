// SPDX-License-Identifier: MIT
// What `doctor` found in one place, as JSON and as lines. Independent of the checks.

import ObserveCore

struct Finding: Equatable {
    /// In the order in which findings are printed.
    enum Part: String { case socket, unit, configuration, state, versions, permissions }

    let part: Part
    /// A path or a unit; nil if there is none.
    let place: String?
    let message: String
    /// The command that mends it; nil if all is well.
    let remedy: String?

    init(_ part: Part, _ place: String?, _ message: String, remedy: String? = nil) {
        (self.part, self.place, self.message, self.remedy) = (part, place, message, remedy)
    }

    var isWell: Bool { remedy == nil }

    var json: RawJSON {
        var members = ValueMembers([("part", .string(part.rawValue)), ("well", .bool(isWell))])
        members["place"] = place.map(Value.string)
        members["message"] = .string(message)
        members["command"] = remedy.map(Value.string)
        return RawJSON(.object(members))
    }

    /// The form on a terminal. The command has a line of its own, whole, so that it can be copied.
    func lines(columns: Int) -> [String] {
        let margin = String(repeating: " ", count: 21)
        let label = part.rawValue + String(repeating: " ", count: 15 - part.rawValue.count)
        let text = (place.map { "\($0): " } ?? "") + message
        let lines = TextLayout.wrapped(text, columns: max(columns - margin.count, 30)).split(separator: "\n")
        let first = "\(label)\(isWell ? "well " : "wrong") \(lines.first ?? "")"
        return [first] + lines.dropFirst().map { margin + $0 } + (remedy.map { ["\(margin)$ \($0)"] } ?? [])
    }
}
