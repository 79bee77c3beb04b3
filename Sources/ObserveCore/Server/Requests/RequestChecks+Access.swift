// SPDX-License-Identifier: MIT
// Whether the client of the request under way has access. Independent of rules: the session has its grant.

/// The hub checks access before it looks a path up, so a refusal reveals nothing of the tree. A rule applies to the path as it is
/// written, wherever links lead.
extension RequestChecks {
    @inline(__always) func require(_ access: Access, at path: ParsedKeyPath) throws(WireError) {
        if let grant = clients.writer.grant { try require(access, at: path, first: path.count, of: grant) }
    }

    /// Throws if `parents` would make a model where the client may not write.
    func requireParents(of path: ParsedKeyPath) throws(WireError) {
        guard let grant = clients.writer.grant, case .broken(let component, isScalar: false) = tree.walk(path)
        else { return }
        if isHidden(path), !grant.allows(.write, at: path, first: component + 1) {
            throw hiddenRefusal(of: path)
        }
        try require(.write, at: path, first: component + 1, of: grant)
    }

    /// Throws unless all of `access` is granted at every path.
    func requireEverything(_ access: Access, _ refusal: StaticString) throws(WireError) {
        guard let grant = clients.writer.grant, !grant.allowsEverything(access) else { return }
        throw WireError(.accessDenied, "\(refusal)", path: "")
    }

    /// Restricted clients have to connect again: the new rules may forbid their subscriptions, and their temporary values.
    func adopt(_ rules: AccessRules) {
        guard rules != access else { return }
        access = rules
        let evicted = clients.sessions.all.filter { $0.grant != nil }
        for session in evicted { clients.sendGoodbye(.accessChanged, to: session) }
        for session in evicted { journaling.endLifetimes(of: session.number) }
    }

    /// The paths at and below which the client may read; nil if it may read all.
    var readablePaths: [ParsedKeyPath]? {
        clients.writer.grant.map { grant in
            grant.readablePaths.compactMap { text in
                let path = tree.reader.makeKeyPath()
                return text.isEmpty || (try? path.parse(dotted: text)) != nil ? path : nil
            }
        }
    }

    func allows(_ access: Access, at path: ParsedKeyPath) -> Bool {
        clients.writer.grant.map { $0.allows(access, at: path, first: path.count) } ?? true
    }

    private func require(
        _ access: Access,
        at path: ParsedKeyPath,
        first count: Int,
        of grant: Grant
    ) throws(WireError) {
        for (need, verb) in [(Access.read, "read"), (.write, "written")] where access.contains(need) {
            // The daemon's own figures are totals, which every client may read.
            if need == .read, isDaemonRoot(path) { continue }
            guard !grant.allows(need, at: path, first: count) else { continue }
            let text = path.escaped(first: count)
            throw WireError(.accessDenied, "\(text) may not be \(verb) by this client", path: text)
        }
    }
}
