// SPDX-License-Identifier: MIT
// From a line to an answer: JSON-RPC's requests and notifications. The methods are in files of their own.

extension Hub {
    /// Executes the request or batch in a line, which ``ClientFigures/requests`` counts already. A blank one is neither.
    /// - Parameter isParsed: whether ``ParsedRequest/request`` has it already.
    func handle(_ line: ByteView, isParsed: Bool = false, from session: Session) {
        var scanner = JSONScanner(line, maxDepth: 1)
        scanner.skipWhitespace()
        if scanner.atEnd {
            session.figures.requests &-= 1
            return clients.count(work: 1 + line.count >> 4)
        }
        if scanner.peek() == 0x5B {
            executeBatch(line, session)
        } else {
            answer.removeAll()
            execute(line, isParsed: isParsed, session)
            if reply.popSuspended() {
                let isBegun = !session.delivery.isBehind
                return session.suspended = SuspendedLine(line, position: nil, isBegun: isBegun)
            }
            clients.countWork(of: line, answer.count)
            finishAnswer(to: session, isOfRequest: parsed.request.id != nil)
            if clients.gate.needsFlush { journaling.noteUnflushed(line) }
        }
        assert(reply.isIdle)
    }

    /// Answers with the error alone. Counts the work of a `line` that is refused as a whole.
    @inline(never)
    func refuse(_ error: WireError, id: ByteView? = nil, of line: ByteView? = nil, _ session: Session) {
        answer.removeAll()
        answer.appendErrorResponse(id: id, error)
        if let line { clients.countWork(of: line, answer.count) }
        finishAnswer(to: session)
    }

    /// Executes one request, and appends its answer if it has an `id`. For a client that has gone, it must change the state.
    func execute(_ line: ByteView, isParsed: Bool = false, _ session: Session) {
        let start = answer.count
        let request = parsed.request
        tree.allowElements()
        do throws(WireError) {
            if !isParsed { try request.parse(line) }
            let method = MethodName(request.method)
            if session.input.hasLeft, method?.rules.mayCommit != true { return }
            // The events of earlier commits precede the answer. In a batch, they precede its first request.
            let mustCatchUp = method == .unsubscribe || request.id != nil && !clients.gate.isInBatch
            if mustCatchUp {
                // The loads of others wait for one that is complete.
                if session.intake?.isComplete == true { clients.catchUpWholly(session) }
                if !journaling.catchUp(session, isAsked: true) { return reply.isSuspended = true }
            }
            if session.delivery.closing != nil { return }
            if let id = request.id { answer.beginResponse(id: id) }
            switch request.params {
            case .array: throw .invalidParams("params are given by name, in an object")
            case .unstructured: throw .invalidRequest("params are an object")
            case .none, .object: break
            }
            guard let method else { throw .methodNotFound(request.method) }
            if method.rules.mayCommit, !clients.gate.acceptsWrites { throw journaling.journalUnavailable }
            try call(method, request, session)
            if journaling.refusals.pop() { throw journaling.journalUnavailable }
            // The answer to `upgrade` follows later.
            if !answer.isEmpty { answer.endResponse() }
            if request.isNotification || reply.isSuspended { answer.truncate(to: start) }
        } catch {
            _ = journaling.refusals.pop()
            // A refusal may have looked for the nearest name.
            if error.code == .notFound { clients.count(work: Cost.nearName * tree.reader.mostProperties) }
            answer.truncate(to: start)
            if !request.isNotification { answer.appendErrorResponse(id: request.id, error) }
        }
    }

    private func call(_ method: MethodName, _ params: Request, _ session: Session) throws(WireError) {
        let rules = method.rules
        if rules.isWrite { return try write(method, params) }
        try params.allow(rules.params)
        switch method {
        case .get: try get(params)
        case .set, .merge, .remove, .insert, .increment, .link: preconditionFailure("not a write")
        case .transaction: try transaction(params)
        case .revert: try revert(params)
        case .subscribe: try subscribe(params, session)
        case .unsubscribe: try unsubscribe(params, session)
        case .bind: try bind(params)
        case .unbind: try unbind(params)
        case .bindings: bindings()
        case .describe: try describe(params)
        case .explain: try explain(params)
        case .dump: try dump(params, session)
        case .load: try load(params, session)
        case .status: status(at: clients.clock()).write(to: answer)
        case .clients: try listClients()
        case .upgrade: try upgrade(session)
        case .discover: ServiceDescription.append(to: answer, version: version)
        case .ping: answer.append("{}")
        }
    }
}
