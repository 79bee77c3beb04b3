// SPDX-License-Identifier: MIT
// A bridge's connection to a server that does not read, or that sends what only some servers do.

import ObserveCore
import TestSupport
import Testing

@testable import observectl

@Suite struct StreamLinkTests {
    @Test func `a server that sends and does not read fills no memory`() throws {
        var pair = try SocketPair()
        let near = FileDescriptor(owning: pair.first.release())
        let rules = BridgeRules([BridgedPath(names: ["house"], direction: .both)], pid: 1)
        let link = StreamLink(rules, try Self.settings(rules), owning: near) { _ in }
        let pings = Array(String(repeating: "PING\r\n", count: 20_000).utf8)
        let rest = ByteBuffer()
        var rounds = 0
        while link.interest.events.contains(.readable), rounds < 1000 {
            if rest.isEmpty { rest.append(contentsOf: pings) }
            _ = rest.send(to: pair.second.number)
            try link.receive()
            rounds += 1
        }
        #expect(rounds < 1000)
        #expect(!link.interest.events.contains(.readable) && link.interest.events.contains(.writable))
    }

    private static func settings(_ rules: BridgeRules) throws -> BridgeSettings {
        BridgeSettings(
            address: try #require(NatsAddress("127.0.0.1")),
            bucket: try #require(Bucket("home")),
            paths: rules.paths,
            credentials: NatsCredentials(),
            creates: false,
            isOnce: false,
            purges: false
        )
    }

    /// A bucket `home` without values, and a bridge of `house` that has read it.
    private struct Server {
        let rules = BridgeRules([BridgedPath(names: ["house"], direction: .both)], pid: 1)
        let link: StreamLink
        private let far: ByteLink
        private var inbox = ""

        init() throws {
            var pair = try SocketPair()
            let near = FileDescriptor(owning: pair.first.release())
            far = ByteLink(owning: FileDescriptor(owning: pair.second.release()))
            link = StreamLink(rules, try StreamLinkTests.settings(rules), owning: near) { _ in }
            _ = rules.attachLocal(epoch: "e", revision: 1, isResumed: false, position: nil)
            rules.finishLoading(at: 1)
            _ = try send("INFO {\"headers\":true}\r\n")
            let lines = try send("PONG\r\n").split(separator: "\r\n")
            let info = try #require(lines.first { $0.hasSuffix(".info 1") })
            inbox = String(info.dropFirst("SUB ".count).dropLast(".info 1".count))
            let state = #"{"created":"now","config":{"discard":"new"},"state":{"last_seq":0}}"#
            _ = try send("MSG \(inbox).info 1 \(state.utf8.count)\r\n\(state)\r\n")
            _ = try send("MSG \(inbox).consumer 3 2\r\n{}\r\n")
        }

        /// - Returns: what the bridge sends then.
        func send(_ text: String) throws -> String {
            far.send(Array(text.utf8))
            try link.receive()
            return String(decoding: far.receive().bytes, as: UTF8.self)
        }

        func deliver(_ key: String, _ sequence: Int, _ value: String, header: String = "") throws {
            let head = header.isEmpty ? "" : "NATS/1.0\r\n\(header)\r\n\r\n"
            let counts = (head.isEmpty ? "" : "\(head.utf8.count) ") + "\(head.utf8.count + value.utf8.count)"
            let place = "$JS.ACK.KV_home.c.1.\(sequence).\(sequence).0.0"
            let name = head.isEmpty ? "MSG" : "HMSG"
            _ = try send("\(name) $KV.home.\(key) 11 \(place) \(counts)\r\n\(head)\(value)\r\n")
        }

        func refusePut(_ ticket: Int, _ error: String) throws {
            let text = "{\"error\":\(error),\"stream\":\"KV_home\",\"seq\":0}"
            _ = try send("MSG \(inbox).a.\(ticket) 5 \(text.utf8.count)\r\n\(text)\r\n")
        }
    }

    @Test func `a value whose lifetime is over on the server is gone`() throws {
        let server = try Server()
        try server.deliver("house.a", 1, "5")
        let node = try #require(server.rules.tree.node(["house", "a"]))
        #expect(node.effective?.text == "5")
        try server.deliver("house.a", 2, "", header: "Nats-Marker-Reason: MaxAge")
        #expect(node.remote?.content == .gone && server.rules.inbound.refused.isEmpty)
    }

    @Test func `a value beyond the bucket's longest does not travel, and holds up no other`() throws {
        let server = try Server()
        #expect(server.rules.isCompared)
        let values = (0..<2).map {
            LocalEvent(names: ["house", "k\($0)"], value: RawJSON(.int(7)), revision: 2)
        }
        server.rules.receive(values)
        server.link.put()
        try server.refusePut(
            1,
            #"{"code":400,"err_code":10054,"description":"message size exceeds maximum allowed"}"#
        )
        #expect(!server.rules.outbound.isPaused && server.rules.outbound.flights.count == 1)
        let refused = server.rules.status(isConnected: true, lag: 0)["refused"]
        #expect(refused?["house.k0"]?.string == "JetStream refused it: message size exceeds maximum allowed")
    }

    @Test func `a key that no bridge makes takes no memory`() throws {
        let server = try Server()
        try server.deliver("house\(String(repeating: ".a", count: 2000))", 1, "5")
        #expect(server.rules.tree.node(["house"])?.children.isEmpty == true)
        #expect(server.rules.remote.lastSequence == 1)
    }
}
