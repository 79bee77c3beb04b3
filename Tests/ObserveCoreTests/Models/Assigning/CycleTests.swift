// SPDX-License-Identifier: MIT
// The search for cycles of strong references: its answers, and how little it looks at.

import Testing

@testable import ObserveCore

@Suite struct CycleTests {
    /// The pairs of models for which the search gives another answer than following all references down.
    private func wrongPairs(in tree: ModelTree) -> [String] {
        tree.records.modelsInUse.flatMap { ancestor in
            let reached = Reachability.models(
                from: .model(ancestor),
                tree.stacks.byProperty,
                in: tree.records
            )
            return tree.records.modelsInUse.filter { model in
                tree.allowElements()
                let expected = reached[model.index]
                return tree.reaches(ancestor, model, isBounded: false) != expected
                    || tree.reaches(ancestor, model, isBounded: true) != expected
            }.map { "\(ancestor) \($0)" }
        }
    }

    @Test(arguments: seeds(12, usually: 3))
    func `the search finds each way between two models`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let models = (0..<8).map { "\"m\($0)\":{\"n\":1,\"l\":[0,[0,{}]]}" }
        let stage = Stage([("r", "{\(models.joined(separator: ","))}")])
        func model() -> String { "r.m\(Int.random(in: 0..<8, using: &random))" }
        for step in 0..<60 {
            let places = ["k1", "k2", "l.0", "l.1.0", "n"]
            let place = "\(model()).\(places[Int.random(in: 0..<5, using: &random)])"
            switch Int.random(in: 0..<10, using: &random) {
            case 0: stage.write("C", "remove", #""path":"\#(place)""#)
            case 1: stage.set("D", place, "{}", #""connection""#)
            case 2: stage.write("C", "link", #""path":"\#(place)","target":"\#(model())","weak":true"#)
            case 3...5:
                let rest = #""path":"\#(place)","target":"\#(model())","lifetime":"connection""#
                stage.write("D", "link", rest)
            case 6 where step % 4 == 0: stage.close("D")
            default: stage.write("C", "link", #""path":"\#(place)","target":"\#(model())""#)
            }
            #expect(wrongPairs(in: stage.tree) == [], "step \(step)")
        }
        stage.check()
    }

    /// A model in `count` others, a model with `count` others, and a small one.
    private func wide(_ count: Int) throws -> TreeDriver {
        let models = (0..<count).map { "\"p\($0)\":{}" }.joined(separator: ",")
        let driver = try TreeDriver(
            ("above", "{\(models)}"),
            ("c", "{}"),
            ("below", "{\(models)}"),
            ("y", #"{"q":{"n":1}}"#)
        )
        try driver.commit((0..<count).map { .link(path: "above.p\($0).c", target: "c", isWeak: false) })
        try driver.link("c2", "c")
        return driver
    }

    @Test(arguments: [("c.x", "y"), ("y.x", "below"), ("c.l.0", "y"), ("below.p0.x", "y")])
    func `one end with few models ends the search`(path: String, target: String) throws {
        let driver = try wide(3000)
        try driver.set("c.l", "[null]")
        let before = driver.tree.records.effort.steps
        try driver.link(path, target)
        #expect(driver.tree.records.effort.steps - before < 300)
        if path.hasPrefix("c.") {
            let error = #expect(throws: TreeError.self) { try driver.link("y.q.back", "above") }
            #expect(error?.kind == .referenceCycle)
        }
        #expect(driver.tree.faults() == [])
    }

    @Test func `a search counts what it looks at`() throws {
        let driver = try wide(3000)
        let before = driver.tree.records.effort.steps
        try driver.link("c.x", "below")
        #expect(driver.tree.records.effort.steps - before > 4 * 3000)
    }

    @Test func `restoring a tree finds a model that holds itself`() throws {
        let driver = try TreeDriver(("a", #"{"b":{"c":{}},"d":{}}"#))
        try driver.link("a.d.c", "a.b.c")
        let a = try #require(driver.tree.value(at: driver.tree.walk(path("a"))).modelID)
        let c = try #require(driver.tree.value(at: driver.tree.walk(path("a.b.c"))).modelID)
        #expect(!driver.tree.holdsItself(a) && !driver.tree.holdsItself(c))
        let up = driver.tree.addProperty(named: ByteView("up"), to: c)
        driver.tree.fill(up, .model(a))
        #expect(driver.tree.holdsItself(a) && driver.tree.holdsItself(c))
    }

    private func path(_ dotted: String) throws -> ParsedKeyPath {
        let path = ParsedKeyPath(maxDepth: 64)
        try path.parse(dotted: dotted)
        return path
    }
}
