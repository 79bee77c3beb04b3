// SPDX-License-Identifier: MIT
// The commands that list: properties and connections. Independent of how a list is shown.

import ObserveCore

extension CommandSpec {
    static let list = CommandSpec(
        usage: "ls [PATH]",
        summary: "list the properties of the model at PATH; without PATH, the roots",
        details: """
            In a pipe each property is one JSON object a line, as describe has it. An array lists its
            elements.

            Examples:
              observectl ls
              observectl ls app.playbackController.player
            """
    ) { (invocation) throws(CommandError) in
        _ = try invocation.literalNames()
        let path = invocation.operands.isEmpty ? RawJSON("") : invocation.operand(0)
        let described = try invocation.request("describe", ["path": path])
        let entries = try invocation.entries(of: described)
        if entries.isEmpty, invocation.operands.isEmpty { invocation.reportEmptyDaemon() }
        guard invocation.presentation.hasTables
        else { return try invocation.show(rows: entries, in: .properties) }
        try invocation.show(rows: invocation.withValues(entries), in: .values)
    }

    static let clients = CommandSpec(
        usage: "clients",
        summary: "list the open connections of the daemon, the oldest first",
        details: """
            In a pipe each connection is one JSON object a line: its process, its counters and its
            subscriptions. Only the daemon's own user and root may ask.

            Example:
              observectl clients
            """
    ) { (invocation) throws(CommandError) in
        try invocation.show(rows: invocation.request("clients").required("clients").elements, in: .clients)
    }
}

private extension Invocation {
    func entries(of described: RawJSON) throws(CommandError) -> [RawJSON] {
        if let properties = described.member("properties") { return properties.elements }
        let path = operands.first ?? ""
        switch described.string("kind") {
        case "array":
            let json = try request("get", ["path": operand(0)]).required("value")
            let elements = try attempt(json.checkedValue()).array ?? []
            return elements.enumerated().map { index, element in
                RawJSON(["name": .string(String(index)), "kind": .string(element.kind.name)])
            }
        case "null": throw .failed("\(path) is null, so it has no properties")
        case let kind?: throw .failed("\(path) is \(kind), which has no properties; 'get' prints it")
        case nil: throw .client(.malformed("an answer without kind"))
        }
    }

    /// The entries with their values, for people. Without them if they are too large, or may not be read.
    func withValues(_ entries: [RawJSON]) throws(CommandError) -> [RawJSON] {
        let path = operands.first.map { "\($0)." } ?? ""
        let paths = entries.map { Value.string(path + ($0.string("name") ?? "").escapedComponent) }
        guard !paths.isEmpty, paths.count <= 1000,
            let values = try? request("get", ["paths": RawJSON(.array(paths))]).member("values")?.elements,
            values.count == entries.count
        else { return entries }
        return zip(entries, values).map { entry, value in
            entry.adding("value", value.member("value") ?? RawJSON(.null))
        }
    }
}
