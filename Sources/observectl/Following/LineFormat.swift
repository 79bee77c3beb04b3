// SPDX-License-Identifier: MIT
// One line for the present values of a subscription: `--format`. Independent of connections.

import ObserveCore

/// The form of a line: a template, or the JSON of a status bar.
enum LineFormat: Equatable {
    enum Bar: String {
        /// The text and the tooltip are Pango markup.
        case waybar
        /// Without markup.
        case i3blocks

        /// The members of its JSON, in the order of the paths.
        var members: [String] {
            switch self {
            case .waybar: ["text", "tooltip", "class", "alt", "percentage"]
            case .i3blocks: ["full_text", "short_text", "color"]
            }
        }
    }

    case template(LineTemplate)
    case bar(Bar)

    /// The format of the option; nil without it.
    init?(_ arguments: ParsedArguments, _ paths: ObservedPaths) throws(CommandError) {
        guard let text = arguments.options["--format"] else { return nil }
        guard let bar = Bar(rawValue: text) else {
            let template = try LineTemplate.parse(text, arguments)
            self = .template(try LineTemplate(template, arguments, paths))
            return
        }
        guard paths.count <= bar.members.count else {
            throw arguments.usage(
                "--format \(text) takes at most \(bar.members.count) paths: \(bar.members.joined(separator: ", "))"
            )
        }
        self = .bar(bar)
    }

    /// The key paths of a template, for a command line without any.
    static func paths(in text: String?, _ arguments: ParsedArguments) throws(CommandError) -> [String] {
        guard let text, Bar(rawValue: text) == nil else { return [] }
        let template = try LineTemplate.parse(text, arguments)
        if !arguments.has("--under") {
            for expression in template.expressions { try arguments.refuseWords(in: expression) }
        }
        return LineTemplate.paths(in: template)
    }

    func uses(_ field: LineTemplate.Field) -> Bool {
        if case .template(let template) = self { template.uses(field) } else { false }
    }

    /// The line, without its end. Line feeds in values become spaces, unless it keeps them.
    func line(_ paths: ObservedPaths, last event: ChangeEvent, keepsLines: Bool, zone: ClockZone = .utc)
        -> [UInt8]
    {
        switch self {
        case .template(let template): template.text(paths, event, zone) { keepsLines ? $0 : $0.inOneLine }
        case .bar(let bar): bar.line(paths)
        }
    }
}

extension LineFormat.Bar {
    /// Its JSON. A member whose value is null is left out, except for the text. An array of classes stays one.
    fileprivate func line(_ paths: ObservedPaths) -> [UInt8] {
        var object: RequestParams = [:]
        for (index, name) in members.prefix(paths.count).enumerated() {
            let value = paths.value(index) ?? RawJSON(.null)
            if name == "class" && value.bytes.first == 0x5B || name == "percentage" {
                if name == "class" || (try? value.value())?.double != nil { object = object + [name: value] }
            } else if index == 0 || !value.isNull {
                // A tooltip may have lines.
                let bytes = value.isNull ? [] : value.unquoted
                var text = String(decoding: name == "tooltip" ? bytes : bytes.inOneLine, as: UTF8.self)
                if self == .waybar, index < 2 { text = text.inMarkup }
                if self == .i3blocks { text = text.withoutEscapes }
                object = object + [name: RawJSON(.string(text))]
            }
        }
        if self == .i3blocks { object = object + ["markup": "none"] }
        return object.json.bytes
    }
}

extension RawJSON { var isNull: Bool { bytes == "null".bytes } }

private extension [UInt8] {
    var inOneLine: [UInt8] { map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 } }
}

/// A template whose key paths are those of the command line, and whose fields are of the frame's last event.
struct LineTemplate: Equatable {
    enum Field: String, CaseIterable { case reason, path, old, nilAt, time, revision, pid }

    private let template: Template
    /// The positions of its key paths on the command line.
    private let positions: [[UInt8]: Int]

    init(_ template: Template, _ arguments: ParsedArguments, _ paths: ObservedPaths) throws(CommandError) {
        var positions: [[UInt8]: Int] = [:]
        for path in LineTemplate.paths(in: template) {
            guard let index = paths.position(of: path) else {
                throw arguments.usage(
                    "--format has {\(path)}, which is not one of the paths: \(paths.typed.joined(separator: ", "))"
                )
            }
            positions[path.bytes] = index
        }
        (self.template, self.positions) = (template, positions)
    }

    static func parse(_ text: String, _ arguments: ParsedArguments) throws(CommandError) -> Template {
        var syntax = ExpressionSyntax(maxDepth: PathArgument.maxDepth)
        syntax.allowsPatterns = true
        syntax.allowsEmpty = true
        syntax.fields = Field.allCases.map(\.rawValue)
        syntax.furtherFormats = ProgramText.allCases.map(\.rawValue)
        let template = try attempt(Template(parsing: text, syntax)) { (error: ExpressionError) in
            arguments.usage("--format: \(error.description)")
        }
        // With --all, a constant line still says that something has changed.
        if template.expressions.isEmpty, !arguments.has("--all") {
            throw arguments.usage(
                "--format '\(text)' has no value, so its line never changes: {PATH} is the value at a path; "
                    + "'waybar' and 'i3blocks' alone print the JSON of these bars"
            )
        }
        let scalars = Array(text.unicodeScalars)
        for expression in template.expressions {
            try arguments.refuseSlashes(in: expression, of: scalars)
        }
        return template
    }

    /// The key paths in a template, each once.
    static func paths(in template: Template) -> [String] {
        template.expressions.flatMap(\.paths).map(\.text).withoutRepeats
    }

    func uses(_ field: Field) -> Bool {
        template.expressions.contains { $0.operands.contains(.field(field.rawValue)) }
    }

    /// The template with values, whose texts `finish` gets.
    func text(_ paths: ObservedPaths, _ event: ChangeEvent, _ zone: ClockZone, _ finish: ([UInt8]) -> [UInt8])
        -> [UInt8]
    {
        func raw(_ operand: Expression.Operand) -> RawJSON? {
            switch operand {
            case .literal(let value): RawJSON(value)
            case .empty: paths.value(0)
            case .path(let path): positions[path.bytes].flatMap { paths.value($0) }
            case .field(Field.time.rawValue): RawJSON(.string(zone.rfc3339(.now)))
            case .field(Field.pid.rawValue): event.params.member("origin")?.member("pid")
            case .field(let name): event.params.member(name)
            }
        }
        let evaluator = ExpressionEvaluator<Value>(maxTextBytes: .max)
        return template.parts.flatMap { part -> [UInt8] in
            switch part {
            case .text(let text): return text.bytes
            case .value(let expression, let formats, let null):
                func computed() -> Value {
                    evaluator.value(of: expression) { (try? raw(expression.operands[$0])?.value()) ?? .null }
                }
                // A value alone keeps the daemon's form.
                let raw = expression.single.map { raw($0) ?? RawJSON(.null) } ?? RawJSON(computed())
                if raw.isNull { return (null ?? (formats.contains(.json) ? "null" : "")).bytes }
                return finish(LineTemplate.formatted(raw, formats))
            }
        }
    }

    private static func formatted(_ raw: RawJSON, _ formats: [ValueFormat]) -> [UInt8] {
        var formatted: Value?
        for format in formats {
            guard let value = formatted ?? (try? raw.value()) else { break }
            let text = format.text(of: value) { name, text in
                ProgramText(rawValue: name)?.text(of: text) ?? text
            }
            if let text { formatted = .string(text) }
        }
        return formatted?.string.map { $0.bytes } ?? raw.unquoted
    }
}

/// Text that shows as it is in the status line of tmux, in polybar, and in a prompt of zsh; `plain` on any terminal.
enum ProgramText: String, CaseIterable {
    case plain, polybar, tmux, zsh

    func text(of text: String) -> String {
        switch self {
        case .plain: text.printable
        case .polybar: text.printable.untagged
        case .tmux: text.printable.withoutFormats
        case .zsh: text.printable.replacing("%", with: "%%")
        }
    }
}

private extension String {
    /// The text for i3blocks, which ends a text at a quotation mark, escaped or not, and shows other escapes as they are:
    /// with apostrophes and spaces in the place of quotation marks and control characters.
    var withoutEscapes: String {
        let scalars = unicodeScalars.map { $0 == "\"" ? "'" : $0.value < 0x20 ? " " : $0 }
        return String(String.UnicodeScalarView(scalars))
    }

    /// The text for tmux. A `#` at the end would escape a style behind it, whether doubled or not.
    var withoutFormats: String {
        let text = replacing("#", with: "##")
        return text.hasSuffix("#") ? "\(text) " : text
    }

    /// The text for polybar, which has no escape for `%{`: a tag without effect separates them.
    var untagged: String {
        let text = replacing("%{", with: "%%{O0}{")
        return text.hasSuffix("%") ? "\(text)%{O0}" : text
    }
}
