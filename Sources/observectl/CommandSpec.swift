// SPDX-License-Identifier: MIT
// What a command is called, what it takes, and what it does: the one table behind parsing and help.

/// An option of a command.
struct OptionSpec: Equatable, Sendable {
    /// With its dashes.
    let name: String
    /// What stands for its value in help; nil if it takes none.
    let value: String?
    let summary: String

    init(_ name: String, _ value: String? = nil, _ summary: String) {
        self.name = name
        self.value = value
        self.summary = summary
    }

    /// As one writes it: `--count N`.
    var usage: String { value.map { "\(name) \($0)" } ?? name }
}

/// A command.
struct CommandSpec: Sendable {
    let name: String
    /// The operands as help shows them.
    let operands: String
    let operandCount: ClosedRange<Int>
    let summary: String
    /// Its own options; see ``allOptions``.
    let options: [OptionSpec]
    /// Whether nothing after the first operand is an option, because operands may begin with dashes.
    var operandsEndOptions = false
    /// Whether it talks to a running daemon, and so takes the options for that.
    var asksDaemon = true
    /// What else there is to know, in paragraphs.
    let details: [String]
    let run: @Sendable (Invocation) throws(CommandError) -> Void

    var allOptions: [OptionSpec] { asksDaemon ? options + CommandSpec.common : options }

    /// Options of every command that talks to a daemon.
    static let common = [
        OptionSpec("--socket", "PATH", "the daemon's socket, instead of the default"),
        OptionSpec("--timeout", "SECONDS", "give up after that long, with status 124"),
    ]
    static let help = OptionSpec("--help", nil, "print this and exit")
    static let version = OptionSpec("--version", nil, "print the version and exit")

    static let all: [CommandSpec] = [
        .subscribe, .get, .set, .merge, .remove, .insert, .increment, .link, .transaction, .bind, .unbind,
        .bindings, .describe, .dump, .load, .status, .ping, .demo, .bench, .helpCommand,
    ]

    static func named(_ name: String) -> CommandSpec? { all.first { $0.name == name } }
}
