// SPDX-License-Identifier: MIT
// `--lifetime` of the commands that assign: temporary values, which expire with the command or by time.

import ObserveCore

extension CommandSpec {
    /// Options of the writes that may have a lifetime.
    static let lifetimeOptions = [
        OptionSpec(
            "--lifetime",
            "LIFETIME",
            "when the value expires: connection, or after a time, like 200ms"
        ),
        OptionSpec(
            "--ready",
            nil,
            "with that: write 'ready' to standard error once the value is set"
        ),
    ]

    static let lifetimeDetails = """
        With '--lifetime connection' the value expires when the command ends: by a signal, with the daemon
        (69) or after the timeout (124). Then the value before is visible again, unless there was a write
        since. With a time the command ends at once, and the value expires that much later.
        """
}

/// When a temporary value expires.
enum LifetimeOption {
    case connection
    case milliseconds(Int64)

    /// Nil for a permanent value.
    init?(_ arguments: ParsedArguments) throws(CommandError) {
        switch arguments.options["--lifetime"] {
        case "connection": self = .connection
        case nil, "permanent":
            guard arguments.has("--ready") else { return nil }
            throw arguments.usage("--ready goes with --lifetime connection alone")
        case let text?:
            guard let duration = DurationArgument(text), let milliseconds = duration.milliseconds,
                milliseconds > 0
            else {
                throw arguments.usage(
                    "--lifetime takes 'connection', 'permanent' or a duration of whole milliseconds above 0, "
                        + "\(DurationArgument.examplesWithUnit), not '\(text)'"
                )
            }
            guard duration.hasUnit else { throw arguments.unitMissing("--lifetime") }
            guard !arguments.has("--ready") else {
                throw arguments.usage("--ready goes with --lifetime connection alone")
            }
            self = .milliseconds(milliseconds)
        }
    }

    var json: RawJSON {
        switch self {
        case .connection: RawJSON("connection")
        case .milliseconds(let milliseconds): RawJSON(.int(milliseconds))
        }
    }
}

extension Invocation {
    /// Keeps the connection, and so its temporary values, until the run ends.
    func hold(_ connection: ClientConnection) throws(CommandError) {
        if arguments.has("--ready") { streams.report("ready") }
        while true {
            _ = try attempt(connection.nextEvent(until: deadline))
        }
    }
}
