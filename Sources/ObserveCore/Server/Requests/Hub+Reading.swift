// SPDX-License-Identifier: MIT
// The methods that read: get and describe.

extension Hub {
    func get(_ params: Params) throws(WireError) {
        if params.value(.paths) == nil {
            try parseReadable(
                try params.required(.path),
                .path,
                MethodName.get.rules.access,
                into: parsed.path
            )
            answer.append("{")
            try appendValue(of: parsed.path)
        } else {
            try appendValues(params)
        }
        answer.append(",\"revision\":")
        answer.append(decimal: revision)
        answer.append(0x7D)
    }

    /// Appends the values of several paths. The limit on their text is for all of them together.
    private func appendValues(_ params: Params) throws(WireError) {
        let start = answer.count
        answer.append("{\"values\":[")
        try params.forEachPath(of: "get") { (json, name) throws(WireError) in
            try parseReadable(json, name, MethodName.get.rules.access, into: parsed.path)
            answer.append(answer.count == start + 11 ? "{" : ",{")
            try appendValue(of: parsed.path)
            answer.append(0x7D)
            guard answer.count - start <= tree.limits.maxRenderedBytes else {
                throw WireError(
                    .limitExceeded,
                    "the values of all paths render to more than \(tree.limits.maxRenderedBytes) bytes (maxRenderedBytes)",
                    path: parsed.path.escaped
                )
            }
        }
        answer.append(0x5D)
    }

    /// Appends the members for the value at the path.
    private func appendValue(of path: ParsedKeyPath) throws(WireError) {
        let tree = isDaemonRoot(path) ? freshDaemonTree(at: clock()) : tree
        let (value, broken) = tree.read(path)
        answer.append("\"value\":")
        guard tree.render(value, to: answer) else {
            throw WireError(
                .limitExceeded,
                "\(path.escaped) renders to more than \(tree.limits.maxRenderedBytes) bytes (maxRenderedBytes) or \(tree.limits.maxDepth) levels (maxDepth)",
                path: path.escaped
            )
        }
        if let broken { appendNilAt(broken + 1) }
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
