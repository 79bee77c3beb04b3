// SPDX-License-Identifier: MIT
// What a client learns of a write to a path that it may not read. Independent of the writes' effects.

/// The facts that a refusal may name although the client may not read the path of the write.
struct NamedFacts {
    /// Whether the declared types alone decide if the value fits the place.
    var types = false
    /// The request's param `target`, which the client may read.
    var target: ParsedKeyPath?
}

extension RequestChecks {
    /// Whether the client may write the path, but not read it.
    @inline(__always)
    func isHidden(_ path: ParsedKeyPath) -> Bool { clients.writer.isRestricted && !allows(.read, at: path) }

    /// The error of a write that the tree refused; only with its path if the reason depends on values that the client may not read.
    func refusal(_ error: TreeError, of path: ParsedKeyPath, naming facts: NamedFacts = NamedFacts())
        -> WireError
    {
        guard isHidden(path), !isNamed(error, path, facts) else { return WireError(error) }
        return hiddenRefusal(of: path)
    }

    func hiddenRefusal(of path: ParsedKeyPath) -> WireError {
        let text = path.escaped
        let why = "\(text) can't be written like this now, and this client may not read why"
        return WireError(.accessDenied, why, path: text)
    }

    /// Whether the error depends only on the request, on the declared types, or on named facts.
    private func isNamed(_ error: TreeError, _ path: ParsedKeyPath, _ facts: NamedFacts) -> Bool {
        guard let place = error.path else { return true }
        if let target = facts.target, target.isSame(as: place) { return true }
        if error.kind == .readOnly, path.name(0) == "observed" { return true }
        do throws(TreeError) {
            let declared = try tree.reader.declared(along: path)
            if error.kind == .readOnly, declared.refusal(at: place) != nil { return true }
            guard facts.types, declared.type.wrapped != .any else { return false }
            return error.declared != nil || error.kind == .readOnly
        } catch {
            // The types lack a property on the path.
            return true
        }
    }
}
