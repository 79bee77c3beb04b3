// SPDX-License-Identifier: MIT
// The time that a client has to read its `goodbye`.

import Testing

@testable import ObserveCore

@Suite struct DeadlineTests {
    private let clock = SimulatedClock()
    private let system: SimulatedSystem
    private let loop: EventLoop
    private let socket = SimulatedSocket(PeerCredentials(pid: 2, uid: 2, gid: 2), capacity: 1000)
    private let connection: Connection

    init() throws {
        let clock = clock
        let hub = Hub(limits: ServerLimits(), now: clock.now, clock: { clock.now })
        system = try SimulatedSystem(clock, seed: 1, readsLines: false, RunDigest())
        loop = try EventLoop(hub: hub, pacing: .embedded, mailbox: try Mailbox(), system: system)
        connection = try #require(loop.connections[system.connect(socket, to: loop)])
    }

    private var isAnyDue: Bool { !loop.deadlines.isEmpty }

    @Test func `the loop closes a connection whose time is over`() {
        loop.watch(connection, seconds: 10)
        clock.pass(milliseconds: 9999)
        loop.cutUnresponsive()
        #expect(!connection.isClosed)
        clock.pass(milliseconds: 1)
        loop.cutUnresponsive()
        #expect(connection.isClosed)
        #expect(!isAnyDue)
    }

    /// Before, each byte that it read gave the client the whole time again.
    @Test(arguments: [(true, 5000), (false, 60_000)] as [(Bool, UInt64)])
    func `a client that reads slowly has a total time`(isShutdown: Bool, milliseconds: UInt64) {
        loop.clients.write(to: connection.session) { $0.append(utf8: String(repeating: "x", count: 100_000)) }
        if isShutdown {
            loop.shutDown {}
        } else {
            loop.clients.sendGoodbye(.idle, to: connection.session)
            loop.flushDirty()
        }
        for _ in 1...10 {
            #expect(!connection.isClosed)
            #expect(socket.take(atMost: 10).count == 10)
            clock.pass(milliseconds: milliseconds / 10)
            system.waits = 10
            loop.run()
        }
        #expect(connection.isClosed && !isAnyDue)
    }

    /// Before, the loop looked at all deadlines for each connection.
    @Test func `the loop arms its timer once for all connections that it ends`() {
        for _ in 0..<20 {
            let socket = SimulatedSocket(PeerCredentials(pid: 2, uid: 2, gid: 2), capacity: 1000)
            _ = system.connect(socket, to: loop)
        }
        let armed = system.timesArmed
        loop.shutDown {}
        #expect(system.timesArmed - armed == 1)
        clock.pass(milliseconds: 1001)
        loop.cutUnresponsive()
        #expect(connection.isClosed && !isAnyDue)
    }

    // A deadline without a connection would be due for ever, and the loop would never sleep again.
    @Test func `a closed connection gets no deadline`() {
        loop.close(connection, .peerClosed)
        loop.watch(connection, seconds: 10)
        #expect(!isAnyDue)
    }
}
