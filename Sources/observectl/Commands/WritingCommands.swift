// SPDX-License-Identifier: MIT
// The commands that write one value. Independent of how the daemon executes them.

import ObserveCore

extension CommandSpec {
    static let set = CommandSpec(
        name: "set",
        operands: "PATH VALUE",
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
            No word after PATH is an option but '--help', so that VALUE may begin with a dash. After '--', VALUE is any
            word, a dash alone too: scripts write 'set PATH -- "$value"'.

            \(lifetimeDetails)
            """,
        run: { (invocation) throws(CommandError) in
            var operation = WriteOperation(.set, invocation.operands[0], ["value": try invocation.value()])
            if invocation.arguments.has("--parents") { operation.params.append("parents", RawJSON(true)) }
            try invocation.write(operation)
        }
    )

    static let merge = CommandSpec(
        name: "merge",
        operands: "PATH JSON",
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
            """,
        run: { (invocation) throws(CommandError) in
            let patch = try invocation.value()
            guard patch.bytes.first == UInt8(ascii: "{") else {
                throw invocation.arguments.usage(
                    "merge takes an object, like '{\"volume\": 5}', not \(patch.text.cut(atBytes: 80)); 'observectl set' replaces the value, and 'observectl remove' removes it"
                )
            }
            try invocation.write(WriteOperation(.merge, invocation.operands[0], ["value": patch]))
        }
    )

    static let remove = CommandSpec(
        name: "remove",
        aliases: ["rm"],
        operands: "PATH",
        summary: "remove a property, an element or a root",
        options: conditions,
        details: """
            Removing a missing value succeeds.

            Examples:
              observectl remove library.films.0
              observectl rm app.subtitle
            """,
        run: { (invocation) throws(CommandError) in
            try invocation.write(WriteOperation(.remove, invocation.operands[0]))
        }
    )

    static let insert = CommandSpec(
        name: "insert",
        operands: "PATH [VALUE]",
        summary: "insert an element into the array at PATH",
        options: [
            OptionSpec("--index", "N", "before the element with that index, counted from 0; else at the end"),
            OptionSpec("--target", "TARGET", "the very model at TARGET, instead of VALUE, by a strong link"),
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
            """,
        run: { (invocation) throws(CommandError) in
            let arguments = invocation.arguments
            var operation = WriteOperation(.insert, invocation.operands[0])
            switch (invocation.operands.count > 1, arguments.options["--target"]) {
            case (true, nil): operation.params.append("value", try invocation.value())
            case (false, let target?):
                if arguments.has("--string") { throw arguments.usage("--string goes with VALUE alone") }
                operation.params.append("target", RawJSON(.string(target)))
            case (true, _), (false, nil):
                throw arguments.usage("insert takes either VALUE or --target TARGET")
            }
            if let index = try arguments.count("--index") {
                operation.params.append("index", RawJSON(.int(index)))
            }
            try invocation.write(operation)
        }
    )

    static let increment = CommandSpec(
        name: "increment",
        operands: "PATH [BY]",
        summary: "add a number, or 1, to the one at PATH, and print the sum",
        options: [
            OptionSpec("--min", "N", "if the sum is below N, N takes its place"),
            OptionSpec("--max", "N", "if the sum is above N, N takes its place"),
        ] + conditions,
        operandsEndOptions: true,
        details: """
            Null, or no property at all, counts as 0. BY may be negative. Integers that would not fit 64
            bits are refused. A user that may write PATH but not read it does not get the sum.

            Options are before PATH: 'increment --max 100 app.volume 5' never exceeds 100, whatever other clients write.

            Example:
              observectl increment app.volume -5
            """,
        run: { (invocation) throws(CommandError) in
            var operation = WriteOperation(.increment, invocation.operands[0])
            if invocation.operands.count > 1 {
                operation.params.append("by", try invocation.number(invocation.operands[1], of: "BY"))
            }
            for name in ["min", "max"] {
                guard let bound = invocation.arguments.options["--\(name)"] else { continue }
                operation.params.append(name, try invocation.number(bound, of: "--\(name)"))
            }
            let answer = try invocation.write(operation)
            if invocation.arguments.has("--dry-run") { return }
            // A user that may not read the path does not get the value.
            if let value = answer.member("value") {
                try invocation.print(value.bytes)
            } else {
                _ = try answer.required("revision")
            }
        }
    )

    static let link = CommandSpec(
        name: "link",
        operands: "PATH TARGET",
        summary: "make PATH refer to the very model that TARGET refers to now",
        options: [OptionSpec("--weak", nil, "by a weak reference, which does not keep the model alive")]
            + lifetimeOptions + conditions,
        details: """
            From then on it is one model under several paths. Assigning TARGET anew later does not move the
            link.

            Examples:
              observectl link library.favourite library.films.1
              observectl link --weak library.nowPlaying app.playbackController.player
            """,
        manual: lifetimeDetails,
        run: { (invocation) throws(CommandError) in
            var operation = WriteOperation(.link, invocation.operands[0], ["target": invocation.operand(1)])
            if invocation.arguments.has("--weak") { operation.params.append("weak", RawJSON(true)) }
            try invocation.write(operation)
        }
    )

    private static let lifetimeOptions = [
        OptionSpec(
            "--lifetime",
            "LIFETIME",
            "when the value expires: connection, or after a time, like 200ms"
        ),
        OptionSpec("--ready", nil, "with that: write 'ready' to standard error once the value is set"),
    ]

    private static let lifetimeDetails = """
        With '--lifetime connection' the value expires when the command ends: by a signal, with the daemon
        (69) or after the timeout (124). Then the value before is visible again, unless there was a write
        since. With a time the command ends at once, and the value expires that much later.
        """

    private static let conditions = [
        OptionSpec("--if-revision", "N", "only while the value is unchanged since revision N"),
        OptionSpec("--if-value", "VALUE", "only while the value is this one; null stands for none"),
        .dryRun,
    ]

    static let toggle = CommandSpec(
        name: "toggle",
        operands: "PATH",
        summary: "make true of false, and false of true, and print the new value",
        details: """
            Null, or no property at all, counts as false. If another client writes at the same time, the
            command tries again, so no toggle is lost.

            Example:
              observectl toggle app.muted
            """,
        run: { (invocation) throws(CommandError) in
            let path = invocation.operands[0]
            while true {
                let value = try invocation.request("get", ["path": invocation.operand(0)]).required("value")
                guard let new = value.toggled else {
                    throw .failed(
                        "\(path) is \(value.text.cut(atBytes: 100)): only true and false can be toggled"
                    )
                }
                do throws(CommandError) {
                    let write = WriteOperation(.set, path, ["value": new, "ifValue": value])
                    try invocation.request(write.method.rawValue, write.params)
                } catch .client(.refused(let refusal)) where refusal.code == .conflict {
                    continue
                }
                return try invocation.print(new.bytes)
            }
        }
    )
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
                throw usage(
                    "--lifetime takes 'connection', 'permanent' or a duration of whole milliseconds above 0, "
                        + "\(DurationArgument.examplesWithUnit), not '\(text)'"
                )
            }
            guard duration.hasUnit else { throw unitMissing("--lifetime") }
            lifetime = RawJSON(.int(milliseconds))
        }
        if has("--ready") { throw usage("--ready goes with --lifetime connection alone") }
        return lifetime
    }
}

extension Invocation {
    /// Requests one write with the conditions of the options. With `--lifetime connection`, keeps the connection
    /// until the run ends.
    @discardableResult
    func write(_ operation: WriteOperation) throws(CommandError) -> RawJSON {
        var params = operation.params
        let lifetime = try arguments.lifetime()
        if let lifetime { params.append("lifetime", lifetime) }
        if let revision = try arguments.count("--if-revision") {
            params.append("ifRevision", RawJSON(.int(revision)))
        }
        if let text = arguments.options["--if-value"] {
            let value = try ValueArgument.read(text.bytes, of: arguments, hint: false)
            params.append("ifValue", value)
        }
        if arguments.has("--dry-run") { return try preview(operation.method.rawValue, params) }
        let (answer, connection) = try begin(operation.method.rawValue, params)
        if lifetime == RawJSON("connection") { try hold(connection) }
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
    @discardableResult
    func preview(_ method: String, _ params: RequestParams) throws(CommandError) -> RawJSON {
        var params = params
        params.append("dryRun", RawJSON(true))
        let answer = try request(method, params)
        let changes = answer.member("changes")?.elements ?? []
        try show(rows: changes, in: .changes)
        for (name, text) in [
            ("furtherChanges", "further changes"), ("hidden", "changes that you may not read"),
        ] {
            if let count = answer.int(name) { process.report("and \(count) \(text)") }
        }
        for failure in answer.member("failing")?.elements ?? [] {
            let number = failure.int("binding") ?? 0
            process.report("binding \(number) would fail: \(failure.string("message") ?? "")")
        }
        if changes.isEmpty, presentation.isTerminal { process.report("nothing would change") }
        return answer
    }

    /// VALUE, the second operand of the command line.
    func value() throws(CommandError) -> RawJSON {
        var text = operands[1].bytes
        if arguments.isInput(1) {
            text = try input()
            // Like the shell with `$(…)`: the line feed ends the line and is not part of it.
            if text.last == 0x0A { text.removeLast() }
        }
        return arguments.has("--string")
            ? try ValueArgument.string(text, of: arguments)
            : try ValueArgument.read(text, of: arguments, hint: arguments.command != "merge")
    }

    /// A number of the command line. The daemon checks whether it fits.
    func number(_ text: String, of name: String) throws(CommandError) -> RawJSON {
        let isNumber = text.utf8.first.map { $0 == 0x2D || $0 >= 0x30 && $0 <= 0x39 } ?? false
        guard isNumber, let json = try? RawJSON(validating: text.bytes) else {
            let remedy = name == "BY" && text.hasPrefix("--") ? "; options come before PATH" : ""
            throw arguments.usage(
                "\(name) \(name == "BY" ? "is" : "takes") a number, like 5 or -0.5, not '\(text)'\(remedy)"
            )
        }
        return json
    }
}

private extension RawJSON {
    /// The other boolean; nil if this is not one.
    var toggled: RawJSON? {
        switch text {
        case "false", "null": RawJSON(true)
        case "true": RawJSON(false)
        default: nil
        }
    }
}
