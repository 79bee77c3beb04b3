// SPDX-License-Identifier: MIT
// A bridge's connection to a server that does not read.

import ObserveCore
import TestSupport
import Testing

@testable import observectl

@Suite struct StreamLinkTests {
    @Test func `a server that sends and does not read fills no memory`() throws {
        var pair = try SocketPair()
        let near = FileDescriptor(owning: pair.first.release())
        let rules = BridgeRules([BridgedPath(names: ["house"], direction: .both)], pid: 1)
        let settings = BridgeSettings(
            address: try #require(NatsAddress("127.0.0.1")),
            bucket: try #require(Bucket("home")),
            paths: rules.paths,
            credentials: NatsCredentials(),
            creates: false,
            isOnce: false,
            purges: false
        )
        let link = StreamLink(rules, settings, owning: near) { _ in }
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
}
