// SPDX-License-Identifier: MIT
// The template of `--format`: text, and expressions in braces. Independent of values.

import ObserveCore

/// A template such as `{artist ?? composer} – {title|nothing} {position:duration}`.
///
/// `{PATH}` is one of the paths of the command line, `{}` the first. `{@NAME}` is a field of the frame's last event. Operands
/// between `??` are tried in turn until one is not null; a text in quotes, a number, `true` and `false` are operands too. Then
/// come formats, each after a `:`, and after `|` the text for null. `{{` is a brace, and so is `}}`, or a `}` that closes
/// nothing. A backslash in braces makes the next character part of the path.
struct LineTemplate: Equatable {
    /// A field of an event.
    enum Field: String, CaseIterable {
        case reason, path, old, nilAt, time, revision, pid
    }

    enum Operand: Equatable {
        /// The position of the path on the command line.
        case path(Int)
        case field(Field)
        case literal(RawJSON)
    }

    enum Part: Equatable {
        case text(String)
        /// - Parameter null: nil if no text for null was given.
        case value([Operand], formats: [ValueFormat], null: String?)
    }

    let parts: [Part]

    /// - Throws: a usage error that names the fault.
    init(
        _ template: String,
        _ arguments: ParsedArguments,
        position: @escaping (String) -> Int?,
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
                if !text.isEmpty { parts.append(.text(text)) }
                text = ""
                var reader = ReferenceReader(
                    rest: rest,
                    arguments: arguments,
                    position: position,
                    paths: paths
                )
                parts.append(try reader.read())
                rest = reader.rest
            } else {
                text.append(character)
            }
        }
        if !text.isEmpty { parts.append(.text(text)) }
        self.parts = parts
    }

    func uses(_ field: Field) -> Bool {
        parts.contains {
            if case .value(let operands, _, _) = $0 { operands.contains(.field(field)) } else { false }
        }
    }
}

/// Reads an expression in braces, up to the closing one.
private struct ReferenceReader {
    var rest: Substring
    let arguments: ParsedArguments
    let position: (String) -> Int?
    let paths: [String]

    mutating func read() throws(CommandError) -> LineTemplate.Part {
        var operands: [LineTemplate.Operand] = []
        var formats: [ValueFormat] = []
        repeat {
            if let text = try quoted() {
                operands.append(.literal(RawJSON(.string(text))))
                let after = try piece()
                guard after.first?.isEmpty != false else {
                    throw fault("'\(after[0])' follows a text in quotes")
                }
                formats = try self.formats(after.dropFirst())
            } else {
                let piece = try piece()
                if piece.isEmpty, !operands.isEmpty { throw fault("an operand is missing after '??'") }
                let (operand, after) = try operand(piece)
                operands.append(operand)
                formats = try self.formats(after)
            }
        } while pop("??")
        if pop("}") { return .value(operands, formats: formats, null: nil) }
        rest.removeFirst()
        return .value(operands, formats: formats, null: try null())
    }

    private func fault(_ sentence: String) -> CommandError { arguments.usage("--format: \(sentence)") }

    private var unclosed: CommandError {
        arguments.usage("--format has a { that no } closes (a brace itself is written {{)")
    }

    private mutating func pop(_ word: String) -> Bool {
        guard rest.hasPrefix(word) else { return false }
        rest.removeFirst(word.count)
        return true
    }

    // MARK: Operands

    /// A text in quotes, if that is next. A backslash makes the next character part of it.
    private mutating func quoted() throws(CommandError) -> String? {
        let start = rest.drop { $0 == " " }
        guard let quote = start.first, quote == "'" || quote == "\"" else { return nil }
        rest = start.dropFirst()
        var text = ""
        while let character = rest.popFirst() {
            if character == quote { return text }
            guard character == "\\" else {
                text.append(character)
                continue
            }
            guard let next = rest.popFirst() else { break }
            text.append(next == "n" && quote == "\"" ? "\n" : next == "t" && quote == "\"" ? "\t" : next)
        }
        throw fault("a \(quote) has no second one")
    }

    /// The text up to `??`, `|` or `}`, cut at colons, with the backslashes of the text and without spaces at its ends.
    private mutating func piece() throws(CommandError) -> [Substring] {
        let start = rest
        var colons: [Substring.Index] = []
        while let character = rest.first, character != "}", character != "|", !rest.hasPrefix("??") {
            if character == ":" { colons.append(rest.startIndex) }
            rest.removeFirst()
            if character == "\\", rest.popFirst() == nil { throw unclosed }
        }
        if rest.isEmpty { throw unclosed }
        var pieces: [Substring] = []
        var from = start.startIndex
        for colon in colons {
            pieces.append(start[from..<colon])
            from = start.index(after: colon)
        }
        pieces.append(start[from..<rest.startIndex])
        while pieces[0].first == " " { pieces[0].removeFirst() }
        let last = pieces.count - 1
        while pieces[last].hasSuffix(" "), !pieces[last].hasSuffix("\\ ") { pieces[last].removeLast() }
        return pieces == [""] ? [] : pieces
    }

    /// The operand at the start of a piece, and its formats. A path may have colons.
    private func operand(_ piece: [Substring]) throws(CommandError) -> (
        LineTemplate.Operand, ArraySlice<Substring>
    ) {
        guard let first = piece.first, !first.isEmpty else { return (.path(0), piece.dropFirst()) }
        for count in piece.indices.reversed().map({ $0 + 1 }) {
            let name = piece[..<count].joined(separator: ":")
            if let index = position(Self.unescaped(name)) ?? position(name) {
                return (.path(index), piece[count...])
            }
        }
        if first.first == "@" { return (.field(try field(first)), piece[1...]) }
        if let value = try? RawJSON(validating: Array(first.utf8)), value.bytes.first != 0x7B {
            return (.literal(value), piece[1...])
        }
        throw arguments.usage(
            "--format has {\(Self.unescaped(String(first)))}, which is not one of the paths: \(paths.joined(separator: ", "))"
        )
    }

    private func field(_ name: Substring) throws(CommandError) -> LineTemplate.Field {
        if let field = LineTemplate.Field(rawValue: String(name.dropFirst())) { return field }
        let known = LineTemplate.Field.allCases.map { "@\($0.rawValue)" }
        let near = NearestName.of(String(name), among: known).map { "; did you mean {\($0)}?" }
        throw arguments.usage(
            "--format has no {\(name)}\(near ?? ": known are \(known.joined(separator: ", "))")"
        )
    }

    /// - Parameter names: the texts after colons.
    private func formats(_ names: ArraySlice<Substring>) throws(CommandError) -> [ValueFormat] {
        var formats: [ValueFormat] = []
        for name in names {
            guard let format = ValueFormat(String(name)) else {
                throw fault("':\(name)' is not a format: known are \(ValueFormat.known)")
            }
            formats.append(format)
        }
        if !formats.isEmpty, rest.hasPrefix("??") { throw fault("a format comes last, as in {a ?? b:json}") }
        return formats
    }

    /// Without the backslashes that only braces need. Those of the key path stay.
    private static func unescaped(_ name: String) -> String {
        var text = ""
        var rest = Substring(name)
        while let character = rest.popFirst() {
            if character == "\\", let next = rest.popFirst() {
                if !"{}|:?'\" ".contains(next) { text.append(character) }
                text.append(next)
            } else {
                text.append(character)
            }
        }
        return text
    }

    /// The text for null, and the brace after it. A brace in it would look like a path, and is text only with a backslash.
    private mutating func null() throws(CommandError) -> String {
        var text = ""
        while let character = rest.popFirst() {
            switch character {
            case "}": return text
            case "{":
                throw fault(
                    "the text for null has a {; a second path is {a ?? b}, and a brace itself is \\{ there"
                )
            case "\\":
                guard let next = rest.popFirst() else { throw unclosed }
                if !"{}|\\".contains(next) { text.append(character) }
                text.append(next)
            default: text.append(character)
            }
        }
        throw unclosed
    }
}
