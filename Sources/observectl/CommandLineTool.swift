// SPDX-License-Identifier: MIT
// The tool without its process: arguments in, an ending out. Knows commands only by their table.

import ObserveCore

/// `observectl`.
///
/// - Errors: everything that goes wrong is told on standard error and in the ending; nothing is thrown.
/// - Threading: blocks the thread that runs it.
struct CommandLineTool {
    let streams: StandardStreams
    let environment: @Sendable (String) -> String?
    let uid: UInt32
    /// Whether the process is ours, signals and all; not so in a test.
    var isWholeProcess = false

    /// - Parameter arguments: without the program's name; nil if they are not text.
    func run(_ arguments: [String]?) -> Ending {
        do throws(CommandError) {
            guard let arguments else { throw .usage("the arguments are not UTF-8 text", command: nil) }
            try run(words: arguments)
            return .status(.done)
        } catch {
            if let sentence = error.sentence { report(sentence) }
            if let hint = error.hint { streams.report(hint) }
            return error.ending
        }
    }

    /// Tells people something, on standard error.
    func report(_ line: String) { streams.report("observectl: \(line.printable)") }

    func run(words: [String]) throws(CommandError) {
        let leading = try ParsedArguments(
            words,
            of: nil,
            options: CommandSpec.common + [CommandSpec.version],
            operandsEndOptions: true
        )
        if leading.wantsHelp { return try print(Help.overview) }
        if leading.has("--version") { return try print("observectl \(version)") }
        guard let name = leading.operands.first else { throw leading.usage("a command is missing") }
        let spec = try CommandLineTool.command(name)
        var arguments = try ParsedArguments(
            Array(leading.operands.dropFirst()),
            of: name,
            options: spec.allOptions,
            operandsEndOptions: spec.operandsEndOptions
        )
        if arguments.wantsHelp { return try print(Help.text(of: spec)) }
        try arguments.add(leading, allowed: spec.allOptions)
        try CommandLineTool.check(arguments, spec)
        let deadline = try arguments.deadline("--timeout")
        try spec.run(Invocation(arguments: arguments, tool: self, deadline: deadline))
    }

    private func print(_ text: String) throws(CommandError) {
        let outcome = streams.write(Array("\(text)\n".utf8))
        guard outcome == .done else { throw .output(outcome) }
    }

    static func command(_ name: String) throws(CommandError) -> CommandSpec {
        if let spec = CommandSpec.named(name) { return spec }
        throw .usage("unknown command '\(name)'", command: nil)
    }

    private static func check(_ arguments: ParsedArguments, _ spec: CommandSpec) throws(CommandError) {
        let count = arguments.operands.count
        if count < spec.operandCount.lowerBound {
            throw arguments.usage("something is missing: \(spec.name) takes \(spec.operands)")
        }
        guard count > spec.operandCount.upperBound else { return }
        let extra = arguments.operands[spec.operandCount.upperBound]
        let hint = spec.operandsEndOptions ? "; options stand before \(spec.operands)" : ""
        let takes = spec.operands.isEmpty ? "nothing" : spec.operands
        throw arguments.usage("'\(extra)' is too much: \(spec.name) takes \(takes)\(hint)")
    }
}
