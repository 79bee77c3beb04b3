// SPDX-License-Identifier: MIT
// From a line to an answer: JSON-RPC's requests, notifications and batches. The methods are in files of their own.

extension Hub {
    /// Takes bytes from a session's client and carries out the requests in them.
    ///
    /// - Returns: false when it stopped early, since too much waits for the client: call it again, without input, when
    ///   the client has taken some.
    func receive(_ input: ByteView, from session: Session) -> Bool {
        // Swapped, since a copy would count a reference.
        var reader = LineReader(limitBytes: 0)
        swap(&reader, &session.lines)
        act(for: session)
        defer {
            swap(&reader, &session.lines)
            act(for: nil)
            prefetchedSets.forget()
        }
        var looksAhead = tree.isSparse
        var isParsed = false
        var set: PrefetchedSet?
        return reader.read(
            input,
            measure: { rest in
                if looksAhead {
                    set = prefetchedSet(rest)
                    looksAhead = !prefetchedSets.areAlike
                    if let set { return set.line.count }
                }
                let length = request.recognize(firstOf: rest)
                isParsed = length != nil
                return length
            }
        ) { step in
            linesRead &+= 1
            switch step {
            case .line(let line):
                if let prefetchedSets = set {
                    set = nil
                    isParsed = false
                    if !setAtOnce(prefetchedSets, session) { handle(line, from: session) }
                } else if !isParsed || !setAtOnce(line, session) {
                    handle(line, isParsed: isParsed, from: session)
                }
            case .tooLong: refuseLongLine(session)
            }
            return wantsMore(session)
        }
    }

    /// The client sends no more: its unterminated last line counts. Only when ``receive(_:from:)`` has taken the rest.
    func endInput(of session: Session) {
        act(for: session)
        defer { act(for: nil) }
        session.lines.readLast { step in
            if case .line(let line) = step { handle(line, from: session) }
            return true
        }
        session.hasEndedInput = true
    }

    /// Whether another request may be carried out: not while too many answers wait, nor after a goodbye.
    @inline(__always)
    private func wantsMore(_ session: Session) -> Bool {
        if session.waitingBytes > limits.maxOutboxBytes { return wantsMore(afterFlushOf: session) }
        return session.closing == nil
    }

    @inline(never)
    private func wantsMore(afterFlushOf session: Session) -> Bool {
        if !session.isBlocked {
            flushBatch()
            session.transport?.flush(session)
        }
        return session.closing == nil && session.waitingBytes <= limits.maxOutboxBytes
    }

    private func refuseLongLine(_ session: Session) {
        answer.removeAll()
        answer.appendErrorResponse(
            id: nil,
            .invalidRequest(
                "a line holds at most \(limits.maxLineBytes) bytes (maxLineBytes); this one was skipped"
            )
        )
        finishAnswer(to: session)
    }

    /// - Parameter isParsed: ``request`` is what the line says.
    func handle(_ line: ByteView, isParsed: Bool = false, from session: Session) {
        var scanner = JSONScanner(line, maxDepth: 1)
        scanner.skipWhitespace()
        if scanner.atEnd { return }
        answer.removeAll()
        if scanner.peek() == 0x5B {
            flushBatch()
            answer.removeAll()
            runBatch(line, session)
        } else {
            execute(line, isParsed: isParsed, session)
        }
        finishAnswer(to: session)
        if needsFlush { noteUnflushed(line, from: session) }
    }

    /// Sends the answer, if there is one, and then the initial events of what was subscribed.
    func finishAnswer(to session: Session) {
        // The request itself was one too many: a goodbye is the last line.
        if session.closing != nil {
            freshAttachments.removeAll()
            return resumptions.removeAll()
        }
        if !answer.isEmpty {
            answer.append(0x0A)
            session.lastRevision = revision
            send(lines: answer.view, to: session)
            if session.isQueueing { session.outbox.raiseBarrier() }
        }
        if !resumptions.isEmpty {
            for resumption in resumptions { finish(resumption, to: session) }
            resumptions.removeAll()
        }
        guard !freshAttachments.isEmpty else { return }
        for id in freshAttachments where attachments[id].isDelayed {
            attachments[id].isDelayed = false
            sendInitial(id, to: session)
        }
        freshAttachments.removeAll(keepingCapacity: true)
    }

    /// Carries out one request and appends its answer's object, if it wants one.
    private func execute(_ line: ByteView, isParsed: Bool = false, _ session: Session) {
        let start = answer.count
        do throws(WireError) {
            if !isParsed { try request.parse(line) }
            if needsFlush, !isRepeatable(request.method) { try flush(before: line, session) }
            if let id = request.id { answer.beginResponse(id: id) }
            switch request.params {
            case .array: throw .invalidParams("params are given by name, in an object")
            case .unstructured: throw .invalidRequest("params are an object")
            case .none, .object: try call(session)
            }
            answer.endResponse()
            if request.isNotification { answer.truncate(to: start) }
        } catch {
            answer.truncate(to: start)
            if !request.isNotification { answer.appendErrorResponse(id: request.id, error) }
        }
    }

    /// Whether a request can be carried out once more as if it had not been: it leaves nothing but commits behind.
    private func isRepeatable(_ method: ByteView) -> Bool {
        switch method {
        case _ where method == "subscribe": false
        case _ where method == "unsubscribe": false
        case _ where method == "unbind": false
        case _ where method == "dump": false
        case _ where method == "load": false
        default: true
        }
    }

    /// What was committed before is settled first. Carrying out requests once more takes what this one was parsed into.
    private func flush(before line: ByteView, _ session: Session) throws(WireError) {
        // Half of a JSON-RPC batch can't be carried out once more: if it comes to that, its client has to begin anew.
        if journalGate.isInBatch { session.queuedInBatch = journalGate.batch }
        if flushBatch() { return }
        answer.removeAll()
        try request.parse(line)
    }

    private func runBatch(_ line: ByteView, _ session: Session) {
        let token: JSONToken
        do throws(JSONError) {
            token = try JSONScanner.validate(line, maxDepth: limits.tree.maxDepth + 10)
        } catch {
            answer.appendErrorResponse(
                id: nil,
                WireError(.parseError, "the line is not JSON: \(error.description)")
            )
            return
        }
        var requests = JSONView(token).elements
        var isEmpty = true
        answer.append(0x5B)
        journalGate.isInBatch = true
        defer { journalGate.isInBatch = false }
        while let element = requests.next() {
            isEmpty = false
            let start = answer.count
            if start > 1 { answer.append(0x2C) }
            let begin = answer.count
            runInBatch(element.view, session)
            if answer.count == begin { answer.truncate(to: start) }
        }
        answer.append(0x5D)
        if isEmpty {
            answer.removeAll()
            answer.appendErrorResponse(id: nil, .invalidRequest("a batch holds at least one request"))
        } else if answer.count == 2 {
            answer.removeAll()
        }
    }

    private func runInBatch(_ line: ByteView, _ session: Session) {
        guard answer.count <= limits.maxOutboxBytes else {
            try? request.parse(line)
            guard !request.isNotification else { return }
            answer.appendErrorResponse(
                id: request.id,
                WireError(
                    .limitExceeded,
                    "the answers of this batch exceed \(limits.maxOutboxBytes) bytes (maxOutboxBytes)"
                )
            )
            return
        }
        execute(line, session)
    }

    /// Carries out the method and appends its result.
    private func call(_ session: Session) throws(WireError) {
        let method = request.method
        let params = Params(request: request)
        if let write = WriteMethod(method) { return try self.write(write, params) }
        switch method {
        case _ where method == "get": try get(params)
        case _ where method == "transaction": try transaction(params)
        case _ where method == "subscribe": try subscribe(params, session)
        case _ where method == "unsubscribe": try unsubscribe(params, session)
        case _ where method == "bind": try bind(params)
        case _ where method == "unbind": try unbind(params)
        case _ where method == "bindings": try bindings(params)
        case _ where method == "describe": try describe(params)
        case _ where method == "dump": try dump(params, session)
        case _ where method == "load": try load(params, session)
        case _ where method == "status": try status(params)
        case _ where method == "ping": try ping(params)
        case _ where method == "rpc.discover": try discover(params)
        default: throw WireError(.methodNotFound, unknownMethod(method))
        }
    }

    func unknownMethod(_ method: ByteView) -> String {
        "there is no method \(method.prefix(min(method.count, 80)).string)"
    }

    // MARK: What the methods share

    /// Parses the path that a param gives into `path`, where the client needs that access; it must be literal.
    func parseLiteral(
        _ json: JSONView,
        _ name: ParamName,
        _ access: Access,
        into path: ParsedKeyPath
    ) throws(WireError) {
        try parseReadable(json, name, access, into: path)
        guard path.isLiteral else {
            throw WireError(
                .readOnly,
                "\(path.escaped) has a collection operator: it can be read and subscribed to, not written",
                path: path.escaped
            )
        }
    }

    /// The same for a path that may have a collection operator.
    func parseReadable(
        _ json: JSONView,
        _ name: ParamName,
        _ access: Access,
        into path: ParsedKeyPath
    ) throws(WireError) {
        try parsePath(json, name, access, into: path)
        guard !path.hasWildcard else {
            throw .invalidParams(
                "the param \(name.text) is one key path, not a pattern; a name that is a star is written \\*"
            )
        }
        try refuseUnknown(path)
    }

    /// Throws for a path through a property that is known not to exist; patterns lead wherever they match.
    func refuseUnknown(_ path: ParsedKeyPath) throws(WireError) {
        do throws(TreeError) { try tree.refuseUnknown(path) } catch { throw WireError(error) }
    }

    /// The same for a pattern. All paths of requests are parsed here.
    func parsePath(
        _ json: JSONView,
        _ name: ParamName,
        _ access: Access,
        into path: ParsedKeyPath
    ) throws(WireError) {
        do throws(KeyPathError) { try path.parse(json) } catch {
            throw WireError(error, param: name)
        }
        try require(access, at: path)
    }
}

extension WireError {
    init(_ error: KeyPathError, param: ParamName) {
        let message = "the param \(param.text): \(error.description)"
        if case .tooDeep = error.reason {
            self.init(.limitExceeded, message)
        } else {
            self.init(.invalidParams, message)
        }
    }

    init(_ error: TreeError) {
        let code: Code =
            switch error.kind {
            case .notFound: .notFound
            case .typeMismatch: .typeMismatch
            case .readOnly: .readOnly
            case .conflict: .conflict
            case .limitExceeded: .limitExceeded
            case .referenceCycle: .referenceCycle
            case .invalidValue: .invalidParams
            }
        self.init(code, error.message, path: error.path)
        var members: [(String, Value)] = []
        if let declared = error.declared { members.append(("declared", .string(declared))) }
        if let found = error.found { members.append(("found", .string(found))) }
        if let nearest = error.nearest { members.append(("nearest", .string(nearest))) }
        if !members.isEmpty {
            found = String(Value.object(ValueMembers(members)).json.dropFirst().dropLast())
        }
    }
}
