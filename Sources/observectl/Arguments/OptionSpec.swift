// SPDX-License-Identifier: MIT
// The options of commands: their names and their help. Independent of commands.

struct OptionSpec: Equatable, Sendable {
    /// The forms on a command line: `-n, --count N`.
    let usage: String
    let summary: String
    let repeats: Bool
    let isRequired: Bool

    init(_ usage: String, _ summary: String, repeats: Bool = false, required: Bool = false) {
        (self.usage, self.repeats, isRequired) = (usage, repeats, required)
        self.summary = required ? "\(summary); required" : summary
    }

    private var words: [Substring] { usage.split(separator: " ") }
    private var forms: ArraySlice<Substring> { words.prefix { $0.hasPrefix("-") } }
    /// The name with its dashes.
    var name: String { forms.last.map(String.init) ?? "" }
    /// Its letter after one dash; nil if it has none.
    var letter: Character? { forms.count > 1 ? forms[0].dropFirst().first : nil }
    /// The placeholder of its value; nil if it takes none.
    var value: String? { words.dropFirst(forms.count).first.map(String.init) }

    static let string = OptionSpec("--string", "read VALUE as a string, verbatim")
    static let parents = OptionSpec("--parents", "create the models that are missing on the path")
    static let dryRun = OptionSpec("--dry-run", "change nothing; print what would change")
    static let help = OptionSpec("-h, --help", "print this and exit")
    static let version = OptionSpec("-v, --version", "print the version and exit")
}
