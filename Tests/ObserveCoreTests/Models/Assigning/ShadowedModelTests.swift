// SPDX-License-Identifier: MIT
// The models that temporary and shadowed values hold.

import Testing

@testable import ObserveCore

private let connection = #""connection""#

struct ShadowedModelTests {
    @Test func `a shadowed model stays alive, and keeps its identity`() throws {
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

    @Test func `a permanent write releases shadowed models`() {
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

    @Test func `link refuses a strong cycle through a shadowed value`() {
        let stage = Stage([("a", #"{"m":{"n":{}}}"#)])
        stage.write("C", "link", #""path":"a.m.n.w","target":"a.m.n","weak":true"#)
        stage.write("C", "link", #""path":"b","target":"a.m.n""#)
        stage.set("A", "a.m", "1", connection)
        #expect(stage.write("C", "link", #""path":"b.up","target":"a""#).hasPrefix(#""error":{"code":7"#))
        stage.check()
    }

    @Test func `strong and weak links expire, and a zeroed one uncovers null`() {
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

    /// Its weak link to itself zeroes with it, which no path shows.
    @Test func `a shadowed value that refers to itself expires without a commit`() {
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
}
