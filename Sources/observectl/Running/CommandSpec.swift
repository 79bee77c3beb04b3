// SPDX-License-Identifier: MIT
// A command: its name, its operands and options, its help, and its function. Independent of the table of commands.

import ObserveCore

struct CommandSpec: Sendable {
    /// Its names, and its operands as help shows them: `remove|rm PATH`.
    let usage: String
    let summary: String
    /// Its own options; see ``allOptions``.
    var options: [OptionSpec] = []
    /// Whether no word after the first operand is an option, because operands may begin with dashes.
    var operandsEndOptions = false
    /// Whether words like -5 are operands.
    var numbersAreOperands = false
    /// Whether its key paths may be patterns.
    var takesPatterns = false
    /// Whether it talks to a running daemon, and so has the options for that.
    var asksDaemon = true
    /// The rest of its help: paragraphs with empty lines between them. Those that begin with "Example" come last.
    let details: String
    /// Paragraphs that only the manual page has.
    var manual = ""
    let run: @Sendable (Invocation) throws(CommandError) -> Void

    /// The words of ``operands`` without brackets. One with dots stands for several operands.
    var placeholders: [String] { operands.split(separator: " ").map { $0.filter { !"[]".contains($0) } } }

    /// Those in brackets, and those after them, may be left out.
    var operandCount: ClosedRange<Int> {
        let words = operands.split(separator: " ")
        let least = words.prefix { !$0.hasPrefix("[") }.count { $0 != "--" }
        return least...(operands.contains("…") ? .max : words.count)
    }

    /// The least number of operands before a `--` that separates them; nil if none does.
    var separator: Int? { placeholders.firstIndex(of: "--") }

    var allOptions: [OptionSpec] { asksDaemon ? options + OptionSpec.common : options }

    func parse(_ words: [String]) throws(CommandError) -> ParsedArguments {
        try ParsedArguments(
            words,
            of: name,
            options: allOptions,
            operandsEndOptions: operandsEndOptions,
            numbersAreOperands: numbersAreOperands,
            separator: separator
        )
    }

    var names: [String] { usage.prefix { $0 != " " }.split(separator: "|").map(String.init) }
    var name: String { names[0] }
    var operands: String { String(usage.drop { $0 != " " }.dropFirst()) }

    var paragraphs: (text: [String], examples: [String]) {
        let all = details.paragraphs
        return (all.filter { !$0.hasPrefix("Example") }, all.filter { $0.hasPrefix("Example") })
    }

    /// What a MOMENT is, for the details of commands.
    static let momentDetails = """
        A MOMENT is a revision, like 41, or a time: -5m or 5m (before now), 14:00, 2026-01-31T14:00. The history has the last
        1000 commits, or as many as the limit maxHistoryCommits says.
        """
}

extension OptionSpec {
    /// Options of every command that talks to a daemon.
    static let common =
        [
            OptionSpec("--socket PATH", "the daemon's socket, instead of the default"),
            OptionSpec("-t, --timeout TIME", "time out after that long, with status 124"),
        ] + Presentation.options
}

extension [CommandSpec] {
    func named(_ name: String) throws(CommandError) -> CommandSpec {
        if let spec = first(where: { $0.names.contains(name) }) { return spec }
        let remark = ForeignCommand.remark(on: name).map { "; \($0)" }
        let nearest = ForeignCommand.offer(for: name) ?? NearestName.of(name, among: flatMap(\.names))
        let parts = name.split(separator: "=", maxSplits: 1).map { String($0).quotedForShell }
        let write = "; 'observectl set \(parts.joined(separator: " "))' sets the value at a path"
        let read = name.contains(".") ? "; 'observectl get \(name)' prints the value at a path" : ""
        let path = parts.count == 2 ? write : read
        let offer = remark ?? nearest.map { "; did you mean '\($0)'?" } ?? path
        throw .usage("unknown command '\(name)'\(offer)", command: nil)
    }
}

extension String { var paragraphs: [String] { split(separator: "\n\n").map(String.init) } }
