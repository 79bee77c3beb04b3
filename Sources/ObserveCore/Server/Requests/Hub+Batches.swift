// SPDX-License-Identifier: MIT
// JSON-RPC batches: one answer for several requests, executed in as many turns of their client as they need.

extension Hub {
    /// Executes the batch in a line, or suspends it when the client's turn is over.
    func executeBatch(_ line: ByteView, _ session: Session) {
        flushBatch()
        answer.removeAll()
        let token: JSONToken
        do throws(JSONError) {
            token = try JSONScanner.validate(line, maxDepth: tree.limits.maxDepth + 10)
        } catch {
            return refuseBatch(WireError(.parseError, "the line is not JSON: \(error.description)"), session)
        }
        if JSONView(token).hasElements(beyond: limits.maxOperations) {
            return refuseBatch(tooManyOperations("a batch", "requests"), session)
        }
        var requests = JSONView(token).elements
        guard let first = requests.next() else {
            return refuseBatch(.invalidRequest("a batch holds at least one request"), session)
        }
        answer.append(0x5B)
        journalGate.isInBatch = true
        executeInBatch(first.view, session)
        // The line counts as its first request.
        if let position = execute(&requests, session) {
            return suspend(SuspendedBatch(token.view, position: position), session)
        }
        finishBatch(session)
        if journalGate.needsFlush { noteUnflushed(line, from: session) }
    }

    /// Continues the session's suspended batch, if there is one.
    ///
    /// - Returns: whether it is done.
    func continueBatch(of session: Session) -> Bool {
        guard let batch = sessions.resumeBatch(of: session) else { return true }
        answer.removeAll()
        answer.append(batch.answers.view)
        swap(&reply.freshAttachments, &batch.freshAttachments)
        swap(&reply.resumptions, &batch.resumptions)
        journalGate.isInBatch = true
        var requests = JSONElements(batch.text.view, from: batch.position)
        if let position = execute(&requests, session) {
            batch.position = position
            suspend(batch, session)
            return false
        }
        // The hub could not execute the first requests again.
        if flushPart(session) { finishBatch(session) }
        return true
    }

    /// Executes requests until the client's turn is over.
    ///
    /// - Returns: the position of the next request; nil if there is none.
    private func execute(_ requests: inout JSONElements, _ session: Session) -> Int? {
        while true {
            if isTurnOver {
                let position = requests.position
                if requests.next() != nil { return position }
            }
            guard let request = requests.next() else { return nil }
            session.figures.requests &+= 1
            executeInBatch(request.view, session)
        }
    }

    private func executeInBatch(_ request: ByteView, _ session: Session) {
        let (start, work) = (answer.count, tree.reader.work)
        defer { countWork(of: request, answer.count - start, since: work) }
        if start > 1 { answer.append(0x2C) }
        let begin = answer.count
        if begin <= limits.maxOutboxBytes {
            execute(request, session)
        } else {
            refuseInBatch(request)
        }
        if answer.count == begin { answer.truncate(to: start) }
    }

    private func refuseInBatch(_ line: ByteView) {
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

    /// Keeps the rest of the batch for the client's next turn.
    private func suspend(_ batch: SuspendedBatch, _ session: Session) {
        batch.answers.removeAll()
        batch.answers.append(answer.view)
        swap(&reply.freshAttachments, &batch.freshAttachments)
        swap(&reply.resumptions, &batch.resumptions)
        if flushPart(session) { sessions.suspend(batch, of: session) }
    }

    /// Flushes what a part of a batch has changed. If the journal refuses it, the client has to connect again.
    private func flushPart(_ session: Session) -> Bool {
        session.delivery.queuedInBatch = journalGate.batch
        let isFlushed = flushBatch()
        journalGate.isInBatch = false
        if !isFlushed { reply.dropEvents() }
        return isFlushed
    }

    private func finishBatch(_ session: Session) {
        journalGate.isInBatch = false
        answer.append(0x5D)
        if answer.count == 2 { answer.removeAll() }
        finishAnswer(to: session)
    }

    private func refuseBatch(_ error: WireError, _ session: Session) {
        answer.appendErrorResponse(id: nil, error)
        finishAnswer(to: session)
    }
}
