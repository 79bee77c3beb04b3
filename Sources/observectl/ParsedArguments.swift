// SPDX-License-Identifier: MIT
// Separates options from operands, and reads options' values. Independent of commands.

import ObserveCore

/// The options and operands of a command line.
///
/// Options begin with a dash. As with other GNU-style commands, they may be before, between and after operands,
/// unless the first operand of the command ends them. `--` ends them too; `-` alone is an operand. The value of an
/// option is the next word, or follows after `=`.
struct ParsedArguments: Equatable {
    /// The command of this command line; nil for the words before the command.
    let command: String?
    private(set) var options: [String: String] = [:]
    /// All values of options that may be given several times; ``options`` has the last.
    private(set) var repeated: [String: [String]] = [:]
    private(set) var operands: [String] = []
    /// Whether `--help` was given. The words after it are ignored.
    private(set) var wantsHelp = false

    init(
        _ words: [String],
        of command: String?,
        options specs: [OptionSpec],
        operandsEndOptions: Bool,
        numbersAreOperands: Bool = false,
        keepsSeparator: Bool = false
    ) throws(CommandError) {
        self.command = command
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" || operandsEndOptions && !word.isOption {
                operands += word == "--" && !keepsSeparator ? rest : [word] + rest
                return
            }
            guard word.isOption, !(numbersAreOperands && word.isNegativeNumber) else {
                operands.append(word)
                continue
            }
            if word == "--help" || word == "-h" {
                wantsHelp = true
                return
            }
            try parseOption(word, &rest, specs)
        }
    }

    private mutating func parseOption(
        _ word: String,
        _ rest: inout ArraySlice<String>,
        _ specs: [OptionSpec]
    ) throws(CommandError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let inlineValue = parts.count > 1 ? String(parts[1]) : nil
        guard let spec = specs.first(where: { $0.name == name }) else {
            throw unknown(name, specs)
        }
        guard options[name] == nil || spec.repeats else { throw usage("\(name) is given twice") }
        guard let placeholder = spec.value else {
            guard inlineValue == nil else { throw usage("\(name) takes no value") }
            options[name] = ""
            return
        }
        guard let value = inlineValue ?? rest.popFirst() else {
            throw usage("\(name) needs a value: \(name) \(placeholder)")
        }
        options[name] = value
        if spec.repeats { repeated[name, default: []].append(value) }
    }

    /// Adds options that were given before the command.
    mutating func add(_ earlier: ParsedArguments, allowed specs: [OptionSpec]) throws(CommandError) {
        for (name, value) in earlier.options {
            guard specs.contains(where: { $0.name == name }) else { throw unknown(name, specs) }
            guard options[name] == nil else { throw usage("\(name) is given twice") }
            options[name] = value
        }
    }

    private func unknown(_ name: String, _ specs: [OptionSpec]) -> CommandError {
        // Without the dashes, which all names share.
        let known = (specs.map(\.name) + ["--help"]).map { String($0.dropFirst(2)) }
        let nearest = NearestName.of(String(name.drop { $0 == "-" }), among: known)
        return usage("unknown option '\(name)'" + (nearest.map { "; did you mean --\($0)?" } ?? ""))
    }

    func usage(_ sentence: String) -> CommandError { .usage(sentence, command: command) }
}

// MARK: - Values of options

extension ParsedArguments {
    func has(_ name: String) -> Bool { options[name] != nil }

    /// A whole number that is not negative.
    func count(_ name: String) throws(CommandError) -> Int64? {
        guard let text = options[name] else { return nil }
        guard text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let count = Int64(text) else {
            throw usage("\(name) takes a whole number that is not negative, not '\(text)'")
        }
        return count
    }

    /// The time after that duration, which is above 0. A bare number counts seconds.
    func deadline(_ name: String, from now: MonotonicTime = .now) throws(CommandError) -> MonotonicTime? {
        try positiveDuration(name, bare: .seconds).map { now.adding(nanoseconds: $0.nanoseconds) }
    }
}

private extension String {
    /// A dash alone is not an option: it means standard input.
    var isOption: Bool { utf8.first == 0x2D && utf8.count > 1 }

    var isNegativeNumber: Bool {
        utf8.first == 0x2D && utf8.dropFirst().first.map { $0 >= 0x30 && $0 <= 0x39 } ?? false
    }
}
