// SPDX-License-Identifier: MIT
// One line for the present values of a subscription: `--format`. Independent of connections.

import ObserveCore

/// The form of a line: a template, or the JSON of a status bar.
enum LineFormat: Equatable {
    case template(LineTemplate)
    /// Text, tooltip, class, alt and percentage; the first two in Pango markup.
    case waybar
    /// Full text, short text and color, without markup.
    case i3blocks

    /// - Throws: a usage error.
    init(_ text: String, _ paths: ObservedPaths, _ arguments: ParsedArguments) throws(CommandError) {
        switch text {
        case "waybar": self = .waybar
        case "i3blocks": self = .i3blocks
        default:
            let template = try LineTemplate.parse(text, arguments)
            self = .template(
                try LineTemplate(template, arguments, position: paths.position(of:), paths: paths.typed)
            )
            return
        }
        guard paths.count <= members.count else {
            throw arguments.usage(
                "--format \(text) takes at most \(members.count) paths: \(members.joined(separator: ", "))"
            )
        }
    }

    /// The key paths of a template, for a command line without any.
    static func paths(in text: String?, _ arguments: ParsedArguments) throws(CommandError) -> [String] {
        guard let text, text != "waybar", text != "i3blocks" else { return [] }
        return LineTemplate.paths(in: try LineTemplate.parse(text, arguments))
    }

    func uses(_ field: LineTemplate.Field) -> Bool {
        if case .template(let template) = self { template.uses(field) } else { false }
    }

    /// The members of a bar's JSON, in the order of the paths.
    private var members: [String] {
        switch self {
        case .template: []
        case .waybar: ["text", "tooltip", "class", "alt", "percentage"]
        case .i3blocks: ["full_text", "short_text", "color"]
        }
    }

    /// The line, without its end.
    ///
    /// - Parameters:
    ///   - keepsLines: whether line feeds in values stay.
    ///   - zone: of the time.
    func line(
        _ paths: ObservedPaths,
        last event: ChangeEvent,
        keepsLines: Bool,
        zone: ClockZone = .utc
    ) -> [UInt8] {
        switch self {
        case .template(let template):
            return template.text({ LineFormat.value(of: $0, paths, event, zone) }) { bytes in
                keepsLines ? bytes : bytes.inOneLine
            }
        case .waybar, .i3blocks:
            return bar(paths)
        }
    }

    private static func value(
        of operand: LineTemplate.Operand,
        _ paths: ObservedPaths,
        _ event: ChangeEvent,
        _ zone: ClockZone
    ) -> RawJSON? {
        switch operand {
        case .literal(let value): value
        case .path(let index): paths.value(index)
        case .field(.time):
            RawJSON(.string(zone.rfc3339(ClockTime(milliseconds: Platform.timeOfDay))))
        case .field(.pid): event.params.member("origin")?.member("pid")
        case .field(let field): event.params.member(field.rawValue)
        }
    }

    /// A bar's JSON. A member whose value is null is left out, except for the text. An array of classes stays one.
    private func bar(_ paths: ObservedPaths) -> [UInt8] {
        var object: [(String, RawJSON)] = []
        for (index, name) in members.prefix(paths.count).enumerated() {
            let value = paths.value(index) ?? RawJSON(.null)
            if name == "class" && value.bytes.first == 0x5B || name == "percentage" {
                if name == "class" || (try? value.value())?.double != nil { object.append((name, value)) }
            } else if index == 0 || !value.isNull {
                // A tooltip may have lines.
                let bytes = value.isNull ? [] : value.unquoted
                var text = String(decoding: name == "tooltip" ? bytes : bytes.inOneLine, as: UTF8.self)
                if self == .waybar, index < 2 { text = text.inMarkup }
                if self == .i3blocks { text = text.withoutEscapes }
                object.append((name, RawJSON(.string(text))))
            }
        }
        if self == .i3blocks { object.append(("markup", RawJSON("none"))) }
        return [0x7B]
            + object.map { RawJSON(.string($0)).bytes + [0x3A] + $1.bytes }.joined(separator: [0x2C])
            + [0x7D]
    }
}

extension RawJSON {
    var isNull: Bool { bytes == Array("null".utf8) }
}

private extension [UInt8] {
    /// With spaces in the place of line ends.
    var inOneLine: [UInt8] { map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 } }
}

private extension String {
    /// The text for i3blocks, which ends a text at a quotation mark, escaped or not, and shows other escapes as they are:
    /// with apostrophes and spaces in the place of quotation marks and control characters.
    var withoutEscapes: String {
        var text = ""
        for scalar in unicodeScalars {
            text.unicodeScalars.append(scalar == "\"" ? "'" : scalar.value < 0x20 ? " " : scalar)
        }
        return text
    }
}
