// SPDX-License-Identifier: MIT
// The methods that only look: get, describe, status, ping. What the daemon says of itself is in `+DaemonRoot`.

extension Hub {
    func ping(_ params: Params) throws(WireError) {
        try params.allow([])
        answer.append("{}")
    }

    func get(_ params: Params) throws(WireError) {
        try params.allow([.path])
        try parseReadable(try params.required(.path), .path, .read, into: path)
        let tree = isDaemonRoot(path) ? freshDaemonTree(at: clock()) : tree
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
        answer.append(decimal: revision)
        answer.append(0x7D)
    }

    private func appendNilAt(_ count: Int) {
        answer.append(",\"nilAt\":")
        answer.appendJSONString(utf8: path.escaped(first: count))
    }

    func describe(_ params: Params) throws(WireError) {
        try params.allow([.path])
        let param = try params.required(.path)
        if param.kind == .string, param.contents.isEmpty {
            return tree.describeRoots(to: answer) { grant?.allowsReading(partOf: $0) ?? true }
        }
        try parseLiteral(param, .path, .read, into: path)
        if isDaemonRoot(path) {
            // While somebody subscribes to it, its models keep their identity.
            (daemonTree ?? freshDaemonTree(at: clock())).describe(path, to: answer)
        } else {
            tree.describe(path, to: answer)
        }
    }

    func status(_ params: Params) throws(WireError) {
        try params.allow([])
        status(at: clock()).write(to: answer)
    }

    func discover(_ params: Params) throws(WireError) {
        try params.allow([])
        ServiceDescription.append(to: answer, version: version)
    }
}
