// SPDX-License-Identifier: MIT
// bind, unbind, bindings. Independent of how the tree updates bindings.

extension RequestMethods {
    func bind(_ params: Request) throws(WireError) {
        let isTwoWay = try params.bool(.twoWay, default: false)
        let rules = MethodName.bind.rules
        let both = rules.access.union(rules.targetAccess)
        try parseReadable(try params.required(.source), .source, isTwoWay ? both : rules.access)
        let (target, access) = (parsed.target, isTwoWay ? both : rules.targetAccess)
        try parseLiteral(try params.required(.target), .target, access, into: target)
        if isDaemonRoot(parsed.path) { throw .invalidParams("the daemon's own root observed can't be bound") }
        var number: Int32 = 0
        do throws(TreeError) {
            try tree.refuseBound(parsed.path.escaped, target.escaped)
            try tree.requireRoomForBinding()
            try tree.commit(refusingAs: tooLarge) { () throws(TreeError) in
                number = try tree.addBinding(parsed.path, to: target, isTwoWay: isTwoWay)
            }
        } catch { throw WireError(error) }
        answer.append("{\"binding\":", number)
        answer.append(",\"revision\":", clients.revision, "}")
    }

    func unbind(_ params: Request) throws(WireError) {
        guard let number = try params.required(.binding).int64()
        else { throw .invalidParams("the param binding is the number of a binding") }
        guard let key = Int32(exactly: number), let binding = tree.reader.binding(key)
        else { throw WireError(.notFound, "no such binding: \(number)") }
        guard allows(MethodName.unbind.rules.targetAccess, at: binding.target) else {
            throw WireError(
                .accessDenied,
                "the target of binding \(number) may not be written by this client",
                path: allows(.read, at: binding.target) ? binding.target.escaped : nil
            )
        }
        if journaling.recordUnbinding(key) { _ = tree.removeBinding(key) }
        answer.append("{}")
    }

    /// Lists the bindings, as many as an answer may hold.
    func bindings() {
        let start = answer.count
        let all = tree.allBindings
        clients.count(work: all.count * 2 * Cost.path)
        let shown = all.filter { allows(.read, at: $0.source) && allows(.read, at: $0.target) }
        var further = shown.count
        let listed = shown.lazy.prefix { _ in self.tree.reader.mayRender(self.answer.count - start) }
        answer.append("{\"bindings\":", arrayOf: listed) { binding in
            further -= 1
            answer.append("{\"binding\":", binding.number)
            answer.append(",\"source\":", binding.source.escaped)
            answer.append(",\"target\":", binding.target.escaped)
            answer.append(binding.isTwoWay ? ",\"twoWay\":true" : ",\"twoWay\":false")
            answer.append(binding.last.isFailing ? ",\"failing\":true" : ",\"failing\":false")
            if let failure = binding.failure { answer.append(",\"message\":", failure.message.logged) }
            answer.append(0x7D)
        }
        append(",\"furtherBindings\":", further)
        answer.append(0x7D)
    }
}
