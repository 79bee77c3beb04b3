// SPDX-License-Identifier: MIT
// Parses the paths in params, and checks the access that the method needs. Independent of methods.

extension Request {
    /// Calls `body` with each key path in the param `path` or the param `paths`, exactly one of which must be there.
    func forEachPath(
        of method: StaticString,
        _ body: (JSONView, ParamName) throws(WireError) -> Void
    ) throws(WireError) {
        var position = 0
        _ = try forEachPath(of: method, from: &position) { (json, name) throws(WireError) in
            try body(json, name)
            return true
        }
    }

    /// As above, in steps: with the paths from `position` on, until `body` returns false.
    /// - Parameter position: the offset in the param `paths` of the path that comes next; 0 before the first.
    /// - Returns: whether `body` got all paths.
    func forEachPath(
        of method: StaticString,
        from position: inout Int,
        _ body: (JSONView, ParamName) throws(WireError) -> Bool
    ) throws(WireError) -> Bool {
        let single = value(.path)
        let several = value(.paths)
        guard (single == nil) != (several == nil)
        else { throw .invalidParams("\(method) needs the param path or the param paths, and not both") }
        if let single { return try body(single, .path) }
        guard let several, several.kind == .array, !several.isEmpty
        else { throw .invalidParams("the param paths is an array of at least one key path") }
        var paths = JSONElements(several.view, from: max(position, 1))
        while true {
            position = paths.position
            guard let path = paths.next() else { return true }
            if try !body(path, .paths) { return false }
        }
    }
}

extension RequestChecks {
    /// Parses a literal path in a param into `path`, else into ``ParsedRequest/path``, if the client has that access.
    func parseLiteral(
        _ json: JSONView,
        _ name: ParamName,
        _ access: Access,
        into path: ParsedKeyPath? = nil
    ) throws(WireError) {
        let path = path ?? parsed.path
        try parseReadable(json, name, access, into: path)
        if !path.isLiteral { throw notLiteral(path, access) }
    }

    private func notLiteral(_ path: ParsedKeyPath, _ access: Access) -> WireError {
        let fault =
            access.contains(.write)
            ? "it can be read and subscribed to, not written" : "it is not the path of one value in the tree"
        return WireError(.readOnly, "\(path.escaped) has \(path.unwritable): \(fault)", path: path.escaped)
    }

    /// Parses the param `target` of a method that reads it: it may have conditions and choices.
    func parseLinkTarget(_ json: JSONView, _ access: Access) throws(WireError) -> ParsedKeyPath {
        try parseReadable(json, .target, access, into: parsed.target)
        if parsed.target.operatorIndex != nil { throw notLiteral(parsed.target, access) }
        return parsed.target
    }

    /// As ``parseLiteral(_:_:_:into:)``, for a path that may have a collection operator.
    func parseReadable(
        _ json: JSONView,
        _ name: ParamName,
        _ access: Access,
        into path: ParsedKeyPath? = nil
    ) throws(WireError) {
        let path = path ?? parsed.path
        try parsePath(json, name, access, into: path)
        guard path.isOnePath else {
            throw .invalidParams(
                "the param \(name.text) is one key path, not a pattern; a name that is a star is written \\*"
            )
        }
        try refuseUnknown(path)
    }

    /// As ``parseReadable(_:_:_:into:)``, for a path that may be a pattern. All paths of requests come through here.
    func parsePath(
        _ json: JSONView,
        _ name: ParamName,
        _ access: Access,
        into path: ParsedKeyPath
    ) throws(WireError) {
        path.mostConditionBytes = tree.conditionBytes
        defer { if path.conditionBytes > 0 { tree.countParsed(conditionBytes: path.conditionBytes) } }
        do throws(KeyPathError) { try path.parse(json) } catch { throw WireError(error, param: name) }
        try require(access, at: path)
        if path.hasSelection, isDaemonRoot(path) {
            throw .invalidParams(
                "the param \(name.text): paths in the daemon's own root observed have no conditions and choices"
            )
        }
    }

    /// Throws for a path through a property that a declared type lacks, or through a root that a closed configuration lacks.
    func refuseUnknown(_ path: ParsedKeyPath) throws(WireError) {
        if isDaemonRoot(path) { return }
        do throws(TreeError) { try tree.refuseUnknown(path) } catch { throw refusal(error, of: path) }
    }

    /// The property at the path, if the tree can look it up by its text. All fast paths begin here. Restricted clients have none:
    /// the hub checks access after parsing.
    @inline(__always) func fastPathProperty(_ pathParam: JSONView) -> PropertyID? {
        guard clients.fastPaths.knownPaths, !clients.writer.isRestricted, pathParam.kind == .string,
            !pathParam.hasEscapes
        else { return nil }
        return tree.fastPathProperty(pathParam.contents)
    }
}
