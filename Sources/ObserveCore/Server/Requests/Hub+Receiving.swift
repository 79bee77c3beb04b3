// SPDX-License-Identifier: MIT
// From bytes to lines: executes the requests that a client has sent. Independent of methods.

extension Hub {
    /// Executes the requests in a client's bytes. Returns false if it stopped early. Call it again, without input: at the
    /// client's next turn if its turn is over, otherwise when the client has read some of its output.
    func receive(_ input: ByteView, from session: Session) -> Bool {
        // Swapped, since a copy would count a reference. Its limit stays, for ``refuseLongLine(_:)``.
        var reader = LineReader(limitBytes: session.input.lines.limitBytes)
        swap(&reader, &session.input.lines)
        clients.act(for: session)
        // Counted once for all lines.
        session.figures.requests &-= clients.metrics.linesRead
        let linesBefore = clients.metrics.linesRead
        defer {
            session.figures.requests &+= clients.metrics.linesRead
            clients.count(work: clients.metrics.linesRead &- linesBefore)
            swap(&reader, &session.input.lines)
            clients.act(for: nil)
            prefetched.forget()
        }
        if session.hasOpenFrame, !journaling.catchUp(session) || !wantsMore(session) {
            reader.keep(input)
            return false
        }
        if session.suspended != nil, !continueLine(of: session) || !wantsMore(session) {
            reader.keep(input)
            return false
        }
        var looksAhead = tree.isSparse && clients.fastPaths.prefetching
        var isParsed = false
        var set: PrefetchedSet?
        return reader.read(
            input,
            measure: { rest in
                if looksAhead {
                    set = prefetchedSet(rest)
                    looksAhead = !prefetched.areAlike
                    if let set { return set.line.count }
                }
                guard clients.fastPaths.shapes else { return nil }
                let length = parsed.request.recognize(firstOf: rest)
                isParsed = length != nil
                return length
            }
        ) { step in
            clients.metrics.linesRead &+= 1
            switch step {
            case .line(let line):
                if let prefetchedSet = set {
                    set = nil
                    isParsed = false
                    if !executeFastSet(prefetchedSet, session) { handle(line, from: session) }
                } else if !isParsed || !executeFastSet(line, session) {
                    handle(line, isParsed: isParsed, from: session)
                }
            case .tooLong:
                // It may be a set that was found ahead, or a line of a known shape.
                set = nil
                isParsed = false
                refuseLongLine(session)
            }
            // A line may wait until the client has read more, also before its turn is over.
            return session.suspended == nil && wantsMore(session)
        }
    }

    /// Whether another request may be executed: not while too many bytes wait, nor after the client's turn or a `goodbye`.
    @inline(__always) private func wantsMore(_ session: Session) -> Bool {
        if session.output.count > clients.sessions.buffered.allowance {
            return wantsMore(afterFlushOf: session)
        }
        return session.delivery.closing == nil && !clients.isTurnOver
    }

    @inline(never) private func wantsMore(afterFlushOf session: Session) -> Bool {
        if !session.delivery.isBlocked {
            journaling.flushBatch()
            session.transport?.flush(session)
        }
        if clients.sessions.buffered.isExceeded { relieveMemory() }
        return session.delivery.closing == nil
            && session.output.count <= max(clients.sessions.buffered.allowance, 0) && !clients.isTurnOver
    }

    private func refuseLongLine(_ session: Session) {
        let rule = "a line holds at most \(session.input.lines.limitBytes) bytes (maxLineBytes)"
        refuse(.invalidRequest("\(rule); this one was skipped"), of: ByteView(""), session)
    }
}
