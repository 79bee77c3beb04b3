// SPDX-License-Identifier: MIT
// The server over real sockets: readers that do not read, and input that is too much or no good.

import Testing

@testable import ObserveCore

@Suite(.timeLimit(.minutes(15))) struct ServerLoadTests {
    private static func error(_ code: Int, _ message: String) -> String {
        #"{"jsonrpc":"2.0","id":null,"error":{"code":\#(code),"message":"\#(message)"}}"#
    }

    /// A server with small limits, a writer, and a client that subscribed to every change and reads nothing more.
    private func overflowing() throws -> (TestServer, writer: RawPeer, reader: RawPeer, written: Int) {
        var limits = ServerLimits()
        limits.clients.maxOutboxBytes = 100_000
        limits.clients.foldAfterBytes = 10_000
        let server = try TestServer(limits: limits)
        let writer = try server.connect()
        let reader = try server.connect()
        try reader.send(
            #"{"id":1,"method":"subscribe","params":{"path":"a.x","delivery":"every","initial":false}}"#
        )
        #expect(try reader.line() != nil)
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
        return (server, writer, reader, written)
    }

    @Test func `a reader of every change that does not read is told goodbye`() throws {
        let (server, writer, reader, written) = try overflowing()
        let lines = try reader.rest()
        #expect(lines.last == RawPeer.goodbye("overflow"))
        for (index, line) in lines.dropLast().enumerated() {
            #expect(line.contains(#""new":"\#(index + 1) "#))
        }
        #expect(lines.count > 50 && lines.count <= written + 1)
        try server.wait("it to be gone", with: writer) { $0["connections"] == 1 && $0["subscriptions"] == 0 }
    }

    @Test func `one that takes nothing after goodbye is cut after ten seconds`() throws {
        let (server, writer, reader, _) = try overflowing()
        let start = MonotonicTime.now
        #expect(try reader.waitForHangUp(milliseconds: 30_000))
        #expect(start.nanoseconds(until: .now) > 8_000_000_000)
        try server.wait("it to be gone", with: writer) { $0["connections"] == 1 && $0["subscriptions"] == 0 }
    }

    @Test func `a reader of the latest that does not read is never cut, and ends up exact`() throws {
        var limits = ServerLimits()
        limits.clients.maxOutboxBytes = 100_000
        limits.clients.foldAfterBytes = 10_000
        let server = try TestServer(limits: limits)
        let writer = try server.connect()
        let reader = try server.connect()
        try reader.send(#"{"id":1,"method":"subscribe","params":{"paths":["a.x","a.y"],"initial":false}}"#)
        #expect(try reader.line() != nil)
        let padding = String(repeating: "x", count: 2000)
        for value in 1...500 {
            try writer.set("a.x", "\"\(value) \(padding)\"")
            try writer.set("a.y", "\(value)")
        }
        try reader.send(RawPeer.ping)
        var last: [String: Value] = [:]
        var told: [String: Int64] = [:]
        var revision: Int64 = 0
        while let line = try reader.line(), line != RawPeer.pong {
            guard let event = try Value(json: line)["params"], let path = event["path"]?.string else {
                continue
            }
            #expect((event["revision"]?.int ?? 0) > revision)
            revision = event["revision"]?.int ?? 0
            last[path] = event["new"]
            told[path, default: 0] += event["coalesced"]?.int ?? 1
        }
        #expect(last["a.x"] == .string("500 \(padding)"))
        #expect(last["a.y"] == 500)
        #expect(told == ["a.x": 500, "a.y": 500])
        #expect(
            (try writer.ask(#"{"id":0,"method":"status"}"#)["result"]?["eventsCoalesced"]?.int ?? 0) > 100
        )
    }

    @Test func `ten thousand initial events go to a reader of one piece`() throws {
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

    @Test func `requests are not read while too many answers wait`() throws {
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

    @Test func `ten thousand requests in one write`() throws {
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

    /// In a process of its own, where nobody else takes memory.
    @Test func `a line of a hundred megabytes is answered once and costs no memory`() async {
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

    @Test func `what is no good is refused alone, and the connection goes on`() throws {
        let server = try TestServer()
        let peer = try server.connect()
        let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
        for bad in [
            deep, String(repeating: #"{"a":"#, count: 10_000), #"{"id":1,"method":"#,
            #"{"id":1,"method":"set","params":{"path":"a.x","value":\#(deep)}}"#,
        ] {
            let answer = try peer.ask(bad)
            #expect(answer["error"]?["code"] == -32700)
            #expect(answer["id"] == .null)
            #expect(answer["error"]?["message"]?.string?.contains(" at byte ") == true)
        }
        try peer.send(Array(#"{"id":1,"method":"ping","x":""#.utf8) + [0xF5, 0x80] + Array("\"}\n".utf8))
        #expect(try peer.line() == Self.error(-32700, "the line is not JSON: ill-formed UTF-8 at byte 29"))
        #expect(try peer.ask(RawPeer.ping)["result"] != nil)
    }
}
