// SPDX-License-Identifier: MIT
// A command that the tool runs as a child: its start, its signals, its ending. Independent of the reason to run it.

import ObserveCore

/// The signals that the tool passes on to the command that it runs, and the one that ends the tool.
///
/// - Lifetime: active until it is freed. Inactive in a process that does not belong to the tool alone.
/// - Threading: confined to its owner.
final class PassedSignals {
    private static let passing: [Int32] = [10, 12]  // SIGUSR1, SIGUSR2
    private let counters: [SignalCounter]
    /// The first signal that asked the tool to end.
    private(set) var ending: Int32?

    init(_ process: ToolProcess) throws(CommandError) {
        let numbers =
            CurrentProcess.endingSignals.filter { $0 != CurrentProcess.brokenPipe } + PassedSignals.passing
        var counters: [SignalCounter] = []
        if process.isWholeProcess {
            for number in numbers {
                do throws(SocketError) {
                    counters.append(try SignalCounter(number))
                } catch {
                    throw .failed("signal \(number) can't be caught: \(error)")
                }
            }
        }
        self.counters = counters
    }

    /// Readable when a signal has come.
    var descriptors: [Int32] { counters.map(\.number) }

    /// Passes on the signals that have come.
    func pass(to child: ChildProcess?) {
        for counter in counters where counter.drain() {
            child?.signal(counter.signal)
            if !PassedSignals.passing.contains(counter.signal) { end(by: counter.signal) }
        }
    }

    /// Notes that the tool has to end as if by that signal.
    func end(by number: Int32) { ending = ending ?? number }
}

extension ChildProcess {
    /// Starts a command.
    ///
    /// - Throws: with status 127 for a missing program, and 126 for one that can't be executed, as a shell does.
    static func start(
        _ words: [String],
        input: borrowing MemoryFile,
        variables: [String: String?],
        reporting process: ToolProcess
    ) throws(CommandError) -> ChildProcess {
        do throws(SocketError) {
            return try ChildProcess(words, input: input.number, variables: variables)
        } catch {
            throw ChildProcess.failure(error, words, process)
        }
    }

    /// Starts a command on the standard input of this process.
    static func start(_ words: [String], reporting process: ToolProcess) throws(CommandError) -> ChildProcess
    {
        do throws(SocketError) { return try ChildProcess(words) } catch {
            throw ChildProcess.failure(error, words, process)
        }
    }

    private static func failure(_ error: SocketError, _ words: [String], _ process: ToolProcess)
        -> CommandError
    {
        guard error.isFailedExecution else { return .failed(error.description) }
        process.report("the command \(words.first ?? "") can't be executed: \(error)")
        return .quiet(.command(error.isMissingProgram ? 127 : 126))
    }
}

extension ChildProcess.End {
    /// The ending of a tool that ends as its command did.
    var ending: Ending {
        switch self {
        case .exited(let status): .command(status)
        case .signalled(let number): .signal(number)
        }
    }

    var isFailure: Bool { self != .exited(0) }
}
