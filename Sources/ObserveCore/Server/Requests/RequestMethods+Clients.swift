// SPDX-License-Identifier: MIT
// clients: the open connections, with their figures and subscriptions. Independent of sockets.

extension RequestMethods {
    /// How many subscriptions of a client, and paths of a subscription, the answer lists.
    private static let mostListed = 100

    func listClients() throws(WireError) {
        guard clients.writer.grant == nil
        else { throw WireError(.accessDenied, "only the daemon's own user and root may list its clients") }
        let start = answer.count
        let now = clients.clock()
        let sessions = clients.sessions.inOrder
        answer.append("{\"clients\":", arrayOf: sessions) { session in
            appendFigures(of: session, at: now)
            // Every client has an entry. The lists are what can be long.
            let isFull = !tree.reader.mayRender(answer.count - start)
            appendSubscriptions(of: session, atMost: isFull ? 0 : Hub.mostListed)
            answer.append(0x7D)
        }
        answer.append(0x7D)
    }

    private func appendFigures(of session: Session, at now: MonotonicTime) {
        answer.append("{\"connection\":", session.number)
        answer.append(",\"pid\":", session.author.process)
        answer.append(",\"uid\":", session.author.user)
        answer.append(",\"name\":")
        if let name = ProcessName.of(session.author.process, runningAt: session.figures.openedSinceBoot) {
            answer.appendJSONString(utf8: name)
        } else {
            answer.append("null")
        }
        answer.append(",\"seconds\":")
        answer.append(double: Double(session.figures.openedAt.nanoseconds(until: now)) / 1e9)
        let isAsking = unsafe session === clients.writer.session
        let requests = session.figures.requests &+ (isAsking ? clients.metrics.linesRead : 0)
        answer.append(",\"requests\":", requests)
        answer.append(",\"eventsSent\":", clients.eventsSent(to: session))
        answer.append(",\"eventsCoalesced\":", session.figures.eventsCoalesced)
        answer.append(",\"bytesWaiting\":", session.output.count)
        answer.append(",\"lifetimes\":", tree.reader.countTemporaryValues(of: session.number))
    }

    private func appendSubscriptions(of session: Session, atMost limit: Int) {
        let numbers = clients.subscriptionNumbers(of: session)
        answer.append(",\"subscriptions\":", arrayOf: numbers.prefix(limit)) { number in
            answer.append("{\"subscription\":", number)
            appendPaths(of: number, session)
            if let tag = session.subscriptions.tag(of: number) { answer.append(tag: tag) }
            answer.append(",\"eventsSent\":", clients.eventsSent(of: number, session), "}")
        }
        answer.append(",\"furtherSubscriptions\":", numbers.count - min(numbers.count, limit))
    }

    private func appendPaths(of number: Int32, _ session: Session) {
        let paths = clients.paths(of: number, session)
        answer.append(",\"paths\":", arrayOf: paths.prefix(Hub.mostListed)) { answer.append(utf8: $0) }
        if paths.count > Hub.mostListed { answer.append(",\"furtherPaths\":", paths.count - Hub.mostListed) }
    }
}
