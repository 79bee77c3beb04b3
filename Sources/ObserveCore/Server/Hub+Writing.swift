// SPDX-License-Identifier: MIT
// The methods that change the tree. What a write may do is the tree's business.

extension Hub {
    private static let setParams: [StaticString] = [
        "path", "value", "parents", "ifRevision", "ifValue", "lifetime",
    ]
    private static let removeParams: [StaticString] = ["path", "ifRevision", "ifValue"]
    private static let linkParams: [StaticString] = [
        "path", "target", "weak", "ifRevision", "ifValue", "lifetime",
    ]

    func set(_ params: Params) throws(WireError) {
        try params.allow(Hub.setParams)
        let pathParam = try params.required("path")
        let value = try params.required("value")
        let parents = try params.bool("parents", default: false)
        try refuseLifetime(params)
        let condition = try Condition(params, maxDepth: limits.tree.maxDepth)
        if condition == nil, let known = observedProperty(pathParam) {
            try write { () throws(TreeError) in try tree.set(known, to: value) }
            return
        }
        try parseLiteral(pathParam, "path", into: path)
        try write(condition) { () throws(TreeError) in try tree.set(path, to: value, parents: parents) }
    }

    /// The property that an observed path leads to, found by the path's text without a walk.
    private func observedProperty(_ pathParam: JSONView) -> PropertyID? {
        guard pathParam.kind == .string, !pathParam.hasEscapes,
            let node = tree.observedNode(pathParam.contents)
        else { return nil }
        let property = tree.nodes[node].property
        guard property != noRecord, !tree.properties[property].value.isAbsent else { return nil }
        return property
    }

    func remove(_ params: Params) throws(WireError) {
        try params.allow(Hub.removeParams)
        let condition = try Condition(params, maxDepth: limits.tree.maxDepth)
        try parseLiteral(try params.required("path"), "path", into: path)
        try write(condition) { () throws(TreeError) in try tree.remove(path) }
    }

    func link(_ params: Params) throws(WireError) {
        try params.allow(Hub.linkParams)
        let isWeak = try params.bool("weak", default: false)
        try refuseLifetime(params)
        let condition = try Condition(params, maxDepth: limits.tree.maxDepth)
        try parseLiteral(try params.required("path"), "path", into: path)
        try parseLiteral(try params.required("target"), "target", into: secondPath)
        try write(condition) { () throws(TreeError) in try tree.link(path, to: secondPath, isWeak: isWeak) }
    }

    /// Runs one write as a commit and appends its result.
    private func write(
        _ condition: Condition? = nil,
        _ body: () throws(TreeError) -> Bool
    ) throws(WireError) {
        var changed = false
        do throws(TreeError) {
            try tree.commit { () throws(TreeError) in
                try condition?.check(path, in: tree)
                changed = try body()
            }
        } catch {
            throw wireError(error)
        }
        answer.append(writeResult: tree.revision, changed: changed)
    }

    /// A conflict says what was found instead.
    private func wireError(_ error: TreeError) -> WireError {
        var wire = WireError(error)
        guard error.kind == .conflict else { return wire }
        let found = ByteBuffer()
        found.append("\"value\":")
        if !tree.render(tree.value(at: tree.walk(path)), to: found) {
            found.append("null,\"truncated\":true")
        }
        found.append(",\"revision\":")
        found.append(decimal: tree.revision)
        wire.found = found.string
        return wire
    }

    private func refuseLifetime(_ params: Params) throws(WireError) {
        guard let lifetime = params.value("lifetime") else { return }
        if lifetime.kind == .string, lifetime.decodedString() == "permanent" { return }
        throw .invalidParams("a lifetime other than \"permanent\" is not supported yet")
    }
}

/// What must hold for a conditional write to happen.
private struct Condition {
    let revision: UInt64?
    let value: Value?

    /// Nil when the request sets no condition.
    init?(_ params: Params, maxDepth: Int) throws(WireError) {
        revision = try params.revision("ifRevision")
        guard let json = params.value("ifValue") else {
            guard revision != nil else { return nil }
            value = nil
            return
        }
        do throws(JSONError) { value = try Value(json: json.view, maxDepth: maxDepth + 4) } catch {
            throw .invalidParams("the param ifValue holds \(error.message)")
        }
    }

    func check(_ path: ParsedKeyPath, in tree: ModelTree) throws(TreeError) {
        if let revision { try tree.require(path, unchangedSince: revision) }
        if let value { try tree.require(path, equals: value) }
    }
}
