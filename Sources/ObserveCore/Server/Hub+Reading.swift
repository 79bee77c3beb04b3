// SPDX-License-Identifier: MIT
// The methods that only look: get, describe, status, ping.

extension Hub {
    func ping(_ params: Params) throws(WireError) {
        try params.allow([])
        answer.append("{}")
    }

    func get(_ params: Params) throws(WireError) {
        try params.allow(["path"])
        try parseReadable(try params.required("path"), "path", into: path)
        if isDaemonRoot(path) { return getDaemonRoot() }
        let (value, broken) = tree.read(path)
        answer.append("{\"value\":")
        guard tree.render(value, to: answer) else {
            throw WireError(
                .limitExceeded,
                "\(path.escaped) renders to more than \(limits.tree.maxRenderedBytes) bytes (maxRenderedBytes) or \(limits.tree.maxDepth) levels (maxDepth)",
                path: path.escaped
            )
        }
        if let broken { appendNilAt(broken + 1) }
        answer.append(",\"revision\":")
        answer.append(decimal: tree.revision)
        answer.append(0x7D)
    }

    private func appendNilAt(_ count: Int) {
        answer.append(",\"nilAt\":")
        answer.appendJSONString(utf8: path.escaped(first: count))
    }

    func describe(_ params: Params) throws(WireError) {
        try params.allow(["path"])
        let param = try params.required("path")
        if param.kind == .string, param.contents.isEmpty {
            tree.describeRoots(to: answer)
            return
        }
        try parseLiteral(param, "path", into: path)
        guard !isDaemonRoot(path) else {
            throw .invalidParams("describing the daemon's own root observed is not supported yet")
        }
        tree.describe(path, to: answer)
    }

    func status(_ params: Params) throws(WireError) {
        try params.allow([])
        statusValue.write(to: answer)
    }

    // MARK: The daemon itself

    func isDaemonRoot(_ path: ParsedKeyPath) -> Bool { path.name(0) == "observed" }

    /// What `status` answers, and the root `observed` reads as.
    private var statusValue: Value {
        let capabilities = [
            "batch", "describe", "get", "increment", "insert", "link", "merge", "ping", "remove", "set",
            "status", "subscribe", "transaction", "types",
        ]
        var members: [(name: String, value: Value)] = []
        func add(_ name: String, _ value: Value) { members.append((name, value)) }
        func count(_ name: String, _ count: UInt64) { add(name, .int(Int64(clamping: count))) }
        add("version", .string(version))
        add("capabilities", .array(capabilities.map(Value.string)))
        add("epoch", .string(epoch))
        count("revision", tree.revision)
        add("uptime", .double(Double(startedAt.nanoseconds(until: .now)) / 1e9))
        count("connections", UInt64(sessionCount))
        count("subscriptions", UInt64(subscriptionCount))
        count("models", UInt64(tree.modelCount))
        count("bindings", 0)
        count("eventsSent", eventsSent)
        count("eventsCoalesced", eventsCoalesced)
        count("overflowed", sessionsOverflowed)
        return .object(ValueMembers(members))
    }

    private func getDaemonRoot() {
        var value = statusValue
        var broken = 0
        for component in 1..<path.count where broken == 0 {
            if case .object = value {
                value = value[path.name(component).string] ?? .null
            } else {
                broken = component
            }
        }
        answer.append("{\"value\":")
        (broken == 0 ? value : .null).write(to: answer)
        if broken > 0 { appendNilAt(broken) }
        answer.append(",\"revision\":")
        answer.append(decimal: tree.revision)
        answer.append(0x7D)
    }
}
