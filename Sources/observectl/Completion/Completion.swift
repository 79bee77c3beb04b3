// SPDX-License-Identifier: MIT
// Completes the last word of a command line, from the table of commands. Independent of shells and of the daemon.

import ObserveCore

/// A word that may stand in the place of the last one.
struct Candidate: Equatable {
    let word: String
    var description = ""
    /// Whether more may follow the word without a space, as after a model.
    var continues = false
}

enum Completion: Equatable {
    case words([Candidate])
    /// The shell completes names of files.
    case files
    /// A key path: ``PathCompletion`` completes it.
    case path(String, more: [Candidate])
}

struct CompletedLine {
    private let commands: [CommandSpec]
    private let last: String
    private(set) var socket: String?
    private var command: CommandSpec?
    private var operands: [String] = []
    private var given: Set<String> = []
    /// The option that the last word is the value of.
    private var option: OptionSpec?
    private var isOverOptions = false

    /// - Parameter words: those after the tool's name, the last one as far as it is typed.
    init(_ words: [String], of commands: [CommandSpec]) {
        self.commands = commands
        last = words.last ?? ""
        for word in words.dropLast() { consume(word) }
    }

    private var options: [OptionSpec] {
        (command?.allOptions ?? OptionSpec.common + [OptionSpec.version]) + [OptionSpec.help]
    }

    private mutating func consume(_ word: String) {
        if let option {
            if option.name == "--socket" { socket = word }
            self.option = nil
        } else if word == "--", !isOverOptions {
            isOverOptions = true
            if let separator = command?.separator, operands.count >= separator { operands.append(word) }
        } else if !isOverOptions, word.utf8.first == 0x2D, word.utf8.count > 1 {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            let isLetter = options.hasLetters(word)
            let spec = options.first { isLetter ? $0.letter == word.dropFirst().first : $0.name == parts[0] }
            given.insert(spec?.name ?? parts[0])
            if isLetter ? word.count == 2 : parts.count == 1, spec?.value != nil { option = spec }
            if parts.count == 2, parts[0] == "--socket" { socket = parts[1] }
        } else if command == nil {
            command = try? commands.named(word)
            if command == nil { isOverOptions = true }
        } else {
            operands.append(word)
            if command?.operandsEndOptions == true { isOverOptions = true }
        }
    }

    var completion: Completion {
        if let option { return value(of: option) }
        if !isOverOptions, last.utf8.first == 0x2D { return matching(optionCandidates) }
        guard let command else { return isOverOptions ? .words([]) : matching(commandCandidates) }
        return operand(of: command)
    }

    private func matching(_ candidates: [Candidate]) -> Completion {
        .words(candidates.filter { $0.word.hasPrefix(last) })
    }

    private var optionCandidates: [Candidate] {
        options.filter { !given.contains($0.name) }.map { Candidate(word: $0.name, description: $0.summary) }
    }

    private var commandCandidates: [Candidate] {
        commands.flatMap { spec in spec.names.map { Candidate(word: $0, description: spec.summary) } }
    }

    private func value(of option: OptionSpec) -> Completion {
        let placeholder = option.value ?? ""
        if option.name == "--socket" || placeholder == "FILE" { return .files }
        if ["PATH", "PREFIX", "TARGET"].contains(placeholder) { return .path(last, more: []) }
        if placeholder == "LIFETIME" { return .words(matching(["connection", "permanent"])) }
        if placeholder == "COLUMN" {
            return matching(TopColumn.allCases.map { Candidate(word: $0.rawValue) })
        }
        guard placeholder.contains("|") else { return .words([]) }
        return matching(placeholder.split(separator: "|").map { Candidate(word: String($0)) })
    }

    private func operand(of command: CommandSpec) -> Completion {
        if command.separator != nil, operands.contains("--") { return .files }
        if command.name == "wait" { return condition }
        // `PATH [VALUE]`: the last placeholder stands for the rest if it ends in dots.
        let placeholders = command.placeholders
        guard let final = placeholders.last else { return .words([]) }
        let repeats = placeholders[0].hasSuffix("…") || final.hasSuffix("…")
        guard operands.count < placeholders.count || repeats else { return .words([]) }
        let placeholder = operands.count < placeholders.count ? placeholders[operands.count] : final
        switch placeholder.filter({ $0 != "…" }) {
        case "PATH", "TARGET", "SOURCE": return .path(last, more: [])
        case "--": return .path(last, more: matching(["--"]))
        case "FILE": return .files
        case "COMMAND" where command.name == "help": return matching(commandCandidates)
        case "COMMAND": return .path(last, more: matching(["--"]))
        default: return .words([])
        }
    }

    /// The words of `wait`: a path, perhaps an operator, its value.
    private var condition: Completion {
        let operators = ConditionParser.operators
        if let before = operands.last, operators.contains(before) { return .words([]) }
        let isAfterTest = ["exists", "gone", nil].contains(operands.last)
        let isAfterPath = !isAfterTest && !operators.contains(operands.dropLast().last ?? "")
        return .path(last, more: isAfterPath ? matching(operators + ["exists", "gone"]) : [])
    }

    private func matching(_ words: [String]) -> [Candidate] {
        words.filter { $0.hasPrefix(last) }.map { Candidate(word: $0) }
    }
}
