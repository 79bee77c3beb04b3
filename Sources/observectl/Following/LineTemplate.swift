// SPDX-License-Identifier: MIT
// The template of `--format`: whose values its operands are. Independent of values, and of the syntax of templates.

import ObserveCore

/// A template whose key paths are those of the command line, and whose fields are of the frame's last event.
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
        case value(Expression, [Operand], formats: [ValueFormat], null: String?)
    }

    let parts: [Part]

    /// - Throws: a usage error that names the fault.
    init(
        _ template: Template,
        _ arguments: ParsedArguments,
        position: (String) -> Int?,
        paths: [String]
    ) throws(CommandError) {
        var parts: [Part] = []
        for part in template.parts {
            switch part {
            case .text(let text): parts.append(.text(text))
            case .value(let expression, let formats, let null):
                var operands: [Operand] = []
                for operand in expression.operands {
                    switch operand {
                    case .literal(let value): operands.append(.literal(RawJSON(value)))
                    case .empty: operands.append(.path(0))
                    case .field(let name):
                        operands.append(Field(rawValue: name).map { .field($0) } ?? .path(0))
                    case .path(let path):
                        guard let index = position(path) else {
                            throw arguments.usage(
                                "--format has {\(path)}, which is not one of the paths: \(paths.joined(separator: ", "))"
                            )
                        }
                        operands.append(.path(index))
                    }
                }
                parts.append(.value(expression, operands, formats: formats, null: null))
            }
        }
        self.parts = parts
    }

    /// - Throws: a usage error that names the column.
    static func parse(_ text: String, _ arguments: ParsedArguments) throws(CommandError) -> Template {
        var syntax = ExpressionSyntax(maxDepth: PathArgument.maxDepth)
        syntax.allowsPatterns = true
        syntax.allowsEmpty = true
        syntax.fields = Field.allCases.map(\.rawValue)
        syntax.furtherFormats = ProgramText.allCases.map(\.rawValue)
        do throws(ExpressionError) { return try Template(parsing: text, syntax) } catch {
            throw arguments.usage("--format: \(error.description)")
        }
    }

    /// The key paths in a template, each once.
    static func paths(in template: Template) -> [String] {
        template.expressions.flatMap(\.paths).map(\.text).withoutRepeats
    }

    func uses(_ field: Field) -> Bool {
        parts.contains {
            if case .value(_, let operands, _, _) = $0 { operands.contains(.field(field)) } else { false }
        }
    }

    /// The template with values.
    ///
    /// - Parameter finish: gets the text of each value.
    func text(_ value: (Operand) -> RawJSON?, _ finish: ([UInt8]) -> [UInt8]) -> [UInt8] {
        let evaluator = ExpressionEvaluator<Value>(maxTextBytes: .max)
        return parts.flatMap { part -> [UInt8] in
            switch part {
            case .text(let text): return Array(text.utf8)
            case .value(let expression, let operands, let formats, let null):
                // A value alone keeps the daemon's form.
                let raw =
                    expression.single != nil
                    ? value(operands[0]) ?? RawJSON(.null)
                    : RawJSON(
                        evaluator.value(of: expression) { (try? value(operands[$0])?.value()) ?? .null }
                    )
                if raw.isNull { return Array((null ?? (formats.contains(.json) ? "null" : "")).utf8) }
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
        return formatted?.string.map { Array($0.utf8) } ?? raw.unquoted
    }
}
