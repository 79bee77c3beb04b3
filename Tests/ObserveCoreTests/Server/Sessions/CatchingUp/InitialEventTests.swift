// SPDX-License-Identifier: MIT
// Initial events that take several turns of their client, while others write.

import Testing

@testable import ObserveCore

@Suite struct InitialEventTests {
    private static func line(_ id: Int, _ method: String, _ params: String) -> String {
        #"{"id":\#(id),"method":"\#(method)","params":{\#(params)}}"#
    }

    /// Sends a line for one turn, and calls `between` before each further one.
    private func send(_ line: String, _ client: FakeClient, turn: UInt64, between: () -> Void) {
        client.hub.clients.sessions.turns.turn = turn
        var input = Array((line + "\n").utf8)
        while true {
            client.hub.clients.beginTurn()
            _ = ByteView.with(input) { client.hub.receive($0, from: client.session) }
            client.hub.clients.endTurn()
            if client.session.suspended == nil, !client.session.hasOpenFrame { return }
            input = []
            between()
        }
    }

    private func members(_ line: String) -> Value { (try? Value(json: line))?["params"] ?? nil }

    /// Each event as its path, value and revision; with `+` if others of its frame follow.
    private func events(_ lines: [String]) -> [String] {
        lines.map(members).map { event in
            let (path, new, revision) = (event["path"], event["new"], event["revision"])
            let more = event["more"] == true ? "+" : ""
            return "\(path?.string ?? "?")=\(new ?? "?")@\(revision?.int ?? -1)\(more)"
        }
    }

    @Test(arguments: [#""path":"a.*""#, #""paths":["a.x","a.y","a.z"]"#])
    func `changes meanwhile are in the initial events or follow them, and the frame ends with the last`(
        paths: String
    ) {
        let hub = Hub.with([("a", #"{"x":0,"y":0,"z":0}"#)])
        let (client, writer) = (FakeClient(hub, token: 1), FakeClient(hub, token: 2))
        var writes = [("a.x", 1), ("a.z", 2)]
        send(Self.line(1, "subscribe", paths), client, turn: 1) {
            guard client.session.hasOpenFrame else { return }
            let (path, value) = writes.removeFirst()
            _ = writer.ask(Self.line(1, "set", #""path":"\#(path)","value":\#(value)"#))
        }
        #expect(writes.isEmpty)
        let lines = client.take()
        #expect(lines[0].contains(#""initial":3"#))
        #expect(events(Array(lines.dropFirst())) == ["a.x=0@1+", "a.x=1@2+", "a.y=0@2+", "a.z=2@3"])
    }

    @Test(arguments: [
        (#""method":"set","params":{"path":"a.z","value":1}"#, ["a.x=0@2+", "a.y=0@2+", "a.z=1@2"]),
        (#""method":"set","params":{"path":"a.x","value":1}"#, ["a.x=1@2+", "a.y=0@2"]),
        (#""method":"remove","params":{"path":"a.x"}"#, ["a.y=0@2+", "a.x=null@2"]),
        (#""method":"remove","params":{"path":"a"}"#, ["a.x=null@2+", "a.y=null@2"]),
        (#""method":"unsubscribe","params":{"subscription":1}"#, []),
    ])
    func `a batch may change what it subscribes to`(_ second: String, _ expected: [String]) {
        let client = FakeClient(Hub.with([("a", #"{"x":0,"y":0}"#)]), token: 1)
        let lines = client.ask("[\(Self.line(1, "subscribe", #""path":"a.*""#)),{\"id\":2,\(second)}]")
        #expect(lines[0].contains(#""initial":2"#))
        #expect(events(Array(lines.dropFirst())) == expected)
    }

    @Test func `a path that ceases to match before its turn has its initial event`() {
        let hub = Hub.with([("a", #"{"x":0,"y":0,"z":0}"#)])
        let (client, writer) = (FakeClient(hub, token: 1), FakeClient(hub, token: 2))
        send(Self.line(1, "subscribe", #""path":"a.*""#), client, turn: 1) {
            guard client.session.hasOpenFrame else { return }
            _ = writer.ask(Self.line(1, "remove", #""path":"a.z""#))
        }
        let lines = client.take()
        #expect(lines[0].contains(#""initial":3"#))
        #expect(events(Array(lines.dropFirst())) == ["a.x=0@1+", "a.y=0@2+", "a.z=null@2"])
        #expect(hub.tree.faults() == [])
    }

    /// The simulator found it.
    @Test func `a delayed event that comes after a later initial event has its revision`() {
        let clock = TestClock()
        let hub = Hub.with([("a", #"{"x":0,"y":0,"z":0}"#), ("b", "0")], clock: clock)
        let (client, writer) = (FakeClient(hub, token: 1), FakeClient(hub, token: 2))
        func write(_ path: String, _ value: Int) {
            _ = writer.ask(Self.line(1, "set", #""path":"\#(path)","value":\#(value)"#))
        }
        client.send(Self.line(1, "subscribe", #""path":"b","throttle":50,"initial":false"#))
        write("b", 1)
        write("b", 2)
        #expect(events(Array(client.take().dropFirst())) == ["b=1@3"])
        var value = 0
        send(Self.line(1, "subscribe", #""path":"a.*""#), client, turn: 1) {
            guard client.session.hasOpenFrame else { return }
            value += 1
            write("a.z", value)
        }
        clock.pass(milliseconds: 60, in: hub)
        let lines = events(Array(client.take().dropFirst()))
        #expect(lines == ["a.x=0@4+", "a.y=0@5+", "a.z=2@6", "b=2@6"])
    }

    /// The simulator found it: a refused batch may end the session when its turn begins.
    @Test func `no initial event follows a goodbye`() {
        let hub = Hub.with([("a", #"{"x":0,"y":0,"z":0}"#)])
        let (client, writer) = (FakeClient(hub, token: 1), FakeClient(hub, token: 2))
        send(Self.line(1, "subscribe", #""path":"a.*""#), client, turn: 1) {
            guard client.session.hasOpenFrame,
                client.session.delivery.closing == nil
            else { return }
            hub.clients.sendGoodbye(.overflow, to: client.session)
            _ = writer.ask(Self.line(1, "remove", #""path":"a.z""#))
        }
        let lines = client.take()
        #expect(lines.count == 3 && lines[2].contains("goodbye"), "\(lines)")
        #expect(events([lines[1]]) == ["a.x=0@1+"])
        client.close()
        writer.close()
        #expect(hub.clientRecords == Hub.noClientRecords && hub.tree.faults() == [])
    }

    @Test func `the client's next request waits for the initial events of the one before`() {
        let hub = Hub.with([("a", #"{"x":0,"y":0,"z":0}"#)])
        let client = FakeClient(hub)
        let text = Self.line(1, "subscribe", #""path":"a.*""#) + "\n" + Self.line(2, "ping", "")
        send(text, client, turn: 1) {}
        hub.clients.beginTurn()
        _ = hub.receive(ByteView(""), from: client.session)
        hub.clients.endTurn()
        let lines = client.take()
        #expect(lines.count == 5 && lines[4].contains(#""id":2"#), "\(lines)")
    }

    @Test(arguments: [1, 3] as [UInt64])
    func `a connection that closes meanwhile leaves nothing`(turns: UInt64) {
        let hub = Hub.with([("a", #"{"x":{"k":1},"y":{"k":2},"z":{"k":3}}"#)])
        hub.tree.wildcards.fewestPrepared = 2
        let client = FakeClient(hub)
        hub.clients.sessions.turns.turn = turns
        let before = (hub.tree.stateDump, hub.tree.usedBytes)
        var text = Array((Self.line(1, "subscribe", #""path":"a.*.k""#) + "\n").utf8)
        for _ in 0..<turns {
            hub.clients.beginTurn()
            _ = ByteView.with(text) { hub.receive($0, from: client.session) }
            hub.clients.endTurn()
            text = []
        }
        #expect(client.session.suspended != nil)
        #expect(hub.tree.faults() == [])
        client.close()
        #expect(hub.clientRecords == Hub.noClientRecords && hub.tree.faults() == [])
        #expect(hub.tree.wildcards.preparations.isEmpty && hub.tree.paths.nodes.count == 1)
        #expect((hub.tree.stateDump, hub.tree.usedBytes) == before)
    }

    /// Each attachment takes five units, so a turn makes one.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `a connection that closes before all of its paths are observed leaves nothing`(turns: UInt64) {
        let hub = Hub.with([("a", "{}")])
        let (client, other) = (FakeClient(hub, token: 1), FakeClient(hub, token: 2))
        let before = (hub.tree.stateDump, hub.tree.usedBytes)
        let request = Self.line(1, "subscribe", #""paths":["a.x","a.y","observed.revision","a.z"]"#)
        hub.clients.sessions.turns.turn = 1
        var text = Array((request + "\n").utf8)
        for _ in 0..<turns {
            hub.clients.beginTurn()
            _ = ByteView.with(text) { hub.receive($0, from: client.session) }
            hub.clients.endTurn()
            text = []
        }
        #expect(client.session.suspended != nil && !client.session.hasOpenFrame)
        #expect(hub.tree.faults() == [])
        client.close()
        while !hub.clients.sessions.departing.isEmpty { hub.clients.continueClosing() }
        #expect((hub.tree.stateDump, hub.tree.usedBytes) == before)
        other.close()
        #expect(hub.clientRecords == Hub.noClientRecords && hub.tree.faults() == [])
        #expect(hub.tree.paths.nodes.count == 1)
    }

    @Test(arguments: [true, false])
    func `a subscription gets no event before its answer`(wantsInitial: Bool) {
        let hub = Hub.with([("a", #"{"x":0,"y":0,"z":0}"#)])
        let (client, writer) = (FakeClient(hub, token: 1), FakeClient(hub, token: 2))
        var value = 0
        let params = #""paths":["a.x","a.y","a.x","a.z"],"initial":\#(wantsInitial)"#
        send(Self.line(1, "subscribe", params), client, turn: 1) {
            guard !client.session.hasOpenFrame else { return }
            value += 1
            for name in ["x", "z"] {
                _ = writer.ask(Self.line(1, "set", #""path":"a.\#(name)","value":\#(value)"#))
            }
        }
        _ = writer.ask(Self.line(1, "set", #""path":"a.y","value":9"#))
        let lines = client.take()
        #expect(value > 2)
        let revision = value * 2 + 1
        #expect(lines[0].contains(#""revision":\#(revision),"#))
        #expect(lines[0].contains(#""initial":\#(wantsInitial ? 3 : 0)"#))
        let initial = ["a.x=\(value)@\(revision)+", "a.y=0@\(revision)+", "a.z=\(value)@\(revision)"]
        #expect(events(Array(lines.dropFirst())) == (wantsInitial ? initial : []) + ["a.y=9@\(revision + 1)"])
        #expect(hub.tree.faults() == [])
    }

    @Test(arguments: seeds(40, usually: 5))
    func `a copy is exact at the end of each frame, however long the turns are`(seed: UInt64) {
        var run = InitialEventRun(seed: seed)
        run.run()
        #expect(run.faults == [], "seed \(seed)")
    }
}

/// Clients that subscribe to patterns in short turns, one after the other, while others write between these turns.
private struct InitialEventRun {
    private static let patterns: [[String]] = [
        ["a.*.*"], ["b.*"], ["a.*.p1"], ["a.*.*", "b.*"], ["a.k0.*", "a.*.*"], ["b.p0", "b.p1", "b.p2"],
        ["*.*"], ["a.k1.p0", "b.*"], ["a.k0.p0", "b", "a.k0.p0", "a.k1.p1", "a.k2"],
        ["b.p2", "b.p1", "a.k3.p0", "a.k0", "a.k3.p0"],
    ]

    let hub: Hub
    let writer: FakeClient
    var random: SeededGenerator
    /// Others that subscribe between these turns, and leave sooner or later.
    var bystanders: [FakeClient] = []
    var lastToken: UInt64 = 100
    /// The roots at each revision.
    var truth: [UInt64: Value] = [:]
    var faults: [String] = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        var limits = ServerLimits()
        limits.clients.foldAfterBytes = [0, 300, 64 << 10][Int(seed % 3)]
        hub = Hub.with([("a", "{}"), ("b", "{}")], limits: limits)
        hub.tree.wildcards.fewestPrepared = 2
        writer = FakeClient(hub, token: 1)
    }

    mutating func run() {
        for _ in 0..<30 { write() }
        for token in 2..<12 as Range<UInt64> { subscribe(FakeClient(hub, token: token)) }
        for bystander in bystanders { bystander.close() }
        faults += hub.tree.faults()
        if hub.tree.paths.nodes.count != 1 { faults.append("\(hub.tree.paths.nodes.count) nodes are left") }
    }

    private mutating func pick<T>(_ choices: [T]) -> T {
        choices[Int.random(in: 0..<choices.count, using: &random)]
    }

    private mutating func scalar() -> String { pick(["0", "1", "2", "null", "true", #""t""#]) }

    private mutating func model() -> String {
        let count = Int.random(in: 0...3, using: &random)
        let members = ["p0", "p1", "p2"].shuffled(using: &random).prefix(count)
        return "{" + members.map { "\"\($0)\":\(scalar())" }.joined(separator: ",") + "}"
    }

    private mutating func write() {
        let request =
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<4: ("set", pick(["a.k0.p0", "a.k1.p1", "a.k2.p2", "a.k3.p0"]), scalar())
            case 4..<6: ("set", pick(["b.p0", "b.p1", "b.p2"]), scalar())
            case 6..<9: ("set", pick(["a.k0", "a.k1", "a.k2", "a.k3"]), model())
            case 9: ("set", "b", model())
            default: ("remove", pick(["a.k0", "a.k1", "a.k2.p2", "b.p0", "b.p1"]), "")
            }
        let value = request.2.isEmpty ? "" : #","value":\#(request.2)"#
        _ = writer.ask(#"{"id":1,"method":"\#(request.0)","params":{"path":"\#(request.1)"\#(value)}}"#)
        record()
    }

    private mutating func record() {
        let roots = ["a", "b"].map { root in
            let answer = writer.ask(#"{"id":1,"method":"get","params":{"path":"\#(root)"}}"#)[0]
            return (try? Value(json: answer))?["result"]?["value"] ?? nil
        }
        truth[hub.tree.revision] = ["a": roots[0], "b": roots[1]]
    }

    private mutating func subscribe(_ client: FakeClient) {
        let paths = pick(Self.patterns)
        let wantsInitial = Int.random(in: 0..<4, using: &random) > 0
        let list = paths.map { "\"\($0)\"" }.joined(separator: ",")
        let options = pick(["", #","old":true"#, #","tag":7"#])
        var input = Array(
            #"{"id":1,"method":"subscribe","params":{"paths":[\#(list)],"initial":\#(wantsInitial)\#(options)}}"#
                .utf8
        )
        input.append(0x0A)
        hub.clients.sessions.turns.turn = pick([1, 6, 20, 60, 10_000])
        var lines: [String] = []
        while true {
            hub.clients.beginTurn()
            _ = ByteView.with(input) { hub.receive($0, from: client.session) }
            hub.clients.endTurn()
            hub.clients.account(client.session)
            input = []
            if client.session.suspended == nil { break }
            letBystandersAct()
            for _ in 0..<Int.random(in: 0...2, using: &random) { write() }
            if Bool.random(using: &random) { client.isAsleep.toggle() }
            if !client.isAsleep { lines += client.take() }
        }
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            write()
            if Bool.random(using: &random) { client.isAsleep.toggle() }
            if !client.isAsleep { lines += client.take() }
        }
        client.isAsleep = false
        lines += client.take()
        check(lines, paths, wantsInitial: wantsInitial)
        client.close()
    }

    private mutating func letBystandersAct() {
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            lastToken += 1
            let bystander = FakeClient(hub, token: lastToken)
            bystanders.append(bystander)
            let list = pick(Self.patterns).map { "\"\($0)\"" }.joined(separator: ",")
            takeTurn(bystander, #"{"id":1,"method":"subscribe","params":{"paths":[\#(list)]}}"# + "\n")
        case 1 where !bystanders.isEmpty:
            bystanders.remove(at: Int.random(in: 0..<bystanders.count, using: &random)).close()
        case 2: for bystander in bystanders { takeTurn(bystander, "") }
        default: break
        }
    }

    private func takeTurn(_ client: FakeClient, _ text: String) {
        hub.clients.beginTurn()
        _ = ByteView.with(Array(text.utf8)) { hub.receive($0, from: client.session) }
        hub.clients.endTurn()
        _ = client.take()
    }

    /// Applies the events in order. At the end of each frame, the copy has what the paths had at that revision.
    private mutating func check(_ lines: [String], _ paths: [String], wantsInitial: Bool) {
        guard let answer = try? Value(json: lines.first ?? ""),
            let promised = answer["result"]?["initial"]?.int
        else { return faults.append("no answer: \(lines)") }
        var copy: [String: Value] = [:]
        var (initial, last) = (0, Int64(0))
        var isOpen = promised > 0
        for line in lines.dropFirst() {
            let event = (try? Value(json: line))?["params"] ?? nil
            guard let path = event["path"]?.string, let new = event["new"],
                let revision = event["revision"]?.int
            else { return faults.append("no event: \(line)") }
            if revision < last { faults.append("back from \(last) to \(revision)") }
            last = revision
            if event["reason"] == "initial" { initial += 1 }
            copy[path] = new.object == nil ? new : "model"
            isOpen = event["more"] == true
            if isOpen || !wantsInitial { continue }
            let expected = matches(paths, at: UInt64(revision))
            let present = copy.filter { $0.value != .null }
            if present != expected { faults.append("\(paths) at \(revision): \(present), not \(expected)") }
        }
        if Int64(initial) != (wantsInitial ? promised : 0) {
            faults.append("\(initial) of \(promised) initial events")
        }
        if isOpen, wantsInitial { faults.append("a frame without end: \(lines)") }
        if wantsInitial || !copy.isEmpty {
            let expected = matches(paths, at: hub.tree.revision)
            for (path, value) in copy where value != (expected[path] ?? .null) {
                faults.append("\(path) is \(value) at the end, not \(expected[path] ?? .null)")
            }
        }
    }

    /// The values that are not null, by their paths.
    private func matches(_ patterns: [String], at revision: UInt64) -> [String: Value] {
        var found: [String: Value] = [:]
        func visit(_ value: Value, _ path: [String], _ rest: ArraySlice<String>) {
            guard let name = rest.first else {
                if value != .null {
                    found[path.joined(separator: ".")] = value.object == nil ? value : "model"
                }
                return
            }
            guard case .object(let members) = value else { return }
            for (member, value) in members where name == "*" || member == name {
                visit(value, path + [member], rest.dropFirst())
            }
        }
        for pattern in patterns {
            visit(truth[revision] ?? nil, [], pattern.split(separator: ".").map(String.init)[...])
        }
        return found
    }
}
