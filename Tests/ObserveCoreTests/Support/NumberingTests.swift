// SPDX-License-Identifier: MIT
// Numbers of bindings, connections and subscriptions, when the largest one is used up.

import Testing

@testable import ObserveCore

@Suite struct NumberingTests {
    @Test func `after the largest number comes 1`() {
        var numbering = Numbering()
        numbering.last = Numbering.largest - 1
        let numbers = (0..<3).map { _ in
            numbering.advance()
            return numbering.last
        }
        #expect(numbers == [Numbering.largest, 1, 2])
    }

    @Test func `a binding after the largest number has a free one, also after a restart`() throws {
        let daemon = try JournaledHub(declaring: { $0.continueBindings(after: Numbering.largest - 2) })
        daemon.ask("set", #""path":"a","value":{"x":1,"y":2,"z":3,"u":4,"v":5}"#)
        func bind(_ number: Int32, _ source: String, _ target: String) {
            #expect(
                daemon.ask("bind", #""source":"a.\#(source)","target":"a.\#(target)""#)
                    .contains(#""binding":\#(number)"#)
            )
        }
        bind(Numbering.largest - 1, "x", "y")
        bind(Numbering.largest, "y", "z")
        bind(1, "z", "u")
        try daemon.restart()
        bind(2, "u", "v")
        daemon.ask("set", #""path":"a.x","value":9"#)
        #expect(daemon.value("a") == #"{"x":9,"y":9,"z":9,"u":9,"v":9}"#)
        #expect(daemon.tree.faults() == [])
    }

    @Test func `a connection after the largest number has one that no open connection has`() {
        let hub = Hub.with([("t", #"{"a":1}"#)])
        let first = FakeClient(hub)
        hub.clients.sessions.reserve(numbersUpTo: Numbering.largest - 1)
        let others = (0..<3).map { _ in FakeClient(hub) }
        #expect(first.session.number == 1)
        #expect(others.map(\.session.number) == [Numbering.largest, 2, 3])
    }

    @Test func `a connection that has used up its subscriptions' numbers keeps the others`() {
        let hub = Hub.with([("t", #"{"a":1}"#)])
        let client = FakeClient(hub)
        client.session.subscriptions.last = Numbering.largest - 1
        let subscribe = #"{"id":1,"method":"subscribe","params":{"paths":["t.a"]}}"#
        #expect(client.ask(subscribe).contains { $0.contains(#""subscription":\#(Numbering.largest)"#) })
        let refusal = client.ask(subscribe)
        #expect(refusal.count == 1 && refusal[0].contains("connect again for more"))
        #expect(client.ask(#"{"id":2,"method":"set","params":{"path":"t.a","value":2}}"#).count == 2)
    }
}
