// SPDX-License-Identifier: MIT
// The commands that read without waiting for changes: values, types, the status. Independent of how values are shown.

import ObserveCore

extension CommandSpec {
    static let get = CommandSpec(
        usage: "get PATH…",
        summary: "print the values at key paths, as JSON",
        options: [
            OptionSpec("-r, --raw", "print a string without its quotes"),
            OptionSpec("--format TEMPLATE", "print one line of the values, as subscribe does"),
            OptionSpec("--revision", "print the revision after the value, for --if-revision"),
            OptionSpec("--exists", "print nothing, with status 1, if a value is null"),
            OptionSpec("--at MOMENT", "read the past: a revision, or a time like -5m"),
        ],
        details: """
            A path that leads nowhere reads as null; on a terminal, standard error says if the root does not exist.
            A model's value leaves out its computed properties.

            Several paths are printed one a line, as PATH, a tab and the value, all of one revision. With --revision, a
            tab and the revision follow. With --format and without PATH, the paths of TEMPLATE are read.

            Examples:
              observectl get --raw app.playbackController.player.videoTitle app.volume
              observectl get --revision --at 4 app.volume
              observectl get --format '{app.volume / 100:.1}'
            """,
        manual: """
            A text with line feeds takes several lines with --raw, and one line without it.

            \(momentDetails)
            """
    ) { (invocation) throws(CommandError) in try invocation.printValues() }

    static let describe = CommandSpec(
        usage: "describe [PATH]",
        summary: "describe a value and its properties; without PATH, the roots",
        details: """
            In a pipe it is one JSON object in one line. 'ls' is the short form.

            Examples:
              observectl describe app.playbackController.player
              observectl describe | jq -r '.properties[].name'
            """
    ) { (invocation) throws(CommandError) in
        let path = invocation.operands.isEmpty ? RawJSON("") : invocation.operand(0)
        let described = try invocation.request("describe", ["path": path])
        guard invocation.presentation.hasTables else { return try invocation.show(described) }
        let facts = (described.members ?? []).filter { $0.name != "properties" }
        let rows = facts.map { [$0.name, String(decoding: $0.value.unquoted, as: UTF8.self)] }
        try invocation.show(TextTable(rows: rows))
        guard let properties = described.member("properties")?.elements, !properties.isEmpty else { return }
        try invocation.print([])
        try invocation.show(rows: properties, in: .properties)
    }

    static let call = CommandSpec(
        usage: "call METHOD [PARAMS]",
        summary: "send one request, and print its result as JSON",
        operandsEndOptions: true,
        details: """
            PARAMS is a JSON object; '-' reads it from standard input. The protocol describes the methods.

            Examples:
              observectl call get '{"path": "app.volume"}'
              observectl call rpc.discover
            """
    ) { (invocation) throws(CommandError) in
        try invocation.show(invocation.request(invocation.operands[0], invocation.params()))
    }

    static let status = CommandSpec(
        usage: "status",
        summary: "print the daemon's status: its version, revision, connections and more",
        details: """
            In a pipe it is one JSON object in one line, with all limits and capabilities. --pretty prints that on a
            terminal.

            Example:
              observectl status | jq .revision
            """
    ) { (invocation) throws(CommandError) in
        let status = try invocation.request("status")
        guard invocation.presentation.hasTables else { return try invocation.show(status) }
        try invocation.show(TextTable(rows: status.figures))
        try invocation.print([])
        let limits = (status.member("limits")?.members ?? []).filter { $0.value.member("used") != nil }
        let rows = limits.map { limit in
            [limit.name] + ["used", "max"].map { limit.value.member($0)?.text(withUnitOf: limit.name) ?? "" }
        }
        try invocation.show(TextTable(header: ["LIMIT", "USED", "MAX"], rows: rows))
    }

    static let ping = CommandSpec(
        usage: "ping",
        summary: "ask whether the daemon answers",
        details: """
            It prints nothing: the status is 0 if it answers, 69 without a daemon.

            Example:
              observectl ping --timeout 1
            """
    ) { (invocation) throws(CommandError) in try invocation.request("ping") }

    static let upgrade = CommandSpec(
        usage: "upgrade",
        summary: "replace the daemon by the program that is installed now",
        details: """
            The daemon first runs the installed program with a copy of the tree and its own options. If that
            succeeds, it prints the version of that program, which then continues with the tree, its history
            and the socket. Clients connect again and miss no change.

            Otherwise the daemon continues, the reason is on standard error, and the exit status is 1. Only
            the daemon's own user and root may upgrade it.

            Example:
              observectl upgrade
            """
    ) { (invocation) throws(CommandError) in
        let version = try invocation.request("upgrade").required("version")
        try invocation.print(version.unquoted)
    }

    static let diff = CommandSpec(
        usage: "diff PATH",
        summary: "print what has changed since a past moment, as a JSON Merge Patch (RFC 7396)",
        options: [OptionSpec("--since MOMENT", "the past: a revision, or a time like 5m", required: true)],
        details: """
            The patch makes the present value of the one at that MOMENT: members that were removed are null in it, and
            arrays are whole. Without a change it is {}, and of other values than models, it is the present value.

            Example: revision 4, and what has changed since.
              observectl set app.volume 20
              observectl diff --since 4 app
            """,
        manual: momentDetails
    ) { (invocation) throws(CommandError) in
        guard let moment = try invocation.moment("--since")
        else { throw invocation.arguments.usage("something is missing: diff takes --since MOMENT") }
        let path = invocation.operand(0)
        let past = try invocation.value(["path": path, "at": moment])
        let present = try invocation.value(["path": path])
        try invocation.show(RawJSON(past.mergePatch(to: present)))
    }

    static let types = CommandSpec(
        usage: "types PATH",
        summary: "print the declared type at a key path as JSON Schema, or as Swift classes",
        options: [
            OptionSpec("--json-schema", "print a JSON Schema of the value, as get prints it"),
            OptionSpec("--swift", "print Swift classes for DaemonClient.mirror"),
        ],
        details: """
            It takes one of the two options. Types that the type needs are included. A JSON Schema leaves out computed and weak properties, as values do.
            A property that a Swift class can't have, such as a dictionary, is a comment.

            Examples:
              observectl types --json-schema library > library.schema.json
              observectl types --swift library > Library.swift
            """
    ) { (invocation) throws(CommandError) in
        let isSwift = invocation.arguments.has("--swift")
        guard isSwift != invocation.arguments.has("--json-schema")
        else { throw .usage("types takes one of --json-schema and --swift", command: "types") }
        let answer = try invocation.request("describe", ["path": invocation.operand(0), "types": true])
        guard let described = (try? answer.value()).flatMap(DescribedTypes.init)
        else { throw .client(.malformed("an answer without types")) }
        let place = invocation.operands[0].printable
        guard isSwift else {
            // Such a schema would permit everything.
            if described.shape == .any, answer.string("kind") == "null" {
                throw .failed("\(place) is null, and its type is Any")
            }
            return try invocation.show(RawJSON(described.jsonSchema))
        }
        guard !described.types.isEmpty else { throw .failed("\(place) has no declared type of a model") }
        try invocation.write(described.swiftSource.bytes)
    }
}

private extension RawJSON {
    /// The members of a status that are not lists, each with its text. Those of `journal` have its name.
    var figures: [[String]] {
        let shown = (members ?? []).filter { !["capabilities", "limits"].contains($0.name) }
        return shown.flatMap { member in
            guard let parts = member.value.members
            else { return [[member.name, member.value.text(withUnitOf: member.name)]] }
            return parts.map { part in
                let name = "\(member.name).\(part.name)"
                return [name, part.value.text(withUnitOf: name)]
            }
        }
    }
}

// MARK: - Values

extension Invocation {
    /// On a terminal, says which of the paths that read as null begin with a root that does not exist.
    /// - Parameter roots: those of the daemon, as `describe` has them; nil asks for them.
    func reportMissingRoots(_ shown: [(path: String, value: RawJSON)], among roots: RawJSON? = nil) {
        guard Terminal.isTerminal(streams.error), shown.contains(where: { $0.value == RawJSON(.null) }),
            let roots = roots ?? (try? request("describe", ["path": RawJSON("")]))?.member("properties")
        else { return }
        let known = roots.elements.compactMap { $0.string("name") }
        var reported = Set((known + ["observed"]).map(\.bytes))
        for (path, value) in shown where value == RawJSON(.null) {
            guard let root = try? DottedKeyPath.readableRoot(of: path, maxDepth: .max),
                reported.insert(root.bytes).inserted
            else { continue }
            let offer = NearestName.of(root, among: known).map { "; did you mean \($0.escapedComponent)?" }
            process.report("the root \(root.escapedComponent) does not exist\(offer ?? "")")
        }
    }
}

private extension Invocation {
    /// How many models are searched for computed properties.
    static let mostDescribed = 16

    func printValues() throws(CommandError) {
        let paths = try ObservedPaths(operands, under: nil, of: arguments)
        let moment = try moment("--at")
        let format = try LineFormat(arguments, paths)
        try arguments.refuse(["--raw", "--revision"], beside: "--format")
        let isSingle = operands.count == 1
        let place: RequestParams =
            isSingle ? ["path": operand(0)] : ["paths": RawJSON(.array(operands.map(Value.string)))]
        let answer = try request("get", place + ["at": moment])
        let entries = try isSingle ? [answer] : answer.required("values").elements
        let values = try entries.map { (entry) throws(CommandError) in try entry.required("value") }
        guard values.count == operands.count else {
            throw .client(.malformed("an answer with \(values.count) values for \(operands.count) paths"))
        }
        if arguments.has("--exists"), values.contains(RawJSON(.null)) { throw .quiet(.status(.refused)) }
        if let format {
            var shown = paths
            shown.set(values)
            let event = ChangeEvent(params: answer, subscription: 0, reason: .initial)
            return try print(format.line(shown, last: event, keepsLines: false, zone: presentation.zone))
        }
        for (path, value) in zip(operands, values) {
            try print(value, after: isSingle ? nil : path, of: answer)
        }
        guard moment == nil else { return }
        reportComputed(Array(zip(operands, values)))
        reportMissingRoots(Array(zip(operands, values)))
    }

    /// Says on a terminal that the models of a value have computed properties, which are not part of it.
    func reportComputed(_ shown: [(path: String, value: RawJSON)]) {
        guard presentation.isTerminal else { return }
        var queue = shown
        var next = 0
        while next < min(queue.count, Invocation.mostDescribed) {
            let (path, value) = queue[next]
            next += 1
            let elements = value.elements.enumerated().map { (name: String($0.offset), value: $0.element) }
            for member in value.members ?? elements where [0x7B, 0x5B].contains(member.value.bytes.first) {
                queue.append(("\(path).\(member.name.escapedComponent)", member.value))
            }
            guard value.members != nil,
                let described = try? request("describe", ["path": RawJSON(.string(path))])
            else { continue }
            let properties = described.member("properties")?.elements ?? []
            guard let computed = properties.first(where: { $0.isTrue("computed") }) else { continue }
            let found = GraphPaths.joined(path, (computed.string("name") ?? "").escapedComponent)
            let sentence =
                "computed properties are apart from the value, like \(found): get them by their paths"
            return process.report(sentence)
        }
    }

    func print(_ value: RawJSON, after path: String?, of answer: RawJSON) throws(CommandError) {
        let label = path.map { "\($0)\t".bytes } ?? []
        var end: [UInt8] = []
        if arguments.has("--revision") { end = [0x09] + (try answer.required("revision").bytes) }
        guard arguments.has("--raw") else { return try show(value, after: label, before: end) }
        try print(label + value.unquoted + end)
    }

    /// PARAMS, the second operand of the command line.
    func params() throws(CommandError) -> RequestParams {
        guard operands.count > 1 else { return [:] }
        let text = operands[1] == "-" ? try input("PARAMS") : operands[1].bytes
        var found = String(decoding: text, as: UTF8.self)
        do throws(JSONError) {
            let json = try RawJSON(validating: text, maxDepth: .max)
            if let params = RequestParams(json) { return params }
            found = json.text
        } catch {
            let fault = JSONFault.phrase(error, in: text, isWord: operands[1] != "-")
            if text.first == UInt8(ascii: "{") { throw arguments.usage("PARAMS is not JSON: \(fault)") }
        }
        let end = "not '\(found.cut(atBytes: 200))'"
        throw arguments.usage("PARAMS is a JSON object, like '{\"path\": \"app.volume\"}', \(end)")
    }

    func value(_ params: RequestParams) throws(CommandError) -> Value {
        let value = try request("get", params).required("value")
        return try attempt(value.checkedValue(of: "an answer"))
    }
}
