// SPDX-License-Identifier: MIT
// Clients that ask for an upgrade and send nothing more.

import Testing

@testable import ObserveCore

@Suite struct UpgradeAnswerTests {
    private let system: SimulatedSystem
    private let loop: EventLoop
    private let socket = SimulatedSocket(PeerCredentials(pid: 1, uid: 1, gid: 1), capacity: 1000)
    private let connection: Connection

    init() throws {
        let clock = SimulatedClock()
        let hub = Hub(limits: ServerLimits(), now: clock.now, clock: { clock.now })
        system = try SimulatedSystem(clock, seed: 1, readsLines: false, RunDigest())
        loop = try EventLoop(hub: hub, pacing: .embedded, mailbox: try Mailbox(), system: system)
        connection = try #require(loop.connections[system.connect(socket, to: loop)])
        loop.allowUpgrades { _ in }
    }

    private func run() {
        system.waits = 20
        loop.run()
    }

    @Test(arguments: [#""id":1,"#, ""], [UpgradeOutcome.refused("no"), .accepted(version: "2")])
    func `a half-closed client gets the answer, then its connection closes`(
        id: String,
        outcome: UpgradeOutcome
    ) {
        socket.toServer = Array(#"{\#(id)"method":"upgrade"}"#.utf8)
        socket.endInput()
        run()
        #expect(!connection.isClosed && connection.session.awaitsUpgrade)
        loop.answerUpgrade(outcome)
        run()
        #expect(connection.isClosed)
        let answer =
            outcome == .accepted(version: "2")
            ? #""result":{"version":"2"}"#
            : #""error":{"code":8,"message":"no","data":{"name":"unavailable"}}"#
        let expected = id.isEmpty ? "" : #"{"jsonrpc":"2.0","id":1,\#(answer)}"# + "\n"
        #expect(String(decoding: socket.toClient, as: UTF8.self) == expected)
    }

    @Test func `one that has gone gets none`() {
        socket.toServer = Array(#"{"id":1,"method":"upgrade"}"#.utf8)
        socket.endInput()
        run()
        socket.vanish()
        run()
        #expect(connection.isClosed)
        loop.answerUpgrade(.refused("no"))
        #expect(socket.toClient.isEmpty)
    }
}
