// SPDX-License-Identifier: MIT
// From a line to an answer: JSON-RPC's requests, notifications and batches. The methods are in files of their own.

extension Hub {
    /// Executes the request or batch in a line, which ``ClientFigures/requests`` counts already. A blank one is neither.
    ///
    /// - Parameter isParsed: whether ``ParsedRequest/request`` has it already.
    func handle(_ line: ByteView, isParsed: Bool = false, from session: Session) {
        var scanner = JSONScanner(line, maxDepth: 1)
        scanner.skipWhitespace()
        if scanner.atEnd {
            session.figures.requests &-= 1
            return
        }
        answer.removeAll()
        if scanner.peek() == 0x5B {
            flushBatch()
            answer.removeAll()
            runBatch(line, session)
        } else {
            execute(line, isParsed: isParsed, session)
        }
        finishAnswer(to: session)
        if journalGate.needsFlush { noteUnflushed(line, from: session) }
        assert(reply.isIdle)
    }

    /// Executes one request, and appends its answer if it has an `id`.
    private func execute(_ line: ByteView, isParsed: Bool = false, _ session: Session) {
        let start = answer.count
        let request = parsed.request
        do throws(WireError) {
            if !isParsed { try request.parse(line) }
            let method = MethodName(request.method)
            if journalGate.needsFlush, let method, !method.rules.isRepeatable {
                try flush(before: line, session)
            }
            if let id = request.id { answer.beginResponse(id: id) }
            switch request.params {
            case .array: throw .invalidParams("params are given by name, in an object")
            case .unstructured: throw .invalidRequest("params are an object")
            case .none, .object: break
            }
            guard let method else { throw .methodNotFound(request.method) }
            try call(method, Params(request: request), session)
            answer.endResponse()
            if request.isNotification { answer.truncate(to: start) }
        } catch {
            answer.truncate(to: start)
            if !request.isNotification { answer.appendErrorResponse(id: request.id, error) }
        }
    }

    /// Flushes the batch before a request that can't be executed again. If the journal refuses the batch, executing
    /// other requests again overwrites ``parsed``. So this request is parsed once more.
    private func flush(before line: ByteView, _ session: Session) throws(WireError) {
        // If the journal refuses the first half of a JSON-RPC batch, its client has to connect again.
        if journalGate.isInBatch { session.delivery.queuedInBatch = journalGate.batch }
        if flushBatch() { return }
        answer.removeAll()
        try parsed.request.parse(line)
    }

    private func runBatch(_ line: ByteView, _ session: Session) {
        let token: JSONToken
        do throws(JSONError) {
            token = try JSONScanner.validate(line, maxDepth: tree.limits.maxDepth + 10)
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
            if !isEmpty { session.figures.requests &+= 1 }
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
        if answer.count <= limits.maxOutboxBytes { return execute(line, session) }
        let request = parsed.request
        try? request.parse(line)
        guard !request.isNotification else { return }
        answer.appendErrorResponse(
            id: request.id,
            WireError(
                .limitExceeded,
                "the answers of this batch exceed \(limits.maxOutboxBytes) bytes (maxOutboxBytes)"
            )
        )
    }

    /// Executes the method and appends its result.
    private func call(_ method: MethodName, _ params: Params, _ session: Session) throws(WireError) {
        let rules = method.rules
        if rules.isWrite { return try write(method, params) }
        try params.allow(rules.params)
        switch method {
        case .get: try get(params)
        case .set, .merge, .remove, .insert, .increment, .link: preconditionFailure("not a write")
        case .transaction: try transaction(params)
        case .subscribe: try subscribe(params, session)
        case .unsubscribe: try unsubscribe(params, session)
        case .bind: try bind(params)
        case .unbind: try unbind(params)
        case .bindings: bindings()
        case .describe: try describe(params)
        case .explain: try explain(params)
        case .dump: try dump(params, session)
        case .load: try load(params, session)
        case .status: status(at: clock()).write(to: answer)
        case .clients: try clients()
        case .discover: ServiceDescription.append(to: answer, version: version)
        case .ping: answer.append("{}")
        }
    }
}
