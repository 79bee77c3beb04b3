// SPDX-License-Identifier: MIT
// JSON-RPC batches: one answer for several requests. Continues lines in as many turns of their client as they need.

extension Hub {
    /// Executes the batch in a line, or suspends it when the client's turn is over.
    func executeBatch(_ line: ByteView, _ session: Session) {
        let token: JSONView
        do throws(JSONError) {
            // Each request in it is refused by itself.
            token = try JSONScanner.validate(line, maxDepth: .max)
        } catch {
            let refusal = WireError(.parseError, "the line is not JSON: \(error.description)")
            return refuse(refusal, of: line, session)
        }
        if token.hasElements(beyond: clients.limits.maxOperations) {
            return refuse(tooManyOperations("a batch", "requests"), of: line, session)
        }
        if token.isEmpty {
            return refuse(.invalidRequest("a batch holds at least one request"), of: line, session)
        }
        // The events of commits up to now precede the answers.
        guard journaling.catchUp(session, isAsked: true)
        else { return session.suspended = SuspendedLine(line, position: nil, isBegun: false) }
        if session.delivery.closing != nil { return }
        answer.removeAll()
        answer.append(0x5B)
        clients.gate.isInBatch = true
        // The line counts as its first request.
        session.figures.requests &-= 1
        var requests = token.elements
        if let position = execute(&requests, after: 0, session) {
            return suspend(SuspendedLine(token.view, position: position), session)
        }
        finishBatch(session)
        if clients.gate.needsFlush { journaling.noteUnflushed(line) }
    }

    func continueBatch(_ batch: SuspendedLine, at position: Int, _ session: Session) -> Bool {
        swap(&clients.registry.following, &batch.following)
        clients.gate.isInBatch = true
        var requests = JSONElements(batch.text.view, from: position)
        if let position = execute(&requests, after: batch.answers.count, session) {
            batch.position = position
            suspend(batch, session)
            return false
        }
        batch.answers.append(answer.view)
        answer.removeAll()
        answer.append(batch.answers.view)
        finishBatch(session)
        return true
    }

    /// Executes requests until the client's turn is over, perhaps within a request; the first one in any case.
    /// - Parameter answered: the bytes of the batch's earlier answers, which ``answer`` has no more.
    /// - Returns: the position of the next request; nil if there is none.
    private func execute(_ requests: inout JSONElements, after answered: Int, _ session: Session) -> Int? {
        var isFirst = answered == 0
        while true {
            let position = requests.position
            guard let request = requests.next() else { return nil }
            if clients.isTurnOver, !isFirst { return position }
            isFirst = false
            session.figures.requests &+= 1
            if !executeInBatch(request.view, after: answered, session) { return position }
        }
    }

    /// - Returns: false if the request has to be executed again, since the client's turn was over before its end.
    private func executeInBatch(_ request: ByteView, after answered: Int, _ session: Session) -> Bool {
        let start = answer.count
        defer { clients.countWork(of: request, answer.count - start) }
        if answered + start > 1 { answer.append(0x2C) }
        let begin = answer.count
        if answered + begin <= clients.limits.maxOutboxBytes {
            execute(request, session)
            // What `unsubscribe` has completed is as of now.
            clients.endEventGroup()
        } else {
            // The limit may have shrunk while a `subscribe` or a `load` was suspended.
            discardUnfinished(of: session)
            refuseInBatch(request)
        }
        if answer.count == begin { answer.truncate(to: start) }
        if reply.popSuspended() {
            session.figures.requests &-= 1
            return false
        }
        clients.holdInitial(of: session)
        if !clients.registry.following.held.isEmpty { session.delivery.isHolding = true }
        return true
    }

    private func refuseInBatch(_ line: ByteView) {
        let request = parsed.request
        try? request.parse(line)
        guard !request.isNotification else { return }
        let rule = "the answers of this batch exceed \(clients.limits.maxOutboxBytes) bytes (maxOutboxBytes)"
        answer.appendErrorResponse(id: request.id, .limitExceeded(rule))
    }

    private func suspend(_ batch: SuspendedLine, _ session: Session) {
        batch.answers.append(answer.view)
        swap(&clients.registry.following, &batch.following)
        clients.gate.isInBatch = false
        session.suspended = batch
    }

    private func finishBatch(_ session: Session) {
        clients.gate.isInBatch = false
        answer.append(0x5D)
        if answer.count == 2 { answer.removeAll() }
        finishAnswer(to: session, isOfRequest: true)
    }

    // MARK: Later turns

    /// Continues the session's suspended line, if there is one. Returns whether it is done.
    func continueLine(of session: Session) -> Bool {
        guard let line = session.suspended.take() else { return true }
        answer.removeAll()
        if let position = line.position { return continueBatch(line, at: position, session) }
        handle(line.text.view, from: session)
        return session.suspended == nil
    }

    /// Executes the rest of all lines that were begun, before an upgrade: each executed request gets its answer.
    func finishSuspended() {
        // A load waits for another that is built, so all take several passes.
        var isDone = false
        while !isDone {
            isDone = true
            for session in clients.sessions.inOrder {
                guard let line = session.suspended else { continue }
                if !line.isBegun {
                    session.suspended = nil
                    continue
                }
                clients.catchUpWholly(session)
                clients.act(for: session)
                if !continueLine(of: session) { isDone = false }
                clients.act(for: nil)
            }
        }
    }
}
