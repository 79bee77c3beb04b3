// SPDX-License-Identifier: MIT
// Conditions and choices through refused commits, restarts and the history that a restart has.

import Testing

@testable import ObserveCore

@Suite struct SelectionStateTests {
    private static let paths = ["a.b[on].x", "a.@latest[on].x", "a.*[on].x", "a.@count[on]"]

    private func daemon() throws -> (daemon: JournaledHub, client: FakeClient) {
        let daemon = try JournaledHub(reserving: 0)
        daemon.ask("set", #""path":"a","value":{"b":{"on":true,"x":1},"c":{"on":false,"x":2}}"#)
        let client = daemon.client(2)
        for path in Self.paths {
            _ = client.ask(#"{"id":1,"method":"subscribe","params":{"path":"\#(path)","initial":false}}"#)
        }
        return (daemon, client)
    }

    @Test func `a refused commit leaves conditions and choices as they were`() throws {
        let (daemon, client) = try daemon()
        daemon.disk.isFull = true
        #expect(daemon.ask("set", #""path":"a.c.on","value":true"#).contains(#""code":8"#))
        #expect(client.take() == [])
        #expect(daemon.tree.faults() == [])
        daemon.disk.isFull = false
        daemon.clock.pass(milliseconds: 200, in: daemon.hub)
        #expect(daemon.value("a.@latest[on].x") == "1")
        daemon.ask("set", #""path":"a.c.on","value":true"#)
        let events = client.take()
        #expect(events.count == 3)
        #expect(events.allSatisfy { $0.contains(#""revision":2"#) })
        #expect(daemon.tree.faults() == [])
    }

    @Test func `a binding from a choice, and the replay of a choice, survive a kill`() throws {
        let (daemon, _) = try daemon()
        daemon.ask("set", #""path":"out","value":null"#)
        daemon.ask("bind", #""source":"a.@latest[on].x","target":"out""#)
        for path in ["a.c.on", "a.b.on", "a.b.on", "a.c.on"] {
            let isOn = daemon.value(path) == "true"
            daemon.ask("set", #""path":"\#(path)","value":\#(!isOn)"#)
        }
        func replayed() -> [String] {
            let client = FakeClient(daemon.hub, token: 7)
            defer { client.close() }
            let since = #"{"epoch":"\#(daemon.hub.journaling.epoch)","revision":1}"#
            return client.ask(
                #"{"id":1,"method":"subscribe","params":{"path":"a.@latest[on].x","since":\#(since)}}"#
            )
        }
        let before = replayed()
        #expect(before.count > 2 && before[0].contains(#""resumed":true"#))
        try daemon.kill()
        #expect(replayed() == before)
        #expect(daemon.value("out") == "1")
        daemon.ask("set", #""path":"a.c.on","value":true"#)
        #expect(daemon.value("out") == "2")
        #expect(daemon.tree.faults() == [])
    }
}
