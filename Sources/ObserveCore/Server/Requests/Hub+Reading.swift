// SPDX-License-Identifier: MIT
// The methods that read: get and describe.

extension Hub {
    func get(_ params: Params) throws(WireError) {
        try parseReadable(try params.required(.path), .path, MethodName.get.rules.access, into: parsed.path)
        let tree = isDaemonRoot(parsed.path) ? freshDaemonTree(at: clock()) : tree
        let (value, broken) = tree.read(parsed.path)
        answer.append("{\"value\":")
        guard tree.render(value, to: answer) else {
            throw WireError(
                .limitExceeded,
                "\(parsed.path.escaped) renders to more than \(tree.limits.maxRenderedBytes) bytes (maxRenderedBytes) or \(tree.limits.maxDepth) levels (maxDepth)",
                path: parsed.path.escaped
            )
        }
        if let broken { appendNilAt(broken + 1) }
        answer.append(",\"revision\":")
        answer.append(decimal: revision)
        answer.append(0x7D)
    }

    private func appendNilAt(_ count: Int) {
        answer.append(",\"nilAt\":")
        answer.appendJSONString(utf8: parsed.path.escaped(first: count))
    }

    func describe(_ params: Params) throws(WireError) {
        let param = try params.required(.path)
        if param.kind == .string, param.contents.isEmpty {
            return tree.describeRoots(to: answer) { writer.grant?.allowsReading(partOf: $0) ?? true }
        }
        try parseLiteral(param, .path, MethodName.describe.rules.access, into: parsed.path)
        if isDaemonRoot(parsed.path) {
            // While it has subscribers, its models keep their identity.
            (daemonRoot.tree ?? freshDaemonTree(at: clock())).describe(parsed.path, to: answer)
        } else {
            tree.describe(parsed.path, to: answer)
        }
    }
}
