// SPDX-License-Identifier: MIT
// The broadcast: several clients get lines from one buffer, and each gets the same lines as without it.

import Testing

@testable import ObserveCore

struct BroadcastRangeTests {
    private let hub = Hub.with([("a", #"{"x":0}"#)])

    private func listener(_ token: UInt64) -> FakeClient {
        let client = FakeClient(hub, token: token)
        _ = client.ask(#"{"id":1,"method":"subscribe","params":{"path":"a.x","initial":false}}"#)
        return client
    }

    private func event(_ number: Int) -> String {
        #"{"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"a.x","reason":"valueChanged","new":\#(number),"revision":\#(number + 1)}}"#
    }

    private func set(_ numbers: ClosedRange<Int>, _ writer: FakeClient) {
        for number in numbers {
            writer.send(#"{"method":"set","params":{"path":"a.x","value":\#(number)}}"#)
        }
    }

    @Test func `observers share one broadcast range, without copies`() {
        let (writer, first, second) = (FakeClient(hub, token: 9), listener(1), listener(2))
        set(1...3, writer)
        #expect(
            first.session.output.hasRange && first.session.output.range == second.session.output.range
        )
        #expect(first.session.output.buffer == nil && hub.clients.broadcast.rangeCount == 2)
        #expect(first.take() == (1...3).map(event))
        set(4...4, writer)
        #expect(second.take() == (1...4).map(event))
        #expect(first.take() == [event(4)])
        #expect(hub.clients.broadcast.rangeCount == 0)
        set(5...5, writer)
        #expect(hub.clients.broadcast.lines.count == event(5).utf8.count + 1)
    }

    /// The loop sends the output of a flushed batch. A commit that comes meanwhile is in no flushed batch.
    @Test func `a range that is being sent, and grows, is output of the open batch again`() {
        let (writer, client) = (FakeClient(hub, token: 9), listener(1))
        set(1...1, writer)
        client.session.output.endDirty()
        set(2...2, writer)
        #expect(client.session.output.isDirty && client.session.output.hasRange)
        #expect(client.session.output.flushedCount == event(1).utf8.count + 1)
        #expect(client.take() == (1...2).map(event))
    }

    @Test func `the hub renders no event for clients that have to wait`() {
        let (writer, first, second) = (FakeClient(hub, token: 9), listener(1), listener(2))
        for client in [first, second] {
            client.isAsleep = true
            client.session.delivery.isBlocked = true
        }
        set(1...1, writer)
        #expect(hub.clients.broadcast.lines.isEmpty == false)
        let long = String(repeating: "x", count: 1 << 17)
        writer.send(#"{"method":"set","params":{"path":"a.x","value":"\#(long)"}}"#)
        set(2...3, writer)
        #expect(hub.clients.broadcast.lines.isEmpty)
        for client in [first, second] {
            client.isAsleep = false
            #expect(client.take().last?.hasSuffix(#""new":3,"revision":5,"coalesced":2}}"#) == true)
        }
    }

    @Test func `an answer stays between earlier and later events`() {
        let (writer, client, other) = (FakeClient(hub, token: 9), listener(1), listener(2))
        set(1...2, writer)
        _ = ByteView.with(Array((#"{"id":7,"method":"get","params":{"path":"a.x"}}"# + "\n").utf8)) {
            hub.receive($0, from: client.session)
        }
        set(3...3, writer)
        #expect(!client.session.output.hasRange && other.session.output.hasRange)
        #expect(
            client.take()
                == [
                    event(1), event(2), #"{"jsonrpc":"2.0","id":7,"result":{"value":2,"revision":3}}"#,
                    event(3),
                ]
        )
        #expect(other.take() == (1...3).map(event))
    }

    @Test func `the hub sends a full broadcast range, and starts another`() {
        let (writer, client, asleep) = (FakeClient(hub, token: 9), listener(1), listener(2))
        let longest = hub.clients.limits.offerAfterBytes
        asleep.isAsleep = true
        var (number, most) = (0, 0)
        while (number + 1) * event(1).utf8.count < 3 * longest {
            number += 1
            set(number...number, writer)
            #expect(client.session.output.buffer == nil && client.session.output.hasRange)
            most = max(most, client.session.output.range.count)
        }
        #expect(most > longest - 200 && most <= longest)
        #expect(client.take() == (1...number).map(event))
        asleep.isAsleep = false
        #expect(asleep.take().last?.contains(#""new":\#(number),"#) == true)
        #expect(hub.clients.broadcast.rangeCount == 0)
    }

    @Test func `a client that disconnects or sleeps leaves the others' ranges intact`() {
        let (writer, gone, asleep, other) = (FakeClient(hub, token: 9), listener(1), listener(2), listener(3))
        set(1...2, writer)
        gone.close()
        asleep.isAsleep = true
        asleep.flush(asleep.session)
        set(3...3, writer)
        #expect(hub.clients.broadcast.rangeCount == 1 && !asleep.session.output.hasRange)
        #expect(other.take() == (1...3).map(event))
        asleep.isAsleep = false
        #expect(asleep.take() == (1...3).map(event))
        #expect(hub.clients.broadcast.rangeCount == 0)
    }

    @Test func `a turn with more lines than the broadcast holds queues the rest`() {
        let (writer, client) = (FakeClient(hub, token: 9), listener(1))
        let keeper = listener(2)
        var largest = 0
        for hundred in 0..<40 {
            set(hundred * 100 + 1...hundred * 100 + 100, writer)
            #expect(client.take() == (hundred * 100 + 1...hundred * 100 + 100).map(event))
            largest = max(largest, hub.clients.broadcast.lines.count)
            if hundred == 3 { #expect(keeper.take().count == 400) }
        }
        #expect(largest > 1000 && largest <= (256 << 10) + 200)
        #expect(keeper.take().last == event(4000))
    }
}
