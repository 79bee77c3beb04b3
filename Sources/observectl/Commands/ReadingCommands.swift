// SPDX-License-Identifier: MIT
// The commands that send one request and print the answer. Independent of the answers' meaning.

import ObserveCore

extension CommandSpec {
    static let get = CommandSpec(
        name: "get",
        operands: "PATH…",
        operandCount: 1...Int.max,
        summary: "print the values at key paths, as JSON",
        options: [
            OptionSpec("--raw", nil, "print a string without its quotes"),
            OptionSpec("--revision", nil, "print the revision after the value, for --if-revision"),
            OptionSpec("--exists", nil, "print nothing, with status 1, if a value is null"),
        ],
        details: [
            "A path that leads nowhere, through null for instance, reads as null.",
            """
            Several paths are printed one a line, as PATH, a tab and the value, and are all of one revision.
            With --revision, a tab and the revision follow the value.
            """,
            """
            Examples:
              observectl get --raw app.playbackController.player.videoTitle app.volume
              observectl get --revision app.volume
            """,
        ],
        run: { (invocation) throws(CommandError) in try Getting(invocation).run() }
    )

    static let describe = CommandSpec(
        name: "describe",
        operands: "[PATH]",
        operandCount: 0...1,
        summary: "describe a value and its properties; without PATH, the roots",
        options: [],
        details: [
            "In a pipe it is one JSON object in one line. 'ls' is the short form.",
            """
            Examples:
              observectl describe app.playbackController.player
              observectl describe | jq -r '.properties[].name'
            """,
        ],
        run: { (invocation) throws(CommandError) in
            let path = invocation.operands.isEmpty ? RawJSON("") : invocation.operand(0)
            let described = try invocation.request("describe", ["path": path])
            guard invocation.presentation.hasTables else { return try invocation.show(described) }
            try invocation.show(rows: described.rows(without: ["properties"]), in: .members)
            guard let properties = described.member("properties")?.elements, !properties.isEmpty else {
                return
            }
            try invocation.print([])
            try invocation.show(rows: properties, in: .properties)
        }
    )

    static let call = CommandSpec(
        name: "call",
        operands: "METHOD [PARAMS]",
        operandCount: 1...2,
        summary: "send one request, and print its result as JSON",
        options: [],
        operandsEndOptions: true,
        details: [
            "PARAMS is a JSON object; '-' reads it from standard input. The protocol describes the methods.",
            """
            Examples:
              observectl call get '{"path": "app.volume"}'
              observectl call rpc.discover
            """,
        ],
        run: { (invocation) throws(CommandError) in
            try invocation.show(invocation.request(invocation.operands[0], invocation.params()))
        }
    )

    static let status = CommandSpec(
        name: "status",
        operands: "",
        operandCount: 0...0,
        summary: "print the daemon's status: its version, revision, connections and more",
        options: [],
        details: [
            """
            In a pipe it is one JSON object in one line, with all limits and capabilities. --pretty prints that on a
            terminal.
            """,
            """
            Example:
              observectl status | jq .revision
            """,
        ],
        run: { (invocation) throws(CommandError) in
            let status = try invocation.request("status")
            guard invocation.presentation.hasTables else { return try invocation.show(status) }
            try invocation.show(rows: status.rows(without: ["capabilities", "limits"]), in: .members)
            try invocation.print([])
            let limits = status.member("limits")?.members ?? []
            let used = limits.filter { $0.value.member("used") != nil }
            try invocation.show(
                rows: used.map { RawJSON(named: $0.name, value: $0.value, as: "limit") },
                in: .limits
            )
        }
    )

    static let ping = CommandSpec(
        name: "ping",
        operands: "",
        operandCount: 0...0,
        summary: "ask whether the daemon answers",
        options: [],
        details: [
            "It prints nothing: the status is 0 if it answers, 69 without a daemon.",
            """
            Example:
              observectl ping --timeout 1
            """,
        ],
        run: { (invocation) throws(CommandError) in try invocation.request("ping") }
    )
}

private extension RawJSON {
    /// The members except those of these names, each as an object with `name` and `text`.
    func rows(without names: [String]) -> [RawJSON] {
        (members ?? []).filter { !names.contains($0.name) }.map { member in
            RawJSON(named: member.name, value: member.value, as: "text")
        }
    }
}

/// One run of `get`.
private struct Getting {
    private let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run() throws(CommandError) {
        let paths = invocation.operands
        guard paths.count > 1 else {
            let answer = try invocation.request("get", ["path": invocation.operand(0)])
            let value = try answer.required("value")
            try checkExistence([value])
            return try print(value, after: nil, of: answer)
        }
        let answer = try invocation.request("get", ["paths": RawJSON(.array(paths.map(Value.string)))])
        var values: [RawJSON] = []
        for entry in try answer.required("values").elements { values.append(try entry.required("value")) }
        guard values.count == paths.count else {
            throw .client(.malformed("an answer with \(values.count) values for \(paths.count) paths"))
        }
        try checkExistence(values)
        for (path, value) in zip(paths, values) { try print(value, after: path, of: answer) }
    }

    private func checkExistence(_ values: [RawJSON]) throws(CommandError) {
        if invocation.arguments.has("--exists"), values.contains(RawJSON(.null)) {
            throw .quiet(.status(.refused))
        }
    }

    private func print(_ value: RawJSON, after path: String?, of answer: RawJSON) throws(CommandError) {
        let label = path.map { Array("\($0)\t".utf8) } ?? []
        var end: [UInt8] = []
        if invocation.arguments.has("--revision") { end = [0x09] + (try answer.required("revision").bytes) }
        guard invocation.arguments.has("--raw") else {
            return try invocation.show(value, after: label, before: end)
        }
        try invocation.print(label + value.unquoted + end)
    }
}

private extension Invocation {
    /// PARAMS, the second operand of the command line.
    func params() throws(CommandError) -> RequestParams {
        guard operands.count > 1 else { return [:] }
        let text = operands[1] == "-" ? try input() : Array(operands[1].utf8)
        let json: RawJSON
        do throws(JSONError) { json = try RawJSON(validating: text, maxDepth: 100_000) } catch {
            throw arguments.usage("PARAMS is not JSON: \(error)")
        }
        guard let params = RequestParams(json) else {
            throw arguments.usage(
                "PARAMS is a JSON object, like '{\"path\": \"app.volume\"}', not '\(json.text)'"
            )
        }
        return params
    }
}
