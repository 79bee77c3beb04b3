// SPDX-License-Identifier: MIT
// throttle and debounce: the memory of delayed paths, and their places in the timer queue.

import Testing

@testable import ObserveCore

struct PacingMemoryTests {
    private static let count = 500

    private static func members(_ value: Int) -> String {
        (0..<count).map { "\"p\($0)\":\(value)" }.joined(separator: ",")
    }

    @Test(arguments: [#""path":"a.*""#, #""path":"a.**""#], ["unsubscribe", "close", "goodbye"])
    func `the timer queue forgets the paths of ended subscriptions`(paths: String, end: String) {
        let stage = PacedStage(
            [("a", "{\(Self.members(0))}")],
            #""path":"a.p0","debounce":100,"initial":false"#
        )
        let client = FakeClient(stage.hub, token: 5)
        client.send(
            #"{"method":"subscribe","params":{\#(paths),"debounce":1000000000,"initial":false}}"#
        )
        stage.write("merge", #""path":"a","value":{\#(Self.members(1))}"#)
        #expect(stage.hub.clients.timers.count >= Self.count)
        switch end {
        case "unsubscribe":
            client.send(#"{"method":"unsubscribe","params":{"subscription":1}}"#)
        case "close":
            client.close()
        default:
            stage.hub.clients.sendGoodbye(.overflow, to: client.session, resumingAt: nil)
            client.close()
        }
        #expect(stage.hub.clients.timers.count <= 64)
        // The others keep their times.
        stage.pass(100)
        #expect(stage.events().count == 1)
    }

    @Test func `the timer queue forgets large values of ended subscriptions`() {
        let stage = PacedStage([("a", "{}")], #""path":"a.p0","debounce":100,"initial":false"#)
        stage.set("a.text", "0")
        let client = FakeClient(stage.hub, token: 5)
        let count = stage.hub.clients.timers.count
        for round in 0..<3 {
            client.send(
                #"{"method":"subscribe","params":{"path":"a.text","throttle":1000000000,"old":true,"initial":false}}"#
            )
            for _ in 0..<3 {
                let text = String(repeating: "x", count: 20_000 + Int.random(in: 0..<1000))
                stage.set("a.text", "\"\(text)\"")
            }
            client.send(#"{"method":"unsubscribe","params":{"subscription":\#(round + 1)}}"#)
            #expect(stage.hub.clients.timers.count == count)
        }
    }

    /// Below `**`, a path has a name. With `*`, one that ceases to match has.
    @Test(arguments: ["a.*", "a.**"])
    func `a session's memory has the names of its paths, as long as it keeps them`(path: String) {
        let stage = PacedStage(
            [("a", "{\(Self.members(0))}")],
            #""path":"\#(path)","debounce":100,"initial":false"#
        )
        let session = stage.reader.session
        let before = session.delivery.further.markedBytes
        stage.write("merge", #""path":"a","value":{\#(Self.members(1))}"#)
        if path == "a.*" {
            for index in 0..<Self.count { stage.write("remove", #""path":"a.p\#(index)""#) }
        }
        let held = session.delivery.further.markedBytes - before
        #expect(held >= Self.count * (MarkedPath.bytes + MarkedPath.nameBytes))
        // Some match again.
        for index in 0..<10 { stage.set("a.p\(index)", "2") }
        stage.pass(200)
        #expect(stage.events().count == Self.count)
        #expect(session.delivery.further.markedBytes == before)
    }
}
