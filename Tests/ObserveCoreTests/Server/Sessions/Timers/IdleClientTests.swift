// SPDX-License-Identifier: MIT
// Clients that begin something and send nothing more.

import Testing

@testable import ObserveCore

struct IdleClientTests {
    private static let goodbye = RawPeer.goodbye("idle")
    private static let beginLoad =
        #"{"id":1,"method":"load","params":{"path":"t.a","text":"[1,","last":false}}"#

    private let clock = TestClock()
    private let hub: Hub

    init() throws {
        hub = .with([("t", #"{"a":1}"#)], clock: clock)
        let long = String(repeating: "x", count: 300_000)
        for root in ["long", "more"] { try hub.tree.define(root: root, json: #"["\#(long)","\#(long)"]"#) }
    }

    private func pass(seconds: UInt64) { clock.pass(milliseconds: seconds * 1000, in: hub) }

    /// Sends bytes without a line feed.
    private func begin(_ text: String, _ client: FakeClient) { client.send(bytes: Array(text.utf8)) }

    @Test func `half a line ends its connection after a minute`() {
        let client = FakeClient(hub)
        begin(#"{"id":1,"#, client)
        pass(seconds: 59)
        #expect(client.take() == [])
        pass(seconds: 1)
        #expect(client.take() == [Self.goodbye])
        // Nothing more is read, nor scheduled.
        begin("\"method\":\"ping\"}\n", client)
        #expect(client.take() == [])
        #expect(hub.clients.timers.next == nil)
        client.close()
    }

    @Test func `each further byte gives another minute`() {
        let client = FakeClient(hub)
        for byte in #"{"id":1,"method":"ping"}"#.utf8 {
            client.send(bytes: [byte])
            pass(seconds: 59)
            #expect(client.take() == [])
        }
        client.send(bytes: [0x0A])
        #expect(client.take() == [RawPeer.pong])
        pass(seconds: 600)
        #expect(client.take() == [])
        #expect(hub.clients.timers.next == nil)
        begin("{", client)
        pass(seconds: 60)
        #expect(client.take() == [Self.goodbye])
        client.close()
    }

    @Test func `half of a line that is too long ends its connection too`() {
        var limits = ServerLimits()
        limits.clients.maxLineBytes = 10
        let hub = Hub.with([], limits: limits, clock: clock)
        let client = FakeClient(hub)
        begin(String(repeating: "x", count: 100), client)
        #expect(client.take().count == 1)
        clock.pass(milliseconds: 60_000, in: hub)
        #expect(client.take() == [Self.goodbye])
        client.close()
    }

    @Test(arguments: [IdleClientTests.beginLoad, #"{"id":1,"method":"dump"}"#])
    func `a load or a dump that does not continue ends its connection`(begin: String) {
        let client = FakeClient(hub)
        #expect(client.ask(begin).count == 1)
        pass(seconds: 30)
        // Any request counts.
        #expect(client.ask(RawPeer.ping) == [RawPeer.pong])
        pass(seconds: 59)
        #expect(client.take() == [])
        pass(seconds: 1)
        #expect(client.take() == [Self.goodbye])
        #expect(client.session.intake == nil && client.session.dump == nil)
        client.close()
    }

    @Test func `a finished load or dump is not idle`() throws {
        let client = FakeClient(hub)
        client.send(Self.beginLoad, #"{"id":2,"method":"load","params":{"part":1,"text":"2]"}}"#)
        #expect(client.take().count == 2)
        _ = try client.dump()
        pass(seconds: 600)
        #expect(client.ask(RawPeer.ping) == [RawPeer.pong])
        client.close()
    }

    @Test func `a client that sends nothing, or only subscribes, is never idle`() {
        let (quiet, subscriber) = (FakeClient(hub), FakeClient(hub, token: 2))
        subscriber.send(#"{"id":1,"method":"subscribe","params":{"path":"t.a"}}"#)
        #expect(subscriber.take().count == 2)
        #expect(hub.clients.timers.next == nil)
        pass(seconds: 100_000)
        #expect(quiet.take() == [] && subscriber.take() == [])
        quiet.close()
        subscriber.close()
    }

    @Test func `a client whose requests the daemon does not read yet is not idle`() {
        let client = FakeClient(hub)
        client.isAsleep = true
        let get = #"{"id":1,"method":"get","params":{"path":"long"}}"#
        let asked = Array(repeating: get, count: 40).joined(separator: "\n") + "\n"
        let more = client.send(bytes: Array((asked + #"{"id":1,"method":"dump"}"# + "\n{").utf8))
        #expect(!more)
        pass(seconds: 600)
        #expect(client.session.delivery.closing == nil)
        client.close()
    }

    @Test func `a connection that has closed is forgotten`() {
        let client = FakeClient(hub)
        begin("{", client)
        client.close()
        pass(seconds: 600)
        #expect(client.session.delivery.closing != .idle)
        #expect(hub.clients.timers.next == nil)
    }
}
