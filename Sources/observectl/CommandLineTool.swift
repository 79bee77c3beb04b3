// SPDX-License-Identifier: MIT
// Runs one command line and returns the ending. Independent of the commands.

import ObserveCore

/// A tool that runs the commands of a table.
///
/// - Errors: ``run(_:)`` reports every error on standard error and in the ending.
/// - Threading: blocks the thread that runs it.
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
        let leading = try ParsedArguments(
            words,
            of: nil,
            options: OptionSpec.common + [OptionSpec.version],
            operandsEndOptions: true
        )
        if leading.wantsHelp { return try print(Help.overview(of: commands)) }
        if leading.has("--version") { return try print("observectl \(version)") }
        guard let name = leading.operands.first else { throw leading.usage("a command is missing") }
        let spec = try commands.named(name)
        var arguments = try ParsedArguments(
            Array(leading.operands.dropFirst()),
            of: spec.name,
            options: spec.allOptions,
            operandsEndOptions: spec.operandsEndOptions,
            numbersAreOperands: spec.numbersAreOperands,
            keepsSeparator: spec.keepsSeparator
        )
        if arguments.wantsHelp { return try print(Help.text(of: spec)) }
        try arguments.add(leading, allowed: spec.allOptions)
        try CommandLineTool.check(arguments, spec)
        let deadline = try arguments.deadline("--timeout")
        let presentation = try Presentation(arguments, process)
        let invocation = Invocation(
            arguments: arguments,
            process: process,
            deadline: deadline,
            presentation: presentation
        )
        do throws(CommandError) { try spec.run(invocation) } catch {
            throw RefusalAdvice(arguments: arguments).adding(to: error)
        }
    }

    private func print(_ text: String) throws(CommandError) {
        let outcome = process.streams.write(Array("\(text)\n".utf8))
        guard outcome == .done else { throw .output(outcome) }
    }

    private static func check(_ arguments: ParsedArguments, _ spec: CommandSpec) throws(CommandError) {
        let count = arguments.operands.count
        if count < spec.operandCount.lowerBound {
            throw arguments.usage("something is missing: \(spec.name) takes \(spec.operands)")
        }
        guard count > spec.operandCount.upperBound else { return }
        let extra = arguments.operands[spec.operandCount.upperBound]
        let hint = spec.operandsEndOptions ? "; options come before \(spec.operands)" : ""
        let takes = spec.operands.isEmpty ? "nothing" : spec.operands
        throw arguments.usage("'\(extra)' is too much: \(spec.name) takes \(takes)\(hint)")
    }
}
