// SPDX-License-Identifier: MIT
// Runs one command line and returns the ending. Independent of the commands.

import ObserveCore

/// Runs the commands of a table. Every error is reported on standard error and in the ending.
struct CommandLineTool {
    let process: ToolProcess
    let commands: [CommandSpec]

    /// - Parameter arguments: The words after the program's name; nil if they are not UTF-8 text.
    func run(_ arguments: [String]?) -> Ending {
        do throws(CommandError) {
            guard let arguments else { throw .usage("the arguments are not UTF-8 text", command: nil) }
            try run(words: arguments)
            return .status(.done)
        } catch {
            if let sentence = error.sentence { process.report(sentence) }
            if let hint = error.hint { process.streams.report(hint) }
            return error.ending
        }
    }

    func run(words: [String]) throws(CommandError) {
        let options = OptionSpec.common + [OptionSpec.version]
        let leading = try ParsedArguments(words, of: nil, options: options, operandsEndOptions: true)
        if leading.wantsHelp { return try print(Help.overview(of: commands)) }
        if leading.has("--version") { return try print(process.versionLine) }
        guard let name = leading.operands.first else { throw leading.usage("a command is missing") }
        let spec = try commands.named(name)
        var arguments = try spec.parse(Array(leading.operands.dropFirst()))
        if arguments.wantsHelp { return try print(Help.text(of: spec)) }
        try arguments.add(leading, allowed: spec.allOptions)
        if arguments.operands.isEmpty {
            arguments.operands = try LineFormat.paths(in: arguments.options["--format"], arguments)
        }
        try CommandLineTool.check(arguments, spec)
        try arguments.refuseMisplaced(spec)
        try CommandLineTool.checkPaths(arguments, spec)
        let deadline = try arguments.deadline("--timeout")
        var invocation = Invocation(arguments: arguments, process: process, deadline: deadline)
        invocation.presentation = try Presentation(arguments, process)
        do throws(CommandError) { try spec.run(invocation) } catch {
            let index = words.count - leading.operands.count
            throw RefusalAdvice(arguments: arguments, words: words, commandIndex: index).adding(to: error)
        }
    }

    private func print(_ text: String) throws(CommandError) { try process.streams.put("\(text)\n".bytes) }

    private static func check(_ arguments: ParsedArguments, _ spec: CommandSpec) throws(CommandError) {
        let count = arguments.operands.count
        if count < spec.operandCount.lowerBound {
            let remedy = arguments.remedy(forJoined: spec) ?? ""
            throw arguments.usage("something is missing: \(spec.name) takes \(spec.operands)\(remedy)")
        }
        guard count > spec.operandCount.upperBound else { return }
        let extra = arguments.operands[spec.operandCount.upperBound]
        let takes = spec.operands.isEmpty ? "nothing" : spec.operands
        let remedy =
            arguments.remedy(forSplit: spec.operandCount.upperBound - 1, spec)
            ?? arguments.remedy(forExtra: extra, spec) ?? ""
        throw arguments.usage("'\(extra)' is too much: \(spec.name) takes \(takes)\(remedy)")
    }

    private static func checkPaths(_ arguments: ParsedArguments, _ spec: CommandSpec) throws(CommandError) {
        let operands = arguments.operands.prefix { spec.separator == nil || $0 != "--" }
        var texts = operands.enumerated().filter { spec.isPath($0.offset) }.map(\.element)
        let options = spec.options.filter { ["PATH", "TARGET"].contains($0.value) && $0.name != "--socket" }
        for option in options {
            texts += arguments.repeated[option.name] ?? arguments.options[option.name].map { [$0] } ?? []
        }
        // Without a path, such a command is about all roots.
        if spec.operands.hasPrefix("[PATH") { texts.removeAll(where: \.isEmpty) }
        // Relative paths are checked with their prefix, by the command.
        if arguments.has("--under") { return }
        if spec.operands.contains("PATH…"), spec.separator == nil {
            for word in operands { try arguments.refuseTime(word, spec) }
        }
        let read = spec.takesPatterns ? arguments.components(of:) : arguments.valuePath
        for text in texts { _ = try read(text) }
    }
}

private extension CommandSpec {
    /// Whether the operand at that position is a key path. A first placeholder with dots stands for all.
    func isPath(_ index: Int) -> Bool {
        let placeholders = placeholders
        guard let first = placeholders.first else { return false }
        let repeats = first.contains("…")
        guard repeats || index < placeholders.count else { return false }
        let placeholder = (repeats ? first : placeholders[index]).filter(\.isLetter)
        return ["PATH", "TARGET", "SOURCE"].contains(placeholder)
    }
}

extension ParsedArguments {
    /// The end of a sentence about a word too many, if a value was split at its spaces, or an option comes too late.
    func remedy(forSplit position: Int, _ spec: CommandSpec) -> String? {
        let placeholders = spec.placeholders
        guard placeholders.indices.contains(position), operands.indices.contains(position) else { return nil }
        let (placeholder, value) = (placeholders[position], operands[position])
        guard ["VALUE", "JSON", "PARAMS", "BY", "TARGET"].contains(placeholder) else { return nil }
        let words = operands[position...]
        let options = words.prefix { $0 != "--" }.filter { word in
            spec.allOptions.named(String(word.prefix { $0 != "=" })) != nil
                || word.utf8.count == 2 && spec.allOptions.hasLetters(word)
        }
        if !options.isEmpty || words.dropFirst().first?.hasPrefix("--") == true {
            return "; options come before \(spec.operands)"
        }
        if ["=", ":=", ":", "=="].contains(value) || placeholder == "BY" && ["+", "+="].contains(value) {
            let line = ([spec.name, operands[0]] + words.dropFirst()).map(\.quotedForShell)
            return "; no sign is between them: \(line.joined(separator: " "))"
        }
        if value.hasPrefix("-"), value.count > 1, Double(value) == nil {
            return "; \(spec.name) has no option '\(value)'"
        }
        if placeholder == "BY" || placeholder == "TARGET" { return nil }
        if value.hasPrefix("{") || value.hasPrefix("[") {
            return "; put the JSON in apostrophes, so that it is one word, with its quotes"
        }
        let text = words.joined(separator: " ").quotedForShell
        let quotes = "several words are one \(placeholder) in quotes: \(text)"
        return lineOfThree(spec).map { "; did you mean '\($0)'? Otherwise, \(quotes)" } ?? "; \(quotes)"
    }

    /// The line of a write whose three words are those of other programs: a key, a name and a value, or a list, an index and
    /// a value. Nil for other words.
    private func lineOfThree(_ spec: CommandSpec) -> String? {
        guard operands.count == 3, spec.placeholders[0] == "PATH", operands[2].isValue else { return nil }
        let (name, value) = (operands[1], operands[2].quotedForShell)
        if spec.name == "insert" {
            return Int(name).map { "insert --index \($0) \(operands[0].quotedForShell) \(value)" }
        }
        let path = "\(operands[0]).\(name)"
        guard !name.isValue, (try? valuePath(path)) != nil else { return nil }
        return "\(spec.name) \(path.quotedForShell) \(value)"
    }

    /// The end of a sentence about a missing value, if the path has it, as in `set a=5` and `set a:5`.
    func remedy(forJoined spec: CommandSpec) -> String? {
        guard ["VALUE", "JSON"].contains(spec.placeholders.dropFirst().first), operands.count == 1
        else { return nil }
        let parts = operands[0].split(separator: operands[0].contains("=") ? "=" : ":", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let words = parts.map { String($0).quotedForShell }
        return "; a space is between them: \(spec.name) \(words.joined(separator: " "))"
    }
}
