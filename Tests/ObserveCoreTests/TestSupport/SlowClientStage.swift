// SPDX-License-Identifier: MIT
// A hub with small limits, a client that writes and clients that sleep. Tests of slow clients share it.

import Testing

@testable import ObserveCore

/// Roots `a` and `b`, a writer, and an outbox limit that a few events exceed.
struct SlowClientStage {
    let limits: ServerLimits
    let hub: Hub
    let writer: FakeClient

    init(foldAfterBytes: Int = 0) {
        var limits = ServerLimits()
        limits.clients.foldAfterBytes = foldAfterBytes
        limits.clients.maxOutboxBytes = 4000
        self.limits = limits
        hub = Hub.with([("a", #"{"x":0,"y":0,"m":{"k":1},"r":[1,2,3]}"#), ("b", "0")], limits: limits)
        writer = FakeClient(hub, token: 99)
    }

    func set(_ path: String, _ value: String) {
        let answer = writer.ask(#"{"id":1,"method":"set","params":{"path":"\#(path)","value":\#(value)}}"#)
        #expect(answer.first?.contains("result") == true, "\(answer)")
    }

    func remove(_ path: String) {
        _ = writer.ask(#"{"id":1,"method":"remove","params":{"path":"\#(path)"}}"#)
    }

    func subscribe(_ client: SlowClient, _ params: String) {
        client.send(#"{"id":0,"method":"subscribe","params":{\#(params)}}"#)
    }

    /// A client with one subscription, which has read its answer and initial events. It sleeps while one byte of a
    /// later answer waits for it.
    func sleepingClient(_ params: String) -> SlowClient {
        let client = SlowClient(hub, token: 1)
        subscribe(client, params)
        _ = client.take()
        client.sleep()
        client.send(#"{"id":"z","method":"ping"}"#)
        let isBlocked = client.session.delivery.isBlocked
        #expect(isBlocked)
        return client
    }

    /// The waiting events without their common beginning, and without the answer to the client's ping.
    func wake(_ client: SlowClient) -> [String] {
        client.wake()
        return client.take().filter { !$0.contains(#""id":"z""#) }.map { line in
            let head = #"{"jsonrpc":"2.0","method":"change","params":{"subscription":1,"#
            return line.hasPrefix(head) ? String(line.dropFirst(head.count).dropLast(2)) : line
        }
    }
}
