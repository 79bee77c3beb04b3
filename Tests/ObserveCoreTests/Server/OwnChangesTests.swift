// SPDX-License-Identifier: MIT
// Who made a change: told with `origin`, left out with `own: false`.

import Testing

@testable import ObserveCore

struct OwnChangesTests {
    /// The events and answers that came to `client`, without what all events have.
    private func taken(_ client: FakeClient) -> [String] {
        client.take().map { $0.replacing(#"{"jsonrpc":"2.0","method":"change","params":"#, with: "") }
    }

    private func set(_ path: String, _ json: String) -> String {
        #"{"method":"set","params":{"path":"\#(path)","value":\#(json)}}"#
    }

    @Test func `origin is the peer's pid and uid, on every event but the initial`() {
        let talk = Conversation([("a", #"{"x":1}"#)])
        talk.watcher.send(
            #"{"method":"subscribe","params":{"path":"a.x","origin":true,"prior":true}}"#,
            #"{"method":"subscribe","params":{"path":"a.x","origin":true,"old":true,"initial":false}}"#,
            #"{"method":"subscribe","params":{"path":"a.x","initial":false}}"#
        )
        talk.client.send(set("a.x", "2"))
        talk.watcher.send(set("a.x", "3"))
        func told(_ old: Int, _ new: Int, _ origin: String, _ revision: Int) -> [String] {
            let tail = #""revision":\#(revision)}}"#
            let head = #""path":"a.x","reason":"valueChanged""#
            return [
                #"{"subscription":1,\#(head),"old":\#(old),"prior":true,"origin":\#(origin),\#(tail)"#,
                #"{"subscription":1,\#(head),"new":\#(new),"origin":\#(origin),\#(tail)"#,
                #"{"subscription":2,\#(head),"new":\#(new),"old":\#(old),"origin":\#(origin),\#(tail)"#,
                #"{"subscription":3,\#(head),"new":\#(new),\#(tail)"#,
            ]
        }
        #expect(
            taken(talk.watcher)
                == [#"{"subscription":1,"path":"a.x","reason":"initial","new":1,"revision":1}}"#]
                + told(1, 2, #"{"pid":1001,"uid":501}"#, 2) + told(2, 3, #"{"pid":1002,"uid":502}"#, 3)
        )
    }

    @Test func `what nobody asked for is this process's doing`() throws {
        let talk = Conversation([("a", "1")])
        talk.watch("a", options: #","origin":true"#)
        try talk.hub.tree.define(root: "a", json: "2")
        #expect(
            talk.events() == [
                #""path":"a","reason":"valueChanged","new":2,"old":1,"origin":{"pid":\#(Platform.pid),"uid":\#(Platform.uid)},"revision":2"#
            ]
        )
    }

    @Test func `so is what happened before anybody connected`() throws {
        let hub = Hub(limits: ServerLimits(), now: .now)
        try hub.tree.define(root: "a", json: "1")
        let first = hub.tree.revision
        try hub.tree.define(root: "a", json: "2")
        let client = FakeClient(hub, token: 1)
        let lines = client.ask(
            #"{"id":1,"method":"subscribe","params":{"path":"a","origin":true,"since":{"epoch":"\#(hub.epoch)","revision":\#(first)}}}"#
        )
        #expect(lines.count == 2)
        #expect(lines.last?.contains(#""origin":{"pid":\#(Platform.pid),"uid":\#(Platform.uid)}"#) == true)
    }

    @Test func `own changes are left out, and count as seen`() {
        let talk = Conversation([("a", #"{"x":1}"#)])
        talk.watch("a.x", options: #","own":false"#)
        talk.watcher.send(set("a.x", "2"))
        #expect(talk.events() == [])
        talk.client.send(set("a.x", "2"))
        #expect(talk.events() == [])
        talk.client.send(set("a.x", "3"))
        #expect(
            talk.events() == [#""path":"a.x","reason":"valueChanged","new":3,"old":2,"revision":3"#]
        )
        talk.watcher.send(#"{"method":"remove","params":{"path":"a"}}"#)
        talk.client.send(set("a", #"{"x":4}"#))
        #expect(
            talk.events() == [
                #""path":"a.x","reason":"pathChanged","new":4,"old":null,"changedAt":"a","revision":5"#
            ]
        )
    }

    @Test func `a transaction's changes are its client's own`() {
        let talk = Conversation([("a", #"{"x":1,"y":1}"#)])
        talk.watch("a.x", "a.y", options: #","own":false,"distinct":false"#)
        let transaction =
            #"{"method":"transaction","params":{"operations":[{"method":"set","params":{"path":"a.x","value":2}},{"method":"set","params":{"path":"a.y","value":2}}]}}"#
        talk.watcher.send(transaction)
        #expect(talk.events() == [])
        talk.client.send(transaction)
        #expect(talk.events().count == 2)
    }

    @Test func `what an own change makes of references and operators is told`() {
        let talk = Conversation([("a", #"{"m":{"x":1},"r":[1,2]}"#), ("b", "{}")])
        talk.client.send(#"{"method":"link","params":{"path":"b.w","target":"a.m","weak":true}}"#)
        talk.watch("b.w", "a.m", "a.r.@count", "a.r", options: #","own":false"#)
        talk.watcher.send(
            #"{"method":"remove","params":{"path":"a.m"}}"#,
            #"{"method":"remove","params":{"path":"a.r.0"}}"#
        )
        #expect(
            talk.events() == [
                #""path":"b.w","reason":"valueChanged","new":null,"old":{"x":1},"revision":4"#,
                #""path":"a.r.@count","reason":"valueChanged","new":1,"old":2,"revision":5"#,
            ]
        )
    }

    @Test func `patterns leave own changes out too, and forget what the client removed`() {
        let talk = Conversation([("a", #"{"x":1}"#)])
        talk.watch("a.*", options: #","own":false"#)
        talk.watch("a.**", options: #","own":false"#)
        talk.watcher.send(
            set("a.y", "1"),
            #"{"method":"remove","params":{"path":"a.x"}}"#,
            set("a", #"{"z":1}"#)
        )
        #expect(talk.events() == [])
        talk.client.send(set("a.z", "2"))
        #expect(
            talk.events()
                == Array(
                    repeating: #""path":"a.z","reason":"valueChanged","new":2,"old":1,"revision":5"#,
                    count: 2
                )
        )
    }

    // MARK: Slow readers

    private func slow(_ options: String, _ roots: [(String, String)]) -> (SlowClient, FakeClient) {
        var limits = ServerLimits()
        limits.clients.foldAfterBytes = 0
        let hub = Hub.with(roots, limits: limits)
        let (reader, writer) = (SlowClient(hub, token: 1), FakeClient(hub, token: 2))
        reader.send(#"{"method":"subscribe","params":{"initial":false,\#(options)}}"#)
        reader.sleep()
        reader.send(#"{"id":0,"method":"ping"}"#)
        return (reader, writer)
    }

    private func woken(_ reader: SlowClient) -> [String] {
        reader.wake()
        return reader.take().dropFirst().map {
            $0.replacing(#"{"jsonrpc":"2.0","method":"change","params":"#, with: "")
        }
    }

    @Test func `own changes fold, uncounted, into what waits for their path`() {
        let (reader, writer) = slow(
            #""path":"a.x","own":false,"old":true,"origin":true"#,
            [("a", #"{"x":0}"#)]
        )
        writer.send(set("a.x", "1"), set("a.x", "2"))
        reader.send(set("a.x", "3"))
        #expect(
            woken(reader) == [
                #"{"subscription":1,"path":"a.x","reason":"valueChanged","new":3,"old":0,"origin":{"pid":1001,"uid":501},"revision":4,"coalesced":2}}"#
            ]
        )
    }

    @Test func `what folds back to what the client saw, or made, is not told`() {
        let (reader, writer) = slow(#""path":"a.x","own":false"#, [("a", #"{"x":0}"#)])
        reader.send(set("a.x", "1"))
        writer.send(set("a.x", "2"), set("a.x", "1"))
        #expect(woken(reader) == [])
    }

    @Test func `behind an answer an own change lets what waits show the older value`() {
        let (reader, writer) = slow(#""path":"a.x","own":false"#, [("a", #"{"x":0}"#)])
        writer.send(set("a.x", "1"))
        reader.send(#"{"id":1,"method":"ping"}"#, set("a.x", "2"))
        writer.send(set("a.x", "3"))
        #expect(
            woken(reader) == [
                #"{"subscription":1,"path":"a.x","reason":"valueChanged","new":1,"revision":2}}"#,
                #"{"jsonrpc":"2.0","id":1,"result":{}}"#,
                #"{"subscription":1,"path":"a.x","reason":"valueChanged","new":3,"revision":4}}"#,
            ]
        )
    }

    @Test func `a removed root is told, though the client sets it again`() {
        let (reader, writer) = slow(#""path":"a.x","own":false"#, [("a", #"{"x":0}"#)])
        writer.send(#"{"method":"remove","params":{"path":"a"}}"#)
        reader.send(set("a", #"{"x":1}"#))
        #expect(
            woken(reader) == [
                #"{"subscription":1,"path":"a.x","reason":"sourceDeleted","new":null,"nilAt":"a","revision":2}}"#
            ]
        )
    }

    @Test func `below a pattern an own change of an array lets what waits below go first`() {
        let (reader, writer) = slow(#""path":"a.**","own":false"#, [("a", #"{"r":[{"x":0}]}"#)])
        writer.send(set("a.r.0.x", "1"))
        reader.send(#"{"method":"insert","params":{"path":"a.r","value":9,"index":0}}"#)
        writer.send(set("a.r.1.x", "2"))
        reader.send(set("a.r.1.x", "3"))
        #expect(
            woken(reader) == [
                #"{"subscription":1,"path":"a.r.0.x","reason":"valueChanged","new":1,"revision":2}}"#,
                #"{"subscription":1,"path":"a.r.1.x","reason":"valueChanged","new":3,"revision":5}}"#,
            ]
        )
    }
}
