// SPDX-License-Identifier: MIT
// The template of `--format`: text, and references in braces. Independent of values.

import ObserveCore

/// A template such as `{artist} – {title|nothing}`.
///
/// `{PATH}` is one of the paths of the command line, `{}` the first. `{@NAME}` is a field of the frame's last event. After
/// `|` is the text for null, and `:json` before it asks for JSON. `{{` is a brace, and so is `}}`, or a `}` that closes
/// nothing. A backslash in braces makes the next character part of the path.
struct LineTemplate: Equatable {
    /// A field of an event.
    enum Field: String, CaseIterable {
        case reason, path, old, nilAt, time, revision, pid
    }

    enum Source: Equatable {
        /// The position of the path on the command line.
        case path(Int)
        case field(Field)
    }

    enum Part: Equatable {
        case text(String)
        case value(Source, isJSON: Bool, null: String)
    }

    let parts: [Part]

    /// - Throws: a usage error that names the fault.
    init(
        _ template: String,
        _ arguments: ParsedArguments,
        position: (String) -> Int?,
        paths: [String]
    ) throws(CommandError) {
        var parts: [Part] = []
        var text = ""
        var rest = Substring(template)
        while let character = rest.popFirst() {
            if character == "{" || character == "}", rest.first == character {
                text.append(character)
                rest.removeFirst()
            } else if character == "{" {
                guard let inside = LineTemplate.cut(&rest, at: "}") else {
                    throw arguments.usage("--format has a { that no } closes (a brace itself is written {{)")
                }
                if !text.isEmpty { parts.append(.text(text)) }
                text = ""
                parts.append(
                    try LineTemplate.reference(inside, arguments, position: position, paths: paths)
                )
            } else {
                text.append(character)
            }
        }
        if !text.isEmpty { parts.append(.text(text)) }
        self.parts = parts
    }

    func uses(_ field: Field) -> Bool {
        parts.contains { if case .value(.field(field), _, _) = $0 { true } else { false } }
    }

    /// The text in braces: a name, `:json`, and the text for null.
    private static func reference(
        _ inside: Substring,
        _ arguments: ParsedArguments,
        position: (String) -> Int?,
        paths: [String]
    ) throws(CommandError) -> Part {
        var rest = inside
        let head = cut(&rest, at: "|")
        let null = head == nil ? "" : String(rest)
        var name = head ?? inside
        let isJSON = name.hasSuffix(":json") && !name.hasSuffix("\\:json")
        if isJSON { name = name.dropLast(5) }
        if name.isEmpty { return .value(.path(0), isJSON: isJSON, null: null) }
        if name.first == "@" {
            guard let field = Field(rawValue: String(name.dropFirst())) else {
                let known = Field.allCases.map { "@\($0.rawValue)" }
                let near = NearestName.of(String(name), among: known).map { "; did you mean {\($0)}?" }
                throw arguments.usage(
                    "--format has no {\(name)}\(near ?? ": known are \(known.joined(separator: ", "))")"
                )
            }
            return .value(.field(field), isJSON: isJSON, null: null)
        }
        let path = unescaped(name)
        guard let index = position(path) ?? position(String(name)) else {
            throw arguments.usage(
                "--format has {\(path)}, which is not one of the paths: \(paths.joined(separator: ", "))"
            )
        }
        return .value(.path(index), isJSON: isJSON, null: null)
    }

    /// Removes the text up to a character that no backslash precedes, and that character; nil if there is none.
    private static func cut(_ text: inout Substring, at end: Character) -> Substring? {
        var index = text.startIndex
        while index < text.endIndex {
            if text[index] == "\\" {
                index = text.index(after: index)
                if index == text.endIndex { return nil }
            } else if text[index] == end {
                let found = text[..<index]
                text = text[text.index(after: index)...]
                return found
            }
            index = text.index(after: index)
        }
        return nil
    }

    /// Without the backslashes that only braces need. Those of the key path stay.
    private static func unescaped(_ name: Substring) -> String {
        var text = ""
        var rest = name
        while let character = rest.popFirst() {
            if character == "\\", let next = rest.first, !"}|:".contains(next) {
                text.append(character)
                text.append(rest.removeFirst())
            } else if character == "\\", let next = rest.popFirst() {
                text.append(next)
            } else {
                text.append(character)
            }
        }
        return text
    }
}
