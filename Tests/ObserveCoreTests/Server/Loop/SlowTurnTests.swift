// SPDX-License-Identifier: MIT
// What leaves the loop between two long turns of one client.

import Testing

@testable import ObserveCore

/// Two sockets whose input comes in a fixed order. Notes how many lines the hub had read at each write.
private final class ScriptedSystem: LoopSystem {
    typealias Input = (token: UInt64, text: String)

    /// What becomes readable at each wait.
    var script: [[Input]] = []
    private var ready: [Input] = []
    var hub: Hub?
    private(set) var writes: [(token: UInt64, linesRead: Int)] = []

    override func watch(_ descriptor: Int32, _ interest: EpollEvents, token: UInt64) throws(SocketError) {}
    override func change(_ descriptor: Int32, to interest: EpollEvents, token: UInt64) throws(SocketError) {}
    override func forget(_ descriptor: Int32, token: UInt64) throws(SocketError) {}

    override func wait(timeoutMilliseconds: Int32) -> Int {
        ready = script.isEmpty ? [] : script.removeFirst()
        return ready.count
    }

    override func token(_ index: Int) -> UInt64 { ready[index].token }
    override func flags(_ index: Int) -> EpollEvents { .readable }

    override func read(_ connection: Connection, into buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
        guard let index = ready.firstIndex(where: { $0.token == connection.session.token }) else {
            return .wouldBlock
        }
        let bytes = Array(ready[index].text.utf8)
        ready[index].text = ""
        if bytes.isEmpty { return .wouldBlock }
        unsafe buffer.copyBytes(from: bytes)
        return .bytes(bytes.count)
    }

    override func write(_ bytes: ByteView, to connection: Connection) -> WriteResult {
        writes.append((connection.session.token, hub?.metrics.linesRead ?? 0))
        return .bytes(bytes.count)
    }
}

@Suite struct SlowTurnTests {
    /// A loop with two clients: one with requests that take longer than two rounds, and another one.
    private struct Stage {
        let hub = Hub.with([("a", "[\(Array(repeating: "1", count: 5000).joined(separator: ","))]")])
        let system: ScriptedSystem
        let loop: EventLoop
        let heavy: UInt64
        let light: UInt64
        let get = #"{"id":1,"method":"get","params":{"path":"a.@sum"}}"# + "\n"
        let ping = #"{"id":2,"method":"ping"}"# + "\n"

        init() throws {
            system = try ScriptedSystem()
            system.hub = hub
            loop = try EventLoop(hub: hub, pacing: .embedded, mailbox: Mailbox(), system: system)
            let peer = PeerCredentials(pid: 1, uid: 1, gid: 1)
            heavy = loop.add(FileDescriptor(owning: -1), of: peer)
            light = loop.add(FileDescriptor(owning: -1), of: peer)
            (hub.sessions.turns.turn, hub.sessions.turns.round) = (200, 200)
        }

        /// An embedded loop returns after a round that was long.
        func run(_ script: [[ScriptedSystem.Input]]) {
            system.script = script
            for _ in 0..<8 { loop.run() }
        }
    }

    @Test func `a short answer waits for one long turn of another client, not for two`() throws {
        let stage = try Stage()
        let (heavy, light) = (stage.heavy, stage.light)
        stage.run([[(heavy, String(repeating: stage.get, count: 4))], [(light, stage.ping)]])
        // The first round reads. The turns that wait are put off once, until the next round has read.
        #expect(stage.system.writes.map(\.token) == [heavy, light, heavy, heavy, heavy])
        #expect(stage.system.writes.map(\.linesRead) == [1, 2, 3, 4, 5])
    }
}
