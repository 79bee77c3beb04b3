// SPDX-License-Identifier: MIT
// The methods that write, alone or as operations. Independent of how the tree does it.

extension RequestMethods {
    func write(_ method: MethodName, _ params: Request) throws(WireError) {
        var outcome = WriteOutcome(changed: false)
        // `remove` always works, even if a binding or a computed property makes the tree larger.
        let (_, preview) = try commit(params, isLimited: method != .remove) { () throws(WireError) in
            outcome = try execute(method, params)
        }
        append(outcome)
        if let preview, !outcome.isHidden { append(preview) }
    }

    /// Makes the commit of a write, or only previews it.
    /// - Parameter isLimited: whether the tree may refuse to become larger.
    @inline(__always)
    func commit(_ params: Request, isLimited: Bool = true, _ body: () throws(WireError) -> Void)
        throws(WireError) -> (changed: Bool, preview: CommitPreview?)
    {
        if try params.bool(.dryRun, default: false) {
            let preview = try preview(isLimited: isLimited, body)
            return (preview.hasChanges, preview)
        }
        guard isLimited else { return (try tree.commit(body), nil) }
        return (try tree.commit(refusingAs: { WireError(tooLarge($0)) }, body), nil)
    }

    func execute(_ method: MethodName, _ params: Request) throws(WireError) -> WriteOutcome {
        try params.allow(method.rules.params)
        switch method {
        case .set: return try set(params)
        case .merge: return try merge(params)
        case .remove: return try remove(params)
        case .insert: return try insert(params)
        case .increment: return try increment(params)
        case .link: return try link(params)
        default: preconditionFailure("not a write")
        }
    }

    func append(_ outcome: WriteOutcome) {
        answer.beginWriteResult(tree.reader.revision, changed: outcome.isHidden ? nil : outcome.changed)
        if !outcome.value.isAbsent {
            // A number, which is as long as it is, whatever `maxRenderedBytes` says.
            answer.append(",\"value\":")
            outcome.value.writeScalar(to: answer)
        }
        answer.append(0x7D)
    }

    // MARK: The writes

    private func set(_ params: Request) throws(WireError) -> WriteOutcome {
        let pathParam = try params.required(.path)
        let value = try params.required(.value)
        let parents = try params.bool(.parents, default: false)
        let term = try term(params)
        let condition = try Condition(params, maxDepth: tree.limits.maxDepth)
        if condition == nil, term == nil, let known = fastPathProperty(pathParam) {
            return try change { () throws(TreeError) in
                try tree.set(known, to: value, path: .text(pathParam.contents))
            }
        }
        try parseWritten(.set, pathParam, condition)
        if parents { try requireParents(of: parsed.path) }
        let outcome = try change(condition, naming: NamedFacts(types: !parents)) { () throws(TreeError) in
            try tree.set(parsed.path, to: value, parents: parents, term: term)
        }
        scheduleEnd(term)
        return outcome
    }

    private func merge(_ params: Request) throws(WireError) -> WriteOutcome {
        let patch = try params.required(.value)
        let condition = try pathAndCondition(.merge, params)
        return try change(condition) { () throws(TreeError) in try tree.merge(parsed.path, with: patch) }
    }

    private func remove(_ params: Request) throws(WireError) -> WriteOutcome {
        let condition = try pathAndCondition(.remove, params)
        return try change(condition) { () throws(TreeError) in try tree.remove(parsed.path) }
    }

    private func insert(_ params: Request) throws(WireError) -> WriteOutcome {
        let index = try params.index(.index)
        let (value, target) = (params.value(.value), params.value(.target))
        guard (value == nil) != (target == nil)
        else { throw .invalidParams("insert needs the param value or the param target, and not both") }
        let condition = try pathAndCondition(.insert, params)
        // Without an index, the refusal of the value would name the number of elements.
        var facts = NamedFacts(types: index != nil)
        if let target { facts.target = try parseLinkTarget(target, MethodName.insert.rules.targetAccess) }
        return try change(condition, naming: facts) { () throws(TreeError) in
            if let value {
                try tree.insert(value, parsed.path, at: index)
            } else if let target = facts.target {
                try tree.insert(modelAt: target, parsed.path, at: index)
            }
            return true
        }
    }

    private func increment(_ params: Request) throws(WireError) -> WriteOutcome {
        let step = try number(params, .by) ?? .int(1)
        let (least, greatest) = (try number(params, .min), try number(params, .max))
        if let least, let greatest, greatest.isLess(than: least) {
            throw .invalidParams("the param min is above the param max")
        }
        let condition = try pathAndCondition(.increment, params)
        var value = StoredValue.absent
        var outcome = try change(condition) { () throws(TreeError) in
            let (changed, new) = try tree.increment(parsed.path, by: step, from: least, to: greatest)
            value = new
            return changed
        }
        if !outcome.isHidden { outcome.value = value }
        return outcome
    }

    private func number(_ params: Request, _ name: ParamName) throws(WireError) -> StoredValue? {
        guard let number = params.value(name) else { return nil }
        if let int = number.int64() { return .int(int) }
        if number.kind == .double, let double = number.double() { return .double(double) }
        throw number.kind.isNumber
            ? .invalidParams(
                "the param \(name.text) is a number of 64 bits: a signed integer, or a double that is finite and does not round to zero"
            )
            : .invalidParams("the param \(name.text) is a number")
    }

    private func link(_ params: Request) throws(WireError) -> WriteOutcome {
        if params.given == .simpleLink, let from = params.value(.path), let to = params.value(.target),
            let place = fastPathProperty(from), let target = fastPathProperty(to),
            let isChanged = tree.link(place, toModelIn: target)
        {
            return WriteOutcome(changed: isChanged)
        }
        let isWeak = try params.bool(.weak, default: false)
        let term = try term(params)
        let condition = try pathAndCondition(.link, params)
        let target = try parseLinkTarget(try params.required(.target), MethodName.link.rules.targetAccess)
        let facts = NamedFacts(types: true, target: target)
        let outcome = try change(condition, naming: facts) { () throws(TreeError) in
            try tree.link(parsed.path, to: target, isWeak: isWeak, term: term)
        }
        scheduleEnd(term)
        return outcome
    }

    func revert(_ params: Request) throws(WireError) {
        _ = try params.required(.revision)
        let past = try params.revision(.revision) ?? 0
        let isForced = try params.bool(.force, default: false)
        let rule: StaticString = "only a client that may read and write everything may revert a commit"
        try requireEverything(MethodName.revert.rules.access, rule)
        // The commit that made the oldest revision is not in the history.
        try requireKnown(past, oldest: tree.reader.oldestRevision + 1)
        countReplay(after: past - 1)
        let former = tree.formerValues(before: past)
        var outcome = WriteOutcome(changed: false)
        let (_, preview) = try commit(params) { () throws(WireError) in
            do throws(TreeError) { outcome.changed = try tree.revert(former, isForced: isForced) } catch {
                throw WireError(error)
            }
        }
        append(outcome)
        if let preview { append(preview) }
    }

    // MARK: Paths, conditions and errors

    private func pathAndCondition(_ method: MethodName, _ params: Request) throws(WireError) -> Condition? {
        let condition = try Condition(params, maxDepth: tree.limits.maxDepth)
        try parseWritten(method, try params.required(.path), condition)
        return condition
    }

    /// Parses the path of a write. A condition also needs the right to read: the error of a conflict has the present value.
    private func parseWritten(_ method: MethodName, _ json: JSONView, _ condition: Condition?)
        throws(WireError)
    {
        let access = method.rules.access
        try parseLiteral(json, .path, condition == nil ? access : access.union(.read))
    }

    @inline(__always) private func change(
        _ condition: Condition? = nil,
        naming facts: NamedFacts = NamedFacts(),
        _ body: () throws(TreeError) -> Bool
    ) throws(WireError) -> WriteOutcome {
        do throws(TreeError) {
            try condition?.check(parsed.path, in: tree)
            var outcome = WriteOutcome(changed: try body())
            if clients.writer.isRestricted { outcome.isHidden = isHidden(parsed.path) }
            return outcome
        } catch {
            throw wireError(error, facts)
        }
    }

    private func wireError(_ error: TreeError, _ facts: NamedFacts) -> WireError {
        var wire = refusal(error, of: parsed.path, naming: facts)
        guard wire.code == .conflict else { return wire }
        let found = ByteBuffer()
        found.append("\"value\":")
        if !tree.render(tree.value(at: tree.walk(parsed.path)), to: found) {
            found.append("null,\"truncated\":true")
        }
        found.append(",\"revision\":", tree.reader.revision)
        wire.found = found.string
        return wire
    }

    // MARK: Lifetimes

    /// Nil if the value is permanent.
    func term(_ params: Request) throws(WireError) -> Term? {
        guard let value = params.value(.lifetime) else { return nil }
        if let milliseconds = value.int64(), milliseconds > 0 {
            let end = clients.eventTime().adding(milliseconds: UInt64(milliseconds))
            return .time(end, milliseconds: milliseconds)
        }
        guard value.kind == .string else { throw unknownLifetime }
        switch value.decodedString() {
        case "permanent": return nil
        case "connection": return unsafe clients.writer.session.map { .owner($0.number) }
        default: throw unknownLifetime
        }
    }

    private var unknownLifetime: WireError {
        .invalidParams(
            "the param lifetime is \"permanent\", \"connection\", or a whole number of milliseconds above 0"
        )
    }

    /// Schedules the end of the temporary value just written. If its commit is rolled back, the end has no effect.
    func scheduleEnd(_ term: Term?) {
        guard case .time(let end, _) = term, !reply.isDryRun else { return }
        clients.schedule(.endLifetime(tree.reader.lastTemporaryValue), at: end)
    }
}

private struct Condition {
    let revision: UInt64?
    let value: Value?

    /// Nil if the request has no condition.
    init?(_ params: Request, maxDepth: Int) throws(WireError) {
        revision = try params.revision(.ifRevision)
        guard let json = params.value(.ifValue) else {
            guard revision != nil else { return nil }
            value = nil
            return
        }
        do throws(JSONError) {
            value = try Value(json: json.view, maxDepth: maxDepth + Request.levelsAround)
        } catch {
            throw .invalidParams("the param ifValue holds \(error.message)")
        }
    }

    func check(_ path: ParsedKeyPath, in tree: ModelTree) throws(TreeError) {
        if let revision { try tree.require(path, unchangedSince: revision) }
        if let value { try tree.require(path, equals: value) }
    }
}
