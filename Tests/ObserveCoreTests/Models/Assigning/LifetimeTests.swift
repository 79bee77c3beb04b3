// SPDX-License-Identifier: MIT
// Temporary values: how they shadow each other, and the events when they expire.

import Testing

@testable import ObserveCore

private let connection = #""connection""#

struct LifetimeTests {
    @Test func `a connection's value expires with the connection`() {
        let stage = Stage([("a", #"{"x":1}"#)])
        stage.watch("a.x")
        #expect(stage.set("A", "a.x", "2", connection) == #""result":{"revision":2,"changed":true}"#)
        stage.close("A")
        #expect(
            stage.events() == [
                #""path":"a.x","reason":"valueChanged","new":2,"old":1,"revision":2"#,
                #""path":"a.x","reason":"valueChanged","new":1,"old":2,"revision":3"#,
            ]
        )
        stage.check()
    }

    @Test func `a published root expires like a removed one`() {
        let stage = Stage([])
        stage.watch("radio")
        stage.watch("radio.volume")
        stage.set("A", "radio", #"{"volume":7}"#, connection)
        stage.set("B", "radio.volume", "8")
        _ = stage.events()
        stage.close("A")
        #expect(
            stage.events() == [
                #""path":"radio","reason":"sourceDeleted","new":null,"old":{"volume":8},"revision":3"#,
                #""path":"radio.volume","reason":"sourceDeleted","new":null,"old":8,"nilAt":"radio","revision":3"#,
            ]
        )
        #expect(stage.tree.modelCount == 0)
        stage.check()
    }

    @Test func `temporary values expire in any order`() {
        for order in [
            ["A", "B", "C"], ["C", "B", "A"], ["B", "A", "C"], ["B", "C", "A"], ["A", "C", "B"],
        ] {
            let stage = Stage([("x", "0")])
            stage.watch("x")
            for (index, actor) in ["A", "B", "C"].enumerated() {
                stage.set(actor, "x", "\(index + 1)", connection)
            }
            var live = ["A", "B", "C"]
            var shown = 3
            _ = stage.events()
            for actor in order {
                stage.close(actor)
                live.removeAll { $0 == actor }
                let now = live.last.map { ["A", "B", "C"].firstIndex(of: $0)! + 1 } ?? 0
                #expect(stage.value("x") == "\(now)")
                #expect(stage.events().count == (now == shown ? 0 : 1), "\(order)")
                shown = now
            }
            #expect(stage.value("x") == "0")
            stage.check()
        }
    }

    @Test func `a permanent write clears the stack, even with an equal value`() {
        let writes: [(String, String, String)] = [
            ("set", #""path":"a.x","value":5"#, "5"),
            ("set", #""path":"a.x","value":[2]"#, "[2]"),
            ("remove", #""path":"a.x""#, "null"),
            ("merge", #""path":"a","value":{"x":[2]}"#, "[2]"),
            ("merge", #""path":"a","value":{"x":null}"#, "null"),
            ("insert", #""path":"a.x","value":3"#, "[2,3]"),
            ("remove", #""path":"a.x.0""#, "[]"),
            ("set", #""path":"a.x.0","value":2"#, "[2]"),
            ("set", #""path":"a.x.0","value":4"#, "[4]"),
            ("link", #""path":"a.x","target":"b""#, "{}"),
        ]
        for (method, params, value) in writes {
            let stage = Stage([("a", #"{"x":[1]}"#), ("b", "{}")])
            stage.set("A", "a.x", "[1,1]", connection)
            stage.set("B", "a.x", "[2]", connection)
            stage.set("B", "a.x", "[2]", "50")
            #expect(stage.write("C", method, params).hasPrefix(#""result""#), "\(method) \(params)")
            #expect(stage.value("a.x") == value, "\(method) \(params)")
            stage.check()
            stage.close("A")
            stage.close("B")
            stage.pass(100)
            #expect(stage.value("a.x") == value, "\(method) \(params)")
            #expect(stage.tree.recordCounts.stacks.isEmpty)
            stage.check()
        }
    }

    @Test func `an equal temporary value shadows too`() {
        let stage = Stage([("x", "1")])
        stage.watch("x")
        stage.set("A", "x", "2", connection)
        #expect(stage.set("B", "x", "2.0", connection) == #""result":{"revision":2,"changed":false}"#)
        _ = stage.events()
        stage.close("A")
        #expect(stage.value("x") == "2")
        #expect(stage.revision == 2)
        stage.close("B")
        #expect(stage.events() == [#""path":"x","reason":"valueChanged","new":1,"old":2,"revision":3"#])
        stage.check()
    }

    @Test func `a client's later value replaces its earlier one`() {
        let stage = Stage([("x", "0")])
        stage.set("A", "x", "1", connection)
        stage.set("B", "x", "2", connection)
        stage.set("A", "x", "3", connection)
        #expect(stage.tree.recordCounts.stacks == [3])
        stage.close("B")
        #expect(stage.value("x") == "3")
        stage.close("A")
        #expect(stage.value("x") == "0")
        stage.check()
    }

    @Test func `a change inside a temporary value expires with it`() {
        let stage = Stage([("a", #"{"m":{"x":0}}"#)])
        stage.set("A", "a.m", #"{"x":1}"#, connection)
        stage.set("B", "a.m.x", "2")
        stage.set("C", "a.m.x", "3", connection)
        #expect(stage.value("a.m.x") == "3")
        stage.close("A")
        #expect(stage.value("a.m.x") == "0")
        stage.check()
        stage.close("C")
        #expect(stage.value("a.m.x") == "0")
        stage.check()
    }

    // MARK: Time

    @Test func `a timed value expires after its time`() {
        let stage = Stage([("x", "0")])
        stage.watch("x", options: #","origin":true"#)
        stage.set("A", "x", "1", "100")
        stage.close("A")
        stage.pass(99)
        #expect(stage.value("x") == "1")
        stage.pass(1)
        #expect(stage.value("x") == "0")
        #expect(
            stage.events() == [
                #""path":"x","reason":"valueChanged","new":1,"old":0,"origin":{"pid":1100,"uid":600},"revision":2"#,
                #""path":"x","reason":"valueChanged","new":0,"old":1,"origin":{"lifetime":100},"revision":3"#,
            ]
        )
        #expect(stage.hub.clients.timers.count == 0)
    }

    @Test func `timed and connection values share a stack`() {
        let stage = Stage([("x", "0")])
        stage.set("A", "x", "1", "300")
        stage.set("B", "x", "2", connection)
        stage.set("A", "x", "3", "100")
        stage.pass(150)
        #expect(stage.value("x") == "2")
        stage.pass(200)
        #expect(stage.value("x") == "2")
        stage.close("B")
        #expect(stage.value("x") == "0")
        stage.check()
    }

    @Test func `the stack drops a value that expires before it can show`() {
        let stage = Stage([("x", "0")])
        for round in 0..<1000 {
            stage.set("A", "x", "\(round)", "1000")
            stage.pass(1)
        }
        #expect(stage.tree.recordCounts.stacks == [2])
        #expect(stage.hub.clients.timers.count < 200)
        stage.pass(998)
        #expect(stage.value("x") == "999")
        stage.pass(1)
        #expect(stage.value("x") == "0")
        stage.check()
    }

    @Test func `the timer queue drops expiries of replaced values`() {
        let stage = Stage([("x", "0")])
        for round in 0..<1000 {
            stage.set("A", "x", "\(round)", "1000000000")
            stage.set("A", "x", "\(round)")
        }
        #expect(stage.hub.clients.timers.count <= 64)
        #expect(stage.tree.recordCounts.timedValues == 0)
    }

    // MARK: Commits

    @Test func `a connection's values expire in one commit`() {
        let stage = Stage([("a", #"{"x":0,"y":0}"#)])
        stage.watch("a.x")
        stage.watch("a.y")
        stage.watch("z")
        for path in ["a.y", "z", "a.x"] { stage.set("A", path, "1", connection) }
        let revision = stage.revision
        _ = stage.events()
        stage.close("A")
        let events = stage.events()
        #expect(events.count == 3)
        #expect(events.allSatisfy { $0.hasSuffix(#""revision":\#(revision + 1)"#) })
        #expect(
            events.contains(
                #""path":"z","reason":"sourceDeleted","new":null,"old":1,"revision":\#(revision + 1)"#
            )
        )
        stage.check()
    }

    @Test func `a failed transaction restores the stacks`() {
        let stage = Stage([("a", #"{"x":0,"m":{"y":1}}"#)])
        stage.set("A", "a.x", "1", connection)
        stage.set("A", "a.m", #"{"y":2}"#, "50")
        stage.set("A", "a.m.y", "3", connection)
        let failing = #"{"method":"set","params":{"path":"no.such","value":1}}"#
        for operations in [
            #"{"method":"set","params":{"path":"a.x","value":1}}"#,
            #"{"method":"set","params":{"path":"a.x","value":5,"lifetime":10}}"#,
            #"{"method":"remove","params":{"path":"a.x"}},{"method":"set","params":{"path":"a.x","value":5,"lifetime":"connection"}}"#,
            #"{"method":"set","params":{"path":"a.m","value":null}},{"method":"set","params":{"path":"a.x","value":9}}"#,
            #"{"method":"remove","params":{"path":"a"}}"#,
            #"{"method":"set","params":{"path":"new","value":{},"lifetime":"connection"}},{"method":"set","params":{"path":"new.x","value":1,"lifetime":"connection"}}"#,
        ] {
            let before = stage.tree.stacks.byProperty.mapValues { $0.map(\.number) }
            let answer = stage.write("B", "transaction", #""operations":[\#(operations),\#(failing)]"#)
            #expect(answer.hasPrefix(#""error""#))
            let after = stage.tree.stacks.byProperty.mapValues { $0.map(\.number) }
            #expect(after == before, "\(operations)")
            #expect(stage.value("a") == #"{"x":1,"m":{"y":3}}"#)
            stage.check()
        }
        stage.pass(60)
        stage.close("A")
        #expect(stage.value("a") == #"{"x":0,"m":{"y":1}}"#)
        stage.check()
    }

    @Test func `a client without own changes gets the expiry of its values`() {
        let talk = Conversation([("x", "0")])
        talk.watch("x", options: #","own":false"#)
        talk.watcher.send(#"{"method":"set","params":{"path":"x","value":1,"lifetime":10}}"#)
        #expect(talk.events() == [])
        talk.pass(milliseconds: 10)
        #expect(talk.events() == [#""path":"x","reason":"valueChanged","new":0,"old":1,"revision":3"#])
    }

    @Test func `a disconnection is its own origin, for its consequences too`() {
        let stage = Stage([("b", "{}")])
        stage.set("A", "a", #"{"m":{}}"#, connection)
        stage.write("C", "link", #""path":"b.w","target":"a.m","weak":true"#)
        stage.watch("b.w", options: #","origin":true"#)
        stage.close("A")
        #expect(
            stage.events() == [
                #""path":"b.w","reason":"valueChanged","new":null,"old":{},"origin":{"lifetime":"connection"},"revision":4"#
            ]
        )
    }

    @Test func `a binding copies an expiry, with its origin`() {
        let talk = Conversation([("a", #"{"x":0,"y":0}"#)])
        talk.ask("bind", #"{"source":"a.x","target":"a.y"}"#)
        talk.watch("a.y", options: #","origin":true,"own":false"#)
        talk.watcher.send(#"{"method":"set","params":{"path":"a.x","value":1,"lifetime":10}}"#)
        talk.pass(milliseconds: 10)
        #expect(
            talk.events() == [
                #""path":"a.y","reason":"valueChanged","new":1,"old":0,"origin":{"pid":1002,"uid":502,"binding":1},"revision":2"#,
                #""path":"a.y","reason":"valueChanged","new":0,"old":1,"origin":{"lifetime":10,"binding":1},"revision":3"#,
            ]
        )
    }

    @Test func `a binding's write is permanent`() {
        let talk = Conversation([("a", #"{"x":0,"y":0}"#)])
        talk.ask("bind", #"{"source":"a.x","target":"a.y"}"#)
        talk.ask("set", #"{"path":"a.y","value":5,"lifetime":10}"#)
        talk.ask("set", #"{"path":"a.x","value":7}"#)
        #expect(talk.hub.tree.recordCounts.stacks.isEmpty)
        talk.pass(milliseconds: 10)
        #expect(talk.value("a") == #"{"x":7,"y":7}"#)
        #expect(talk.hub.tree.faults() == [])
    }

    @Test func `parents stay after an expiry, and conditions apply to temporary values`() {
        let stage = Stage([])
        stage.write("A", "set", #""path":"p.q.r","value":1,"parents":true,"lifetime":"connection""#)
        #expect(
            stage.write("A", "set", #""path":"p.q.r","value":2,"ifValue":7,"lifetime":"connection""#)
                .hasPrefix(#""error":{"code":4"#)
        )
        stage.close("A")
        #expect(stage.value("p") == #"{"q":{}}"#)
        stage.check()
    }

    @Test func `a value beyond maxLifetimes is refused, unless another gives way`() {
        var limits = ServerLimits()
        limits.tree.maxLifetimes = 2
        let talk = Conversation([("x", "0"), ("y", "0")], limits: limits)
        func set(_ value: Int, _ milliseconds: Int) -> String {
            talk.ask("set", #"{"path":"x","value":\#(value),"lifetime":\#(milliseconds)}"#)
        }
        for value in 1...2 { #expect(set(value, 100 - 10 * value).contains("changed")) }
        #expect(
            set(3, 70).contains(
                #"{"code":6,"message":"x has as many values with a lifetime as maxLifetimes allows (2)","data":{"name":"limitExceeded","path":"x"}"#
            )
        )
        #expect(talk.value("x") == "2")
        #expect(set(4, 80).contains("changed"))
        #expect(talk.ask("set", #"{"path":"y","value":1,"lifetime":10}"#).contains("changed"))
        talk.pass(milliseconds: 85)
        #expect(set(5, 1).contains("changed") && set(6, 1).contains("changed"))
        talk.pass(milliseconds: 200)
        #expect(talk.value("x") == "0" && talk.value("y") == "0")
        #expect(talk.hub.tree.faults() == [])
    }
}
