// SPDX-License-Identifier: MIT
// The order of bindings, by example. The oracle tests it at random.

import Testing

@testable import ObserveCore

@Suite struct BindingOrderTests {
    @Test func `a binding waits for the inputs of its computed source`() throws {
        let driver = try TreeDriver(("t", #"{"a":1,"b":1,"out":""}"#))
        try driver.compute("t", "both", "{a}-{b}")
        try driver.bind("t.both", "t.out")
        try driver.bind("t.a", "t.b")
        try driver.observe("t.out")
        try driver.set("t.a", "2")
        #expect(driver.take() == [#"t.out valueChanged "1-1" -> "2-2" r3"#])
    }

    @Test func `a binding waits for a model's missing property that its operator reads`() throws {
        let driver = try TreeDriver(("t", #"{"m":{"y":1},"a":null,"out":0}"#))
        try driver.bind("t.m.@sum", "t.out")
        try driver.bind("t.a", "t.m.z")
        try driver.observe("t.out")
        try driver.commit([
            .set(path: "t.m.y", json: "2", parents: false), .set(path: "t.a", json: "5", parents: false),
        ])
        #expect(driver.take() == ["t.out valueChanged 1 -> 7 r3"])
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `a binding waits for a weak property that becomes strong`() throws {
        let driver = try TreeDriver(("t", #"{"m":{"y":1},"a":null,"out":0}"#))
        try driver.link("t.m.w", "t", weak: true)
        try driver.bind("t.m.@count", "t.out")
        try driver.bind("t.a", "t.m.w")
        #expect(try driver.get("t.out") == "2")
        try driver.link("t.m.w", "t", weak: true)
        #expect(try driver.get("t.out") == "1")
        try driver.observe("t.out")
        try driver.commit([
            .set(path: "t.m.v", json: "0", parents: false), .set(path: "t.a", json: "5", parents: false),
        ])
        #expect(driver.take() == ["t.out valueChanged 1 -> 3 r6"])
    }

    @Test func `a binding follows computed models as they are within the commit`() throws {
        let driver = try TreeDriver(
            ("t", #"{"pick":{"v":1},"other":{"v":2},"x":0,"y":0,"out":null}"#)
        )
        try driver.compute("t", "current", "{pick}")
        try driver.bind("t.other.v", "t.out")
        try driver.bind("t.x", "t.current.v")
        try driver.observe("t.out")
        // By the same commit the second binding leads to an input of the first.
        try driver.commit([
            .link(path: "t.pick", target: "t.other", isWeak: true),
            .set(path: "t.x", json: "9", parents: false),
            .set(path: "t.other.v", json: "3", parents: false),
        ])
        #expect(driver.take() == ["t.out valueChanged 2 -> 9 r4"])
        #expect(driver.tree.faults().isEmpty)
    }

    /// The third and the fourth write each other's input, so their order decides. The first waits for the third, which
    /// waits for the fourth. The oracle found it: the second began, which waits for the fourth, and that for the third.
    @Test func `a binding begins if one that leads elsewhere now may write its input`() throws {
        let driver = try TreeDriver(
            ("x", #"{"r":2}"#),
            ("y", #"{"r":1}"#),
            ("s", "1"),
            ("c", "0"),
            ("d", "0")
        )
        try driver.bind("x.r", "d")
        try driver.bind("s", "c")
        try driver.bind("s", "y.r")
        try driver.bind("y.r", "s")
        try driver.link("y", "x", weak: true)
        #expect(try driver.values("x.r", "s", "c", "d") == ["2", "2", "2", "2"])
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `bindings through computed models of each other's targets end`() throws {
        let driver = try TreeDriver(("t", #"{"x":0,"y":0,"z":0,"one":0,"other":0}"#))
        for name in ["one", "other"] { try driver.link("t.\(name)", "t", weak: true) }
        try driver.compute("t", "throughOne", "{one}")
        try driver.compute("t", "throughOther", "{other}")
        try driver.link("t.x", "t", weak: true)
        try driver.link("t.y", "t", weak: true)
        try driver.bind("t.x", "t.throughOther.one")
        try driver.bind("t.y", "t.throughOne.other")
        try driver.commit([
            .set(path: "t.x", json: "1", parents: false), .set(path: "t.y", json: "2", parents: false),
        ])
        // The first waits for the second, whose value leaves it no model to write to.
        #expect(try driver.values("t.throughOther", "t.other") == ["2", "2"])
        #expect(driver.failing == [1])
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `in a loop the binding with the lowest number writes last`() throws {
        let driver = try TreeDriver(("t", #"{"a":0,"b":0,"c":0}"#))
        try driver.bind("t.a", "t.b")
        try driver.bind("t.b", "t.c")
        try driver.bind("t.c", "t.a")
        try driver.commit([
            .set(path: "t.a", json: "1", parents: false), .set(path: "t.b", json: "2", parents: false),
        ])
        #expect(try driver.get("t") == #"{"a":2,"b":2,"c":2}"#)
    }

    @Test func `of several one-way bindings to a target the last one wins`() throws {
        let driver = try TreeDriver(("t", #"{"a":0,"b":0,"c":0,"one":0,"two":0}"#))
        try driver.bind("t.a", "t.one")
        try driver.bind("t.b", "t.one")
        try driver.bind("t.c", "t.two", twoWay: true)
        try driver.bind("t.b", "t.two")
        try driver.commit([
            .set(path: "t.c", json: "3", parents: false), .set(path: "t.b", json: "2", parents: false),
            .set(path: "t.a", json: "1", parents: false),
        ])
        // The two-way binding reads its target, so it follows the other.
        #expect(try driver.get("t") == #"{"a":1,"b":2,"c":3,"one":2,"two":3}"#)
    }

    @Test func `a model in an array's place redirects the bindings of its elements`() throws {
        let driver = try TreeDriver(("t", #"{"x":{"k":1},"b":null,"list":[1],"m":{}}"#))
        try driver.bind("t.x", "t.list.name")
        try driver.bind("t.b", "t.list.name", twoWay: true)
        #expect(driver.failing == [1])
        try driver.link("t.list", "t.m")
        // The first binding wrote there, but for the second it is another property: its source wins.
        #expect(try driver.get("t.m") == #"{"name":null}"#)
        #expect(driver.failing == [])
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `a binding stops after it writes a component of its own target path`() throws {
        let driver = try TreeDriver(("s", "{}"), ("a", #"{"x":1}"#))
        try driver.link("s.b", "s", weak: true)
        try driver.bind("a.x", "s.b.b.b")
        #expect(try driver.get("s") == #"{"b":1}"#)
        try driver.set("a", #"{"x":1}"#)
        #expect(driver.failing == [])
        try driver.set("a.x", "2")
        #expect(driver.failing == [1])
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `a ring of bindings without a fixed point runs once`() throws {
        let driver = try TreeDriver(("t", "{}"))
        let count = 30
        for index in 0..<count { try driver.compute("t", "c\(index)", "{a\(index)}!") }
        try driver.set("t.a0", #""x""#)
        for index in 0..<count { try driver.bind("t.c\(index)", "t.a\((index + 1) % count)") }
        try driver.set("t.a0", #""y""#)
        let round = String(repeating: "!", count: count)
        #expect(try driver.values("t.a0", "t.a1") == [#""y\#(round)""#, #""y!""#])
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `many two-way bindings of one property write in turn`() throws {
        let driver = try TreeDriver(("t", #"{"hub":0}"#))
        let count = 3_000
        for index in 0..<count { try driver.bind("t.hub", "t.s\(index)", twoWay: true) }
        try driver.set("t.hub", "1")
        try driver.set("t.s7", "2")
        #expect(try driver.values("t.hub", "t.s0", "t.s\(count - 1)") == ["2", "2", "2"])
        try driver.commit([
            .set(path: "t.s1", json: "3", parents: false), .set(path: "t.s2", json: "4", parents: false),
        ])
        #expect(Set(try driver.values("t.hub", "t.s0", "t.s1", "t.s2")) == ["4"])
        #expect(driver.tree.faults().isEmpty)
    }
}
