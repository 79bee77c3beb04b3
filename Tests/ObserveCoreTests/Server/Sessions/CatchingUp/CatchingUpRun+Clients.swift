// SPDX-License-Identifier: MIT
// What the clients do: they sleep, read some bytes, send requests, go and resume.

@testable import ObserveCore

extension CatchingUpRun {
    private static let literals = [
        "a", "a.x", "a.y", "a.m", "a.m.k", "a.m.n.z", "a.r", "a.r.0", "a.r.1.k", "a.w", "a.w.k", "b", "b.m.k",
        "b.l",
        "b.l.k", "s.n", "a.r.@count", "a.m[k == 1].z", "a.m[k > 1]", "c", "c.x", "b.m[n.z == null].k",
        "a.r.0.1",
    ]
    private static let wildcards = [
        ["*"], ["a.*"], ["a.*.k"], ["a.r.*"], ["*.m.*"], ["*.x"], ["a.*[k == 1].z"], ["a.r.*[. > 1]"],
        ["*.*[z > 0].k"], ["b.*", "a.m.*"], ["c.*", "s.n"],
    ]
    private static let deep = [["**"], ["a.**"], ["b.m.**"], ["a.r.**"], ["c.**"], ["a.m[k == 1].**"]]
    /// Patterns that match weak references, or overlap.
    private static let overlapping = [
        ["a.*.**"], ["a.**", "a.*"], ["a.**", "a.r.*"], ["a.**", "a.*.**"], ["**", "a.x", "b.m.k"],
        ["a.*", "a.x"],
        ["*.**", "a.m.k"], ["a.**", "a.m.n.z", "c"], ["a.*", "*.m"],
    ]

    mutating func randomOptions() -> CatchingUpOptions {
        let texts: [String]
        switch below(plan.hasWeak ? 8 : 10) {
        case 0..<4: texts = Array(Self.literals.shuffled(using: &random).prefix(1 + below(5)))
        case 4..<6: texts = pick(Self.wildcards)
        case 6..<8: texts = pick(Self.deep)
        default: texts = pick(Self.overlapping)
        }
        var options = CatchingUpOptions(patterns: texts.map(CatchingUpPattern.init))
        options.hasInitial = below(4) > 0
        options.old = below(2) == 0
        options.prior = below(4) == 0
        options.distinct = below(4) > 0
        options.own = below(8) > 0
        options.origin = below(4) == 0
        options.whole = below(5) == 0
        options.tag = pick([Value?.none, Value?.none, .some("t"), .some(7)])
        if plan.isPaced {
            (options.throttle, options.debounce) = pick([(0, 0), (20, 0), (0, 20), (90, 0), (0, 7)])
        }
        options.every = !options.isPaced && below(5) == 0
        return options
    }

    // MARK: Requests

    mutating func act(on client: CatchingUpClient) {
        guard !client.oracle.isOver, client.oracle.expected.count < 6 else { return }
        if below(6) > 0 { return send(to: client, request(client)) }
        var drafts: [Draft] = []
        for _ in 0...below(4) {
            drafts.append(request(client))
            // Events of a further write would come before the answer.
            if case .subscribe = drafts[drafts.count - 1].kind { break }
        }
        send(to: client, drafts, isBatch: true)
    }

    typealias Draft = (text: String, kind: CatchingUpRequest.Kind, hasID: Bool)

    func ping(_ client: CatchingUpClient) -> Draft { (#""method":"ping""#, .ping, true) }

    private mutating func request(_ client: CatchingUpClient) -> Draft {
        switch below(14) {
        case 0..<3 where client.subscriptions.count < 5: return subscribe(client, randomOptions(), nil)
        case 3 where !client.subscriptions.isEmpty:
            let number = pick(client.subscriptions)
            client.subscriptions.removeAll { $0 == number }
            let text = #""method":"unsubscribe","params":{"subscription":\#(number)}"#
            return (text, .unsubscribe(number), below(5) > 0)
        case 4..<6:
            let path = pick(Self.literals)
            return (#""method":"get","params":{"path":"\#(path)"}"#, .get([path]), below(6) > 0)
        case 6:
            let paths = Array(Self.literals.shuffled(using: &random).prefix(2 + below(3)))
            let list = paths.map { "\"\($0)\"" }.joined(separator: ",")
            return (#""method":"get","params":{"paths":[\#(list)]}"#, .get(paths), true)
        case 7..<11: return (operation(), .write, below(3) > 0)
        default: return (#""method":"ping""#, .ping, below(6) > 0)
        }
    }

    /// A request to subscribe, or to resume.
    mutating func subscribe(
        _ client: CatchingUpClient,
        _ options: CatchingUpOptions,
        _ resumption: CatchingUpResumption?
    ) -> Draft {
        client.lastSubscription += 1
        client.subscriptions.append(client.lastSubscription)
        if options.every { client.oracle.mayOverflow = true }
        var params = options.params
        if let resumption {
            params += #","since":{"epoch":"\#(resumption.epoch)","revision":\#(resumption.revision)}"#
        }
        let kind = CatchingUpRequest.Kind.subscribe(client.lastSubscription, options, resumption)
        return (#""method":"subscribe","params":{\#(params)}"#, kind, true)
    }

    mutating func send(to client: CatchingUpClient, _ draft: Draft) {
        send(to: client, [draft], isBatch: false)
    }

    private mutating func send(to client: CatchingUpClient, _ drafts: [Draft], isBatch: Bool) {
        var requests: [CatchingUpRequest] = []
        var texts: [String] = []
        for draft in drafts {
            if draft.hasID { client.lastID += 1 }
            let id = draft.hasID ? client.lastID : nil
            requests.append(CatchingUpRequest(id: id, kind: draft.kind, sentAt: hub.tree.revision))
            texts.append(id.map { #"{"id":\#($0),\#(draft.text)}"# } ?? "{\(draft.text)}")
        }
        let line = isBatch ? "[\(texts.joined(separator: ","))]" : texts[0]
        note("\(client.oracle.context) sends \(line)")
        client.oracle.expect(requests, isBatch: isBatch)
        let subscribes = texts.contains { $0.contains(#""method":"subscribe""#) }
        // Only while the socket is full, initial events take several steps of the run.
        if plan.turn != nil, subscribes, below(2) == 0 {
            client.client.sleep()
            client.hasSlept = true
        }
        serve(client) { $0.send(line) }
    }

    // MARK: Sockets

    mutating func sleepOrWake(_ client: CatchingUpClient) {
        let isPrompt = plan.isPaced && clients.prefix(Self.prompt).contains { $0 === client }
        switch below(9) {
        case 0..<4:
            if isPrompt { return }
            let bytes = client.isDeaf ? 0 : pick([0, 0, 0, 1, 50, 1000])
            note("\(client.oracle.context) sleeps after \(bytes) bytes")
            client.client.sleep(after: bytes)
            client.hasSlept = true
        case 4..<8 where !client.isDeaf: wake(client, pick([1, 10, 100, 400, 2000, .max, .max]))
        case 8 where !client.isDeaf && below(6) == 0:
            note("\(client.oracle.context) closes")
            replace(client)
        default: break
        }
    }

    mutating func wake(_ client: CatchingUpClient, _ bytes: Int) {
        if client.hasSlept == false { return }
        note("\(client.oracle.context) wakes for \(bytes) bytes")
        serve(client) { $0.wake(bytes) }
        check(client)
    }

    /// The connection ends; another client takes the place, and perhaps resumes.
    mutating func replace(_ client: CatchingUpClient) {
        let resumptions = client.oracle.resumptions
        figures.add(client.oracle.figures)
        client.client.close()
        truth.record()
        let next = addClient()
        clients.removeLast()
        clients[clients.firstIndex { $0 === client } ?? 0] = next
        next.isDeaf = client.isDeaf
        for resumption in resumptions.shuffled(using: &random) where below(3) > 0 {
            if below(4) == 0 { write() }
            send(to: next, subscribe(next, resumption.options, resumption))
        }
    }
}
