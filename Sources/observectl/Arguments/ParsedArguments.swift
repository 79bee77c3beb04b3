// SPDX-License-Identifier: MIT
// Separates options from operands, and reads options' values. Independent of commands.

import ObserveCore

/// Options begin with a dash. As with other GNU-style commands, they may be before, between and after operands, unless the
/// first operand of the command ends them. `--` ends them too; `-` alone is an operand. The value of an option is the next
/// word, or follows after `=`. Letters may share a dash, as in `-rn 5`.
struct ParsedArguments: Equatable {
    /// The command of this command line; nil for the words before the command.
    let command: String?
    private(set) var options: [String: String] = [:]
    /// All values of options that may be given several times; ``options`` has the last.
    private(set) var repeated: [String: [String]] = [:]
    var operands: [String] = []
    /// Where the operands after `--` begin.
    private var literalStart = Int.max
    /// Whether `--help` was given. The words after it are ignored.
    private(set) var wantsHelp = false

    init(
        _ words: [String],
        of command: String?,
        options specs: [OptionSpec],
        operandsEndOptions: Bool,
        numbersAreOperands: Bool = false,
        separator: Int? = nil
    ) throws(CommandError) {
        self.command = command
        var rest = words[...]
        var isOverOptions = false
        while let word = rest.popFirst() {
            if word == "--" {
                // Between operands it stays; before those that precede it, it only ends the options.
                let isSeparator = separator.map { operands.count >= $0 } ?? false
                // As the last word, it is an operand itself, as ever.
                let isOperand = isOverOptions && rest.isEmpty
                literalStart = operands.count
                operands += isSeparator || isOperand ? [word] + rest : Array(rest)
                return
            }
            if word == "--help" || word == "-h" {
                wantsHelp = true
                return
            }
            if isOverOptions || !word.isOption || numbersAreOperands && word.isNegativeNumber {
                operands.append(word)
                // The words of the command are not those of the tool.
                if operandsEndOptions, command == nil {
                    operands += rest
                    return
                }
                isOverOptions = operandsEndOptions
            } else if specs.hasLetters(word) {
                try parseLetters(word, &rest, specs)
            } else {
                try parseOption(word, &rest, specs)
            }
        }
    }

    private mutating func parseOption(_ word: String, _ rest: inout ArraySlice<String>, _ specs: [OptionSpec])
        throws(CommandError)
    {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let inlineValue = parts.count > 1 ? String(parts[1]) : nil
        guard let spec = specs.named(name) else { throw unknown(name, specs) }
        guard spec.value != nil || inlineValue == nil else { throw usage("\(name) takes no value") }
        try add(spec, inlineValue, &rest)
    }

    /// Letters behind one dash. The rest of the word is the value of one that takes a value.
    private mutating func parseLetters(
        _ word: String,
        _ rest: inout ArraySlice<String>,
        _ specs: [OptionSpec]
    ) throws(CommandError) {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            guard let spec = specs.first(where: { $0.letter == letter }) else { throw unknown(word, specs) }
            let takesRest = spec.value != nil && !letters.isEmpty
            if takesRest, letters.first == "=" { letters.removeFirst() }
            try add(spec, takesRest ? String(letters) : nil, &rest)
            if takesRest { return }
        }
    }

    /// - Parameter value: the value that the word has; nil if the next word is the value.
    private mutating func add(_ spec: OptionSpec, _ value: String?, _ rest: inout ArraySlice<String>)
        throws(CommandError)
    {
        let name = spec.name
        guard options[name] == nil || spec.repeats else { throw usage("\(name) is given twice") }
        guard let placeholder = spec.value else { return options[name] = "" }
        // A variable that is not set names no file.
        guard let value = value ?? rest.popFirst(), placeholder != "FILE" || !value.isEmpty
        else { throw usage("\(name) needs a value: \(name) \(placeholder)") }
        // A placeholder with bars, as `continue|stop`, has all values.
        let choices = placeholder.split(separator: "|")
        if choices.count > 1, !choices.contains(value[...]) {
            let known = choices.dropLast().joined(separator: ", ") + " or \(choices[choices.count - 1])"
            throw usage("\(name) takes \(known), not '\(value)'")
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
        if let remark = ForeignOption.remark(on: name, of: command, specs) {
            return usage("unknown option '\(name)'\(remark)")
        }
        // Without the dashes, which all names share.
        let known = (specs.map(\.name) + ["--help"]).map { String($0.dropFirst(2)) }
        let nearest = NearestName.of(String(name.drop { $0 == "-" }), among: known)
        let late = command == nil ? "; a command's own options are behind its name" : ""
        return usage("unknown option '\(name)'" + (nearest.map { "; did you mean --\($0)?" } ?? late))
    }

    func usage(_ sentence: String) -> CommandError { .usage(sentence, command: command) }

    // MARK: Values of options

    func has(_ name: String) -> Bool { options[name] != nil }

    /// True as a param; nil if the option is not given.
    func flag(_ name: String) -> RawJSON? { has(name) ? true : nil }

    /// Whether an operand stands for standard input: a dash before any `--`.
    func isInput(_ index: Int) -> Bool { operands[index] == "-" && index < literalStart }

    func refuse(_ others: [String], beside name: String) throws(CommandError) {
        guard has(name), let other = others.first(where: has) else { return }
        throw usage("\(name) does not go with \(other)")
    }

    func count(_ name: String) throws(CommandError) -> Int64? {
        guard let text = options[name] else { return nil }
        if text.utf8.allSatisfy(\.isDigit), let count = Int64(text) { return count }
        throw usage("\(name) takes a whole number that is not negative, not '\(text)'")
    }

    func count(_ name: String, in range: ClosedRange<Int64>) throws(CommandError) -> Int? {
        guard let count = try count(name) else { return nil }
        if range.contains(count) { return Int(count) }
        throw usage("\(name) takes a number from \(range.lowerBound) to \(range.upperBound), not '\(count)'")
    }

    /// The time after that duration, which is above 0. A bare number counts seconds.
    func deadline(_ name: String, from now: MonotonicTime = .now) throws(CommandError) -> MonotonicTime? {
        try duration(name).map { now.adding(nanoseconds: $0.nanoseconds) }
    }
}

extension [OptionSpec] {
    func named(_ name: String) -> OptionSpec? { first { $0.name == name } }

    /// Whether a word with a dash has letters of options, as in `-n5`, and is not a name that lacks a dash.
    func hasLetters(_ word: String) -> Bool {
        guard word.isOption, named(word) == nil, named("-\(word)") == nil else { return false }
        return contains { $0.letter != nil && $0.letter == word.dropFirst().first }
    }
}

private extension String {
    /// A dash alone is not an option: it means standard input.
    var isOption: Bool { utf8.first == 0x2D && utf8.count > 1 }

    var isNegativeNumber: Bool { utf8.first == 0x2D && utf8.dropFirst().first?.isDigit == true }
}
