// SPDX-License-Identifier: MIT
// `observectl hold`: a value that lasts as long as a command runs. Independent of the command.

import ObserveCore

extension CommandSpec {
    static let hold = CommandSpec(
        usage: "hold PATH VALUE [-- COMMAND…]",
        summary: "lay a value over the one at PATH while a command runs",
        options: [
            .string, .parents, OptionSpec("--ready", "write 'ready' to standard error once the value is set"),
            .noWait,
        ],
        operandsEndOptions: true,
        details: """
            The value expires with the command, however it ends, and the value before is visible again. The
            status is that of the command. Without one, the value is held until observectl is ended. Options
            are before PATH.

            Examples:
              observectl hold app.busy true -- sleep 1
              observectl hold app.volume 10 -- sh -c 'observectl get app.volume'
            """,
        manual: """
            Without a daemon, observectl waits for one. If the daemon ends, the command continues, and the value
            is held again when there is a daemon, and the models on its path, which may be another client's. If
            observectl is killed, the value expires and the kernel kills the command. Processes that the command has
            started continue, except those that 'setpriv --pdeathsig KILL' starts. Signals that end observectl
            are passed on to the command; after the timeout it gets SIGTERM, and the status is 124. A command
            that is not found is status 127, one that can't be executed 126.
            """
    ) { (invocation) throws(CommandError) in try invocation.holdValue() }
}

private extension Invocation {
    func holdValue() throws(CommandError) {
        let command = try heldCommand()
        let parents = arguments.flag("--parents")
        let params: RequestParams = [
            "path": operand(0), "value": try value(), "parents": parents, "lifetime": "connection",
        ]
        let kept = KeptValue(self) { (connection) throws(ClientError) in
            _ = try connection.call("set", params, until: deadline)
        }
        try kept.start()
        if arguments.has("--ready") { streams.report("ready") }
        guard !command.isEmpty else { return try kept.wait(for: []) }
        let signals = try PassedSignals(of: process)
        let child = try start(command)
        var failure: CommandError?
        while child.end() == nil {
            let alarms = [child.number] + signals.numbers
            if failure == nil {
                do throws(CommandError) { try kept.wait(for: alarms) } catch {
                    failure = error
                    // The command continues to its end, or, after the timeout, to the signal.
                    if error == .client(.timedOut) {
                        child.signal(CurrentProcess.termination)
                    } else if let sentence = error.sentence {
                        process.report(sentence)
                    }
                }
            } else {
                _ = Poll.wait(for: alarms.map { ($0, .readable) })
            }
            signals.pass(to: child)
        }
        kept.end()
        if failure == .client(.timedOut) { throw .client(.timedOut) }
        if let end = child.end(), end.isFailure { throw .quiet(end.ending) }
    }

    /// The command after the value; empty for none.
    func heldCommand() throws(CommandError) -> [String] {
        let rest = operands.dropFirst(2)
        if let separator = rest.first {
            guard separator == "--" else {
                let remedy = arguments.remedy(forSplit: 1, .hold) ?? ""
                throw arguments.usage("'\(separator)' is too much: a command comes after '--'\(remedy)")
            }
            guard rest.count > 1 else { throw arguments.usage("a command is missing after '--'") }
        }
        return Array(rest.dropFirst())
    }
}
