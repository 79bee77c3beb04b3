// SPDX-License-Identifier: MIT
// The memory that all connections together may use: each attack is stopped, and others are served.

import Testing

@testable import ObserveCore

struct BufferedBytesTests {
    private static let overflow = RawPeer.goodbye("overflow")
    private static let limit = 4 << 20

    private func hub(_ set: (inout ServerLimits) -> Void = { _ in }) -> Hub {
        var limits = ServerLimits()
        limits.clients.maxBufferedBytes = Self.limit
        set(&limits)
        let long = String(repeating: "x", count: 100_000)
        return .with([("t", #"{"a":1,"long":"\#(long)"}"#)], limits: limits)
    }

    private func clients(_ count: Int, of hub: Hub, areAsleep: Bool = false) -> [FakeClient] {
        (0..<count).map { number in
            let client = FakeClient(hub, token: UInt64(number + 2))
            client.isAsleep = areAsleep
            return client
        }
    }

    /// The true sum of all sessions' bytes, without those behind which only a `goodbye` follows.
    private func held(_ hub: Hub) -> Int {
        hub.clients.sessions.all.reduce(0) { $0 + ($1.delivery.isRelieved ? 0 : $1.heldBytes) }
    }

    /// Checks that another client is served, and that the sum is right and within the limit.
    private func check(_ hub: Hub) {
        let other = FakeClient(hub, token: 1)
        #expect(other.ask(#"{"id":1,"method":"get","params":{"path":"t.a"}}"#).count == 1)
        other.close()
        for session in hub.clients.sessions.all { hub.clients.account(session) }
        #expect(hub.clients.sessions.buffered.total == held(hub))
        #expect(hub.clients.sessions.buffered.total <= Self.limit)
    }

    private func closeAll(_ clients: [FakeClient], _ hub: Hub) {
        for client in clients { client.close() }
        #expect(hub.clients.sessions.buffered.total == 0)
        #expect(hub.tree.faults() == [])
    }

    // MARK: Attacks

    @Test func `half lines of many clients are bounded`() {
        let hub = hub()
        let clients = clients(50, of: hub)
        let half = Array(repeating: UInt8(ascii: "x"), count: 500_000)
        for client in clients {
            client.send(bytes: half)
            #expect(held(hub) <= Self.limit + 2 * half.count)
        }
        check(hub)
        let cut = clients.filter { $0.session.delivery.closing == .overflow }
        #expect(cut.count >= 40 && cut.count < 50)
        for client in cut { #expect(client.take() == [Self.overflow]) }
        #expect(hub.clients.metrics.sessionsOverflowed == UInt64(cut.count))
        closeAll(clients, hub)
    }

    @Test func `a client that holds little is served while another holds too much`() {
        let hub = hub()
        let clients = clients(2, of: hub)
        clients[0].send(bytes: Array(#"{"id":1,"#.utf8))
        for _ in 0..<10 { clients[1].send(bytes: Array(repeating: 0x20, count: 1_000_000)) }
        // The line is too long long before: it is skipped and takes no memory.
        #expect(clients[1].take().count == 1)
        clients[0].send(bytes: Array("\"method\":\"ping\"}\n".utf8))
        #expect(clients[0].take() == [RawPeer.pong])
        closeAll(clients, hub)
    }

    @Test func `unread answers of many clients are bounded, and few clients are cut off`() {
        let hub = hub { $0.clients.maxOutboxBytes = 2 << 20 }
        let clients = clients(30, of: hub, areAsleep: true)
        let get = #"{"id":1,"method":"get","params":{"path":"t.long"}}"#
        let asked = Array((Array(repeating: get, count: 40).joined(separator: "\n") + "\n").utf8)
        for client in clients {
            #expect(!client.send(bytes: asked))
            #expect(held(hub) <= Self.limit + 400_000)
        }
        check(hub)
        // A client that reads gets all of its answers.
        let open = clients.filter { $0.session.delivery.closing == nil }
        #expect(open.count >= 15)
        for client in open {
            client.isAsleep = false
            var answers = client.take().count
            while answers < 40, client.session.delivery.closing == nil {
                client.send(bytes: [])
                answers += client.take().count
            }
            #expect(answers == 40)
        }
        closeAll(clients, hub)
    }

    @Test(arguments: [#""delivery":"every""#, #""old":true"#, #""throttle":100000,"old":true"#])
    func `stalled readers are bounded`(options: String) {
        let hub = hub { $0.clients.maxOutboxBytes = 1 << 20 }
        let clients = clients(40, of: hub)
        for client in clients {
            client.send(#"{"id":1,"method":"subscribe","params":{"path":"t.**",\#(options)}}"#)
            _ = client.take()
            client.isAsleep = true
        }
        let writer = FakeClient(hub, token: 1)
        for number in 0..<200 {
            let value = String(repeating: "\(number % 10)", count: 20_000)
            writer.send(#"{"method":"set","params":{"path":"t.k\#(number % 20)","value":"\#(value)"}}"#)
            for client in clients { hub.clients.account(client.session) }
            if hub.clients.sessions.buffered.isExceeded { hub.relieveMemory() }
            #expect(held(hub) <= Self.limit)
        }
        writer.close()
        check(hub)
        let cut = clients.filter { $0.session.delivery.closing == .overflow }
        #expect(!cut.isEmpty)
        for client in cut {
            client.isAsleep = false
            #expect(client.take().last == Self.overflow)
        }
        closeAll(clients, hub)
    }

    @Test(arguments: [true, false])
    func `an unfinished load is bounded`(isDump: Bool) throws {
        let hub = hub()
        let client = FakeClient(hub, token: 2)
        var text = Substring("[\"" + String(repeating: "y", count: 6_000_000))
        if isDump {
            // Its tree takes more than the limit, its text less.
            let source = Hub.with([
                ("r", "[\(Array(repeating: "1", count: 400_000).joined(separator: ","))]")
            ])
            text = Substring(try FakeClient(source).dump())
        }
        var part = 0
        while client.session.delivery.closing == nil, !text.isEmpty {
            let params = part == 0 && !isDump ? #""path":"t.a","# : ""
            let piece = RawJSON(.string(String(text.prefix(400_000)))).text
            text = text.dropFirst(400_000)
            client.send(
                #"{"id":1,"method":"load","params":{\#(params)"part":\#(part),"last":false,"text":\#(piece)}}"#
            )
            part += 1
            #expect(held(hub) <= Self.limit)
        }
        #expect(client.take().last == Self.overflow)
        #expect(client.session.intake == nil)
        check(hub)
        closeAll([client], hub)
    }

    @Test func `initial events that wait for the answer of their batch count`() throws {
        let hub = hub()
        let client = clients(1, of: hub)[0]
        hub.clients.sessions.turns.turn = 5
        let paths = (0..<1000).map { #""t.k\#($0)""# }.joined(separator: ",")
        var batch = Array(
            #"[{"id":1,"method":"subscribe","params":{"paths":[\#(paths)]}},\#(RawPeer.ping)]"#.utf8 + [0x0A]
        )
        for _ in 0..<10_000 where client.session.suspended?.following.held.isEmpty != false {
            hub.clients.beginTurn()
            _ = ByteView.with(batch) { hub.receive($0, from: client.session) }
            hub.clients.endTurn()
            batch = []
        }
        let line = try #require(client.session.suspended)
        #expect(line.heldBytes >= line.text.heldBytes + line.answers.heldBytes + 4000)
        closeAll([client], hub)
    }

    // MARK: Goodbyes

    /// A client that has read a part of a line finds its end before the goodbye.
    @Test func `the goodbye is a line of its own`() {
        let hub = hub()
        for rest in [1, 10, 99_000] {
            let client = FakeClient(hub, token: 2)
            client.isAsleep = true
            client.send(#"{"id":1,"method":"get","params":{"path":"t.long"}}"#, RawPeer.ping)
            let waiting = hub.clients.waitingOutput(of: client.session).array
            let answer = waiting.prefix { $0 != 0x0A }.count + 1
            #expect(!hub.clients.sent(answer - rest, to: client.session))
            hub.clients.account(client.session)
            hub.clients.sessions.buffered.add(Self.limit)
            hub.relieveMemory()
            hub.clients.sessions.buffered.add(-Self.limit)
            let sent = hub.clients.waitingOutput(of: client.session).array
            let goodbye = Array((Self.overflow + "\n").utf8)
            #expect(sent == (rest > 64 << 10 ? [0x0A] : Array(waiting[(answer - rest)..<answer])) + goodbye)
            client.close()
        }
    }

    /// Else the event loop would free them again and again.
    @Test(arguments: [1, 100, 4096])
    func `goodbyes beyond the limit close no other client`(limit: Int) {
        let hub = hub { $0.clients.maxBufferedBytes = limit }
        let greedy = clients(3, of: hub, areAsleep: true)
        let other = FakeClient(hub, token: 1)
        for client in greedy {
            client.send(#"{"id":1,"method":"get","params":{"path":"t.long"}}"#)
            #expect(client.session.delivery.closing == .overflow)
            #expect(hub.clients.sessions.buffered.total == 0)
            #expect(other.ask(RawPeer.ping) == [RawPeer.pong])
        }
        #expect(hub.clients.metrics.sessionsOverflowed == 3)
        for client in greedy {
            client.isAsleep = false
            #expect(client.take() == [Self.overflow])
        }
        closeAll(greedy + [other], hub)
    }

    // MARK: The sum

    @Test func `answers that are lost behind another goodbye end with overflow alone`() {
        let hub = hub()
        let client = clients(1, of: hub, areAsleep: true)[0]
        for _ in 0..<10 { client.send(#"{"id":1,"method":"get","params":{"path":"t.long"}}"#) }
        hub.clients.sendGoodbye(.idle, to: client.session)
        var limits = hub.clients.limits
        limits.maxBufferedBytes = 1000
        hub.clients.sessions.buffered.adopt(limits)
        hub.relieveMemory()
        client.isAsleep = false
        #expect(client.take().filter { $0.contains("goodbye") } == [Self.overflow])
        closeAll([client], hub)
    }

    @Test func `the allowance shrinks with the free bytes`() {
        var limits = ClientLimits()
        (limits.maxBufferedBytes, limits.maxOutboxBytes, limits.foldAfterBytes) = (1000, 400, 10)
        var buffered = BufferedBytes(limits)
        #expect(buffered.allowance == 400)
        for (total, allowance) in [
            (200, 400), (202, 399), (600, 200), (979, 10), (980, 10), (1000, 10), (1001, -1),
        ] {
            buffered.add(total - buffered.total)
            #expect(buffered.allowance == allowance)
            #expect(buffered.isExceeded == (total > 1000))
            #expect(buffered.mustShrink == (total > 875))
        }
        limits.maxBufferedBytes = 2000
        buffered.adopt(limits)
        #expect(buffered.total == 1001 && buffered.allowance == 400)
    }
}
