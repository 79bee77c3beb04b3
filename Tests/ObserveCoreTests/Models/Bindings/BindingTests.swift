// SPDX-License-Identifier: MIT
// Bindings by example: each write and its events.

import Testing

@testable import ObserveCore

@Suite struct BindingTests {
    @Test func `a binding copies the value at once, and each change in its commit`() throws {
        let driver = try TreeDriver(("a", #"{"x":1}"#), ("b", #"{"y":0}"#))
        try driver.observe("b.y")
        try driver.bind("a.x", "b.y")
        try driver.set("a.x", "2")
        try driver.set("a.x", "2.0")
        try driver.set("a.x", "null")
        try driver.set("a.x", "[1,[2]]")
        try driver.set("a.x.1.0", "3")
        try driver.remove("a.x")
        try driver.remove("a")
        #expect(
            driver.take() == [
                "b.y valueChanged 0 -> 1 r3", "b.y valueChanged 1 -> 2 r4", "b.y valueChanged 2 -> null r5",
                "b.y valueChanged null -> [1,[2]] r6", "b.y valueChanged [1,[2]] -> [1,[3]] r7",
                "b.y valueChanged [1,[3]] -> null r8",
            ]
        )
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `a one-way binding's target keeps a client's value until the source changes`() throws {
        let driver = try TreeDriver(("a", #"{"x":1}"#), ("b", #"{"y":0}"#))
        try driver.bind("a.x", "b.y")
        try driver.observe("a.x")
        try driver.observe("b.y")
        try driver.set("b.y", "9")
        try driver.set("a.other", "1")
        try driver.set("a.x", "1.0")
        try driver.set("a.x", "2")
        #expect(
            driver.take() == [
                "b.y valueChanged 1 -> 9 r4", "a.x valueChanged 1 -> 2 r6", "b.y valueChanged 9 -> 2 r6",
            ]
        )
    }

    @Test func `a two-way binding copies the target back; the source wins first and in one commit`()
        throws
    {
        let driver = try TreeDriver(("a", #"{"x":1}"#), ("b", #"{"y":7}"#))
        try driver.observe("a.x")
        try driver.observe("b.y")
        try driver.bind("a.x", "b.y", twoWay: true)
        try driver.set("b.y", "3")
        try driver.set("a.x", "4")
        try driver.commit([
            .set(path: "b.y", json: "8", parents: false), .set(path: "a.x", json: "5", parents: false),
        ])
        try driver.remove("b.y")
        #expect(
            driver.take() == [
                "b.y valueChanged 7 -> 1 r3",
                "b.y valueChanged 1 -> 3 r4", "a.x valueChanged 1 -> 3 r4",
                "a.x valueChanged 3 -> 4 r5", "b.y valueChanged 3 -> 4 r5",
                "b.y valueChanged 4 -> 5 r6", "a.x valueChanged 4 -> 5 r6",
                "b.y valueChanged 5 -> null r7", "a.x valueChanged 5 -> null r7",
            ]
        )
    }

    @Test func `a binding follows both of its paths through re-binding and null`() throws {
        let driver = try TreeDriver(
            ("a", #"{"p":{"x":1}}"#),
            ("b", #"{"q":{"y":0}}"#),
            ("c", #"{"p":{"x":5},"q":{"y":6}}"#)
        )
        try driver.bind("a.p.x", "b.q.y", twoWay: true)
        try driver.observe("a.p.x")
        try driver.observe("b.q.y")
        // The source path re-binds. Then the target path does, and the source wins.
        try driver.link("a.p", "c.p")
        try driver.link("b.q", "c.q")
        try driver.set("c.q.y", "8")
        try driver.set("a.p", "null")
        try driver.set("b.q", "null")
        // Neither path leads anywhere: null equals null.
        #expect(driver.failing == [])
        try driver.set("a.p", #"{"x":9}"#)
        #expect(driver.failing == [1])
        try driver.set("b.q", "{}")
        #expect(driver.failing == [])
        let (p, q) = ("a.p", "b.q")
        #expect(
            driver.take() == [
                "a.p.x pathChanged 1 -> 5 changedAt=\(p) r5", "b.q.y valueChanged 1 -> 5 r5",
                "b.q.y pathChanged 5 -> 5 changedAt=\(q) r6",
            ].filter { !$0.contains("5 -> 5") } + [
                "b.q.y valueChanged 5 -> 8 r7", "a.p.x valueChanged 5 -> 8 r7",
                "a.p.x pathChanged 8 -> null changedAt=\(p) nilAt=\(p) r8", "b.q.y valueChanged 8 -> null r8",
                "a.p.x pathChanged null -> 9 changedAt=\(p) r10",
                "b.q.y pathChanged null -> 9 changedAt=\(q) r11",
            ]
        )
        #expect(driver.failures == ["1 notFound", "1 works"])
        #expect(try driver.values("c.p.x", "c.q.y") == ["8", "null"])
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `a chain and a fan of bindings write in one commit, in dependency order`() throws {
        let driver = try TreeDriver(("t", #"{"a":0,"b":0,"c":0,"d":0,"e":0}"#))
        // Bound backwards, so that the order of the numbers is wrong.
        try driver.bind("t.c", "t.d")
        try driver.bind("t.b", "t.c")
        try driver.bind("t.a", "t.b")
        try driver.bind("t.a", "t.e")
        for name in ["a", "b", "c", "d", "e"] { try driver.observe("t.\(name)") }
        try driver.set("t.a", "1")
        #expect(
            Set(driver.take()) == Set(["a", "b", "c", "d", "e"].map { "t.\($0) valueChanged 0 -> 1 r2" })
        )
    }

    @Test func `a binding writes once per commit, after its inputs`() throws {
        let driver = try TreeDriver(("t", #"{"m":{"x":1},"n":{"x":2},"a":5,"out":null}"#))
        try driver.bind("t.m.x", "t.out")
        try driver.bind("t.a", "t.m.x")
        try driver.bind("t.a", "t.n.x")
        try driver.observe("t.out")
        // The first would read its source before the others write it, unless it waits for them.
        try driver.commit([
            .link(path: "t.m", target: "t.n", isWeak: false), .set(path: "t.a", json: "6", parents: false),
        ])
        #expect(driver.take() == ["t.out valueChanged 5 -> 6 r5"])
    }

    @Test func `loops end`() throws {
        let driver = try TreeDriver(("t", #"{"a":1,"b":2,"c":3}"#))
        try driver.bind("t.a", "t.b", twoWay: true)
        try driver.bind("t.b", "t.c", twoWay: true)
        try driver.bind("t.c", "t.a", twoWay: true)
        try driver.bind("t.a", "t.a")
        #expect(try driver.get("t") == #"{"a":1,"b":1,"c":1}"#)
        for name in ["a", "b", "c"] { try driver.observe("t.\(name)") }
        try driver.set("t.b", "7")
        #expect(Set(driver.take()) == Set(["a", "b", "c"].map { "t.\($0) valueChanged 1 -> 7 r4" }))
    }

    @Test func `a loop of bindings without a fixed point writes each end once per commit`() throws {
        let driver = try TreeDriver(("t", #"{"a":"x"}"#))
        try driver.compute("t", "more", "{a}!")
        try driver.observe("t.a")
        try driver.bind("t.more", "t.a")
        try driver.set("t.a", #""y""#)
        #expect(
            driver.take() == [#"t.a valueChanged "x" -> "x!" r2"#, #"t.a valueChanged "x!" -> "y!" r3"#]
        )
        #expect(try driver.get("t.more") == #""y!!""#)
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `a binding to a component of its own path ends`() throws {
        let driver = try TreeDriver(("t", #"{"a":{"b":{"b":1}},"c":2}"#))
        try driver.bind("t.a.b", "t.a")
        #expect(try driver.get("t") == #"{"a":{"b":1},"c":2}"#)
        try driver.set("t.c", "3")
        #expect(try driver.get("t") == #"{"a":{"b":1},"c":3}"#)
        try driver.set("t.a.b", "5")
        #expect(try driver.get("t") == #"{"a":5,"c":3}"#)
        try driver.set("t.a", #"{"b":{"b":6}}"#)
        #expect(try driver.get("t.a") == #"{"b":6}"#)
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `a binding copies a model as a strong link`() throws {
        let driver = try TreeDriver(("t", #"{"m":{"x":1},"list":[]}"#), ("out", #"{"m":null,"list":null}"#))
        try driver.bind("t.m", "out.m")
        try driver.bind("t.list", "out.list")
        try driver.observe("out.m.x")
        try driver.observe("out.list.0.y")
        try driver.set("t.m.x", "2")
        try driver.insert("t.list", #"{"y":1}"#, at: 0)
        try driver.set("out.list.0.y", "2")
        #expect(try driver.get("t.list") == #"[{"y":2}]"#)
        let instance = try driver.describe("t.m")
        try driver.unbind(1)
        try driver.remove("t.m")
        #expect(try driver.describe("out.m") == instance)
        #expect(
            driver.take() == [
                "out.m.x valueChanged 1 -> 2 r5",
                "out.list.0.y pathChanged null -> 1 changedAt=out.list r6",
                "out.list.0.y valueChanged 1 -> 2 r7",
            ]
        )
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `a binding fails while its write would close a cycle, and writes afterwards`() throws {
        let driver = try TreeDriver(
            ("t", #"{"a":{"in":{"x":1}},"list":null}"#)
        )
        // `a` holds `in`; `in.up = a` would be a cycle.
        try driver.bind("t.a", "t.a.in.up")
        #expect(driver.failing == [1])
        try driver.link("t.keep", "t.a.in")
        #expect(driver.failing == [1])
        try driver.bind("t.a", "t.keep.up")
        #expect(driver.failing == [1, 2])
        // The target of the second stays the same; the cycle's cause goes.
        try driver.set("t.a.in", "null")
        #expect(try driver.get("t.keep.up") == #"{"in":null}"#)
        #expect(driver.failing == [1])
        #expect(driver.failures == ["1 referenceCycle", "2 referenceCycle", "2 works"])
        #expect(driver.tree.faults().isEmpty)
        // The check searches arrays for models.
        let second = try TreeDriver(("t", #"{"a":[1,[{"x":1}]]}"#))
        try second.link("t.inner", "t.a.1.0")
        try second.bind("t.a", "t.inner.list")
        #expect(second.failing == [1])
        #expect(try second.get("t.inner") == #"{"x":1}"#)
        try second.set("t.a", "[2]")
        #expect(second.failing == [])
        #expect(try second.get("t.inner") == #"{"x":1,"list":[2]}"#)
    }

    @Test func `the tree counts a failing binding, and reports it once until it works`() throws {
        let driver = try TreeDriver(("t", #"{"a":1,"m":null}"#))
        try driver.bind("t.a", "t.m.x")
        try driver.set("t.a", "2")
        try driver.set("t.a", "3")
        #expect(driver.tree.recordCounts.failedBindingWrites == 3)
        #expect(driver.tree.recordCounts.failingBindings == 1)
        try driver.set("t.m", "5")
        #expect(driver.tree.recordCounts.failedBindingWrites == 4)
        try driver.set("t.m", "{}")
        #expect(driver.failures == ["1 notFound", "1 works"])
        #expect(try driver.get("t.m") == #"{"x":3}"#)
        #expect(driver.tree.recordCounts.failingBindings == 0)
        try driver.set("t.m", "null")
        #expect(driver.failing == [1])
        try driver.unbind(1)
        #expect(driver.tree.recordCounts.failingBindings == 0)
    }

    @Test func `an element of an array can be either end`() throws {
        let driver = try TreeDriver(("t", #"{"list":[1,2],"a":5,"b":0}"#))
        try driver.bind("t.a", "t.list.1", twoWay: true)
        try driver.bind("t.list.0", "t.b")
        #expect(try driver.get("t") == #"{"list":[1,5],"a":5,"b":1}"#)
        // A replacement of the element assigns the target: the binding copies it back.
        try driver.set("t.list.1", "6")
        #expect(try driver.get("t") == #"{"list":[1,6],"a":6,"b":1}"#)
        // An insertion moves another element there: the target leads elsewhere, and the source wins.
        try driver.insert("t.list", "9", at: 0)
        #expect(try driver.get("t") == #"{"list":[9,6,6],"a":6,"b":9}"#)
        try driver.set("t.list", "[7,8]")
        #expect(try driver.get("t") == #"{"list":[7,6],"a":6,"b":7}"#)
        try driver.set("t.list", "[1]")
        #expect(driver.failing == [1])
        try driver.insert("t.list", "4", at: 1)
        #expect(try driver.get("t") == #"{"list":[1,6],"a":6,"b":1}"#)
        #expect(driver.failing == [])
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `an operator can be the source`() throws {
        let driver = try TreeDriver(
            ("t", #"{"list":[{"w":1},{"w":2}],"m":{"a":1,"b":2}}"#),
            ("o", #"{"sum":0,"count":0,"max":0,"members":0}"#)
        )
        try driver.bind("t.list.@sum.w", "o.sum")
        try driver.bind("t.list.@count", "o.count")
        try driver.bind("t.m.@max", "o.max")
        try driver.bind("t.m.@count", "o.members")
        #expect(try driver.get("o") == #"{"sum":3,"count":2,"max":2,"members":2}"#)
        try driver.set("t.list.0.w", "10")
        try driver.insert("t.list", #"{"w":100}"#, at: 1)
        try driver.set("t.m.c", "7")
        #expect(try driver.get("o") == #"{"sum":112,"count":3,"max":7,"members":3}"#)
        try driver.remove("t.m.c")
        try driver.link("t.m.b", "t.list.0", weak: true)
        #expect(try driver.get("o") == #"{"sum":112,"count":3,"max":1,"members":1}"#)
        try driver.remove("t.list")
        #expect(try driver.get("o") == #"{"sum":null,"count":null,"max":1,"members":1}"#)
        #expect(throws: TreeError.self) { try driver.bind("t.m.@max", "t.x", twoWay: true) }
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `a binding copies a zeroed weak reference as null, in the same commit`() throws {
        let driver = try TreeDriver(("t", #"{"m":{"x":1}}"#), ("o", #"{"x":0,"copy":0}"#))
        try driver.link("t.weak", "t.m", weak: true)
        try driver.bind("t.weak.x", "o.x")
        try driver.bind("o.x", "o.copy")
        try driver.observe("o.copy")
        try driver.remove("t.m")
        #expect(driver.take() == ["o.copy valueChanged 1 -> null r6"])
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `a binding's write may release a model`() throws {
        let driver = try TreeDriver(("t", #"{"m":{"x":1},"n":{"x":2}}"#), ("o", #"{"m":null,"x":null}"#))
        try driver.bind("t.m", "o.m")
        try driver.link("o.weak", "t.m", weak: true)
        try driver.bind("o.weak.x", "o.x")
        #expect(try driver.get("o.x") == "1")
        try driver.link("t.m", "t.n")
        #expect(try driver.get("o") == #"{"m":{"x":2},"x":null}"#)
        #expect(try driver.describe("o.weak").contains(#""kind":"null""#))
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `an undone commit undoes its bindings' writes`() throws {
        let driver = try TreeDriver(("t", #"{"a":1,"b":0}"#))
        try driver.bind("t.a", "t.b", twoWay: true)
        try driver.observe("t.b")
        #expect(throws: TreeError.self) {
            try driver.commit([
                .set(path: "t.a", json: "2", parents: false),
                .set(path: "t.no.where", json: "2", parents: false),
            ])
        }
        try driver.set("t.b", "1.0")
        try driver.set("t.c", "1")
        #expect(driver.take().isEmpty)
        #expect(try driver.get("t") == #"{"a":1,"b":1,"c":1}"#)
        try driver.set("t.b", "3")
        #expect(try driver.get("t.a") == "3")
    }

    @Test(arguments: [
        ("set", #"{"path":"t.s","value":5,"dryRun":true}"#, "result"),
        (
            "transaction",
            #"{"operations":[{"method":"set","params":{"path":"t.s","value":5}},{"method":"set","params":{"path":"u","value":"\#(String(repeating: "long", count: 1000))"}}]}"#,
            "maxTreeBytes"
        ),
    ])
    func `a commit that is rolled back leaves a binding whose source was too large as it was`(
        method: String,
        params: String,
        outcome: String
    ) {
        var limits = ServerLimits()
        limits.tree.maxElements = 64
        let zeros = (0..<100).map { _ in "0" }.joined(separator: ",")
        let talk = Conversation([("t", "{\"t\":7,\"s\":[\(zeros)]}")], limits: limits)
        talk.ask("bind", #"{"source":"t.s","target":"t.t","twoWay":true}"#)
        #expect(talk.hub.tree.failingBindings == 1)
        if outcome != "result" { talk.hub.tree.records.limits.maxTreeBytes = 1 }
        let answer = talk.ask(method, params)
        #expect(answer.contains(outcome == "result" ? #""failing":[]"# : outcome), "\(answer)")
        talk.hub.tree.records.limits.maxTreeBytes = TreeLimits().maxTreeBytes
        #expect(talk.hub.tree.failingBindings == 1)
        talk.ask("set", #"{"path":"t.s","value":5}"#)
        #expect(talk.value("t") == #"{"t":5,"s":5}"# && talk.hub.tree.failingBindings == 0)
    }

    @Test func `unbind frees everything of the binding`() throws {
        let driver = try TreeDriver()
        let empty = TreeCounts(driver.tree)
        try driver.bind("a.b.c.@max.x", "d.e.f")
        try driver.bind("a.0.c", "d.e.g", twoWay: true)
        try driver.set("a", #"{"b":{"c":[{"x":4}]}}"#)
        try driver.set("d", #"{"e":{}}"#)
        #expect(try driver.get("d.e.f") == "4")
        #expect(try driver.unbind(1))
        #expect(try driver.unbind(2))
        #expect(try !driver.unbind(2))
        try driver.remove("a")
        try driver.remove("d")
        #expect(TreeCounts(driver.tree) == empty)
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `the origin of a binding's write is the binding`() throws {
        let driver = try TreeDriver(("t", #"{"a":1,"b":0,"c":0}"#))
        try driver.compute("t", "d", "{c}")
        try driver.bind("t.a", "t.b")
        try driver.bind("t.b", "t.c")
        driver.notesCauses = true
        for name in ["a", "b", "c", "d"] { try driver.observe("t.\(name)") }
        try driver.set("t.a", "2")
        #expect(
            driver.causes == [
                "t.a": .writer, "t.b": .binding(1), "t.c": .binding(2), "t.d": .consequence,
            ]
        )
    }

    @Test func `a thousand bindings write in one commit, in a fan and in a chain`() throws {
        let driver = try TreeDriver(("t", "{}"), ("u", "{}"))
        for index in 0..<1000 { try driver.bind("t.a", "t.b\(index)", twoWay: index % 2 == 0) }
        for index in (0..<1000).reversed() { try driver.bind("u.c\(index)", "u.c\(index + 1)") }
        try driver.set("t.a", "7")
        try driver.set("u.c0", "7")
        #expect(try driver.values("t.b0", "t.b999", "u.c1000") == ["7", "7", "7"])
        try driver.set("t.b500", "8")
        #expect(try driver.values("t.a", "t.b0", "t.b999") == ["8", "8", "8"])
        #expect(driver.tree.faults().isEmpty)
    }
}
