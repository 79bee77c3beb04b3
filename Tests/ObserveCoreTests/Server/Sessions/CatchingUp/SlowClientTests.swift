// SPDX-License-Identifier: MIT
// Slow clients: their waiting events, coalescing, and its cost.

import Testing

@testable import ObserveCore

@Suite struct SlowClientTests {
    private let stage = SlowClientStage()

    @Test func `changes of one path coalesce into the newest`() {
        let client = stage.sleepingClient(#""paths":["a.x","a.y"],"old":true"#)
        for value in 1...5 { stage.set("a.x", "\(value)") }
        stage.set("a.y", "1")
        stage.set("a.x", "6")
        #expect(
            stage.wake(client) == [
                #""path":"a.x","reason":"valueChanged","new":6,"old":0,"revision":9,"coalesced":6,"more":true"#,
                #""path":"a.y","reason":"valueChanged","new":1,"old":0,"revision":9"#,
            ]
        )
        stage.set("a.x", "7")
        #expect(
            stage.wake(client) == [#""path":"a.x","reason":"valueChanged","new":7,"old":6,"revision":10"#]
        )
    }

    @Test(arguments: [("1", "1.0"), ("\"s\"", "\"\\u0073\""), ("null", "null"), ("[1,[2]]", "[1.0,[2]]")])
    func `an event that coalesces back to the last sent value is dropped`(first: String, back: String) {
        stage.set("b", first)
        let client = stage.sleepingClient(#""path":"b""#)
        stage.set("b", "99")
        stage.set("b", back)
        #expect(stage.wake(client) == [])
        stage.set("b", "100")
        #expect(stage.wake(client).count == 1)
    }

    @Test func `an event that coalesces back to the same model is dropped, another model is sent`() {
        stage.set("b", "null")
        _ = stage.writer.ask(#"{"id":1,"method":"link","params":{"path":"b","target":"a.m"}}"#)
        let client = stage.sleepingClient(#""path":"b""#)
        stage.set("b", "99")
        _ = stage.writer.ask(#"{"id":1,"method":"link","params":{"path":"b","target":"a.m"}}"#)
        #expect(stage.wake(client) == [])
        client.sleep()
        client.send(#"{"id":"z","method":"ping"}"#)
        stage.set("b", "99")
        stage.set("b", #"{"k":1}"#)
        #expect(
            stage.wake(client) == [
                #""path":"b","reason":"valueChanged","new":{"k":1},"revision":8,"coalesced":2"#
            ]
        )
    }

    @Test(arguments: ["ping", "unsubscribe"])
    func `a mirror gets the same model again, since it lacks the changes inside`(method: String) {
        stage.set("b", "null")
        _ = stage.writer.ask(#"{"id":1,"method":"link","params":{"path":"b","target":"a.m"}}"#)
        let client = stage.sleepingClient(#""path":"b.**""#)
        stage.set("b.k", "2")
        stage.set("b", "99")
        _ = stage.writer.ask(#"{"id":1,"method":"link","params":{"path":"b","target":"a.m"}}"#)
        client.send(#"{"id":"z","method":"\#(method)","params":{"subscription":1}}"#)
        #expect(
            stage.wake(client) == [
                #""path":"b","reason":"valueChanged","new":{"k":2},"revision":7,"coalesced":2"#
            ]
        )
    }

    @Test func `an event that coalesces back to an array of the same models is dropped`() {
        stage.set("b", #"[0,{"k":1}]"#)
        let client = stage.sleepingClient(#""path":"b""#)
        stage.set("b.0", "1")
        stage.set("b.0", "0")
        #expect(stage.wake(client) == [])
        client.sleep()
        client.send(#"{"id":"z","method":"ping"}"#)
        stage.set("b.1", #"{"k":1}"#)
        #expect(stage.wake(client).count == 1)
    }

    @Test func `equal assignments coalesce too for indistinct subscriptions`() {
        let client = stage.sleepingClient(#""path":"b","distinct":false"#)
        stage.set("b", "0")
        stage.set("b", "0")
        stage.set("b", "1")
        stage.set("b", "0")
        #expect(
            stage.wake(client) == [#""path":"b","reason":"valueChanged","new":0,"revision":4,"coalesced":4"#]
        )
    }

    @Test func `a coalesced event is pathChanged if one of its changes was, with the newest place`() {
        let client = stage.sleepingClient(#""path":"a.m.k","old":true"#)
        stage.set("a.m", #"{"k":2}"#)
        stage.set("a.m.k", "3")
        #expect(
            stage.wake(client) == [
                #""path":"a.m.k","reason":"pathChanged","new":3,"old":1,"changedAt":"a.m","revision":4,"coalesced":2"#
            ]
        )
        client.sleep()
        client.send(#"{"id":"z","method":"ping"}"#)
        stage.set("a.m.k", "4")
        stage.set("a.m", "null")
        #expect(
            stage.wake(client) == [
                #""path":"a.m.k","reason":"pathChanged","new":null,"old":3,"changedAt":"a.m","nilAt":"a.m","revision":6,"coalesced":2"#
            ]
        )
    }

    @Test func `coalesced array edits become a whole assignment, without prior events`() {
        let client = stage.sleepingClient(#""path":"a.r","prior":true,"old":true"#)
        stage.set("a.r.0", "9")
        stage.remove("a.r.1")
        #expect(
            stage.wake(client) == [
                #""path":"a.r","reason":"valueChanged","new":[9,3],"old":[1,2,3],"revision":4,"coalesced":2"#
            ]
        )
    }

    @Test func `events do not coalesce across an answer`() {
        let client = stage.sleepingClient(#""path":"a.x","old":true"#)
        stage.set("a.x", "1")
        stage.set("a.x", "2")
        client.send(#"{"id":"get","method":"get","params":{"path":"a.x"}}"#)
        stage.set("a.x", "3")
        stage.set("a.x", "0")
        client.send(#"{"id":"get","method":"get","params":{"path":"a.x"}}"#)
        #expect(
            stage.wake(client) == [
                #""path":"a.x","reason":"valueChanged","new":2,"old":0,"revision":4,"coalesced":2"#,
                #"{"jsonrpc":"2.0","id":"get","result":{"value":2,"revision":4}}"#,
                #""path":"a.x","reason":"valueChanged","new":0,"old":2,"revision":6,"coalesced":2"#,
                #"{"jsonrpc":"2.0","id":"get","result":{"value":0,"revision":6}}"#,
            ]
        )
    }

    @Test func `in a batch, the last frame before unsubscribe is as of then`() {
        let client = stage.sleepingClient(#""paths":["a.x","b"]"#)
        client.send(
            #"[{"id":1,"method":"set","params":{"path":"a.x","value":1}},{"id":2,"method":"unsubscribe","params":{"subscription":1}},{"method":"set","params":{"path":"b","value":2}}]"#
        )
        #expect(
            stage.wake(client) == [
                #""path":"a.x","reason":"valueChanged","new":1,"revision":3"#,
                #"[{"jsonrpc":"2.0","id":1,"result":{"revision":3,"changed":true}},{"jsonrpc":"2.0","id":2,"result":{}}]"#,
            ]
        )
    }

    @Test
    func
        `a removed and restored root's event precedes the answer to unsubscribe, also if its value is equal`()
    {
        for bytes in 0..<600 {
            let stage = SlowClientStage()
            let client = stage.sleepingClient(#""paths":["b","a.x"],"old":true"#)
            stage.subscribe(client, #""path":"a.y","initial":false"#)
            stage.remove("a")
            stage.set("a", #"{"x":5,"y":7}"#)
            stage.set("a", #"{"x":null,"y":8}"#)
            client.wake(bytes)
            client.send(#"{"id":"end","method":"unsubscribe","params":{"subscription":1}}"#)
            let lines = stage.wake(client).filter { !$0.contains("a.y") }.suffix(2)
            #expect(
                lines == [
                    #""path":"a.x","reason":"pathChanged","new":null,"old":0,"changedAt":"a","revision":5,"coalesced":3"#,
                    #"{"jsonrpc":"2.0","id":"end","result":{}}"#,
                ],
                "after \(bytes) bytes"
            )
        }
    }

    @Test func `a removed and restored root has one event`() {
        let client = stage.sleepingClient(#""path":"a.x","old":true"#)
        stage.set("a.x", "1")
        stage.remove("a")
        stage.set("a", #"{"x":5}"#)
        stage.set("a.x", "6")
        #expect(
            stage.wake(client) == [
                #""path":"a.x","reason":"pathChanged","new":6,"old":0,"changedAt":"a","revision":6,"coalesced":4"#
            ]
        )
    }

    @Test func `a root that came back where the value is null was assigned`() {
        stage.set("a.x", "null")
        let client = stage.sleepingClient(#""path":"a.x""#)
        stage.remove("a")
        stage.set("a", "{}")
        stage.set("a.x", "1")
        #expect(
            stage.wake(client) == [
                #""path":"a.x","reason":"pathChanged","new":1,"changedAt":"a","revision":6,"coalesced":2"#
            ]
        )
    }

    @Test func `roots that come and go take bounded memory`() {
        let client = stage.sleepingClient(#""paths":["c","c.x","a.x"],"old":true"#)
        for value in 0..<1000 {
            stage.set("c", #"{"x":\#(value)}"#)
            stage.set("a.x", "\(value)")
            stage.remove("c")
            #expect(client.waitingMarks <= 7)
        }
        let lines = stage.wake(client)
        #expect(lines.count <= 3)
        #expect(lines.count { $0.contains("sourceDeleted") } == 2)
    }

    @Test func `waiting initial events have the present values and revision`() {
        let client = stage.sleepingClient(#""path":"b""#)
        stage.subscribe(client, #""paths":["a.x","a.y"],"old":true"#)
        stage.set("a.x", "1")
        stage.set("a.x", "2")
        client.wake()
        let head = #"{"jsonrpc":"2.0","method":"change","params":{"subscription":2,"#
        #expect(
            client.take().dropFirst(2) == [
                head + #""path":"a.x","reason":"initial","new":2,"revision":4,"more":true}}"#,
                head + #""path":"a.y","reason":"initial","new":0,"revision":4}}"#,
            ]
        )
    }

    /// The event of `a` shows the inside of a model that stayed, and another pattern has the mark there.
    @Test func `a value that returned is sent if another pattern's event has shown it meanwhile`() {
        stage.set("keep", #"{"x":{"k":0}}"#)
        stage.set("a", "{}")
        _ = stage.writer.ask(#"{"id":1,"method":"link","params":{"path":"a.x","target":"keep.x"}}"#)
        let client = stage.sleepingClient(#""paths":["a.**","a.x.**","b","c"]"#)
        _ = stage.writer.ask(
            #"{"id":1,"method":"transaction","params":{"operations":[{"method":"set","params":{"path":"a","value":{}}},{"method":"link","params":{"path":"a.x","target":"keep.x"}}]}}"#
        )
        stage.set("b", "1")
        stage.set("c", "1")
        stage.set("a.x.k", "2")
        // One turn sends `a` alone.
        stage.hub.clients.sessions.turns.turn = 1
        stage.hub.clients.beginTurn()
        stage.hub.journaling.catchUp(client.session, isAsked: true)
        stage.hub.clients.endTurn()
        #expect(client.session.hasOpenFrame)
        stage.set("a.x.k", "0")
        #expect(
            stage.wake(client).suffix(2) == [
                #""path":"c","reason":"valueChanged","new":1,"revision":10,"more":true"#,
                #""path":"a.x.k","reason":"valueChanged","new":0,"revision":10,"coalesced":2"#,
            ]
        )
    }

    @Test func `an initial event stays before a later answer`() {
        let client = stage.sleepingClient(#""path":"b""#)
        stage.subscribe(client, #""path":"a.x""#)
        client.send(#"{"id":1,"method":"get","params":{"path":"a.x"}}"#)
        stage.set("a.x", "1")
        client.wake()
        let head = #"{"jsonrpc":"2.0","method":"change","params":{"subscription":2,"#
        #expect(
            client.take().dropFirst(2) == [
                head + #""path":"a.x","reason":"initial","new":0,"revision":2}}"#,
                #"{"jsonrpc":"2.0","id":1,"result":{"value":0,"revision":2}}"#,
                head + #""path":"a.x","reason":"valueChanged","new":1,"revision":3}}"#,
            ]
        )
    }

    @Test func `with delivery every, an event of a batch precedes its answer, with more`() {
        let stage = SlowClientStage()
        let client = SlowClient(stage.hub, token: 1)
        let subscribe = #"{"id":1,"method":"subscribe","params":{"path":"a.*","delivery":"every"}}"#
        client.send("[\(subscribe),{\"id\":2,\"method\":\"set\",\"params\":{\"path\":\"a.z\",\"value\":1}}]")
        let lines = client.take()
        #expect(lines.count == 6, "\(lines)")
        #expect(lines[0].contains(#""path":"a.z","reason":"valueChanged","new":1"#), "\(lines)")
        #expect(lines[1].hasPrefix("["), "\(lines)")
        let continued = lines.indices.filter { lines[$0].contains(#""more":true"#) }
        #expect(continued == [0, 2, 3, 4], "\(lines)")
    }

    @Test func `an initial event with delivery every stays exact`() {
        let client = stage.sleepingClient(#""path":"b""#)
        stage.subscribe(client, #""path":"a.x","delivery":"every","old":true"#)
        stage.set("a.x", "1")
        stage.set("a.x", "2")
        client.send(#"{"id":1,"method":"get","params":{"path":"a.x"}}"#)
        stage.set("a.x", "3")
        stage.set("a.x", "4")
        client.wake()
        let head = #"{"jsonrpc":"2.0","method":"change","params":{"subscription":2,"#
        #expect(
            client.take().dropFirst(2) == [
                head + #""path":"a.x","reason":"initial","new":2,"revision":4}}"#,
                #"{"jsonrpc":"2.0","id":1,"result":{"value":2,"revision":4}}"#,
                head + #""path":"a.x","reason":"valueChanged","new":3,"old":2,"revision":5}}"#,
                head + #""path":"a.x","reason":"valueChanged","new":4,"old":3,"revision":6}}"#,
            ]
        )
    }

    @Test func `unsubscribe sends earlier changes, and no later ones`() {
        let client = stage.sleepingClient(#""paths":["a.x","a.y","c"]"#)
        stage.set("a.x", "1")
        stage.set("c", "1")
        stage.remove("c")
        stage.set("c", "2")
        client.send(#"{"id":2,"method":"unsubscribe","params":{"subscription":1}}"#)
        stage.set("a.x", "2")
        stage.set("a.y", "2")
        stage.remove("c")
        #expect(
            stage.wake(client) == [
                #""path":"a.x","reason":"valueChanged","new":1,"revision":6,"more":true"#,
                #""path":"c","reason":"pathChanged","new":2,"changedAt":"c","revision":6,"coalesced":3"#,
                #"{"jsonrpc":"2.0","id":2,"result":{}}"#,
            ]
        )
        #expect(stage.hub.clients.registry.attachments.count == 0)
        #expect(stage.hub.tree.recordCounts.observers == 0)
    }

    @Test func `closing a sleeping client frees everything`() {
        for params in [
            #""paths":["a.x","c"]"#, #""path":"a.r","delivery":"every","prior":true"#, #""path":"a.m.k.l""#,
        ] {
            let client = stage.sleepingClient(params)
            stage.set("a.x", "1")
            stage.set("a.r", "[]")
            stage.set("c", "1")
            stage.remove("c")
            stage.subscribe(client, #""paths":["a.x","b","c"]"#)
            stage.set("b", "3")
            client.close()
            stage.set("a.x", "2")
            stage.set("b", "4")
        }
        stage.writer.close()
        #expect(stage.hub.clientRecords == Hub.noClientRecords)
    }
}
