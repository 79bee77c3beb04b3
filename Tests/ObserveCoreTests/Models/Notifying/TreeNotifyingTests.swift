// SPDX-License-Identifier: MIT
// All events of single writes: "Events" of the protocol by example.

import Testing

@testable import ObserveCore

@Suite struct TreeNotifyingTests {
    @Test func `a path re-binds when one of its components is replaced`() throws {
        let driver = try TreeDriver(
            ("app", #"{"playbackController":{"player":{"videoTitle":"A"}}}"#),
            ("library", #"{"old":null}"#)
        )
        try driver.observe("app.playbackController.player.videoTitle")
        try driver.set("app.playbackController.player.videoTitle", #""B""#)
        try driver.link("library.old", "app.playbackController.player")
        try driver.set("app.playbackController.player", #"{"videoTitle":"C"}"#)
        try driver.set("library.old.videoTitle", #""X""#)
        try driver.set("app.playbackController.player", "null")
        try driver.set("app.playbackController.player", "7")
        try driver.set("app.playbackController.player", #"{"videoTitle":"D"}"#)
        try driver.remove("app.playbackController")
        try driver.remove("app")
        try driver.set("app", #"{"playbackController":{"player":{"videoTitle":"E"}}}"#)
        let path = "app.playbackController.player.videoTitle"
        let player = "app.playbackController.player"
        let controller = "app.playbackController"
        #expect(
            driver.take() == [
                #"\#(path) valueChanged "A" -> "B" r3"#,
                #"\#(path) pathChanged "B" -> "C" changedAt=\#(player) r5"#,
                #"\#(path) pathChanged "C" -> null changedAt=\#(player) nilAt=\#(player) r7"#,
                #"\#(path) pathChanged null -> "D" changedAt=\#(player) r9"#,
                #"\#(path) pathChanged "D" -> null changedAt=\#(controller) nilAt=\#(controller) r10"#,
                #"\#(path) sourceDeleted null -> null nilAt=app r11"#,
                #"\#(path) pathChanged null -> "E" changedAt=app r12"#,
            ]
        )
    }

    @Test func `a root's assignment and removal notify its observers`() throws {
        let driver = try TreeDriver(("r", "1"))
        try driver.observe("r")
        try driver.set("r", "1.0")
        try driver.set("r", "null")
        try driver.remove("r")
        try driver.set("r", "{}")
        try driver.set("r.a", "1")
        try driver.remove("r")
        #expect(
            driver.take() == [
                "r valueChanged 1 -> null r2", "r sourceDeleted null -> null r3",
                "r valueChanged null -> {} r4", #"r sourceDeleted {"a":1} -> null r6"#,
            ]
        )
    }

    @Test func `a change of a shared model notifies each of its paths`() throws {
        let driver = try TreeDriver(("a", #"{"m":{"x":1}}"#), ("b", #"{"list":[null]}"#), ("c", "null"))
        try driver.link("b.list.0", "a.m")
        try driver.link("c", "a.m", weak: true)
        for path in ["a.m.x", "b.list.0.x", "c.x", "a.m", "b.list"] { try driver.observe(path) }
        try driver.set("b.list.0.x", "2")
        #expect(
            driver.take().sorted() == [
                "a.m.x valueChanged 1 -> 2 r6", "b.list.0.x valueChanged 1 -> 2 r6",
                "c.x valueChanged 1 -> 2 r6",
            ]
        )
    }

    @Test func `a weak reference zeroes with its target, in the same commit`() throws {
        let driver = try TreeDriver(("a", #"{"m":{"x":1}}"#), ("w", "{}"))
        try driver.link("w.m", "a.m", weak: true)
        for path in ["w.m", "w.m.x", "a.m.x"] { try driver.observe(path) }
        try driver.set("a", "{}")
        #expect(
            driver.take().sorted() == [
                "a.m.x pathChanged 1 -> null changedAt=a nilAt=a.m r4",
                #"w.m valueChanged {"x":1} -> null r4"#,
                "w.m.x pathChanged 1 -> null changedAt=w.m nilAt=w.m r4",
            ]
        )
    }

    @Test
    func `an event names the first of two assigned components`()
        throws
    {
        let driver = try TreeDriver(("r", #"{"y":1}"#), ("u", #"{"y":2}"#))
        for (path, target) in [("r.self", "r"), ("r.b", "r"), ("u.b", "r")] {
            try driver.link(path, target, weak: true)
        }
        try driver.observe("r.self.b.self.y")
        try driver.link("r.self", "u", weak: true)
        #expect(driver.take() == ["r.self.b.self.y pathChanged 1 -> 2 changedAt=r.self r6"])
    }

    @Test func `an array's events show the edits of its elements`() throws {
        let driver = try TreeDriver(("r", #"{"l":[1,{"x":1},{"x":1},[5,6]]}"#))
        for path in ["r.l", "r.l.0", "r.l.1.x", "r.l.2.x", "r.l.3", "r.l.3.1"] { try driver.observe(path) }
        try driver.set("r.l.0", "9")
        try driver.set("r.l.3.1", "7")
        try driver.remove("r.l.1")
        try driver.set("r.l", "[]")
        #expect(
            driver.take() == [
                "r.l valueChanged replacement[0] [1] -> [9] r2", "r.l.0 valueChanged 1 -> 9 r2",
                "r.l valueChanged replacement[3] [[5,6]] -> [[5,7]] r3",
                "r.l.3 valueChanged replacement[1] [6] -> [7] r3", "r.l.3.1 valueChanged 6 -> 7 r3",
                #"r.l valueChanged removal[1] [{"x":1}] -> [] r4"#,
                "r.l.2.x pathChanged 1 -> null changedAt=r.l r4",
                "r.l.3 pathChanged [5,7] -> null changedAt=r.l r4",
                "r.l.3.1 pathChanged 7 -> null changedAt=r.l nilAt=r.l.3 r4",
                #"r.l valueChanged [9,{"x":1},[5,7]] -> [] r5"#,
                "r.l.0 pathChanged 9 -> null changedAt=r.l r5",
                "r.l.1.x pathChanged 1 -> null changedAt=r.l nilAt=r.l.1 r5",
            ]
        )
    }

    @Test func `an indistinct observer is notified of equal assignments along its path`() throws {
        let driver = try TreeDriver(("r", #"{"m":{"x":1},"n":null}"#))
        for path in ["r.m", "r.m.x", "r.n", "r.n.y"] { try driver.observe(path, distinct: false) }
        try driver.observe("r.m.x")
        try driver.set("r.m.x", "1")
        try driver.link("r.m", "r.m")
        try driver.set("r.n", "null")
        try driver.set("r.m", #"{"x":1}"#)
        #expect(
            driver.take() == [
                "r.m.x valueChanged 1 -> 1 r1", #"r.m valueChanged {"x":1} -> {"x":1} r1"#,
                "r.m.x pathChanged 1 -> 1 changedAt=r.m r1", "r.n valueChanged null -> null r1",
                "r.n.y pathChanged null -> null changedAt=r.n nilAt=r.n r1",
                #"r.m valueChanged {"x":1} -> {"x":1} r2"#, "r.m.x pathChanged 1 -> 1 changedAt=r.m r2",
            ]
        )
    }

    /// A replacement assigns its element, a removal its array, even with equal values.
    @Test func `an equal element notifies its own path and the array's as a replacement`() throws {
        let driver = try TreeDriver(("r", "[1,[2,3],4]"))
        for path in ["r", "r.0", "r.1", "r.1.0", "r.1.1", "r.2"] { try driver.observe(path, distinct: false) }
        try driver.set("r.0", "1.0")
        try driver.set("r.1.0", "2")
        try driver.remove("r.2")
        #expect(
            driver.take() == [
                "r valueChanged replacement[0] [1] -> [1] r1", "r.0 valueChanged 1 -> 1 r1",
                "r valueChanged replacement[1] [[2,3]] -> [[2,3]] r1",
                "r.1 valueChanged replacement[0] [2] -> [2] r1", "r.1.0 valueChanged 2 -> 2 r1",
                "r valueChanged removal[2] [4] -> [] r2", "r.0 pathChanged 1 -> 1 changedAt=r r2",
                "r.1 pathChanged [2,3] -> [2,3] changedAt=r r2", "r.1.0 pathChanged 2 -> 2 changedAt=r r2",
                "r.1.1 pathChanged 3 -> 3 changedAt=r r2", "r.2 pathChanged 4 -> null changedAt=r r2",
            ]
        )
    }

    @Test func `a change inside a model does not notify a path to the model`() throws {
        let driver = try TreeDriver(("r", #"{"m":{"x":1},"l":[{"x":1}]}"#))
        for path in ["r", "r.m", "r.l", "r.l.0"] { try driver.observe(path) }
        try driver.set("r.m.x", "2")
        try driver.set("r.l.0.x", "2")
        try driver.set("r.new", "2")
        #expect(driver.take() == [])
    }

    @Test func `a path gets no events from the branch that it left`() throws {
        let driver = try TreeDriver(("a", #"{"m":{"x":1}}"#), ("k", "{}"))
        try driver.link("k.old", "a.m")
        try driver.observe("a.m.x")
        try driver.set("a.m", #"{"x":1}"#)
        try driver.set("k.old.x", "5")
        try driver.remove("k.old.x")
        try driver.remove("k")
        #expect(driver.take() == [])
        #expect(driver.tree.faults() == [])
    }

    @Test func `events show names with dots and wildcards escaped`() throws {
        let driver = try TreeDriver(("a.b", #"{"*":{"x":1}}"#))
        try driver.observe("a\\.b.\\*.x")
        try driver.set("a\\.b.\\*", "null")
        #expect(
            driver.take() == [
                #"a\.b.\*.x pathChanged 1 -> null changedAt=a\.b.\* nilAt=a\.b.\* r2"#
            ]
        )
    }

    @Test func `a removed observer gets no events, the others do`() throws {
        let driver = try TreeDriver(("r", "1"))
        let watchers = try (0..<3).map { _ in try driver.observe("r") }
        driver.stop(watchers[1])
        try driver.set("r", "2")
        #expect(driver.takeEvents().map(\.watcher) == [watchers[0], watchers[2]])
        driver.stop(watchers[0])
        driver.stop(watchers[2])
        try driver.remove("r")
        #expect(driver.take() == [])
        #expect(TreeCounts(driver.tree) == TreeCounts(ModelTree()))
    }
}
