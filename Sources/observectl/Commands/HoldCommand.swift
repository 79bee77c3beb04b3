// SPDX-License-Identifier: MIT
// `observectl hold`: a value that lasts as long as a command runs. Independent of the command.

import ObserveCore

extension CommandSpec {
    static let hold = CommandSpec(
        name: "hold",
        operands: "PATH VALUE [-- COMMAND…]",
        operandCount: 2...Int.max,
        summary: "lay a value over the one at PATH while a command runs",
        options: [
            OptionSpec("--string", nil, "read VALUE as a string, verbatim"),
            OptionSpec("--parents", nil, "create the models that are missing on the path"),
            OptionSpec("--ready", nil, "write 'ready' to standard error once the value is set"),
        ],
        operandsEndOptions: true,
        details: [
            """
            The value expires with the command, however it ends, and the value before is visible again. The
            status is that of the command. Without one, the value is held until observectl is ended. Options
            are before PATH.
            """,
            """
            Examples:
              observectl hold app.busy true -- sleep 1
              observectl hold app.volume 10 -- sh -c 'observectl get app.volume'
            """,
        ],
        manual: [
            """
            If the daemon ends, the command continues, and the value is held again when there is a daemon. If
            observectl is killed, the value expires and the command is killed too. Signals that end observectl
            are passed on to the command; after the timeout it gets SIGTERM, and the status is 124. A command
            that is not found is status 127, one that can't be executed 126.
            """
        ],
        run: { (invocation) throws(CommandError) in try Holding(invocation).run() }
    )
}

/// One run of `hold`.
private struct Holding {
    private let invocation: Invocation
    private let write: WriteOperation
    /// The command; empty for none.
    private let command: [String]

    init(_ invocation: Invocation) throws(CommandError) {
        self.invocation = invocation
        let rest = invocation.operands.dropFirst(2)
        if let separator = rest.first {
            guard separator == "--" else {
                throw invocation.arguments.usage("'\(separator)' is too much: a command comes after '--'")
            }
            guard rest.count > 1 else { throw invocation.arguments.usage("a command is missing after '--'") }
        }
        command = Array(rest.dropFirst())
        var write = WriteOperation(.set, invocation.operands[0], ["value": try invocation.value()])
        if invocation.arguments.has("--parents") { write.params.append("parents", RawJSON(true)) }
        write.params.append("lifetime", RawJSON("connection"))
        self.write = write
    }

    func run() throws(CommandError) {
        let kept = KeptValue(invocation) { [write, invocation] (connection) throws(ClientError) in
            _ = try connection.call(write.method.rawValue, write.params, until: invocation.deadline)
        }
        try kept.start()
        if invocation.arguments.has("--ready") { invocation.streams.report("ready") }
        guard !command.isEmpty else { return try kept.wait(for: []) }
        let signals = try PassedSignals(of: invocation.process)
        let child = try invocation.start(command)
        var refusal: CommandError?
        while true {
            do throws(CommandError) {
                try kept.wait(for: [child.number] + signals.numbers)
            } catch {
                // The command continues to its end, or, after the timeout, to the signal.
                if error == .client(.timedOut) { child.signal(PassedSignals.termination) }
                refusal = error
                if error != .client(.timedOut), let sentence = error.sentence {
                    invocation.process.report(sentence)
                }
                break
            }
            signals.pass(to: child)
            if let end = child.end() { return try finish(kept, end) }
        }
        while child.end() == nil {
            _ = Poll.wait(for: ([child.number] + signals.numbers).map { ($0, .readable) })
            signals.pass(to: child)
        }
        kept.end()
        if refusal == .client(.timedOut) { throw .client(.timedOut) }
        if let end = child.end() { try finish(kept, end) }
    }

    /// Ends the value, and then the run as the command ended.
    private func finish(_ kept: KeptValue, _ end: ChildProcess.End) throws(CommandError) {
        kept.end()
        switch end {
        case .exited(0): return
        case .exited(let status): throw .quiet(.command(status))
        case .signalled(let number): throw .quiet(.signal(number))
        }
    }
}

/// The signals that end a process, passed on to a command that runs as a child.
struct PassedSignals {
    static let termination = CurrentProcess.termination

    private let counters: [SignalCounter]
    private let isOnTerminal: Bool

    /// None if the process is not the tool's alone.
    init(of process: ToolProcess) throws(CommandError) {
        isOnTerminal = Terminal.isTerminal(process.streams.input)
        guard process.isWholeProcess else {
            counters = []
            return
        }
        var counters: [SignalCounter] = []
        for number in CurrentProcess.endingSignals where number != CurrentProcess.brokenPipe {
            do throws(SocketError) { counters.append(try SignalCounter(number)) } catch {
                throw .input(error)
            }
        }
        self.counters = counters
    }

    var numbers: [Int32] { counters.map(\.number) }

    func pass(to child: ChildProcess) {
        for counter in counters where counter.drain() {
            // A terminal sends its signal to the command too.
            if counter.signal == CurrentProcess.interruption, isOnTerminal { continue }
            child.signal(counter.signal)
        }
    }
}

extension Invocation {
    /// Starts a command. One that is not found is status 127, one that can't be executed 126.
    func start(_ words: [String], variables: [String: String?] = [:]) throws(CommandError) -> ChildProcess {
        do throws(SocketError) { return try ChildProcess(words, variables: variables) } catch {
            process.report("\(words[0]): \(error)")
            guard error.isFailedExecution else { throw .failed("\(words[0]) can't be started") }
            throw .quiet(.command(error.isMissingProgram ? 127 : 126))
        }
    }
}
