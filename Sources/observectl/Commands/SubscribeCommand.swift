// SPDX-License-Identifier: MIT
// `observectl subscribe`: prints changes as they happen. Does not know what the paths lead to.

import ObserveCore

extension CommandSpec {
    static let subscribe = CommandSpec(
        name: "subscribe",
        operands: "PATH…",
        operandCount: 1...Int.max,
        summary: "print each change of what the key paths lead to",
        options: [
            OptionSpec("--raw", nil, "print the new value alone; a string without its quotes"),
            OptionSpec("--no-initial", nil, "leave out the values at the start"),
            OptionSpec("--old", nil, "let events carry the value before as well"),
            OptionSpec("--origin", nil, "let events say who made the change"),
            OptionSpec(
                "--throttle",
                "MS",
                "each path at most once in MS milliseconds, its last value always"
            ),
            OptionSpec("--debounce", "MS", "each path once it has not changed for MS milliseconds"),
            OptionSpec("--count", "N", "end after N events, those at the start included"),
            OptionSpec("--ready", nil, "write 'ready' to standard error after the values at the start"),
            OptionSpec("--no-reconnect", nil, "end when the daemon goes (today it always does)"),
        ],
        details: [
            """
            Each event is one JSON object a line, written at once. Several paths are one subscription.
            """,
            """
            A component '*' stands for any one name or index, and '**' at the end for all that is below;
            '**' alone is everything. Quote them, or the shell takes them for names of files. After an
            array, or a model, a collection operator may stand: @count, @sum, @avg, @min, @max,
            @unionOfObjects or @distinctUnionOfObjects, and behind it a path into each element.
            """,
            """
            It ends after N events (0); when the daemon goes (69); after the timeout, whatever was printed
            (124); and, by the signal, when it is interrupted, or as soon as nobody reads its output any
            more (SIGPIPE, 141).
            """,
            """
            Options may stand before, between and after the paths; '--' ends them.
            """,
            """
            Examples:
              observectl subscribe --raw --count 1 app.volume
              observectl subscribe --raw --count 2 'library.films.*.title'
              observectl subscribe --raw --count 1 library.films.@max.year
              observectl subscribe --raw --count 1 'app.playbackController.**'
            """,
        ],
        run: { (invocation) throws(CommandError) in try Subscribing(invocation).run() }
    )
}

/// One run of `subscribe`.
private struct Subscribing {
    private let invocation: Invocation
    private let limit: Int64?
    private let times: [(name: String, milliseconds: Int64)]
    private let isRaw: Bool

    init(_ invocation: Invocation) throws(CommandError) {
        self.invocation = invocation
        limit = try invocation.arguments.count("--count")
        var times: [(name: String, milliseconds: Int64)] = []
        for name in ["throttle", "debounce"] {
            if let milliseconds = try invocation.arguments.count("--\(name)") {
                times.append((name, milliseconds))
            }
        }
        self.times = times
        isRaw = invocation.arguments.has("--raw")
    }

    func run() throws(CommandError) {
        let connection = try invocation.connect()
        connection.audience = invocation.streams.output
        let answer = try attempt { () throws(ClientError) in
            try connection.call("subscribe", params, until: invocation.deadline)
        }
        var initialsLeft = try answer.requiredInt("initial")
        if initialsLeft == 0 { announceReadiness() }
        var printed: Int64 = 0
        while limit.map({ printed < $0 }) ?? true {
            let event = try attempt { () throws(ClientError) in
                try connection.nextEvent(until: invocation.deadline)
            }
            try print(event)
            printed += 1
            guard event.reason == .initial else { continue }
            initialsLeft -= 1
            if initialsLeft == 0 { announceReadiness() }
        }
    }

    private func announceReadiness() {
        guard invocation.arguments.has("--ready") else { return }
        invocation.streams.report("ready")
    }

    private func print(_ event: ChangeEvent) throws(CommandError) {
        guard isRaw else { return try invocation.print(event.params.bytes) }
        guard let new = event.new else {
            return invocation.tool.report("a new value is larger than the daemon shows")
        }
        try invocation.print(new.plainText)
    }

    private var params: [(name: String, value: RawJSON)] {
        let arguments = invocation.arguments
        let paths = arguments.operands.map { Value.string($0) }
        var params: [(name: String, value: RawJSON)] = [
            paths.count == 1 ? ("path", RawJSON(paths[0])) : ("paths", RawJSON(.array(paths)))
        ]
        if arguments.has("--no-initial") { params.append(("initial", RawJSON(false))) }
        if arguments.has("--old") { params.append(("old", RawJSON(true))) }
        if arguments.has("--origin") { params.append(("origin", RawJSON(true))) }
        for (name, milliseconds) in times { params.append((name, RawJSON(.int(milliseconds)))) }
        return params
    }
}
