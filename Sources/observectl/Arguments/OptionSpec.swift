// SPDX-License-Identifier: MIT
// The options of commands: their names and their help. Independent of commands.

struct OptionSpec: Equatable, Sendable {
    /// The name with its dashes.
    let name: String
    /// Its letter after one dash; nil if it has none.
    var letter: Character?
    /// The placeholder of its value in help; nil if it takes none.
    let value: String?
    let summary: String
    var repeats = false
    var isRequired = false

    init(_ name: String, _ value: String? = nil, _ summary: String, letter: Character? = nil) {
        self.name = name
        self.letter = letter
        self.value = value
        self.summary = summary
    }

    static func repeated(_ name: String, _ value: String, _ summary: String) -> OptionSpec {
        var spec = OptionSpec(name, value, summary)
        spec.repeats = true
        return spec
    }

    /// The same, which the command needs.
    var required: OptionSpec {
        var spec = OptionSpec(name, value, "\(summary); required", letter: letter)
        spec.isRequired = true
        return spec
    }

    /// The forms on a command line: `-n, --count N`.
    var usage: String {
        (letter.map { "-\($0), " } ?? "") + name + (value.map { " \($0)" } ?? "")
    }

    static let string = OptionSpec("--string", nil, "read VALUE as a string, verbatim")
    static let parents = OptionSpec("--parents", nil, "create the models that are missing on the path")
    static let dryRun = OptionSpec("--dry-run", nil, "change nothing; print what would change")
    static let help = OptionSpec("--help", nil, "print this and exit", letter: "h")
    static let version = OptionSpec("--version", nil, "print the version and exit", letter: "v")
}
