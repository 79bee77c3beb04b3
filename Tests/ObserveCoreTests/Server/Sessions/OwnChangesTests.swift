// SPDX-License-Identifier: MIT
// The origin of changes: `origin` shows it, `own: false` omits a client's own changes.

import Testing

@testable import ObserveCore

struct OwnChangesTests {
    /// The events and answers of `client`, without the common members.
    private func taken(_ client: FakeClient) -> [String] {
        client.take().map { $0.replacing(#"{"jsonrpc":"2.0","method":"change","params":"#, with: "") }
    }

    private func set(_ path: String, _ json: String) -> String {
        #"{"method":"set","params":{"path":"\#(path)","value":\#(json)}}"#
    }

    @Test func `every event but the initial has the peer's pid and uid as origin`() {
        let talk = Conversation([("a", #"{"x":1}"#)])
        talk.watcher.send(
            #"{"method":"subscribe","params":{"path":"a.x","origin":true,"prior":true}}"#,
            #"{"method":"subscribe","params":{"path":"a.x","origin":true,"old":true,"initial":false}}"#,
            #"{"method":"subscribe","params":{"path":"a.x","initial":false}}"#
        )
        talk.client.send(set("a.x", "2"))
        talk.watcher.send(set("a.x", "3"))
        func event(_ old: Int, _ new: Int, _ origin: String, _ revision: Int) -> [String] {
            let tail = #""revision":\#(revision)}}"#
            let more = #""revision":\#(revision),"more":true}}"#
            let head = #""path":"a.x","reason":"valueChanged""#
            return [
                #"{"subscription":1,\#(head),"old":\#(old),"prior":true,"origin":\#(origin),\#(more)"#,
                #"{"subscription":1,\#(head),"new":\#(new),"origin":\#(origin),\#(tail)"#,
                #"{"subscription":2,\#(head),"new":\#(new),"old":\#(old),"origin":\#(origin),\#(tail)"#,
                #"{"subscription":3,\#(head),"new":\#(new),\#(tail)"#,
            ]
        }
        #expect(
            taken(talk.watcher)
                == [#"{"subscription":1,"path":"a.x","reason":"initial","new":1,"revision":1}}"#]
                + event(1, 2, #"{"pid":1001,"uid":501}"#, 2) + event(2, 3, #"{"pid":1002,"uid":502}"#, 3)
        )
    }

    @Test func `the origin of a change without a request is the daemon`() throws {
        let talk = Conversation([("a", "1")])
        talk.watch("a", options: #","origin":true"#)
        try talk.hub.tree.define(root: "a", json: "2")
        #expect(
            talk.events() == [
                #""path":"a","reason":"valueChanged","new":2,"old":1,"origin":{"pid":\#(Platform.pid),"uid":\#(Platform.uid)},"revision":2"#
            ]
        )
    }

    @Test func `the origin of a change before any connection is the daemon`() throws {
        let hub = Hub(limits: ServerLimits(), now: .now)
        try hub.tree.define(root: "a", json: "1")
        let first = hub.tree.revision
        try hub.tree.define(root: "a", json: "2")
        let client = FakeClient(hub, token: 1)
        let lines = client.ask(
            #"{"id":1,"method":"subscribe","params":{"path":"a","origin":true,"since":{"epoch":"\#(hub.journaling.epoch)","revision":\#(first)}}}"#
        )
        #expect(lines.count == 2)
        #expect(lines.last?.contains(#""origin":{"pid":\#(Platform.pid),"uid":\#(Platform.uid)}"#) == true)
    }

    @Test func `the hub omits a client's own changes, and counts them as seen`() {
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

    @Test func `a transaction's changes belong to its client`() {
        let talk = Conversation([("a", #"{"x":1,"y":1}"#)])
        talk.watch("a.x", "a.y", options: #","own":false,"distinct":false"#)
        let transaction =
            #"{"method":"transaction","params":{"operations":[{"method":"set","params":{"path":"a.x","value":2}},{"method":"set","params":{"path":"a.y","value":2}}]}}"#
        talk.watcher.send(transaction)
        #expect(talk.events() == [])
        talk.client.send(transaction)
        #expect(talk.events().count == 2)
    }

    @Test func `the hub sends the effects of an own change on references and operators`() {
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

    @Test func `patterns omit own changes too, and forget removed paths`() {
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

    @Test func `an element's origin is its own, whatever else its array has in the commit`() {
        let client = FakeClient(.with([("s", "[1,2]")]), token: 1)
        client.send(
            #"{"method":"bind","params":{"source":"s.0","target":"s.1"}}"#,
            #"{"method":"subscribe","params":{"path":"s.0","own":false,"origin":true,"initial":false}}"#,
            #"{"method":"subscribe","params":{"paths":["s.0","s.0.1","s.1"],"origin":true,"initial":false}}"#,
            #"{"method":"subscribe","params":{"paths":["s","s.**"],"own":false,"origin":true,"initial":false}}"#
        )
        #expect(client.take() == [])
        func event(_ subscription: Int, _ change: String, _ binding: String = "") -> String {
            let origin =
                #","origin":{"pid":1001,"uid":501\#(binding)},"revision":\#(client.hub.tree.revision)}}"#
            return #"{"subscription":\#(subscription),"path":\#(change)\#(origin)"#
        }
        let (byBinding, value) = (#","binding":1"#, #""reason":"valueChanged""#)
        let moved = #""reason":"pathChanged""#
        client.send(set("s.0", "9"))
        #expect(
            Set(taken(client).map(\.withoutMore)) == [
                event(2, #""s.0",\#(value),"new":9"#), event(2, #""s.1",\#(value),"new":9"#, byBinding),
                event(3, #""s",\#(value),"new":[9,9]"#, byBinding),
            ]
        )
        client.send(set("s", "[[1,2],3]"))
        #expect(
            Set(taken(client).map(\.withoutMore)) == [
                event(2, #""s.0",\#(moved),"new":[1,2],"changedAt":"s""#),
                event(2, #""s.0.1",\#(moved),"new":2,"changedAt":"s""#),
                event(2, #""s.1",\#(moved),"new":[1,2],"changedAt":"s""#, byBinding),
                event(3, #""s",\#(value),"new":[[1,2],[1,2]]"#, byBinding),
            ]
        )
        client.send(set("s.0.1", "5"))
        #expect(
            Set(taken(client).map(\.withoutMore)) == [
                event(2, #""s.0",\#(value),"new":[5],"kind":"replacement","indexes":[1]"#),
                event(2, #""s.0.1",\#(value),"new":5"#),
                event(2, #""s.1",\#(value),"new":[1,5]"#, byBinding),
                event(3, #""s",\#(value),"new":[[1,5],[1,5]]"#, byBinding),
            ]
        )
        client.send(#"{"method":"insert","params":{"path":"s","value":4,"index":0}}"#)
        #expect(
            Set(taken(client).map(\.withoutMore)) == [
                event(2, #""s.0",\#(moved),"new":4,"changedAt":"s""#),
                event(2, #""s.0.1",\#(moved),"new":null,"changedAt":"s","nilAt":"s.0""#),
                event(2, #""s.1",\#(moved),"new":4,"changedAt":"s""#, byBinding),
                event(3, #""s",\#(value),"new":[4,4,[1,5]]"#, byBinding),
            ]
        )
    }

    @Test func `a replayed element's origin is its own`() {
        let client = FakeClient(.with([("s", "[1,2]")]), token: 1)
        client.send(#"{"method":"bind","params":{"source":"s.0","target":"s.1"}}"#, set("s.0", "9"))
        let since = #""since":{"epoch":"\#(client.hub.journaling.epoch)","revision":2}"#
        client.send(
            #"{"method":"subscribe","params":{"paths":["s.0","s.1"],"origin":true,\#(since)}}"#
        )
        let origin = #""origin":{"pid":1001,"uid":501"#
        #expect(
            Set(taken(client).map(\.withoutMore)) == [
                #"{"subscription":1,"path":"s.0","reason":"valueChanged","new":9,\#(origin)},"revision":3}}"#,
                #"{"subscription":1,"path":"s.1","reason":"valueChanged","new":9,\#(origin),"binding":1},"revision":3}}"#,
            ]
        )
    }

    /// A model may be made by any write; what a binding changes in it is not the client's own change.
    @Test(
        arguments: [
            #""set","params":{"path":"a.m","value":{"x":1,"n":{"y":[1,2]}}}"#,
            #""merge","params":{"path":"a","value":{"m":{"x":1,"n":{"y":[1,2]}}}}"#,
            #""merge","params":{"path":"a.m","value":{"x":1,"n":{"y":[1,2]}}}"#,
            #""set","params":{"path":"a.m","value":{"x":1,"n":{"y":[1,2]}},"parents":true}"#,
        ],
        ["a.m.x", "a.m.n", "a.m.n.y", "a.m.n.y.0"]
    )
    func `a mirror hears of a binding's null in a model that the client made`(write: String, target: String) {
        let talk = Conversation([("a", "{}"), ("s", "null")])
        _ = talk.ask("bind", #"{"source":"s","target":"\#(target)"}"#)
        talk.client.send(#"{"method":"subscribe","params":{"path":"a.**","own":false,"initial":false}}"#)
        talk.client.send(#"{"method":\#(write)}"#)
        let shown = taken(talk.client)
        let value = talk.value("a.m")
        #expect(value.contains("null"))
        #expect(
            shown.count == 1
                && shown.first?.contains(#""path":"a.m","reason":"valueChanged","new":\#(value),"#) == true
        )
    }

    // MARK: Slow clients

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

    @Test func `own changes coalesce uncounted into their path's waiting event`() {
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

    @Test func `the hub drops an event with the value that the client saw or wrote last`() {
        let (reader, writer) = slow(#""path":"a.x","own":false"#, [("a", #"{"x":0}"#)])
        reader.send(set("a.x", "1"))
        writer.send(set("a.x", "2"), set("a.x", "1"))
        #expect(woken(reader) == [])
    }

    @Test func `a marked path has its event, also if an own change takes its value back`() {
        let (reader, writer) = slow(#""paths":["a.x","a.y"],"own":false"#, [("a", #"{"x":0,"y":0}"#)])
        writer.send(set("a.x", "1"), set("a.y", "1"))
        reader.send(set("a.x", "0"))
        #expect(
            woken(reader) == [
                #"{"subscription":1,"path":"a.x","reason":"valueChanged","new":0,"revision":4,"more":true}}"#,
                #"{"subscription":1,"path":"a.y","reason":"valueChanged","new":1,"revision":4}}"#,
            ]
        )
    }

    @Test func `a mirror's marked path has its event, also if an own change removes it`() {
        let (reader, writer) = slow(#""paths":["a.**"],"own":false"#, [("a", #"{"x":0}"#)])
        writer.send(set("a.x", "1"), set("a.y", "1"))
        reader.send(#"{"method":"remove","params":{"path":"a.y"}}"#)
        #expect(
            woken(reader) == [
                #"{"subscription":1,"path":"a.x","reason":"valueChanged","new":1,"revision":4,"more":true}}"#,
                #"{"subscription":1,"path":"a.y","reason":"valueChanged","new":null,"revision":4}}"#,
            ]
        )
    }

    @Test func `an own change does not touch waiting events that must not coalesce`() {
        let (reader, writer) = slow(
            #""paths":["a.x","a.y"],"own":false,"delivery":"every","prior":true"#,
            [("a", #"{"x":0,"y":0}"#)]
        )
        writer.send(set("a.x", "1"))
        reader.send(set("a.y", "1"))
        #expect(
            woken(reader) == [
                #"{"subscription":1,"path":"a.x","reason":"valueChanged","old":0,"prior":true,"revision":2,"more":true}}"#,
                #"{"subscription":1,"path":"a.x","reason":"valueChanged","new":1,"revision":2}}"#,
            ]
        )
    }

    @Test func `a marked array has its event, also if an own edit takes it back`() {
        let (reader, writer) = slow(#""paths":["a.**","b"],"own":false"#, [("a", "[1]"), ("b", "0")])
        writer.send(set("a", "[1,2]"), set("b", "1"))
        reader.send(#"{"method":"remove","params":{"path":"a.1"}}"#)
        #expect(
            woken(reader) == [
                #"{"subscription":1,"path":"a","reason":"valueChanged","new":[1],"revision":5,"more":true}}"#,
                #"{"subscription":1,"path":"b","reason":"valueChanged","new":1,"revision":5}}"#,
            ]
        )
    }

    @Test func `an event before an answer keeps its value after an own change`() {
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

    @Test func `a removed root that the client sets again has one event`() {
        let (reader, writer) = slow(#""path":"a.x","own":false"#, [("a", #"{"x":0}"#)])
        writer.send(#"{"method":"remove","params":{"path":"a"}}"#)
        reader.send(set("a", #"{"x":1}"#))
        #expect(
            woken(reader) == [
                #"{"subscription":1,"path":"a.x","reason":"pathChanged","new":1,"changedAt":"a","revision":3}}"#
            ]
        )
    }

    @Test func `an own change of an array marks all of it if an element is marked`() {
        let (reader, writer) = slow(#""path":"a.**","own":false"#, [("a", #"{"r":[{"x":0}]}"#)])
        writer.send(set("a.r.0.x", "1"))
        reader.send(#"{"method":"insert","params":{"path":"a.r","value":9,"index":0}}"#)
        writer.send(set("a.r.1.x", "2"))
        reader.send(set("a.r.1.x", "3"))
        #expect(
            woken(reader) == [
                #"{"subscription":1,"path":"a.r","reason":"valueChanged","new":[9,{"x":3}],"revision":5}}"#
            ]
        )
    }
}
