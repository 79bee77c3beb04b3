// SPDX-License-Identifier: MIT
// Several writes in one commit: one net event per path, or no effect after an error.

import Testing

@testable import ObserveCore

private func set(_ path: String, _ json: String) -> TreeWrite { .set(path: path, json: json, parents: false) }
private func link(_ path: String, _ target: String, weak: Bool = false) -> TreeWrite {
    .link(path: path, target: target, isWeak: weak)
}
private func remove(_ path: String) -> TreeWrite { .remove(path: path) }

/// A write that any tree refuses.
private let refused = set("observed", "1")

@Suite struct TreeCommitTests {
    @Test func `a commit notifies each path once, with the values before and after it`() throws {
        let driver = try TreeDriver(("r", #"{"m":{"x":1},"y":1,"z":1}"#))
        for path in ["r.m.x", "r.y", "r.z", "r.m"] { try driver.observe(path) }
        try driver.commit([
            set("r.y", "2"), set("r.m", #"{"x":2}"#), set("r.y", "3"), set("r.m.x", "4"), set("r.z", "9"),
            set("r.z", "1"),
        ])
        #expect(
            driver.take() == [
                "r.y valueChanged 1 -> 3 r2", #"r.m valueChanged {"x":1} -> {"x":4} r2"#,
                "r.m.x pathChanged 1 -> 4 changedAt=r.m r2",
            ]
        )
    }

    @Test func `several edits of one array make a setting`() throws {
        let driver = try TreeDriver(("r", "[1,2,3]"))
        for path in ["r", "r.0", "r.2"] { try driver.observe(path) }
        try driver.commit([set("r.0", "9"), remove("r.1")])
        #expect(
            driver.take() == [
                "r valueChanged [1,2,3] -> [9,3] r2", "r.0 pathChanged 1 -> 9 changedAt=r r2",
                "r.2 pathChanged 3 -> null changedAt=r r2",
            ]
        )
    }

    /// One subscriber's events do not depend on the others' options.
    @Test(arguments: [true, false])
    func `an equal write in a commit leaves the other observers' events as they are`(distinct: Bool) throws {
        let driver = try TreeDriver(("r", #"{"m":{"x":1},"l":[1,2,3]}"#))
        for path in ["r.m.x", "r.l", "r.l.1"] { try driver.observe(path) }
        try driver.observe("r.other", distinct: distinct)
        try driver.commit([
            link("r.m", "r.m"), set("r.m.x", "2"), set("r.l.0", "1.0"), set("r.l.1", "7"), set("r.l.2", "3"),
        ])
        #expect(
            driver.take().sorted() == [
                "r.l valueChanged replacement[1] [2] -> [7] r2", "r.l.1 valueChanged 2 -> 7 r2",
                "r.m.x valueChanged 1 -> 2 r2",
            ]
        )
    }

    @Test(arguments: [true, false])
    func `a removal before a change in a later element assigns the array`(distinct: Bool) throws {
        let driver = try TreeDriver(("r", #"{"l":[{"x":1},2]}"#))
        try driver.observe("r.l.0.x")
        try driver.observe("r.other", distinct: distinct)
        try driver.commit([remove("r.l.1"), set("r.l.0.x", "5")])
        #expect(driver.take() == ["r.l.0.x pathChanged 1 -> 5 changedAt=r.l r2"])
    }

    @Test(arguments: [true, false])
    func `an equal write above does not hide changes from a deep observer`(distinct: Bool) throws {
        let driver = try TreeDriver(("r", #"{"m":{"x":1},"l":[{"x":1}]}"#))
        try driver.observe(pattern: "r.m.**")
        try driver.observe(pattern: "r.l.**")
        try driver.observe("r.other", distinct: distinct)
        try driver.commit([
            link("r.m", "r.m"), set("r.m.x", "2"), link("r.l.0", "r.l.0"), set("r.l.0.x", "2"),
        ])
        #expect(
            driver.take().sorted() == [
                "r.l.0.x valueChanged 1 -> 2 r2", "r.m.x valueChanged 1 -> 2 r2",
            ]
        )
    }

    @Test func `a model that a commit moves is not released`() throws {
        let driver = try TreeDriver(("r", #"{"a":{"x":1}}"#))
        try driver.link("r.w", "r.a", weak: true)
        for path in ["r.w.x", "r.b.x"] { try driver.observe(path) }
        try driver.commit([remove("r.a"), link("r.b", "r.w")])
        #expect(driver.roots == #"{"r":{"b":{"x":1}}}"#)
        #expect(driver.take() == ["r.b.x pathChanged null -> 1 changedAt=r.b r3"])
        #expect(driver.tree.faults() == [])
    }

    @Test(arguments: [
        [set("r.y", "5"), set("r.m", "{}"), set("r.m.q", "[{}]")],
        [remove("r.m"), set("r.m", "1"), remove("r.y"), set("r.y", "1")],
        [remove("r"), set("r", "{}"), set("r.new", #"{"a":{"b":{}}}"#)],
        [set("r.l.0", "5"), remove("r.l.0"), set("r.l.0", #"{"x":1}"#), remove("r.l")],
        [set("r.l.1.0", "{}"), remove("r.l.1.0")],
        [remove("r.l.1"), link("r.l.0", "r.m")],
        [link("r.w", "s", weak: true), link("r.w", "r.m", weak: true)],
        [link("r.w", "r.m"), remove("r.m"), link("r.m", "r.w", weak: true)],
        [link("r.w", "r.w", weak: true), remove("r.m")],
        [set("r.w", "1"), remove("r.w"), link("r.w", "r.m", weak: true)],
        [link("s.m", "r.m"), remove("r.m"), link("s.up", "r", weak: true), remove("s")],
        [.set(path: "a.b.c.d", json: "[[{}]]", parents: true), link("a.w", "a.b.c", weak: true)],
    ])
    fileprivate func `a failed commit leaves the tree unchanged`(writes: [TreeWrite]) throws {
        let driver = try TreeDriver(
            ("r", #"{"m":{"x":1},"y":1,"l":[1,[2,{"z":1}]],"last":null}"#),
            ("s", "{}")
        )
        try driver.link("r.w", "r.m", weak: true)
        for path in ["r.m.x", "r.y", "r.l", "r.l.1.0", "r.w.x", "a.b", "r.w"] {
            try driver.observe(path)
            try driver.observe(path, distinct: false)
        }
        let before = (driver.roots, TreeCounts(driver.tree), driver.tree.revision)
        #expect(throws: TreeError.self) { try driver.commit(writes + [refused]) }
        #expect((driver.roots, TreeCounts(driver.tree), driver.tree.revision) == before)
        #expect(driver.take() == [])
        #expect(driver.tree.faults() == [])
        driver.stopAll()
        try driver.observe("r.w.x")
        try driver.set("r.m.x", "2")
        try driver.remove("r.m")
        #expect(
            driver.take() == [
                "r.w.x valueChanged 1 -> 2 r4",
                "r.w.x pathChanged 2 -> null changedAt=r.w nilAt=r.w r5",
            ]
        )
        #expect(driver.tree.faults() == [])
    }

    @Test func `a weak reference still zeroes with its target after an undone commit`() throws {
        let driver = try TreeDriver(("r", #"{"m":{},"w":null}"#))
        try driver.link("r.w", "r.m", weak: true)
        try driver.observe("r.w", distinct: false)
        #expect(throws: TreeError.self) { try driver.commit([link("r.w", "r.m", weak: true), refused]) }
        try driver.remove("r.m")
        #expect(driver.take() == ["r.w valueChanged {} -> null r3"])
        #expect(driver.tree.faults() == [])
    }

    @Test func `a commit without changes does not increase the revision`() throws {
        let driver = try TreeDriver(("r", "1"))
        #expect(try driver.commit([set("r", "1.0"), remove("z"), remove("r.x")]) == [false, false, false])
        #expect(driver.tree.revision == 1)
    }
}
