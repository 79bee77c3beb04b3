// SPDX-License-Identifier: MIT
// Replaces a model above many observed paths. Each path whose value differs gets one event.

import Testing

@testable import ObserveCore

@Suite struct RebindingTests {
    private let driver: TreeDriver

    /// `n` refers to `a`. The properties of `b` differ in kind, in value, in presence, or not at all.
    init() throws {
        driver = try TreeDriver(
            (
                "a",
                #"{"same":"one","number":1,"text":"a","gone":true,"deep":{"x":1},"list":[1,2],"long":"\#(RebindingTests.long)"}"#
            ),
            (
                "b",
                #"{"same":"one","long":"\#(RebindingTests.long)","number":1.0,"text":"b","list":[1,3],"deep":{"x":1},"new":"n"}"#
            ),
            ("n", "null")
        )
        try driver.link("n", "a")
    }

    private static let long = String(repeating: "long ", count: 80)
    private static let leaves = ["same", "number", "text", "gone", "new", "list.1", "deep.x", "long"]

    @Test func `a replaced model notifies each path whose value differs, there and back`() throws {
        for leaf in RebindingTests.leaves { try driver.observe("n.\(leaf)") }
        try driver.link("n", "b")
        #expect(
            driver.take() == [
                #"n.text pathChanged "a" -> "b" changedAt=n r5"#,
                "n.gone pathChanged true -> null changedAt=n r5",
                #"n.new pathChanged null -> "n" changedAt=n r5"#,
                "n.list.1 pathChanged 2 -> 3 changedAt=n r5",
            ]
        )
        try driver.set("a.text", #""old""#)
        try driver.set("a.new", "0")
        #expect(driver.take() == [])
        for leaf in RebindingTests.leaves where leaf != "gone" { try driver.set("b.\(leaf)", "7") }
        #expect(driver.take().count == 7)
        try driver.link("n", "a")
        #expect(driver.take().count == 8)
        try driver.set("a.new", "1")
        #expect(driver.take() == ["n.new valueChanged 0 -> 1 r16"])
        #expect(driver.tree.faults() == [])
    }

    @Test func `two paths to one property lead apart, and together again`() throws {
        try driver.set("m", "null", parents: true)
        try driver.link("m", "a")
        for root in ["n", "m", "a"] { try driver.observe("\(root).text") }
        try driver.link("m", "b")
        try driver.set("a.text", #""c""#)
        try driver.link("n", "b")
        try driver.set("b.text", #""d""#)
        try driver.link("n", "a")
        #expect(
            driver.take() == [
                #"m.text pathChanged "a" -> "b" changedAt=m r7"#,
                #"n.text valueChanged "a" -> "c" r8"#, #"a.text valueChanged "a" -> "c" r8"#,
                #"n.text pathChanged "c" -> "b" changedAt=n r9"#,
                #"m.text valueChanged "b" -> "d" r10"#, #"n.text valueChanged "b" -> "d" r10"#,
                #"n.text pathChanged "d" -> "c" changedAt=n r11"#,
            ]
        )
        #expect(driver.tree.faults() == [])
    }

    @Test func `a new model with equal values notifies no path`() throws {
        try driver.set("n", #"{"same":"one","text":"a"}"#)
        for leaf in ["same", "text", "new"] { try driver.observe("n.\(leaf)") }
        try driver.set("n", #"{"text":"a","same":"one"}"#)
        #expect(driver.take() == [])
        try driver.set("n", #"{"text":"a","same":"one","new":null}"#)
        #expect(driver.take() == [])
        try driver.set("n.same", "2")
        #expect(driver.take() == [#"n.same valueChanged "one" -> 2 r8"#])
        #expect(driver.tree.faults() == [])
    }

    /// The oracle found it: the new property had changed within the commit, and the path's own value had not.
    @Test(arguments: [true, false])
    func `a path that moves to an equal array is told of changes in its elements`(isLinked: Bool) throws {
        try driver.set("s", #"{"b":1}"#)
        try driver.set("out", #"{"t":[{},{}]}"#)
        try driver.link("out.t.0", "s")
        try driver.set("other", #"{"t":[{},{}]}"#)
        try driver.link("other.t.1", "out.t.1")
        for pattern in ["out.t.**", "out.t.0.**"] { try driver.observe(pattern: pattern) }
        let replacement: [TreeWrite] =
            isLinked
            ? [.link(path: "out", target: "other", isWeak: false)]
            : [
                .set(path: "out", json: #"{"t":[{},{}]}"#, parents: false),
                .link(path: "out.t.1", target: "other.t.1", isWeak: false),
            ]
        try driver.commit(
            replacement + [
                .link(path: "out.t.0", target: "s", isWeak: false),
                .set(path: "s.b", json: "2", parents: false),
            ]
        )
        let revision = driver.tree.revision
        #expect(
            driver.take().sorted() == [
                "out.t.0.b valueChanged 1 -> 2 r\(revision)", "out.t.0.b valueChanged 1 -> 2 r\(revision)",
            ]
        )
        #expect(driver.tree.faults() == [])
    }
}
