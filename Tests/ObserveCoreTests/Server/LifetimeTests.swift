// SPDX-License-Identifier: MIT
// Values that end: how they lie over each other, what their ends tell, what they keep alive.

import Testing

@testable import ObserveCore

private let connection = #""connection""#

struct LifetimeTests {
    @Test func `a connection's value goes with it`() {
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

    @Test func `a published root ends as a removed one`() {
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

    @Test func `overrides unwind in any order`() {
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

    @Test func `a permanent write, an equal one too, clears the stack`() {
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

    @Test func `an equal value is laid all the same`() {
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

    @Test func `an own later value takes the place of the earlier one`() {
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

    @Test func `what is set inside a value that ends goes with it`() {
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

    @Test func `a value with a time ends when that has passed`() {
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
        #expect(stage.hub.timers.count == 0)
    }

    @Test func `times and connections lie in one stack`() {
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

    @Test func `one that would end before the next could show is not kept`() {
        let stage = Stage([("x", "0")])
        for round in 0..<1000 {
            stage.set("A", "x", "\(round)", "1000")
            stage.pass(1)
        }
        #expect(stage.tree.recordCounts.stacks == [2])
        #expect(stage.hub.timers.count < 200)
        stage.pass(998)
        #expect(stage.value("x") == "999")
        stage.pass(1)
        #expect(stage.value("x") == "0")
        stage.check()
    }

    @Test func `ends that became moot do not pile up`() {
        let stage = Stage([("x", "0")])
        for round in 0..<1000 {
            stage.set("A", "x", "\(round)", "1000000000")
            stage.set("A", "x", "\(round)")
        }
        #expect(stage.hub.timers.count <= 64)
        #expect(stage.tree.recordCounts.timedValues == 0)
    }

    // MARK: What is kept alive

    @Test func `what is shadowed lives, and is the same model again`() throws {
        let stage = Stage([("a", #"{"m":{"x":0}}"#), ("b", "{}")])
        stage.write("C", "link", #""path":"b.w","target":"a.m","weak":true"#)
        let before = stage.value("b.w")
        stage.watch("b.w")
        stage.watch("a.m.x")
        stage.set("A", "a.m", "null", connection)
        #expect(stage.value("b.w") == before)
        #expect(
            stage.events()
                == [
                    #""path":"a.m.x","reason":"pathChanged","new":null,"old":0,"changedAt":"a.m","nilAt":"a.m","revision":4"#
                ]
        )
        stage.set("C", "b.w.x", "5")
        #expect(stage.events() == [])
        stage.close("A")
        #expect(
            stage.events()
                == [
                    #""path":"a.m.x","reason":"pathChanged","new":5,"old":null,"changedAt":"a.m","revision":6"#
                ]
        )
        stage.check()
    }

    @Test func `a permanent write lets go of what was shadowed`() {
        let stage = Stage([("a", #"{"m":{"x":0}}"#), ("b", "{}")])
        stage.write("C", "link", #""path":"b.w","target":"a.m","weak":true"#)
        stage.set("A", "a.m", "1", connection)
        stage.watch("b.w")
        stage.set("C", "a.m", "1")
        #expect(
            stage.events()
                == [#""path":"b.w","reason":"valueChanged","new":null,"old":{"x":0},"revision":5"#]
        )
        #expect(stage.tree.modelCount == 2)
        stage.check()
    }

    @Test func `a strong link that what is shadowed would close to a cycle is refused`() {
        let stage = Stage([("a", #"{"m":{"n":{}}}"#)])
        stage.write("C", "link", #""path":"a.m.n.w","target":"a.m.n","weak":true"#)
        stage.write("C", "link", #""path":"b","target":"a.m.n""#)
        stage.set("A", "a.m", "1", connection)
        #expect(stage.write("C", "link", #""path":"b.up","target":"a""#).hasPrefix(#""error":{"code":7"#))
        stage.check()
    }

    @Test func `a link can end, a weak one too, and one that died shows null`() {
        let stage = Stage([("a", #"{"m":{"x":1}}"#), ("b", #"{"y":2}"#), ("c", "{}")])
        stage.write("C", "link", #""path":"c.l","target":"a.m","weak":true"#)
        stage.write("A", "link", #""path":"c.l","target":"b","lifetime":"connection""#)
        #expect(stage.value("c.l.y") == "2")
        stage.write("B", "link", #""path":"c.l","target":"a.m","weak":true,"lifetime":"connection""#)
        #expect(stage.value("c.l.x") == "1")
        stage.close("B")
        #expect(stage.value("c.l.y") == "2")
        stage.write("C", "remove", #""path":"a.m""#)
        stage.check()
        stage.close("A")
        #expect(stage.value("c.l") == "null")
        #expect(stage.value("c") == "{}")
        stage.check()
    }

    /// Its weak link to itself goes null with it, where nobody can see that.
    @Test func `what ends unseen, and refers to itself, makes no commit`() {
        let stage = Stage([("a", "{}")])
        stage.set("A", "a.m", "{}", connection)
        stage.write("C", "link", #""path":"a.m.me","target":"a.m","weak":true"#)
        stage.set("B", "a.m", "2", connection)
        let revision = stage.revision
        stage.close("A")
        #expect(stage.revision == revision)
        #expect(stage.tree.modelCount == 1)
        stage.check()
    }

    // MARK: Commits

    @Test func `all that one connection set ends in one commit`() {
        let stage = Stage([("a", #"{"x":0,"y":0}"#)])
        stage.watch("a.x")
        stage.watch("a.y")
        stage.watch("z")
        for path in ["a.y", "z", "a.x"] { stage.set("A", path, "1", connection) }
        let revision = stage.revision
        _ = stage.events()
        stage.close("A")
        let told = stage.events()
        #expect(told.count == 3)
        #expect(told.allSatisfy { $0.hasSuffix(#""revision":\#(revision + 1)"#) })
        #expect(
            told.contains(
                #""path":"z","reason":"sourceDeleted","new":null,"old":1,"revision":\#(revision + 1)"#
            )
        )
        stage.check()
    }

    @Test func `a transaction that fails leaves stacks as they were`() {
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
            let before = stage.tree.temporary.stacks.mapValues { $0.map(\.number) }
            let answer = stage.write("B", "transaction", #""operations":[\#(operations),\#(failing)]"#)
            #expect(answer.hasPrefix(#""error""#))
            let after = stage.tree.temporary.stacks.mapValues { $0.map(\.number) }
            #expect(after == before, "\(operations)")
            #expect(stage.value("a") == #"{"x":1,"m":{"y":3}}"#)
            stage.check()
        }
        stage.pass(60)
        stage.close("A")
        #expect(stage.value("a") == #"{"x":0,"m":{"y":1}}"#)
        stage.check()
    }

    @Test func `who left its own changes out is told of their ends`() {
        let talk = Conversation([("x", "0")])
        talk.watch("x", options: #","own":false"#)
        talk.watcher.send(#"{"method":"set","params":{"path":"x","value":1,"lifetime":10}}"#)
        #expect(talk.events() == [])
        talk.pass(milliseconds: 10)
        #expect(talk.events() == [#""path":"x","reason":"valueChanged","new":0,"old":1,"revision":3"#])
    }

    @Test func `the end of a connection is an origin of its own, for what follows from it too`() {
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

    @Test func `a binding carries on what ended, and has its origin`() {
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

    @Test func `what a binding writes is there for good`() {
        let talk = Conversation([("a", #"{"x":0,"y":0}"#)])
        talk.ask("bind", #"{"source":"a.x","target":"a.y"}"#)
        talk.ask("set", #"{"path":"a.y","value":5,"lifetime":10}"#)
        talk.ask("set", #"{"path":"a.x","value":7}"#)
        #expect(talk.hub.tree.recordCounts.stacks.isEmpty)
        talk.pass(milliseconds: 10)
        #expect(talk.value("a") == #"{"x":7,"y":7}"#)
        #expect(talk.hub.tree.faults() == [])
    }

    @Test func `parents stay, and conditions hold`() {
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
}
