// SPDX-License-Identifier: MIT
// Writes of which no client hears: notifications without a subscriber.

import Testing

@testable import ObserveCore

@Suite struct UnansweredWriteTests {
    private static func start(
        on disk: SimulatedDisk,
        _ durability: Durability,
        after history: SimulatedHistory? = nil
    ) throws -> SimulatedServer {
        let seeds = 0..<100 as Range<UInt64>
        let seed = try #require(seeds.first { SimulationPlan(seed: $0).durability == durability })
        let conditions = SimulatedServer.Conditions(
            seed: 1,
            plan: SimulationPlan(seed: seed),
            boot: "boot",
            life: 1,
            keepsEpoch: history != nil
        )
        return try SimulatedServer(on: disk, conditions, after: history, SimulatedClock(), RunDigest())
    }

    @Test(arguments: [Durability.commit, .interval])
    func `they are in the journal when the loop has nothing to do`(durability: Durability) throws {
        let server = try Self.start(on: SimulatedDisk(seed: 1), durability)
        server.system.beforeWait = { [unowned server] in server.finishWork() }
        let socket = SimulatedSocket(PeerCredentials(pid: 1, uid: 1, gid: 1), capacity: 1 << 20)
        _ = server.system.connect(socket, to: server.loop)
        for value in 1...3 {
            socket.toServer +=
                Array(#"{"method":"set","params":{"path":"a","value":\#(value)}}"#.utf8) + [0x0A]
            for _ in 0..<20 {
                server.system.waits = 5
                server.loop.run()
            }
            #expect(socket.toServer.isEmpty && socket.toClient.isEmpty)
            let needsFlush = server.hub.clients.gate.needsFlush
            #expect(!needsFlush)
        }
        let expected = SimulatedHistory.dump(of: server.hub.tree)
        let disk = server.disk.afterKill()
        let history = server.history
        server.bury()
        let next = try Self.start(on: disk, durability, after: history)
        #expect(SimulatedHistory.dump(of: next.hub.tree) == expected)
        #expect(next.hub.tree.revision == 3)
        next.bury()
    }
}
