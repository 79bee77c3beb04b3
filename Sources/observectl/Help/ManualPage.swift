// SPDX-License-Identifier: MIT
// The manual page, made from the table of commands, so that it can't differ from --help. Independent of the commands.

/// Writes `docs/observectl.1` in mdoc. `make manual` runs it.
enum ManualPage {
    static func text(of commands: [CommandSpec]) -> String {
        let sections = [
            mdoc(ManualText.opening),
            ".Bl -tag -width Ds",
            commands.map(entry).joined(separator: "\n"),
            ".El",
            ".Pp",
            "The options of all commands but \(commands.filter { !$0.asksDaemon }.map(\.name).joined(separator: ", ")),",
            "before the command or among its own:",
            options(OptionSpec.common + [OptionSpec.help]),
            mdoc(ManualText.conventions),
            exitStatuses,
            mdoc(ManualText.closing),
        ]
        return sections.joined(separator: "\n") + "\n"
    }

    private static func entry(_ spec: CommandSpec) -> String {
        var lines = [".It Xo", ".Cm \(spec.names.joined(separator: " | "))"]
        lines += spec.options.map { ($0.isRequired ? "." : ".Op ") + usage($0) }
        if !spec.operands.isEmpty { lines.append(".Ar \(argument(spec.operands))") }
        lines += [".Xc", "\(escaped("\(spec.sentence)."))"]
        for paragraph in spec.paragraphs.text + spec.manual.paragraphs { lines += [".Pp", body(paragraph)] }
        if !spec.options.isEmpty { lines.append(options(spec.options)) }
        for example in spec.paragraphs.examples { lines += [".Pp", body(example)] }
        return lines.joined(separator: "\n")
    }

    private static func options(_ options: [OptionSpec]) -> String {
        let items = options.map { option in
            let letter = option.letter.map { " , Fl \($0)" } ?? ""
            return ".It \(usage(option))\(letter)\n\(escaped(option.summary.asSentence))"
        }
        return ([".Bl -tag -width Ds"] + items + [".El"]).joined(separator: "\n")
    }

    private static func usage(_ option: OptionSpec) -> String {
        "Fl \(option.name.dropFirst())" + (option.value.map { " Ar \(argument($0))" } ?? "")
    }

    private static var exitStatuses: String {
        let items = ExitStatus.allCases.map { ".It \($0.rawValue)\n\(escaped($0.meaning.asSentence))" }
        return ([".Sh EXIT STATUS", ".Bl -tag -width 128+n"] + items).joined(separator: "\n")
    }

    private static func body(_ paragraph: String) -> String {
        TextLayout.parts(of: paragraph).map { part in
            switch part {
            case .text(let text): escaped(text)
            case .literal(let lines):
                ([".Bd -literal -offset indent -compact"] + lines.map { escaped($0.dropFirst(2)) } + [".Ed"])
                    .joined(separator: "\n")
            }
        }.joined(separator: "\n")
    }

    // MARK: mdoc

    /// Text whose inline macros, such as `{Ql word}`, get lines of their own, with the punctuation behind them.
    private static func mdoc(_ text: String) -> String {
        let macro = #/ ?\{([A-Z][a-z](?: [^{}]*)?)\}([.,]?) ?/#
        let lines = text.replacing(macro) { "\n.\($0.1)\($0.2.isEmpty ? "" : " \($0.2)")\n" }
        return lines.split(separator: "\n").joined(separator: "\n")
    }

    /// Text in a line of its own. Typographic characters would not survive copying, and a dot would begin a macro.
    private static func escaped(_ text: some StringProtocol) -> String {
        let escapes: [Character: String] = [
            "\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti",
        ]
        let line = text.map { escapes[$0] ?? String($0) }.joined()
        return line.hasPrefix(".") ? "\\&" + line : line
    }

    /// Text as one argument of a macro.
    private static func argument(_ text: String) -> String {
        "\"\(escaped(text).replacing("\"", with: "\\(dq"))\""
    }
}

private extension String { var asSentence: String { prefix(1).uppercased() + dropFirst() + "." } }
