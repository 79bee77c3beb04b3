// SPDX-License-Identifier: MIT
// What leaves the loop between two long turns of one client.

import Testing

@testable import ObserveCore

/// Two sockets whose input comes in a fixed order. Notes how many lines the hub had read at each write.
private final class ScriptedSystem: LoopSystem {
    /// What becomes readable at each wait.
    var script: [(token: UInt64, input: String)] = []
    private var ready: (token: UInt64, input: String)?
    var hub: Hub?
    private(set) var writes: [(token: UInt64, linesRead: Int)] = []

    override func watch(_ descriptor: Int32, _ interest: EpollEvents, token: UInt64) throws(SocketError) {}
    override func change(_ descriptor: Int32, to interest: EpollEvents, token: UInt64) throws(SocketError) {}
    override func forget(_ descriptor: Int32, token: UInt64) throws(SocketError) {}

    override func wait(timeoutMilliseconds: Int32) -> Int {
        ready = script.isEmpty ? nil : script.removeFirst()
        return ready == nil ? 0 : 1
    }

    override func token(_ index: Int) -> UInt64 { ready?.token ?? 0 }
    override func flags(_ index: Int) -> EpollEvents { .readable }

    override func read(_ connection: Connection, into buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
        let bytes = Array((ready?.input ?? "").utf8)
        unsafe buffer.copyBytes(from: bytes)
        return .bytes(bytes.count)
    }

    override func write(_ bytes: ByteView, to connection: Connection) -> WriteResult {
        writes.append((connection.session.token, hub?.clients.metrics.linesRead ?? 0))
        return .bytes(bytes.count)
    }
}

@Suite struct SlowTurnTests {
    @Test func `a short answer waits for one long turn of another client, not for two`() throws {
        let hub = Hub.with([("a", #"{"x":0}"#)])
        let system = try ScriptedSystem()
        system.hub = hub
        let loop = try EventLoop(hub: hub, pacing: .embedded, mailbox: Mailbox(), system: system)
        let peer = PeerCredentials(pid: 1, uid: 1, gid: 1)
        let heavy = loop.add(FileDescriptor(owning: -1), of: peer)
        let light = loop.add(FileDescriptor(owning: -1), of: peer)
        // Each request takes longer than two rounds.
        (hub.clients.sessions.turns.turn, hub.clients.sessions.turns.round) = (1, 1)
        let get = #"{"id":1,"method":"get","params":{"path":"a"}}"# + "\n"
        system.script = [
            (heavy, String(repeating: get, count: 4)), (light, #"{"id":2,"method":"ping"}"# + "\n"),
        ]
        // An embedded loop returns after a round that was long.
        for _ in 0..<8 { loop.run() }
        // The first round reads. The turns that wait are put off once, until the next round has read.
        #expect(system.writes.map(\.token) == [heavy, light, heavy, heavy, heavy])
        #expect(system.writes.map(\.linesRead) == [1, 2, 3, 4, 5])
    }
}
