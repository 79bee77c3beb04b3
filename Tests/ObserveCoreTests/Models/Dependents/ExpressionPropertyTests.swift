// SPDX-License-Identifier: MIT
// Computed properties with expressions: their values, events and inputs.

import Testing

@testable import ObserveCore

@Suite struct ExpressionPropertyTests {
    @Test func `a thermostat needs no script`() throws {
        let driver = try TypedTree.make(
            types: [
                TypeDeclaration(
                    "Room",
                    "celsius: Double?",
                    "target: Double = 20",
                    "away: Bool",
                    "heating: computed Bool = {celsius < target && !away}",
                    "label: computed String = {celsius:.1|no sensor} of {target:.1}"
                )
            ],
            ("hall", "Room", #"{"celsius":18.25}"#)
        )
        try driver.observe("hall.heating")
        try driver.observe("hall.label")
        #expect(try driver.values("hall.heating", "hall.label") == ["true", #""18.3 of 20.0""#])
        try driver.set("hall.celsius", "null")
        try driver.set("hall.celsius", "19")
        try driver.set("hall.away", "true")
        try driver.commit([
            .set(path: "hall.away", json: "false", parents: false),
            .set(path: "hall.target", json: "19", parents: false),
        ])
        #expect(
            driver.take() == [
                "hall.heating valueChanged true -> false r2",
                #"hall.label valueChanged "18.3 of 20.0" -> "no sensor of 20.0" r2"#,
                "hall.heating valueChanged false -> true r3",
                #"hall.label valueChanged "no sensor of 20.0" -> "19.0 of 20.0" r3"#,
                "hall.heating valueChanged true -> false r4",
                #"hall.label valueChanged "19.0 of 20.0" -> "19.0 of 19.0" r5"#,
            ]
        )
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `an expression follows operands that do not decide, and computed ones, in one commit`() throws
    {
        let driver = try TreeDriver(
            ("t", #"{"on":false,"p":{"x":1},"q":{"x":2},"l":[{"w":1},{"w":2}],"which":null}"#)
        )
        try driver.link("t.which", "t.p", weak: true)
        try driver.compute("t", "sum", "{which.x + l.@sum.w}")
        try driver.compute("t", "text", "<{on ? sum : -sum}|{sum > 4 && on ? 'many' : null|few}>")
        try driver.observe("t.sum")
        try driver.observe("t.text")
        try driver.set("t.p.x", "2")
        try driver.commit([
            .set(path: "t.on", json: "true", parents: false),
            .link(path: "t.which", target: "t.q", isWeak: true),
            .set(path: "t.q.x", json: "9", parents: false),
        ])
        try driver.insert("t.l", #"{"w":0.5}"#, at: 0)
        try driver.remove("t.q")
        #expect(
            driver.take() == [
                "t.sum valueChanged 4 -> 5 r3", #"t.text valueChanged "<-4|few>" -> "<-5|few>" r3"#,
                "t.sum valueChanged 5 -> 12 r4", #"t.text valueChanged "<-5|few>" -> "<12|many>" r4"#,
                "t.sum valueChanged 12 -> 12.5 r5", #"t.text valueChanged "<12|many>" -> "<12.5|many>" r5"#,
                "t.sum valueChanged 12.5 -> null r6", #"t.text valueChanged "<12.5|many>" -> "<|few>" r6"#,
            ]
        )
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `formats, models, arrays and texts`() throws {
        let driver = try TreeDriver(
            (
                "t",
                #"{"s":"R&B \"<1>\"\n","d":2.5,"l":[1,"é\u0007",{"m":1},null,[2.0]],"m":{"x":1},"n":null,"k":{"x":1}}"#
            )
        )
        try driver.link("t.k", "t.m", weak: true)
        for (index, template) in [
            "{d:.0}", "{d:.2:3}", "{s:4:markup}", "{s:json}", "{l:json}", "{l}", "{m:json}{m}", "{n:json}",
            "{n:json|x}{n|y}",
            "{d:duration}", "{s:.1:duration}", "{m == k}", "{m == l}", "{m ?? 1}", "{s + s == s + s}",
            "{len(s)}", "{n:.1}", "{l:3}",
        ].enumerated() {
            try driver.compute("t", "c\(index)", template)
        }
        let values = try (0..<18).map { try driver.get("t.c\($0)") }
        #expect(
            values == [
                #""3""#, #""2.…""#, #""R&amp;B…""#, #""\"R&B \\\"<1>\\\"\\n\"""#,
                #""[1,\"é\\u0007\",null,null,[2.0]]""#,
                #"[1,"é\u0007",{"m":1},null,[2.0]]"#, #""""#, #""null""#, #""xy""#, #""0:02""#,
                #""R&B \"<1>\"\n""#,
                "true", "false",
                #"{"x":1}"#, "true", "10", #""""#, #""1,…""#,
            ]
        )
        // A chosen model is the same instance.
        try driver.set("t.c13.x", "5")
        #expect(try driver.get("t.m.x") == "5")
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `texts beyond the limit are null, and work is bounded`() throws {
        var limits = TreeLimits()
        limits.maxRenderedBytes = 100
        let driver = try TreeDriver(limits: limits, ("t", #"{"s":"\#(String(repeating: "x", count: 60))"}"#))
        try driver.compute("t", "twice", "{s + s}")
        try driver.compute("t", "many", "{\(Array(repeating: "len(s)", count: 7).joined(separator: " + "))}")
        try driver.compute("t", "six", "{\(Array(repeating: "len(s)", count: 6).joined(separator: " + "))}")
        #expect(try driver.values("t.twice", "t.many", "t.six") == ["null", "null", "360"])
    }

    @Test func `a kept template that no longer parses is null, and said`() throws {
        let tree = ModelTree()
        let faults = tree.declare([
            TypeDeclaration("T", "a: Int", "c: computed Any = {a b}", "d: computed String = <{c}>")
        ])
        #expect(faults.map(\.message) == ["column 4: expected an operator or }, found b"])
        try tree.declare(root: "t", type: "T")
        try tree.define(root: "t", json: #"{"a":1}"#)
        #expect(tree.json(ofRoot: "t") == #"{"a":1}"#)
        #expect(
            tree.reader.declarations?.faultyTemplates(tree.limits) == [
                "T.c is null until a configuration has another template: column 4: expected an operator or }, found b"
            ]
        )
        #expect(tree.faults().isEmpty)
    }

    /// Each one doubles the quotes' backslashes.
    @Test func `formats that make a text ever longer end in null`() throws {
        var limits = TreeLimits()
        limits.maxRenderedBytes = 4096
        let driver = try TreeDriver(limits: limits, ("t", #"{"s":"\""}"#))
        try driver.compute("t", "short", "{s:json:json}")
        try driver.compute("t", "long", "{s\(String(repeating: ":json", count: 26))}")
        let before = driver.tree.reader.work
        #expect(try driver.get("t.short") == #""\"\\\"\\\\\\\"\\\"\"""#)
        #expect(try driver.get("t.long") == "null")
        try driver.set("t.s", #""\"\"""#)
        #expect(try driver.get("t.long") == "null")
        #expect(driver.tree.reader.work - before > 512)
    }

    @Test func `work is counted, and explain has all operands as inputs`() throws {
        let driver = try TreeDriver(
            ("t", #"{"a":true,"b":1,"c":2,"s":"\#(String(repeating: "x", count: 100_000))"}"#)
        )
        try driver.compute("t", "x", "{a ? b : c}")
        try driver.compute("t", "y", "{contains(s, 'y')}")
        for name in ["a", "b", "c"] {
            let input = try driver.tree.property(at: "t.\(name)")
            #expect(driver.tree.dependents.firstEdge(of: input, in: driver.tree.records) != nil, "\(name)")
        }
        let before = driver.tree.reader.work
        try driver.set("t.s", #""\#(String(repeating: "z", count: 100_000))""#)
        #expect(driver.tree.reader.work - before > 100_000 >> 7)
    }
}

private extension ModelTree {
    func property(at path: String) throws -> PropertyID {
        let parsed = ParsedKeyPath(maxDepth: 8)
        try parsed.parse(dotted: path)
        guard case .property(let id) = walk(parsed) else { throw KeyPathError(reason: .emptyPath) }
        return id
    }
}
