// SPDX-License-Identifier: MIT
// clients: the open connections, with their figures and subscriptions. Independent of sockets.

extension RequestMethods {
    /// How many subscriptions of a client, and paths of a subscription, the answer lists.
    private static let mostListed = 100

    func listClients() throws(WireError) {
        guard clients.writer.grant == nil else {
            throw WireError(.accessDenied, "only the daemon's own user and root may list its clients")
        }
        let start = answer.count
        let now = clients.clock()
        answer.append("{\"clients\":[")
        for (index, session) in clients.sessions.all.sorted(by: { $0.number < $1.number }).enumerated() {
            if index > 0 { answer.append(0x2C) }
            appendFigures(of: session, at: now)
            // Every client has an entry. The lists are what can be long.
            let isFull = !tree.reader.mayRender(answer.count - start)
            appendSubscriptions(of: session, atMost: isFull ? 0 : Hub.mostListed)
            answer.append(0x7D)
        }
        answer.append("]}")
    }

    private func appendFigures(of session: Session, at now: MonotonicTime) {
        answer.append("{\"connection\":")
        answer.append(decimal: Int64(session.number))
        answer.append(",\"pid\":")
        answer.append(decimal: Int64(session.author.process))
        answer.append(",\"uid\":")
        answer.append(decimal: UInt64(session.author.user))
        answer.append(",\"name\":")
        if let name = ProcessName.of(session.author.process, runningAt: session.figures.moment) {
            answer.appendJSONString(utf8: name)
        } else {
            answer.append("null")
        }
        answer.append(",\"seconds\":")
        answer.append(double: Double(session.figures.openedAt.nanoseconds(until: now)) / 1e9)
        let isAsking = unsafe session === clients.writer.session
        let requests = session.figures.requests &+ (isAsking ? clients.metrics.linesRead : 0)
        appendMember(",\"requests\":", UInt64(requests))
        appendMember(",\"eventsSent\":", clients.eventsSent(to: session))
        appendMember(",\"eventsCoalesced\":", session.figures.eventsCoalesced)
        appendMember(",\"bytesWaiting\":", UInt64(session.output.count))
        appendMember(",\"lifetimes\":", UInt64(tree.reader.countTemporaryValues(of: session.number)))
    }

    private func appendMember(_ head: StaticString, _ count: UInt64) {
        answer.append(head)
        answer.append(decimal: count)
    }

    private func appendSubscriptions(of session: Session, atMost limit: Int) {
        let numbers = clients.subscriptionNumbers(of: session)
        answer.append(",\"subscriptions\":[")
        for (index, number) in numbers.prefix(limit).enumerated() {
            answer.append(index == 0 ? "{\"subscription\":" : ",{\"subscription\":")
            answer.append(decimal: Int64(number))
            appendPaths(of: number, session)
            if let tag = session.subscriptions.tag(of: number) { answer.append(tag: tag) }
            appendMember(",\"eventsSent\":", clients.eventsSent(of: number, session))
            answer.append(0x7D)
        }
        appendMember("],\"furtherSubscriptions\":", UInt64(numbers.count - min(numbers.count, limit)))
    }

    private func appendPaths(of number: Int32, _ session: Session) {
        let paths = clients.paths(of: number, session)
        answer.append(",\"paths\":[")
        for (index, path) in paths.prefix(Hub.mostListed).enumerated() {
            if index > 0 { answer.append(0x2C) }
            answer.append(utf8: path)
        }
        answer.append(0x5D)
        if paths.count > Hub.mostListed {
            appendMember(",\"furtherPaths\":", UInt64(paths.count - Hub.mostListed))
        }
    }
}
