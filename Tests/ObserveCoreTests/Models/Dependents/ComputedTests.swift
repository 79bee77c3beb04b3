// SPDX-License-Identifier: MIT
// Computed properties by example: their values and events, without a mixture of old and new inputs.

import Testing

@testable import ObserveCore

@Suite struct ComputedTests {
    @Test func `a template's text contains the values of its paths`() throws {
        let driver = try TreeDriver(
            (
                "t",
                #"{"s":"a\"é\n","i":-5,"d":1.0,"yes":true,"no":false,"n":null,"l":[1,[2,"x"],null,{"m":1}],"m":{"m":1}}"#
            )
        )
        try driver.compute(
            "t",
            "all",
            "{s}|{i}|{d}|{yes}|{no}|{n}|{missing}|{l}|{m}|{m.m}|{l.@count}|{l.9.x}|{{}}\""
        )
        #expect(try driver.get("t.all") == #""a\"é\n|-5|1.0|true|false|||1, 2, x, , ||1|4||{}\"""#)
        try driver.compute("t", "empty", "")
        #expect(try driver.get("t.empty") == #""""#)
    }

    @Test func `a template of one path alone keeps the value's type`() throws {
        let driver = try TreeDriver(("t", #"{"s":"a","d":1.0,"l":[1,{"x":1}],"m":{"x":2}}"#))
        for name in ["s", "d", "l", "m", "none"] { try driver.compute("t", "c_\(name)", "{\(name)}") }
        try driver.compute("t", "sum", "{l.@sum.x}")
        #expect(
            try driver.values("t.c_s", "t.c_d", "t.c_l", "t.c_m", "t.c_none", "t.sum")
                == [#""a""#, "1.0", #"[1,{"x":1}]"#, #"{"x":2}"#, "null", "1"]
        )
        // A computed model is the same instance.
        #expect(try driver.get("t.c_m.x") == "2")
        try driver.set("t.c_m.x", "3")
        #expect(try driver.get("t.m.x") == "3")
        #expect(try driver.nilAt("t.c_none.x") == "t.c_none")
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `a computed property follows its paths through re-binding, null, arrays and operators`() throws
    {
        let driver = try TreeDriver(
            ("order", #"{"recipient":{"firstName":"Ada","lastName":"L"},"contents":[{"w":1},{"w":2}]}"#),
            ("people", #"{"bob":{"firstName":"Bob","lastName":"B"}}"#)
        )
        try driver.compute(
            "order",
            "summary",
            "To {recipient.firstName} {recipient.lastName}: {contents.@count} items, {contents.@sum.w} kg, {contents.0.w}"
        )
        try driver.observe("order.summary")
        try driver.set("order.recipient.firstName", #""Eve""#)
        try driver.link("order.recipient", "people.bob", weak: true)
        try driver.set("people.bob.lastName", #""C""#)
        try driver.insert("order.contents", #"{"w":5}"#, at: 0)
        try driver.set("order.contents.2.w", "7")
        try driver.remove("people.bob")
        try driver.remove("order.contents")
        try driver.set("order.recipient", #"{"firstName":"Zoe"}"#)
        func event(_ old: String, _ new: String, _ revision: Int) -> String {
            #"order.summary valueChanged "To \#(old)" -> "To \#(new)" r\#(revision)"#
        }
        let steps = [
            "Ada L: 2 items, 3 kg, 1", "Eve L: 2 items, 3 kg, 1", "Bob B: 2 items, 3 kg, 1",
            "Bob C: 2 items, 3 kg, 1", "Bob C: 3 items, 8 kg, 5", "Bob C: 3 items, 13 kg, 5",
            " : 3 items, 13 kg, 5", " :  items,  kg, ", "Zoe :  items,  kg, ",
        ]
        #expect(
            driver.take() == (1..<steps.count).map { event(steps[$0 - 1], steps[$0], $0 + 2) }
        )
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `a transaction sends the new player with its new summary`() throws {
        let driver = try TreeDriver(("t", #"{"player":{"title":"A","year":1}}"#))
        try driver.compute("t", "summary", "{player.title} ({player.year})")
        try driver.observe("t.player.title")
        try driver.observe("t.summary")
        try driver.commit([
            .set(path: "t.player.title", json: #""B""#, parents: false),
            .set(path: "t.player.year", json: "2", parents: false),
        ])
        try driver.commit([
            .set(path: "t.player", json: #"{"title":"X","year":9}"#, parents: false),
            .set(path: "t.player", json: #"{"title":"B","year":2}"#, parents: false),
        ])
        #expect(
            driver.take() == [
                #"t.summary valueChanged "A (1)" -> "B (2)" r2"#,
                #"t.player.title valueChanged "A" -> "B" r2"#,
            ]
        )
    }

    /// Fuzzing found it: after a restart, which computes all values anew, they had another form.
    @Test(arguments: [("1", "1.0"), ("1.0", "1"), ("[1,[2]]", "[1,[2.0]]"), ("0.0", "-0.0"), ("-0.0", "0")])
    func `an equal number of another form reaches the computed properties`(before: String, after: String)
        throws
    {
        let driver = try TreeDriver(("t", #"{"x":\#(before)}"#))
        try driver.compute("t", "c", "{x}")
        try driver.compute("t", "d", "{c}")
        try driver.compute("t", "text", "<{d}>")
        func text(_ value: String) -> String {
            #""<\#(value.filter { $0 != "[" && $0 != "]" }.replacing(",", with: ", "))>""#
        }
        #expect(try driver.get("t.text") == text(before))
        try driver.observe("t.d")
        try driver.observe("t.text")
        try driver.commit([
            .set(path: "t.x", json: "null", parents: false), .set(path: "t.x", json: after, parents: false),
        ])
        #expect(try driver.values("t.x", "t.c", "t.d", "t.text") == [after, after, after, text(after)])
        #expect(driver.take() == ["t.text valueChanged \(text(before)) -> \(text(after)) r2"])
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `computed properties update in dependency order`() throws {
        let driver = try TreeDriver(("t", #"{"a":1,"b":2}"#))
        try driver.compute("t", "three", "{two}, {one}, {a}")
        try driver.compute("t", "two", "{one}+{b}")
        try driver.compute("t", "one", "<{a}>")
        for name in ["one", "two", "three"] { try driver.observe("t.\(name)") }
        try driver.set("t.a", "5")
        #expect(
            Set(driver.take()) == [
                #"t.one valueChanged "<1>" -> "<5>" r4"#, #"t.two valueChanged "<1>+2" -> "<5>+2" r4"#,
                #"t.three valueChanged "<1>+2, <1>, 1" -> "<5>+2, <5>, 5" r4"#,
            ]
        )
    }

    @Test func `computed properties hold no model, are not rendered, and end with their model`() throws {
        let driver = try TreeDriver(("t", #"{"m":{"x":1},"l":[{"y":1},{"y":2}]}"#))
        let names = driver.tree.records.names.count
        try driver.compute("t", "it", "{m}")
        try driver.compute("t", "all", "{l}")
        try driver.observe(pattern: "t.**")
        try driver.observe("t.it")
        try driver.observe("t.all.0.y")
        #expect(try driver.get("t") == #"{"m":{"x":1},"l":[{"y":1},{"y":2}]}"#)
        try driver.remove("t.m")
        try driver.set("t.l.0", "null")
        #expect(driver.tree.modelCount == 2)
        #expect(
            driver.take() == [
                #"t.it valueChanged {"x":1} -> null r2"#, #"t.m valueChanged {"x":1} -> null r2"#,
                #"t.all.0.y pathChanged 1 -> null changedAt=t.all nilAt=t.all.0 r3"#,
                #"t.l replacement[0] [{"y":1}] -> [null] r3"#.replacing("t.l ", with: "t.l valueChanged "),
            ]
        )
        #expect(driver.tree.faults().isEmpty)
        driver.stopAll()
        try driver.remove("t")
        #expect(driver.tree.dependents.records.count == 0)
        #expect(driver.tree.recordCounts.edges == 0)
        #expect(driver.tree.modelCount == 0)
        #expect(driver.tree.faults().isEmpty)
        #expect(driver.tree.recordCounts.names <= names + 2)
    }

    @Test func `wildcards match computed properties, and operators read them in elements`() throws {
        let driver = try TreeDriver(("t", #"{"l":[{"p":2,"n":3},{"p":5,"n":1}]}"#))
        try driver.compute("t.l.0", "cost", "{p}")
        try driver.compute("t.l.1", "cost", "{p}")
        try driver.observe("t.l.@sum.cost")
        try driver.compute("t", "total", "{l.@sum.cost}")
        let watcher = try driver.observe(patterns: ["t.l.*.*"])
        #expect(
            driver.matches[watcher] == [
                "t.l.0.p", "t.l.0.n", "t.l.0.cost", "t.l.1.p", "t.l.1.n", "t.l.1.cost",
            ]
        )
        try driver.set("t.l.0.p", "10")
        #expect(
            Set(driver.take()) == [
                "t.l.0.p valueChanged 2 -> 10 r2", "t.l.0.cost valueChanged 2 -> 10 r2",
                "t.l.@sum.cost valueChanged 7 -> 15 r2",
            ]
        )
        #expect(try driver.get("t.total") == "15")
        // Operators over the model itself omit them, like weak properties.
        #expect(try driver.get("t.l.0.@count") == "2")
        #expect(try driver.get("t.l.0.@sum") == "13")
    }

    @Test func `an operation reads a computed property as earlier operations of its transaction left it`()
        throws
    {
        let driver = try TreeDriver(("t", #"{"a":{"x":1},"b":{"x":2},"which":null}"#))
        try driver.link("t.which", "t.a")
        try driver.compute("t", "it", "{which}")
        try driver.observe("t.it.x")
        try driver.commit([
            .link(path: "t.which", target: "t.b", isWeak: false),
            .set(path: "t.it.x", json: "5", parents: false),
        ])
        #expect(try driver.get("t") == #"{"a":{"x":1},"b":{"x":5},"which":{"x":5}}"#)
        #expect(throws: TreeError.self) {
            try driver.commit([
                .link(path: "t.which", target: "t.a", isWeak: false),
                .set(path: "t.it.x", json: "6", parents: false),
                .set(path: "t.none.x", json: "6", parents: false),
            ])
        }
        #expect(try driver.get("t.it.x") == "5")
        try driver.set("t.b.x", "7")
        try driver.set("t.a.x", "8")
        #expect(
            driver.take() == [
                "t.it.x pathChanged 1 -> 5 changedAt=t.it r3", "t.it.x valueChanged 5 -> 7 r4",
            ]
        )
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `a cycle through a dynamic path ends`() throws {
        let driver = try TreeDriver(("t", #"{"a":"1","other":null}"#), ("u", #"{"b":"2"}"#))
        try driver.link("t.other", "u", weak: true)
        try driver.link("u.other", "t", weak: true)
        try driver.compute("t", "c", "{a}{other.c}")
        try driver.compute("u", "c", "{b}{other.c}")
        try driver.compute("t", "self", "{self}x")
        #expect(try driver.get("t.self") == #""x""#)
        for round in 0..<4 {
            try driver.set("t.a", #""\#(round)""#)
            try driver.set("u.b", #""\#(round)""#)
        }
        try driver.set("u.other", "null")
        #expect(try driver.values("u.c", "t.c") == [#""3""#, #""33""#])
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `a chain of ten thousand computed properties updates`() throws {
        let driver = try TreeDriver(("t", #"{"list":[]}"#))
        let count = 10_000
        let list = "[" + Array(repeating: #"{"v":1}"#, count: count).joined(separator: ",") + "]"
        try driver.set("t.list", list)
        for index in 1..<count { try driver.link("t.list.\(index).next", "t.list.\(index - 1)", weak: true) }
        for index in 0..<count {
            try driver.compute(
                "t.list.\(index)",
                "c",
                "{next.c}{v}".replacing("{v}", with: index == 0 ? "{v}" : "")
            )
        }
        try driver.observe("t.list.\(count - 1).c")
        try driver.set("t.list.0.v", "2")
        #expect(try driver.get("t.list.\(count - 1).c") == #""2""#)
        #expect(driver.take().count == 1)
    }

    @Test func `a computed text over the limit is null`() throws {
        var limits = TreeLimits()
        limits.maxRenderedBytes = 1000
        let driver = try TreeDriver(limits: limits, ("t", #"{"c0":"0123456789"}"#))
        for level in 1...12 { try driver.compute("t", "c\(level)", "{c\(level - 1)}{c\(level - 1)}") }
        #expect(try driver.get("t.c6").count == 642)
        #expect(try driver.values("t.c7", "t.c8") == ["null", #""""#])
    }

    @Test func `an indistinct observer is notified when an input changes`() throws {
        let driver = try TreeDriver(("t", #"{"a":1,"b":2}"#))
        try driver.compute("t", "max", "{l.@max}")
        try driver.set("t.l", "[1,5]")
        try driver.observe("t.max", distinct: false)
        try driver.set("t.l.0", "2")
        try driver.set("t.a", "2")
        try driver.set("t.l.1", "6")
        #expect(driver.take() == ["t.max valueChanged 5 -> 5 r3", "t.max valueChanged 5 -> 6 r5"])
    }
}
