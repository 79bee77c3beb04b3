// SPDX-License-Identifier: MIT
// `--lifetime` of the commands that assign: values that end, with the command or by time.

import ObserveCore

extension CommandSpec {
    /// Options of the writes that a lifetime can be given to.
    static let lifetimeOptions = [
        OptionSpec("--lifetime", "LIFETIME", "connection, or milliseconds: take the value back then"),
        OptionSpec(
            "--ready",
            nil,
            "with that: write 'ready' to standard error once the value holds"
        ),
    ]

    static let lifetimeDetails = """
        With '--lifetime connection' the value holds as long as the command runs, and that stays until a
        signal ends it, the daemon goes (69) or the timeout is over (124). However it ended, the value
        before then shows again, unless somebody has written since. With a number the command ends at once,
        and the value so many milliseconds later.
        """
}

/// How long a value holds that is about to be assigned.
enum LifetimeOption {
    case connection
    case milliseconds(Int64)

    /// Nil for a value that stays.
    init?(_ arguments: ParsedArguments) throws(CommandError) {
        switch arguments.options["--lifetime"] {
        case "connection": self = .connection
        case nil, "permanent":
            guard arguments.has("--ready") else { return nil }
            throw arguments.usage("--ready goes with --lifetime connection alone")
        case let text?:
            guard text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let milliseconds = Int64(text) else {
                throw arguments.usage("--lifetime takes 'connection' or whole milliseconds, not '\(text)'")
            }
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
    /// Keeps the connection, and so what it has set, until something ends it.
    func hold(_ connection: ClientConnection) throws(CommandError) {
        if arguments.has("--ready") { streams.report("ready") }
        while true {
            _ = try attempt { () throws(ClientError) in try connection.nextEvent(until: deadline) }
        }
    }
}
