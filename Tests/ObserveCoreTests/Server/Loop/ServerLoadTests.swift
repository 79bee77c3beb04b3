// SPDX-License-Identifier: MIT
// The server over real sockets: slow clients, and too much or wrong input.

import Testing

@testable import ObserveCore

@Suite(.timeLimit(.minutes(15))) struct ServerLoadTests {
    private static func error(_ code: Int, _ message: String) -> String {
        #"{"jsonrpc":"2.0","id":null,"error":{"code":\#(code),"message":"\#(message)"}}"#
    }

    /// A server with small limits, a writer, and a client with a subscription.
    private func subscribed(_ params: String) throws -> (TestServer, writer: RawPeer, client: RawPeer) {
        var limits = ServerLimits()
        limits.clients.maxOutboxBytes = 100_000
        limits.clients.foldAfterBytes = 10_000
        let server = try TestServer(limits: limits)
        let writer = try server.connect()
        let client = try server.connect()
        try client.send(#"{"id":1,"method":"subscribe","params":{\#(params),"initial":false}}"#)
        #expect(try client.line() != nil)
        return (server, writer, client)
    }

    /// A server with small limits, a writer, and a client with `delivery: "every"` that stops reading.
    private func overflowing() throws -> (TestServer, writer: RawPeer, client: RawPeer, written: Int) {
        let (server, writer, client) = try subscribed(#""path":"a.x","delivery":"every""#)
        let padding = String(repeating: "x", count: 2000)
        var written = 0
        var overflowed: Value? = 0
        while overflowed == 0, written < 5000 {
            written += 1
            try writer.set("a.x", "\"\(written) \(padding)\"")
            if written.isMultiple(of: 10) {
                overflowed = try writer.ask(#"{"id":0,"method":"status"}"#)["result"]?["overflowed"]
            }
        }
        #expect(overflowed == 1)
        return (server, writer, client, written)
    }

    @Test func `the server sends goodbye to a slow client with delivery every`() throws {
        let (server, writer, client, written) = try overflowing()
        let lines = try client.rest()
        #expect(lines.last == RawPeer.goodbye("overflow"))
        for (index, line) in lines.dropLast().enumerated() {
            #expect(line.contains(#""new":"\#(index + 1) "#))
        }
        #expect(lines.count > 50 && lines.count <= written + 1)
        try server.wait("it to be gone", with: writer) { $0["connections"] == 1 && $0["subscriptions"] == 0 }
    }

    @Test func `the server closes a client that reads nothing for ten seconds after goodbye`() throws {
        let (server, writer, client, _) = try overflowing()
        let start = MonotonicTime.now
        #expect(try client.waitForHangUp(milliseconds: 30_000))
        #expect(start.nanoseconds(until: .now) > 8_000_000_000)
        try server.wait("it to be gone", with: writer) { $0["connections"] == 1 && $0["subscriptions"] == 0 }
    }

    @Test func `the server keeps a slow client with delivery latest, which gets exact values`() throws {
        let (server, writer, client) = try subscribed(#""paths":["a.x","a.y"]"#)
        defer { withExtendedLifetime(server) {} }
        let padding = String(repeating: "x", count: 2000)
        for value in 1...500 {
            try writer.set("a.x", "\"\(value) \(padding)\"")
            try writer.set("a.y", "\(value)")
        }
        try client.send(RawPeer.ping)
        var last: [String: Value] = [:]
        var changes: [String: Int64] = [:]
        var revision: Int64 = 0
        while let line = try client.line(), line != RawPeer.pong {
            guard let event = try Value(json: line)["params"], let path = event["path"]?.string else {
                continue
            }
            #expect((event["revision"]?.int ?? 0) >= revision)
            revision = event["revision"]?.int ?? 0
            last[path] = event["new"]
            changes[path, default: 0] += event["coalesced"]?.int ?? 1
        }
        #expect(last["a.x"] == .string("500 \(padding)"))
        #expect(last["a.y"] == 500)
        #expect(changes == ["a.x": 500, "a.y": 500])
        #expect(
            (try writer.ask(#"{"id":0,"method":"status"}"#)["result"]?["eventsCoalesced"]?.int ?? 0) > 100
        )
    }

    @Test func `a client that reads one piece at a time gets ten thousand initial events`() throws {
        let members = (0..<10_000).map { "\"p\($0)\":\($0)" }.joined(separator: ",")
        let server = try TestServer([("a", "{\(members)}")])
        let peer = try server.connect()
        let paths = (0..<10_000).map { "\"a.p\($0)\"" }.joined(separator: ",")
        try peer.send(#"{"id":1,"method":"subscribe","params":{"paths":[\#(paths)]}}"#, RawPeer.ping)
        let lines = try peer.lines(10_002)
        #expect(lines.count == 10_002)
        #expect(lines.last == RawPeer.pong)
        for index in 0..<10_000 where !lines[index + 1].contains(#""path":"a.p\#(index)","#) {
            Issue.record("line \(index + 1) is \(lines[index + 1])")
            break
        }
    }

    @Test func `the server reads no requests while too many answers wait`() throws {
        var limits = ServerLimits()
        limits.clients.maxOutboxBytes = 100_000
        let big = String(repeating: "x", count: 10_000)
        let server = try TestServer([("a", "\"\(big)\"")], limits: limits)
        let peer = try server.connect()
        let request = Array("{\"id\":1,\"method\":\"get\",\"params\":{\"path\":\"a\"}}\n".utf8)
        let requests = [[UInt8]](repeating: request, count: 40_000).flatMap { $0 }
        let sent = try peer.offer(requests, patience: 500)
        #expect(sent < requests.count, "the daemon read on")
        let other = try server.connect()
        #expect(try other.ask(RawPeer.ping)["result"] != nil)
        let whole = sent / request.count
        #expect(try peer.lines(whole).count == whole)
        try peer.send(Array(requests[sent..<(whole + 1) * request.count]) + Array((RawPeer.ping + "\n").utf8))
        #expect(try peer.lines(2).last == RawPeer.pong)
    }

    @Test func `a load is built although its client reads no events, since the loads of others wait for it`()
        throws
    {
        let padding = String(repeating: "x", count: 2000)
        let names = (0..<200).map { "p\($0)" }
        var limits = ServerLimits()
        limits.clients.maxOutboxBytes = 100_000
        limits.clients.foldAfterBytes = 10_000
        let server = try TestServer([("a", "{}")], limits: limits)
        let (loader, writer, other) = try (server.connect(), server.connect(), server.connect())
        let paths = names.map { "\"a.\($0)\"" }.joined(separator: ",")
        try loader.send(#"{"id":1,"method":"subscribe","params":{"paths":[\#(paths)],"initial":false}}"#)
        #expect(try loader.line() != nil)
        let zeros = String(repeating: "0,", count: 40_000)
        for part in 0..<5 {
            let start = part == 0 ? #""path":"a.long","text":"["# : #""part":\#(part),"text":""#
            try loader.send(#"{"id":2,"method":"load","params":{\#(start)\#(zeros)","last":false}}"#)
            #expect(try loader.line()?.contains(#""part":\#(part)"#) == true)
        }
        try loader.send(#"{"id":3,"method":"load","params":{"part":5,"text":"1]"}}"#)
        let sets = names.map {
            #"{"id":4,"method":"set","params":{"path":"a.\#($0)","value":"\#(padding)"}}"#
        }
        try writer.send(Array((sets.joined(separator: "\n") + "\n").utf8))
        #expect(try writer.lines(200).count == 200)
        let load = #"{"id":5,"method":"load","params":{"path":"a.short","text":"[1,2,3]"}}"#
        #expect(try other.ask(load)["result"]?["changed"] == true)
        let get = #"{"id":6,"method":"get","params":{"path":"a.long.200000"}}"#
        try server.wait("the first load", with: other) { _ in (try? other.ask(get))?["result"]?["value"] == 1
        }
        #expect(try loader.lines(201).contains { $0.contains(#""id":3,"result":"#) })
    }

    @Test func `a client that needs little does not wait for the first requests of many that need much`()
        throws
    {
        let server = try TestServer([("a", "\"\(String(repeating: "x", count: 900_000))\"")])
        let light = try server.connect()
        let list = #"{"id":1,"method":"clients"}"#
        let heavy = try (0..<12).map { _ in try server.connect() }
        try server.wait("all of them", with: light) { $0["connections"] == 13 }
        // While the loop waits, all requests arrive, that of the first client last.
        try server.server.withTree { _ in
            for peer in heavy { try peer.send(#"{"id":1,"method":"get","params":{"path":"a"}}"#) }
            try light.send(list)
        }
        let clients = try Value(json: light.line() ?? "")["result"]?["clients"]?.array ?? []
        #expect(clients.count == 13)
        #expect(clients.filter { $0["requests"] == 1 }.count < 5)
        for peer in heavy { #expect(try peer.line() != nil) }
    }

    @Test func `the server answers ten thousand requests in one write`() throws {
        let server = try TestServer()
        let peer = try server.connect()
        var input: [UInt8] = []
        for id in 0..<10_000 {
            input +=
                Array(#"{"id":\#(id),"method":"set","params":{"path":"a.x","value":\#(id)}}"#.utf8) + [10]
        }
        try peer.send(input)
        for id in 0..<10_000 {
            let line = try peer.line()
            guard line?.hasPrefix(#"{"jsonrpc":"2.0","id":\#(id),"result":"#) == true else {
                Issue.record("answer \(id) is \(line ?? "missing")")
                return
            }
        }
    }

    /// In its own process, where no other test takes memory.
    @Test(.startsProcess) func `the server answers a line of a hundred megabytes once, without storing it`()
        async
    {
        await #expect(processExitsWith: .success) {
            let server = try TestServer()
            let peer = try server.connect()
            #expect(try peer.ask(RawPeer.ping)["result"] != nil)
            let piece = [UInt8](repeating: 0x5B, count: 1 << 20)
            let before = RawPeer.residentBytes
            for _ in 0..<100 { try peer.send(piece) }
            try peer.send("", RawPeer.ping)
            let refused = "a line holds at most 1048576 bytes (maxLineBytes); this one was skipped"
            #expect(try peer.lines(2) == [ServerLoadTests.error(-32600, refused), RawPeer.pong])
            #expect(RawPeer.residentBytes - before < 32 << 20)
        }
    }

    @Test func `the server refuses a wrong line, and the connection continues`() throws {
        let server = try TestServer()
        let peer = try server.connect()
        let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
        for bad in [String(repeating: #"{"a":"#, count: 10_000), #"{"id":1,"method":"#] {
            let answer = try peer.ask(bad)
            #expect(answer["error"]?["code"] == -32700)
            #expect(answer["id"] == .null)
            #expect(answer["error"]?["message"]?.string?.contains(" at byte ") == true)
        }
        // Deep JSON is JSON.
        try peer.send(deep)
        #expect(try peer.line() == "[\(Self.error(-32600, "a request is a JSON object"))]")
        let answer = try peer.ask(#"{"id":1,"method":"set","params":{"path":"a.x","value":\#(deep)}}"#)
        #expect(answer["error"]?["code"] == 6 && answer["id"] == 1)
        try peer.send(Array(#"{"id":1,"method":"ping","x":""#.utf8) + [0xF5, 0x80] + Array("\"}\n".utf8))
        #expect(try peer.line() == Self.error(-32700, "the line is not JSON: ill-formed UTF-8 at byte 29"))
        #expect(try peer.ask(RawPeer.ping)["result"] != nil)
    }
}
