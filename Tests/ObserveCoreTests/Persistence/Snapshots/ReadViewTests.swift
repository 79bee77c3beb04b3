// SPDX-License-Identifier: MIT
// A read view shows the tree at the moment of its creation while writes continue.

import Testing

@testable import ObserveCore

@Suite struct ReadViewTests {
    /// The state in a read view's text, with the models' identity and revisions.
    private func state(_ text: [UInt8]) throws -> String {
        let reader = DumpReader()
        try reader.consume(text)
        try reader.finish()
        return reader.tree.stateDump
    }

    private func readView(of daemon: JournaledHub, at path: String?) throws -> ReadView {
        let terms = ReadView.Terms(epoch: "e", clock: WallClock(offset: 0), limitBytes: 0)
        guard let path else {
            return ReadView(of: daemon.tree, terms)
        }
        let parsed = ParsedKeyPath(maxDepth: 64)
        try parsed.parse(dotted: path)
        return try ReadView(of: daemon.tree, at: parsed, terms)
    }

    private func whole(_ readView: ReadView) -> [UInt8] {
        let out = ByteBuffer()
        while !readView.isDone { readView.write(to: out, bytes: 1) }
        return out.array
    }

    @Test(arguments: seeds(60, usually: 15))
    func `a read view does not show later writes, refused commits and expiries`(seed: UInt64) throws {
        let daemon = try JournaledHub(reserving: 0)
        var writes = StateWrites(seed: seed)
        func write() {
            daemon.disk.isFull = writes.chance(8)
            _ = daemon.client(UInt64(1 + writes.below(3))).ask(writes.request(in: daemon.tree))
            if writes.chance(6) { daemon.client(UInt64(1 + writes.below(3))).close() }
            daemon.disk.isFull = false
            daemon.clock.pass(milliseconds: UInt64(writes.below(120)), in: daemon.hub)
        }
        for _ in 0..<80 { write() }
        for round in 0..<3 {
            daemon.hub.journaling.flushBatch()
            let path = round == 1 ? writes.path(in: daemon.tree) : nil
            guard path.map(daemon.tree.hasProperty) ?? true else { continue }
            let expected = try state(whole(try readView(of: daemon, at: path)))
            let readViews = try (0..<3).map { _ in try readView(of: daemon, at: path) }
            let texts = readViews.map { _ in ByteBuffer() }
            for (index, readView) in readViews.enumerated() {
                readView.lineBytes = [1, 30, 200][index]
            }
            while !readViews.allSatisfy(\.isDone) {
                let index = writes.below(3)
                readViews[index].write(to: texts[index], bytes: 1)
                if writes.chance(70) { write() }
            }
            for text in texts { #expect(try state(text.array) == expected, "seed \(seed), \(path ?? "all")") }
            #expect(daemon.tree.recordCounts.hooks == 0)
            #expect(daemon.tree.faults() == [])
        }
    }

    @Test func `a read view hides each kind of change`() throws {
        for change in [
            #""set","params":{"path":"r.d.b","value":9}"#, #""remove","params":{"path":"r.d.b"}"#,
            #""set","params":{"path":"r.d.new","value":9}"#, #""remove","params":{"path":"r.d"}"#,
            #""set","params":{"path":"r","value":null}"#, #""insert","params":{"path":"r.d.list","value":9}"#,
            #""set","params":{"path":"r.d.c","value":9,"lifetime":5}"#,
            #""link","params":{"path":"r.d.b","target":"r.d.c"}"#, #""remove","params":{"path":"r.d.c"}"#,
            #""transaction","params":{"operations":[{"method":"remove","params":{"path":"r.d.a"}},{"method":"set","params":{"path":"r.d.a","value":8}}]}"#,
        ] {
            for steps in 0..<14 {
                let daemon = try JournaledHub()
                daemon.ask("set", #""path":"r","value":{"d":{"a":1,"b":2,"c":{"x":3},"list":[1]},"e":{}}"#)
                daemon.ask("link", #""path":"r.e.w","target":"r.d.c","weak":true"#)
                let expected = try state(whole(try readView(of: daemon, at: nil)))
                let readView = try readView(of: daemon, at: nil)
                readView.lineBytes = 1
                let text = ByteBuffer()
                for _ in 0..<steps { readView.write(to: text, bytes: 1) }
                #expect(
                    daemon.client().ask(#"{"id":1,"method":\#(change)}"#).last?.contains("result") == true
                )
                daemon.clock.pass(milliseconds: 10, in: daemon.hub)
                while !readView.isDone { readView.write(to: text, bytes: 1) }
                #expect(try state(text.array) == expected, "\(change) after \(steps)")
            }
        }
    }

    @Test func `a read view writes a long dictionary in lines of bounded length`() throws {
        let daemon = try JournaledHub()
        let members = (0..<2000).map { #""key\#($0)":"some text of a usual length \#($0)""# }
        daemon.ask("set", #""path":"r","value":{\#(members.joined(separator: ","))}"#)
        let readView = try readView(of: daemon, at: nil)
        readView.lineBytes = 1000
        let text = whole(readView)
        let lines = text.split(separator: 0x0A)
        #expect(lines.count > 50)
        #expect(lines.allSatisfy { $0.count < 1200 })
        let reader = DumpReader()
        try reader.consume(text)
        try reader.finish()
        #expect(reader.tree.shape() == daemon.tree.shape())
        #expect(reader.json.map { String(decoding: $0, as: UTF8.self) } == #"{"r":\#(daemon.value("r"))}"#)
    }

    @Test func `the hub cancels an idle client's dump, and completes an active one's`()
        throws
    {
        var limits = ServerLimits()
        limits.clients.maxOutboxBytes = 5000
        let clock = TestClock()
        for seconds: UInt64 in [9, 10] {
            let hub = Hub.with([("r", "{}")], limits: limits, clock: clock)
            let (client, writer) = (FakeClient(hub, token: 1), FakeClient(hub, token: 2))
            let text = String(repeating: "x", count: 3000)
            for n in 0..<200 {
                _ = writer.ask(
                    #"{"id":1,"method":"set","params":{"path":"r.k\#(n)","value":{"t":"\#(text)"}}}"#
                )
            }
            let expected = hub.tree.shape()
            let first = try client.request("dump", [])
            #expect(first["more"] == .bool(true))
            clock.pass(milliseconds: seconds * 1000, in: hub)
            for n in 0..<200 {
                _ = writer.ask(#"{"id":1,"method":"set","params":{"path":"r.k\#(n).t","value":"new"}}"#)
            }
            #expect((hub.tree.recordCounts.hooks == 0) == (seconds == 10))
            guard seconds == 9 else {
                let refusal = #expect(throws: Reply.self) { try client.request("dump", [("part", .int(1))]) }
                #expect(refusal?.code == 6)
                #expect(refusal?.message.contains("cancelled") == true)
                #expect(try client.dump().split(separator: "\n").count > 2)
                continue
            }
            var (dump, part) = (first["text"]?.string ?? "", Int64(1))
            while hub.tree.hooks.hasPreUpdateHooks {
                dump += try client.request("dump", [("part", .int(part))])["text"]?.string ?? ""
                part += 1
            }
            let (other, reader) = DumpTests.hub(false)
            try reader.load(dump, by: 100_000)
            #expect(other.tree.shape() == expected)
        }
    }

    /// The read view asks the hub, within a commit, whether its client still wants it.
    @Test func `a dump lasts from its client's goodbye to the end of the connection`() throws {
        var limits = ServerLimits()
        limits.clients.maxOutboxBytes = 5000
        let hub = Hub.with([("r", "{}")], limits: limits)
        let (client, writer) = (FakeClient(hub, token: 1), FakeClient(hub, token: 2))
        let text = String(repeating: "x", count: 3000)
        for n in 0..<200 {
            _ = writer.ask(#"{"id":1,"method":"set","params":{"path":"r.k\#(n)","value":{"t":"\#(text)"}}}"#)
        }
        #expect(try client.request("dump", [])["more"] == .bool(true))
        hub.clients.sendGoodbye(.overflow, to: client.session)
        for n in 0..<200 {
            _ = writer.ask(#"{"id":1,"method":"set","params":{"path":"r.k\#(n).t","value":"new"}}"#)
        }
        #expect(client.session.dump != nil)
        client.close()
        #expect(hub.tree.recordCounts.hooks == 0)
    }

    @Test func `parts of a dump arrive in order, and end with the connection`() throws {
        let hub = Hub.with([("r", "{}")])
        let client = FakeClient(hub)
        for n in 0..<8 {
            let text = String(repeating: "x", count: 200_000)
            _ = client.ask(#"{"id":1,"method":"set","params":{"path":"r.k\#(n)","value":{"t":"\#(text)"}}}"#)
        }
        func refusal(_ params: [(String, Value)]) -> Reply? {
            do {
                _ = try client.request("dump", params)
                return nil
            } catch { return error as? Reply }
        }
        #expect(refusal([("part", .int(1))])?.code == -32602)
        #expect(try client.request("dump", [])["part"] == .int(0))
        #expect(refusal([("part", .int(2))])?.code == -32602)
        #expect(refusal([("part", .int(1)), ("path", .string("r"))])?.code == -32602)
        #expect(try client.request("dump", [("part", .int(1))])["part"] == .int(1))
        #expect(hub.tree.recordCounts.hooks == 1)
        // A second dump replaces the first.
        _ = try client.request("dump", [])
        #expect(hub.tree.recordCounts.hooks == 1)
        client.close()
        #expect(hub.tree.recordCounts.hooks == 0)
    }
}
