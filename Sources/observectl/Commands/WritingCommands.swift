// SPDX-License-Identifier: MIT
// The commands that write one value. Independent of how the daemon executes them.

import ObserveCore

extension CommandSpec {
    static let set = CommandSpec(
        usage: "set PATH VALUE",
        summary: "assign a value",
        options: [.string, .parents] + lifetimeOptions + conditions,
        operandsEndOptions: true,
        details: """
            VALUE is JSON, or text; '-' reads it from standard input. Options are before PATH. An object makes
            a new model: merge changes the present one.

            Examples:
              observectl set app.volume 40
              observectl set --lifetime 2s app.busy true
            """,
        manual: """
            No word after PATH is an option but '--help' and '-h', so that VALUE may begin with a dash. After '--', VALUE is any
            word, a dash alone too: scripts write 'set PATH -- "$value"'.

            \(lifetimeDetails)
            """
    ) { (invocation) throws(CommandError) in
        let parents = invocation.arguments.flag("--parents")
        try invocation.write(.set, ["value": try invocation.value(), "parents": parents])
    }

    static let merge = CommandSpec(
        usage: "merge PATH JSON",
        summary: "change the present model by a JSON Merge Patch (RFC 7396)",
        options: conditions,
        operandsEndOptions: true,
        details: """
            Each member of the patch sets a property, or, by null, removes it. Objects change the present
            models, which stay the same models for observers and links. Arrays are replaced as a whole. If
            PATH has no model yet, the daemon creates one.

            Options are before PATH. JSON is read as set reads VALUE; '-' reads it from standard input.

            Example:
              observectl merge app.playbackController.player \\
                '{"videoTitle": "Alien", "subtitle": null}'
            """
    ) { (invocation) throws(CommandError) in
        let patch = try invocation.value()
        guard patch.bytes.first == UInt8(ascii: "{") else {
            throw invocation.arguments.usage(
                "merge takes an object, like '{\"volume\": 5}', not \(patch.text.cut(atBytes: 80)); 'observectl set' replaces the value, and 'observectl remove' removes it"
            )
        }
        try invocation.write(.merge, ["value": patch])
    }

    static let remove = CommandSpec(
        usage: "remove|rm PATH",
        summary: "remove a property, an element or a root",
        options: conditions,
        details: """
            Removing a missing value succeeds.

            Examples:
              observectl remove library.films.0
              observectl rm app.subtitle
            """
    ) { (invocation) throws(CommandError) in try invocation.write(.remove, [:]) }

    static let insert = CommandSpec(
        usage: "insert PATH [VALUE]",
        summary: "insert an element into the array at PATH",
        options: [
            OptionSpec("--index N", "before the element with that index, counted from 0; else at the end"),
            OptionSpec("--target TARGET", "the very model at TARGET, instead of VALUE, by a strong link"),
            .string,
        ] + conditions,
        numbersAreOperands: true,
        details: """
            VALUE is read as set reads it. Text that begins with a dash comes after '--'.

            Examples:
              observectl insert library.films '{"title": "Metropolis"}' --index 0
              observectl insert library.films --target library.favourite
              observectl set app.levels '[0]'
              observectl insert app.levels -5
            """
    ) { (invocation) throws(CommandError) in
        let arguments = invocation.arguments
        let (hasValue, target) = (invocation.operands.count > 1, arguments.options["--target"])
        if hasValue == (target != nil) {
            throw arguments.usage("insert takes either VALUE or --target TARGET")
        }
        if !hasValue, arguments.has("--string") { throw arguments.usage("--string goes with VALUE alone") }
        let params: RequestParams = [
            "value": hasValue ? try invocation.value() : nil, "target": target.map { RawJSON(.string($0)) },
            "index": try arguments.count("--index").map { RawJSON(.int($0)) },
        ]
        try invocation.write(.insert, params)
    }

    static let increment = CommandSpec(
        usage: "increment PATH [BY]",
        summary: "add a number, or 1, to the one at PATH, and print the sum",
        options: [
            OptionSpec("--min N", "if the sum is below N, N takes its place"),
            OptionSpec("--max N", "if the sum is above N, N takes its place"),
        ] + conditions,
        operandsEndOptions: true,
        details: """
            Null, or no property at all, counts as 0. BY may be negative. Integers that would not fit 64
            bits are refused. A user that may write PATH but not read it does not get the sum.

            Options are before PATH: 'increment --max 100 app.volume 5' never exceeds 100, whatever other clients write.

            Example:
              observectl increment app.volume -5
            """
    ) { (invocation) throws(CommandError) in
        let options = invocation.arguments.options
        let params: RequestParams = [
            "by": try invocation.number(invocation.operands.dropFirst().first, of: "BY"),
            "min": try invocation.number(options["--min"], of: "--min"),
            "max": try invocation.number(options["--max"], of: "--max"),
        ]
        let answer = try invocation.write(.increment, params)
        if invocation.arguments.has("--dry-run") { return }
        // A user that may not read the path does not get the value.
        guard let value = answer.member("value") else { return _ = try answer.required("revision") }
        try invocation.print(value.bytes)
    }

    static let link = CommandSpec(
        usage: "link PATH TARGET",
        summary: "make PATH refer to the very model that TARGET refers to now",
        options: [OptionSpec("--weak", "by a weak reference, which does not keep the model alive")]
            + lifetimeOptions + conditions,
        details: """
            From then on it is one model under several paths. Assigning TARGET anew later does not move the
            link.

            Examples:
              observectl link library.favourite library.films.1
              observectl link --weak library.nowPlaying app.playbackController.player
            """,
        manual: lifetimeDetails
    ) { (invocation) throws(CommandError) in
        let weak = invocation.arguments.flag("--weak")
        try invocation.write(.link, ["target": invocation.operand(1), "weak": weak])
    }

    private static let lifetimeOptions = [
        OptionSpec("--lifetime LIFETIME", "when the value expires: connection, or after a time, like 200ms"),
        OptionSpec("--ready", "with that: write 'ready' to standard error once the value is set"),
    ]

    private static let lifetimeDetails = """
        With '--lifetime connection' the value expires when the command ends: by a signal, with the daemon
        (69) or after the timeout (124). Then the value before is visible again, unless there was a write
        since. With a time the command ends at once, and the value expires that much later.
        """

    private static let conditions = [
        OptionSpec("--if-revision N", "only while the value is unchanged since revision N"),
        OptionSpec("--if-value VALUE", "only while the value is this one; null stands for none"), .dryRun,
    ]

    static let toggle = CommandSpec(
        usage: "toggle PATH",
        summary: "make true of false, and false of true, and print the new value",
        details: """
            Null, or no property at all, counts as false. If another client writes at the same time, the
            command tries again, so no toggle is lost.

            Example:
              observectl toggle app.muted
            """
    ) { (invocation) throws(CommandError) in
        let path = invocation.operand(0)
        while true {
            let value = try invocation.request("get", ["path": path]).required("value")
            guard let new = value.toggled else {
                let found = "\(invocation.operands[0]) is \(value.text.cut(atBytes: 100))"
                throw .failed("\(found): only true and false can be toggled")
            }
            do throws(CommandError) {
                try invocation.request("set", ["path": path, "value": new, "ifValue": value])
            } catch .client(.refused(let refusal)) where refusal.code == .conflict { continue }
            return try invocation.print(new.bytes)
        }
    }
}

private extension ParsedArguments {
    /// When a temporary value expires, as the protocol has it; nil for a permanent value.
    func lifetime() throws(CommandError) -> RawJSON? {
        let text = options["--lifetime"] ?? "permanent"
        if text == "connection" { return RawJSON("connection") }
        var lifetime: RawJSON?
        if text != "permanent" {
            guard let duration = DurationArgument(text), let milliseconds = duration.milliseconds,
                milliseconds > 0
            else {
                let wanted = "'connection', 'permanent' or a duration of whole milliseconds above 0"
                throw usage("--lifetime takes \(wanted), \(DurationArgument.examplesWithUnit), not '\(text)'")
            }
            guard duration.hasUnit else { throw unitMissing("--lifetime") }
            lifetime = RawJSON(.int(milliseconds))
        }
        if has("--ready") { throw usage("--ready goes with --lifetime connection alone") }
        return lifetime
    }
}

extension Invocation {
    /// Requests one write at the first operand, with the conditions of the options. With `--lifetime connection`, keeps
    /// the connection until the run ends.
    @discardableResult
    func write(_ method: WriteOperation.Method, _ params: RequestParams) throws(CommandError) -> RawJSON {
        let lifetime = try arguments.lifetime()
        let conditions: RequestParams = [
            "lifetime": lifetime,
            "ifRevision": try arguments.count("--if-revision").map { RawJSON(.int($0)) },
            "ifValue": try arguments.options["--if-value"].map { (text) throws(CommandError) in
                try ValueArgument.read(text.bytes, of: arguments, as: "--if-value", hint: false)
            },
        ]
        let params = ["path": operand(0)] + params + conditions
        if arguments.has("--dry-run") { return try preview(method.rawValue, params) }
        let (answer, connection) = try begin(method.rawValue, params)
        if lifetime == "connection" { try hold(connection) }
        return answer
    }

    private func hold(_ connection: ClientConnection) throws(CommandError) {
        if arguments.has("--ready") { streams.report("ready") }
        while true { _ = try attempt(connection.nextEvent(until: deadline)) }
    }

    @discardableResult
    func requestOrPreview(_ method: String, _ params: RequestParams) throws(CommandError) -> RawJSON {
        arguments.has("--dry-run") ? try preview(method, params) : try request(method, params)
    }

    /// Requests a write that changes nothing, and prints its changes, one a line.
    func preview(_ method: String, _ params: RequestParams) throws(CommandError) -> RawJSON {
        let answer = try request(method, params + ["dryRun": true])
        let changes = answer.member("changes")?.elements ?? []
        try show(rows: changes, in: .changes)
        if let count = answer.int("furtherChanges") { process.report("and \(count) further changes") }
        if let count = answer.int("hidden") { process.report("and \(count) changes that you may not read") }
        for failure in answer.member("failing")?.elements ?? [] {
            let number = failure.int("binding") ?? 0
            process.report("binding \(number) would fail: \(failure.string("message") ?? "")")
        }
        if changes.isEmpty, presentation.isTerminal { process.report("nothing would change") }
        return answer
    }

    /// VALUE, the second operand of the command line.
    func value() throws(CommandError) -> RawJSON {
        let isInput = arguments.isInput(1)
        var text = isInput ? try input("the value") : operands[1].bytes
        if isInput, text.last == 0x0A {
            // Like the shell with `$(…)`: the line feed ends the line and is not part of it.
            text.removeLast()
        }
        if arguments.has("--string") { return try ValueArgument.string(text, of: arguments) }
        let hint = arguments.command != "merge"
        return try ValueArgument.read(text, of: arguments, isWord: !isInput, hint: hint)
    }

    /// A number of the command line. The daemon checks whether it fits.
    func number(_ text: String?, of name: String) throws(CommandError) -> RawJSON? {
        guard let text else { return nil }
        let isNumber = text.utf8.first.map { $0 == 0x2D || $0.isDigit } ?? false
        if isNumber, let json = try? RawJSON(validating: text.bytes) { return json }
        let (verb, remedy) = name == "BY" ? ("is", "; options come before PATH") : ("takes", "")
        let end = text.hasPrefix("--") ? remedy : ""
        throw arguments.usage("\(name) \(verb) a number, like 5 or -0.5, not '\(text)'\(end)")
    }
}

private extension RawJSON {
    var toggled: RawJSON? {
        switch text {
        case "false", "null": RawJSON(true)
        case "true": RawJSON(false)
        default: nil
        }
    }
}
