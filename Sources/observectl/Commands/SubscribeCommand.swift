// SPDX-License-Identifier: MIT
// `observectl subscribe`: prints changes as they happen. Independent of the values.

import ObserveCore

extension CommandSpec {
    static let subscribe = CommandSpec(
        name: "subscribe",
        aliases: ["watch"],
        operands: "PATH…",
        operandCount: 1...Int.max,
        summary: "print each change of the values at the key paths",
        options: [
            OptionSpec("--raw", nil, "print the new value alone; a string without its quotes"),
            OptionSpec("--no-initial", nil, "leave out the values at the start"),
            OptionSpec("--old", nil, "let events carry the value before as well"),
            OptionSpec("--origin", nil, "let events name the origin of the change"),
            OptionSpec(
                "--throttle",
                "TIME",
                "each path at most once in TIME, its last value always: 200 (milliseconds), 2s"
            ),
            OptionSpec("--debounce", "TIME", "each path once it has not changed for TIME"),
            OptionSpec("--count", "N", "end after N events, those at the start included"),
            OptionSpec("--ready", nil, "write 'ready' to standard error after the values at the start"),
            OptionSpec("--no-reconnect", nil, "end when the daemon ends (69)"),
        ],
        details: [
            """
            Each event is one JSON object a line, written at once. Several paths are one subscription.
            """,
            """
            A component '*' matches any one name or index, and '**' at the end everything below;
            '**' alone is everything. Quote them, or the shell replaces them by file names. After an
            array, or a model, there may be a collection operator: @count, @sum, @avg, @min, @max,
            @unionOfObjects or @distinctUnionOfObjects, and after it a path into each element.
            """,
            """
            If the daemon ends, the command waits until there is one again and continues: with the
            missed changes, if the daemon still has them, else with the present values. An upgrade of the
            daemon does not interrupt it.
            """,
            """
            It ends after N events (0); after the timeout, whatever was printed (124); with
            --no-reconnect when the daemon ends (69); and, by the signal, when it is interrupted,
            or as soon as the reader of its output ends (SIGPIPE, 141).
            """,
            """
            Options may be before, between and after the paths; '--' ends them.
            """,
            """
            Examples:
              observectl subscribe --raw --count 1 app.volume
              observectl subscribe --raw --count 2 'library.films.*.title'
              observectl subscribe --raw --count 1 library.films.@max.year
              observectl subscribe --raw --count 1 'app.playbackController.**'
            """,
        ],
        run: { (invocation) throws(CommandError) in
            let subscribing = try Subscribing(invocation)
            try subscribing.run()
        }
    )
}
