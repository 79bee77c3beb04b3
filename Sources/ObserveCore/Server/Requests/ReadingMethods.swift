// SPDX-License-Identifier: MIT
// The methods that read. Independent of writes and subscriptions.

@safe class ReadingMethods: RequestChecks {}

extension ReadingMethods {
    func get(_ params: Request) throws(WireError) {
        guard let json = params.value(.at) else { return try get(params, isPast: false) }
        let past = try pastRevision(json)
        countReplay(after: past)
        // Within, all that concerns paths and types works as for the present.
        try tree.read(at: past) { () throws(WireError) in try get(params, isPast: true) }
    }

    private func get(_ params: Request, isPast: Bool) throws(WireError) {
        if params.value(.paths) == nil {
            try parseRead(try params.required(.path), .path, isPast: isPast)
            answer.append("{")
            try appendValue(of: parsed.path, in: treeToRead(parsed.path))
        } else {
            try appendValues(params, isPast: isPast)
        }
        answer.append(",\"revision\":", clients.revision, "}")
    }

    /// Appends the values of several paths. The limit on their text is for all of them together.
    private func appendValues(_ params: Request, isPast: Bool) throws(WireError) {
        let start = answer.count
        let limit = tree.limits.maxRenderedBytes
        // All paths in the root `observed` are read from one tree: each makes its own otherwise, at another time.
        var daemonTree: ModelTree?
        var isFirst = true
        answer.append("{\"values\":[")
        try params.forEachPath(of: "get") { (json, name) throws(WireError) in
            try parseRead(json, name, isPast: isPast)
            if isDaemonRoot(parsed.path), daemonTree == nil { daemonTree = treeToRead(parsed.path) }
            answer.append(isFirst ? "{" : ",{")
            isFirst = false
            try appendValue(of: parsed.path, in: isDaemonRoot(parsed.path) ? daemonTree ?? tree : tree)
            answer.append(0x7D)
            guard answer.count - start <= limit else {
                let why = "the values of all paths render to more than \(limit) bytes (maxRenderedBytes)"
                throw .limitExceeded(why, path: parsed.path.escaped)
            }
        }
        answer.append(0x5D)
    }

    private func parseRead(_ json: JSONView, _ name: ParamName, isPast: Bool) throws(WireError) {
        try parseReadable(json, name, MethodName.get.rules.access)
        if isPast, isDaemonRoot(parsed.path) {
            throw .invalidParams("the daemon's own root observed has no history")
        }
    }

    func appendValue(of path: ParsedKeyPath, in tree: ModelTree) throws(WireError) {
        let (value, broken) = tree.read(path)
        if value.isExcess { throw WireError(tree.tooManyElements(path)) }
        answer.append("\"value\":")
        guard tree.render(value, to: answer) else {
            throw .limitExceeded(
                "\(path.escaped) renders to more than \(tree.limits.maxRenderedBytes) bytes (maxRenderedBytes) or \(tree.limits.maxDepth) levels (maxDepth)",
                path: path.escaped
            )
        }
        if let broken { answer.append(",\"nilAt\":", path.escaped(first: broken + 1)) }
    }

    private func treeToRead(_ path: ParsedKeyPath) -> ModelTree {
        isDaemonRoot(path) ? freshDaemonTree(at: clients.clock()) : tree
    }

    /// While it has subscribers, the models of the daemon's root keep their identity.
    func treeToExamine(_ path: ParsedKeyPath) -> ModelTree {
        isDaemonRoot(path) ? clients.daemonRoot.tree ?? freshDaemonTree(at: clients.clock()) : tree
    }

    func describe(_ params: Request) throws(WireError) {
        let param = try params.required(.path)
        let wantsTypes = try params.bool(.types, default: false)
        if param.kind == .string, param.contents.isEmpty {
            guard !wantsTypes
            else { throw .invalidParams("the param types needs the path of a root, or one below it") }
            let fits = tree.describeRoots(to: answer) {
                clients.writer.grant?.allowsReading(partOf: $0) ?? true
            }
            if !fits { throw tooLong("the description of the roots", nil) }
            return
        }
        try parseLiteral(param, .path, MethodName.describe.rules.access)
        guard treeToExamine(parsed.path).describe(parsed.path, withTypes: wantsTypes, to: answer) else {
            let path = parsed.path.escaped
            throw tooLong("the description of \(path)", path)
        }
    }

    func tooLong(_ what: String, _ path: String?) -> WireError {
        .limitExceeded("\(what) exceeds \(tree.limits.maxRenderedBytes) bytes (maxRenderedBytes)", path: path)
    }
}
