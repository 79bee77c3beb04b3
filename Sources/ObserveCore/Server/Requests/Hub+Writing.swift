// SPDX-License-Identifier: MIT
// The methods that change the tree, alone or as operations. What a write may do is the tree's business.

/// A write that may stand alone, or in a transaction.
enum WriteMethod {
    case set
    case merge
    case remove
    case insert
    case increment
    case link

    @inline(__always)
    init?(_ name: ByteView) {
        switch name {
        case _ where name == "set": self = .set
        case _ where name == "merge": self = .merge
        case _ where name == "remove": self = .remove
        case _ where name == "insert": self = .insert
        case _ where name == "increment": self = .increment
        case _ where name == "link": self = .link
        default: return nil
        }
    }
}

/// What a write came to.
struct WriteOutcome {
    var changed: Bool
    /// What stands at the path now, where the result says so: after an increment.
    var value = StoredValue.absent
}

extension Hub {
    private static let simpleSetParams: ParamNames = [.path, .value]
    private static let setParams: ParamNames = [
        .path, .value, .parents, .ifRevision, .ifValue, .lifetime,
    ]
    private static let mergeParams: ParamNames = [.path, .value, .ifRevision, .ifValue]
    private static let removeParams: ParamNames = [.path, .ifRevision, .ifValue]
    private static let insertParams: ParamNames = [
        .path, .value, .target, .index, .ifRevision, .ifValue,
    ]
    private static let incrementParams: ParamNames = [.path, .by, .ifRevision, .ifValue]
    private static let simpleLinkParams: ParamNames = [.path, .target]
    private static let linkParams: ParamNames = [
        .path, .target, .weak, .ifRevision, .ifValue, .lifetime,
    ]

    /// Carries out one write as a commit of its own and appends its result.
    func write(_ method: WriteMethod, _ params: Params) throws(WireError) {
        try requireJournal()
        var outcome = WriteOutcome(changed: false)
        try tree.commit { () throws(WireError) in outcome = try execute(method, params) }
        append(outcome)
    }

    /// Carries out one write within the commit under way.
    func execute(_ method: WriteMethod, _ params: Params) throws(WireError) -> WriteOutcome {
        switch method {
        case .set: try set(params)
        case .merge: try merge(params)
        case .remove: try remove(params)
        case .insert: try insert(params)
        case .increment: try increment(params)
        case .link: try link(params)
        }
    }

    /// Appends the result of a write that is committed.
    func append(_ outcome: WriteOutcome) {
        answer.beginWriteResult(revision, changed: outcome.changed)
        if !outcome.value.isAbsent {
            answer.append(",\"value\":")
            _ = tree.render(outcome.value, to: answer)
        }
        answer.append(0x7D)
    }

    // MARK: The writes

    /// Carries out the request that was parsed, if it is what most are: a `set` of a property to a scalar that touches
    /// nothing else, for a client that takes what it is sent. As ``handle(_:isParsed:from:)`` would, in fewer steps.
    ///
    /// - Returns: false, with nothing done, where it is anything else.
    @inline(__always)
    func setAtOnce(_ line: ByteView, _ session: Session) -> Bool {
        guard isSimpleSet, let id = request.id, let path = request.value(.path),
            let value = request.value(.value)
        else { return false }
        return set(path, to: value, answering: id, line, session)
    }

    /// The same with one that was found ahead of its turn.
    @inline(never)
    func setAtOnce(_ prefetchedSets: PrefetchedSet, _ session: Session) -> Bool {
        set(
            prefetchedSets.path,
            to: prefetchedSets.value,
            answering: prefetchedSets.id,
            prefetchedSets.line,
            session
        )
    }

    /// Whether the request that was parsed is a `set` that gives a path and a value, and nothing else.
    @inline(__always)
    var isSimpleSet: Bool { request.given == Hub.simpleSetParams && request.method == "set" }

    @inline(__always)
    private func set(
        _ path: JSONView,
        to value: JSONView,
        answering id: ByteView,
        _ line: ByteView,
        _ session: Session
    ) -> Bool {
        guard isJournalWell, session.isFree, let property = fastPathProperty(path),
            let isChanged = tree.commit(scalar: value, to: property, notifying: self)
                ?? tree.commitWhole(scalar: value, to: property)
        else { return false }
        if session.isFree {
            session.lastRevision = revision
            revisionText.show(revision)
            write(to: session) { $0.appendWriteAnswer(id: id, revisionText, changed: isChanged) }
        } else {
            // Being told of its own change was too much for the client.
            answer.removeAll()
            answer.beginResponse(id: id)
            append(WriteOutcome(changed: isChanged))
            answer.endResponse()
            finishAnswer(to: session)
        }
        if needsFlush { noteUnflushed(line, from: session) }
        return true
    }

    private func set(_ params: Params) throws(WireError) -> WriteOutcome {
        try params.allow(Hub.setParams)
        let pathParam = try params.required(.path)
        let value = try params.required(.value)
        let parents = try params.bool(.parents, default: false)
        let term = try term(params)
        let condition = try Condition(params, maxDepth: limits.tree.maxDepth)
        if condition == nil, term == nil, let known = fastPathProperty(pathParam) {
            return try change { () throws(TreeError) in
                try tree.set(known, to: value, path: .text(pathParam.contents))
            }
        }
        try parseWritten(pathParam, condition)
        if parents { try requireParents(of: path) }
        let outcome = try change(condition) { () throws(TreeError) in
            try tree.set(path, to: value, parents: parents, term: term)
        }
        scheduleEnd(term)
        return outcome
    }

    /// The property that the path leads to, if that can be said without taking the path apart. All short ways begin here,
    /// and are not for those who are restricted: what may be done at a path is asked where it is taken apart.
    @inline(__always)
    private func fastPathProperty(_ pathParam: JSONView) -> PropertyID? {
        guard !isRestricted, pathParam.kind == .string, !pathParam.hasEscapes else { return nil }
        return tree.fastPathProperty(pathParam.contents)
    }

    private func merge(_ params: Params) throws(WireError) -> WriteOutcome {
        try params.allow(Hub.mergeParams)
        let patch = try params.required(.value)
        let condition = try pathAndCondition(params)
        return try change(condition) { () throws(TreeError) in try tree.merge(path, with: patch) }
    }

    private func remove(_ params: Params) throws(WireError) -> WriteOutcome {
        try params.allow(Hub.removeParams)
        let condition = try pathAndCondition(params)
        return try change(condition) { () throws(TreeError) in try tree.remove(path) }
    }

    private func insert(_ params: Params) throws(WireError) -> WriteOutcome {
        try params.allow(Hub.insertParams)
        let index = try params.index(.index)
        let (value, target) = (params.value(.value), params.value(.target))
        guard (value == nil) != (target == nil) else {
            throw .invalidParams("insert needs the param value or the param target, and not both")
        }
        let condition = try pathAndCondition(params)
        if let target { try parseLiteral(target, .target, .read, into: secondPath) }
        return try change(condition) { () throws(TreeError) in
            if let value {
                try tree.insert(value, path, at: index)
            } else {
                try tree.insert(modelAt: secondPath, path, at: index)
            }
            return true
        }
    }

    private func increment(_ params: Params) throws(WireError) -> WriteOutcome {
        try params.allow(Hub.incrementParams)
        let step = try step(params)
        let condition = try pathAndCondition(params)
        var value = StoredValue.absent
        var outcome = try change(condition) { () throws(TreeError) in
            let (changed, new) = try tree.increment(path, by: step)
            value = new
            return changed
        }
        if allows(.read, at: path) { outcome.value = value }
        return outcome
    }

    private func step(_ params: Params) throws(WireError) -> ModelTree.Step {
        guard let by = params.value(.by) else { return .int(1) }
        if let int = by.int64() { return .int(int) }
        if by.kind == .double, let double = by.double() { return .double(double) }
        throw by.kind.isNumber
            ? .invalidParams("the param by is a number of 64 bits: a signed integer, or a finite double")
            : .invalidParams("the param by is a number")
    }

    private func link(_ params: Params) throws(WireError) -> WriteOutcome {
        try params.allow(Hub.linkParams)
        if params.areOnly(Hub.simpleLinkParams), let from = params.value(.path),
            let to = params.value(.target),
            let place = fastPathProperty(from), let target = fastPathProperty(to),
            let isChanged = tree.link(place, toModelIn: target)
        {
            return WriteOutcome(changed: isChanged)
        }
        let isWeak = try params.bool(.weak, default: false)
        let term = try term(params)
        let condition = try pathAndCondition(params)
        try parseLiteral(try params.required(.target), .target, .read, into: secondPath)
        let outcome = try change(condition) { () throws(TreeError) in
            try tree.link(path, to: secondPath, isWeak: isWeak, term: term)
        }
        scheduleEnd(term)
        return outcome
    }

    // MARK: What they share

    /// Reads the param path into ``path``, and what must hold there for the write to happen.
    private func pathAndCondition(_ params: Params) throws(WireError) -> Condition? {
        let condition = try Condition(params, maxDepth: limits.tree.maxDepth)
        try parseWritten(try params.required(.path), condition)
        return condition
    }

    /// Reads the path of a write into ``path``. A condition is a question about what is there, so it needs the right to
    /// read: a conflict's answer then tells nothing that could not be asked for.
    private func parseWritten(_ json: JSONView, _ condition: Condition?) throws(WireError) {
        try parseLiteral(json, .path, condition == nil ? .write : [.read, .write], into: path)
    }

    @inline(__always)
    private func change(
        _ condition: Condition? = nil,
        _ body: () throws(TreeError) -> Bool
    ) throws(WireError) -> WriteOutcome {
        do throws(TreeError) {
            try condition?.check(path, in: tree)
            return WriteOutcome(changed: try body())
        } catch {
            throw wireError(error)
        }
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
        found.append(decimal: revision)
        wire.found = found.string
        return wire
    }
}

/// What must hold for a conditional write to happen.
private struct Condition {
    let revision: UInt64?
    let value: Value?

    /// Nil when the request sets no condition.
    init?(_ params: Params, maxDepth: Int) throws(WireError) {
        revision = try params.revision(.ifRevision)
        guard let json = params.value(.ifValue) else {
            guard revision != nil else { return nil }
            value = nil
            return
        }
        do throws(JSONError) { value = try Value(json: json.view, maxDepth: maxDepth + 8) } catch {
            throw .invalidParams("the param ifValue holds \(error.message)")
        }
    }

    func check(_ path: ParsedKeyPath, in tree: ModelTree) throws(TreeError) {
        if let revision { try tree.require(path, unchangedSince: revision) }
        if let value { try tree.require(path, equals: value) }
    }
}
