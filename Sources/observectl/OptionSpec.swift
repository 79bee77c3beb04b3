// SPDX-License-Identifier: MIT
// The options of commands: their names and their help. Independent of commands.

/// An option of a command.
struct OptionSpec: Equatable, Sendable {
    /// The name with its dashes.
    let name: String
    /// The placeholder of its value in help; nil if it takes none.
    let value: String?
    let summary: String
    /// Whether it may be given several times.
    var repeats = false

    init(_ name: String, _ value: String? = nil, _ summary: String) {
        self.name = name
        self.value = value
        self.summary = summary
    }

    static func repeated(_ name: String, _ value: String, _ summary: String) -> OptionSpec {
        var spec = OptionSpec(name, value, summary)
        spec.repeats = true
        return spec
    }

    /// The form on a command line: `--count N`.
    var usage: String { value.map { "\(name) \($0)" } ?? name }

    /// Options of every command that talks to a daemon.
    static let common =
        [
            OptionSpec("--socket", "PATH", "the daemon's socket, instead of the default"),
            OptionSpec(
                "--timeout",
                "TIME",
                "time out after that long, with status 124: 1.5 (seconds), 200ms, 2m"
            ),
        ] + Presentation.options
    static let help = OptionSpec("--help", nil, "print this and exit")
    static let version = OptionSpec("--version", nil, "print the version and exit")
}
