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
        options: subscribeForms + [
            OptionSpec("--under", "PREFIX", "a key path that precedes every PATH"),
            OptionSpec("--no-initial", nil, "leave out the values at the start"),
            OptionSpec("--old", nil, "let events carry the value before as well"),
            OptionSpec("--prior", nil, "print an event before each change too"),
            OptionSpec("--origin", nil, "let events name the origin of the change"),
            OptionSpec("--whole", nil, "show arrays whole, as --raw and --format do"),
            OptionSpec("--tag", "TAG", "let events carry this text"),
            OptionSpec("--every", nil, "every change, never coalesced; too slow a reader ends it (69)"),
            OptionSpec(
                "--throttle",
                "TIME",
                "each path at most once in TIME, its last value always: 200 (milliseconds), 2s"
            ),
            OptionSpec("--debounce", "TIME", "each path once it has not changed for TIME"),
            OptionSpec(
                "--count",
                "N",
                "end after N events, or lines of --format, those at the start included"
            ),
            OptionSpec("--ready", nil, "write 'ready' to standard error after the values at the start"),
            OptionSpec("--since", "EPOCH:REV", "begin with the changes after that revision"),
            OptionSpec("--resume", "FILE", "continue where the last run with FILE ended"),
            OptionSpec("--no-reconnect", nil, "end without a daemon, or when it ends (69)"),
        ],
        details: [
            """
            Each event is one JSON object a line, written at once. Several paths are one subscription.
            '*' matches any one name or index, '**' at the end everything below: quote them. A collection
            operator may follow an array or a model: @count, @sum, @avg, @min, @max and the unions.
            """,
            """
            TEMPLATE makes one line of each frame: {PATH} is the value at a path, {} at the first, {PATH|none}
            has a text for null, {PATH:json} is JSON, {{ a brace. {@reason}, {@path}, {@old}, {@nilAt}, {@time},
            {@revision} and {@pid} are of the last event. 'waybar' and 'i3blocks' print the JSON of these bars.
            """,
            """
            Without a daemon the command waits for one. After a loss it continues with the missed changes, or
            else with the present values.
            """,
            """
            Examples:
              observectl subscribe --raw --count 1 app.volume
              observectl subscribe --count 1 --format '{videoTitle} – {position}' \\
                --under app.playbackController.player videoTitle position
            """,
        ],
        run: { (invocation) throws(CommandError) in
            let subscribing = try Subscribing(invocation)
            try subscribing.run()
        }
    )

    /// Options for the form of the output.
    private static let subscribeForms = [
        OptionSpec(
            "--raw",
            nil,
            "print the new value alone, a string unquoted; of several paths, PATH<TAB>VALUE"
        ),
        OptionSpec("--format", "TEMPLATE", "print a line for each frame, unless it equals the last one"),
        OptionSpec("--all", nil, "print equal lines of --format too"),
        OptionSpec("-0", nil, "end each line with NUL, and keep line feeds in values"),
        OptionSpec("--time", nil, "with each event, the time at which it came"),
    ]
}
