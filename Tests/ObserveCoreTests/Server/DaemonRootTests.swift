// SPDX-License-Identifier: MIT
// The root `observed`: a root like others, which the hub updates ten times a second while a client observes it.

import Testing

@testable import ObserveCore

@Suite struct DaemonRootTests {
    private let hub = Hub.with([("a", #"{"x":1}"#)])

    private func subscribe(_ client: FakeClient, _ params: String) -> [String] {
        client.ask(#"{"id":1,"method":"subscribe","params":{\#(params)}}"#).map(Transcript.normalised)
    }

    /// Lets a tenth of a second pass.
    private func tick() {
        guard let next = hub.clients.timers.next else { return }
        hub.runTimers(at: next)
    }

    private func event(_ path: String, _ rest: String) -> String {
        #"{"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"observed.\#(path)",\#(rest)}}"#
    }

    @Test func `the daemon root sends its changes once a tick, with the tree's revision`() {
        let (watcher, other) = (FakeClient(hub, token: 1), FakeClient(hub, token: 2))
        #expect(
            subscribe(watcher, #""paths":["observed.connections","a.x","observed.revision"],"old":true"#) == [
                #"{"jsonrpc":"2.0","id":1,"result":{"subscription":1,"revision":1,"epoch":"E","initial":3,"resumed":false}}"#,
                event("connections", #""reason":"initial","new":2,"revision":1,"more":true"#),
                #"{"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"a.x","reason":"initial","new":1,"revision":1,"more":true}}"#,
                event("revision", #""reason":"initial","new":1,"revision":1"#),
            ]
        )
        other.close()
        #expect(watcher.take().isEmpty)
        tick()
        #expect(
            watcher.take() == [
                event("connections", #""reason":"valueChanged","new":1,"old":2,"revision":1"#)
            ]
        )
        tick()
        #expect(watcher.take().isEmpty)
        for value in 2...4 { watcher.send(#"{"method":"set","params":{"path":"a.x","value":\#(value)}}"#) }
        #expect(watcher.take().count == 3)
        tick()
        #expect(
            watcher.take() == [event("revision", #""reason":"valueChanged","new":4,"old":1,"revision":4"#)]
        )
    }

    @Test func `the daemon root makes no commits, and root patterns do not match it`() {
        let (root, own) = (FakeClient(hub, token: 1), FakeClient(hub, token: 2))
        let revision = hub.tree.revision
        #expect(subscribe(root, #""paths":["*","**","*.connections","*.*"]"#).count == 4)
        #expect(subscribe(own, #""path":"observed.*""#).count == 1 + 16)
        tick()
        #expect(root.take().isEmpty)
        #expect(hub.tree.revision == revision)
        #expect(own.ask(#"{"id":2,"method":"get","params":{"path":"a"}}"#).count == 1)
    }

    @Test func `events below the daemon root keep a mirror exact`() {
        let watcher = FakeClient(hub, token: 1)
        let first = subscribe(watcher, #""path":"observed.**""#)
        #expect(
            first.count == 2 && first[1].contains(#""path":"observed","reason":"initial","new":{"version""#)
        )
        let others = (2...4).map { FakeClient(hub, token: $0) }
        for other in others {
            #expect(hub.clients.admit(other.session))
            _ = subscribe(other, #""path":"a.x""#)
        }
        tick()
        let lines = watcher.take().map(\.withoutMore)
        #expect(lines.contains(event("connections", #""reason":"valueChanged","new":4,"revision":1"#)))
        #expect(lines.contains(event("subscriptions", #""reason":"valueChanged","new":4,"revision":1"#)))
        #expect(lines.contains(event("eventsSent", #""reason":"valueChanged","new":3,"revision":1"#)))
        let used = #""reason":"valueChanged","new":3,"revision":1"#
        #expect(lines.contains(event("limits.maxConnections.used", used)))
        #expect(lines.count == 4)
        tick()
        // The counters exclude its own events: an event does not cause the next.
        #expect(watcher.take().isEmpty)
    }

    @Test func `the daemon root does nothing without observers`() {
        #expect(hub.clients.daemonRoot.tree == nil && hub.clients.timers.next == nil)
        let clients = (1...3).map { FakeClient(hub, token: $0) }
        _ = subscribe(clients[0], #""paths":["observed.uptime","observed.*"]"#)
        _ = subscribe(clients[1], #""path":"observed.models""#)
        _ = subscribe(clients[2], #""paths":["observed.models","a.x"]"#)
        #expect(hub.clients.daemonRoot.tree != nil && hub.clients.timers.count == 1)
        clients[0].close()
        clients[1].send(#"{"method":"unsubscribe","params":{"subscription":1}}"#)
        #expect(hub.clients.daemonRoot.tree != nil)
        clients[2].close()
        #expect(hub.clients.daemonRoot.tree == nil)
        // An observer returns before the planned tick, which stays the only one.
        _ = subscribe(clients[1], #""path":"observed.models""#)
        #expect(hub.clients.timers.count == 1)
        clients[1].close()
        tick()
        #expect(hub.clients.daemonRoot.tree == nil && hub.clients.timers.next == nil)
        #expect(hub.clientRecords == Hub.noClientRecords)
    }

    @Test func `the daemon root coalesces for a slow client, and shows its waiting bytes`() throws {
        var limits = ServerLimits()
        limits.clients.foldAfterBytes = 0
        let hub = Hub.with([("a", #"{"x":1}"#)], limits: limits)
        let slow = SlowClient(hub, token: 1)
        slow.send(#"{"method":"subscribe","params":{"paths":["observed.revision","observed.connections"]}}"#)
        #expect(slow.take().count == 2)
        slow.sleep()
        let writer = FakeClient(hub, token: 2)
        for value in 1...5 {
            writer.send(#"{"method":"set","params":{"path":"a.x","value":\#(value * 10)}}"#)
            hub.runTimers(at: try #require(hub.clients.timers.next))
            slow.drain()
        }
        let waiting = writer.ask(#"{"id":1,"method":"get","params":{"path":"observed.outboxBytes"}}"#)
        #expect(
            waiting == [
                #"{"jsonrpc":"2.0","id":1,"result":{"value":\#(slow.session.output.count),"revision":6}}"#
            ]
        )
        #expect(slow.session.output.count > 0)
        slow.wake()
        let lines = slow.take()
        #expect(lines.count == 3)
        #expect(
            lines.last == event("revision", #""reason":"valueChanged","new":6,"revision":6,"coalesced":4"#)
        )
    }

    /// The refreshes have one revision, since nothing else changes.
    @Test func `each refresh of the daemon root is a moment of its own for a slow client`() throws {
        var limits = ServerLimits()
        limits.clients.foldAfterBytes = 80
        let hub = Hub.with([("a", #"{"x":1}"#)], limits: limits)
        let slow = SlowClient(hub, token: 1)
        slow.send(#"{"method":"subscribe","params":{"path":"observed.connections"}}"#)
        #expect(slow.take().count == 1)
        slow.sleep(after: 1)
        slow.send(#"{"id":"z","method":"ping"}"#)
        var others: [FakeClient] = []
        for token in 2...4 as ClosedRange<UInt64> {
            others.append(FakeClient(hub, token: token))
            hub.runTimers(at: try #require(hub.clients.timers.next))
        }
        slow.wake()
        #expect(
            slow.take().dropFirst() == [
                event("connections", #""reason":"valueChanged","new":2,"revision":1"#),
                event("connections", #""reason":"valueChanged","new":4,"revision":1,"coalesced":2"#),
            ]
        )
        withExtendedLifetime(others) {}
    }

    @Test func `describe shows the daemon root as read-only`() {
        let client = FakeClient(hub)
        for watches in [false, true] {
            if watches { _ = subscribe(client, #""path":"observed.models""#) }
            let described = client.ask(#"{"id":1,"method":"describe","params":{"path":"observed"}}"#)
            #expect(
                described[0].contains(
                    #"{"kind":"model","type":"Any","instance":1,"weak":false,"computed":false,"readonly":true,"count":16,"#
                )
            )
        }
    }
}
