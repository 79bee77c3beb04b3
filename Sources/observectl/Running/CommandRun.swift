// SPDX-License-Identifier: MIT
// A command that the tool runs as a child: its start, its signals, its ending. Independent of the reason to run it.

import ObserveCore

/// The signals that end a process, or that its user defines, passed on to a command that runs as a child.
/// - Lifetime: active until it is freed. Inactive if the process is not the tool's alone.
final class PassedSignals {
    private let counters: [SignalCounter]
    private let isOnTerminal: Bool
    /// The first signal that asked the tool to end.
    private(set) var ending: Int32?

    init(of process: ToolProcess) throws(CommandError) {
        isOnTerminal = Terminal.isTerminal(process.streams.input)
        let ending = CurrentProcess.endingSignals.filter { $0 != CurrentProcess.brokenPipe }
        let numbers = process.isWholeProcess ? ending + CurrentProcess.userSignals : []
        counters = try numbers.map { (number) throws(CommandError) in try attemptInput(SignalCounter(number))
        }
    }

    /// Descriptors that are readable when a signal has come.
    var numbers: [Int32] { counters.map(\.number) }

    func pass(to child: ChildProcess?) {
        for counter in counters where counter.drain() {
            if !CurrentProcess.userSignals.contains(counter.signal) { end(by: counter.signal) }
            // A terminal sends its signal to the command too.
            if counter.signal == CurrentProcess.interruption, isOnTerminal { continue }
            child?.signal(counter.signal)
        }
    }

    /// Notes that the tool has to end as if by that signal.
    func end(by number: Int32) { ending = ending ?? number }
}

extension Invocation {
    /// Starts a command, with an input or that of the tool. If it is not found, that is status 127, if it can't be executed 126.
    func start(
        _ words: [String],
        input: Int32? = nil,
        _ variables: [String: String?] = [:],
        reportsFailure: Bool = true
    ) throws(CommandError) -> ChildProcess {
        do throws(SocketError) {
            return try ChildProcess(words, streams: input.map { [$0] } ?? [], variables: variables)
        } catch {
            // A whole command line in quotes.
            let isLine = words.count == 1 && words[0].contains(" ")
            let advice = isLine ? "; a COMMAND is several words, or: sh -c \(words[0].quotedForShell)" : ""
            if reportsFailure { process.report("\(words[0]): \(error)\(advice)") }
            guard error.isFailedExecution else { throw .failed("\(words[0]) can't be started") }
            throw .quiet(.command(error.isMissingProgram ? 127 : 126))
        }
    }
}

extension ChildProcess.End {
    var ending: Ending {
        switch self {
        case .exited(let status): .command(status)
        case .signalled(let number): .signal(number)
        }
    }

    var isFailure: Bool { self != .exited(0) }
}
