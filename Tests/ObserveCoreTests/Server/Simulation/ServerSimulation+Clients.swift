// SPDX-License-Identifier: MIT
// What the clients of a simulated server do. Independent of the server.

@testable import ObserveCore

extension ServerSimulation {
    /// Lets a client do something, or nothing.
    func act(_ client: SimulatedClient) {
        guard client.isConnected else {
            if below(4) == 0 { connect(client) }
            return
        }
        if client.canAsk, client.waitingBytes < 5000 {
            for _ in 0..<below(4) { ask(client) }
        }
        move(client)
        switch below(150) {
        case 0..<4: client.eagerness = pick([0, 5, 50, 100])
        case 4: client.vanish()
        case 5: client.endInput()
        case 6 where client.canAsk: client.sendHalf(#"{"id":1,"method":"pi"#)
        default: break
        }
    }

    /// Moves some bytes between the client and its socket.
    func move(_ client: SimulatedClient) {
        if below(4) > 0 { client.push(pick([1, 7, 100, .max])) }
        guard below(100) < client.eagerness else { return }
        note(client.read(pick([1, 30, 1000, .max])))
    }

    // MARK: Requests

    private func ask(_ client: SimulatedClient) {
        guard let talk = client.talk else { return }
        switch below(100) {
        case 0..<6: send("{\(requests.write())}", nil, client)
        case 6..<11 where plan.durability != .none || !plan.readsLines: batch(client, talk)
        case 11:
            send(
                #"{"id":1,"method":"set","params":{"path":"s.x","value":"\#(String(repeating: "x", count: 700))"}}"#,
                id: 1,
                .write,
                client
            )
        default:
            let id = talk.nextID()
            let (text, kind) = request(talk)
            send(#"{"id":\#(id),\#(text)}"#, id: id, kind, client)
        }
    }

    /// A request without its id.
    private func request(_ talk: SimulatedTalk) -> (String, ExpectedAnswer.Kind) {
        switch below(90) {
        case 0..<14:
            let value = talk.lane.next()
            return (
                #""method":"set","params":{"path":"s.\#(talk.lane.name)","value":\#(value)}"#, .lane(value)
            )
        case 14..<24:
            let path = pick(ServerRequests.paths)
            return (#""method":"get","params":{"path":"\#(path)"}"#, .get(path.names))
        case 24..<30: return (#""method":"ping""#, .any)
        case 30..<38 where talk.mirrors.count < 5:
            let subscription = requests.subscription()
            return (subscribe(subscription), .subscribe(subscription, after: nil))
        case 38..<41:
            guard let number = talk.popSubscription(below(5)) else { return (#""method":"ping""#, .any) }
            return (#""method":"unsubscribe","params":{"subscription":\#(number)}"#, .unsubscribe(number))
        case 41..<43: return (requests.binding(server.hub.tree.bindingCount), .write)
        default: return (requests.write(), .write)
        }
    }

    private func subscribe(_ subscription: SimulatedSubscription, since: String = "") -> String {
        #""method":"subscribe","params":{"paths":\#(subscription.json),\#(subscription.options)\#(since)}"#
    }

    private func batch(_ client: SimulatedClient, _ talk: SimulatedTalk) {
        guard !plan.readsLines else { return }
        var (lines, expected): ([String], [ExpectedAnswer]) = ([], [])
        for _ in 0...below(4) {
            let id = talk.nextID()
            var (text, kind) = request(talk)
            // Changes by later requests of the batch would come before the answer with the subscription's number.
            if case .subscribe = kind { (text, kind) = (#""method":"ping""#, .any) }
            lines.append(#"{"id":\#(id),\#(text)}"#)
            expected.append(ExpectedAnswer(id: id, kind: kind))
        }
        let isRefused = expected.count > plan.limits.clients.maxOperations
        if isRefused { forget(expected, talk) }
        send(
            "[\(lines.joined(separator: ","))]",
            id: 0,
            isRefused ? .refused : .batch(expected),
            client
        )
    }

    /// Notes that the server will not execute these requests.
    private func forget(_ expected: [ExpectedAnswer], _ talk: SimulatedTalk) {
        for answer in expected {
            switch answer.kind {
            case .lane(let value): talk.lane.refuse(value, mayStay: false)
            case .batch(let parts): forget(parts, talk)
            case .unsubscribe(let number): talk.keepSubscription(number)
            default: break
            }
        }
    }

    private func send(_ line: String, id: Int64 = 0, _ kind: ExpectedAnswer.Kind?, _ client: SimulatedClient)
    {
        guard let talk = client.talk else { return }
        guard line.utf8.count <= plan.limits.clients.maxLineBytes else {
            if let kind { forget([ExpectedAnswer(id: id, kind: kind)], talk) }
            return client.send(line, [ExpectedAnswer(id: id, kind: .refused)])
        }
        client.send(line, kind.map { [ExpectedAnswer(id: id, kind: $0)] } ?? [])
    }

    /// Asks for what the client missed since its last connection.
    func resume(_ client: SimulatedClient) {
        guard let talk = client.talk else { return }
        for mirror in client.resumable where below(5) > 0 {
            let id = talk.nextID()
            let since = #","since":{"epoch":"\#(client.epoch)","revision":\#(mirror.revision)}"#
            send(
                #"{"id":\#(id),\#(subscribe(mirror.subscription, since: since))}"#,
                id: id,
                .subscribe(mirror.subscription, after: mirror),
                client
            )
        }
        client.forgetResumable()
    }
}
