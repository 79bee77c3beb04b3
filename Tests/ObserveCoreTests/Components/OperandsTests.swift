// SPDX-License-Identifier: MIT
// The operands of operators follow the elements, and cost what changed.

import Testing

@testable import ObserveCore

private let functions = ["@count", "@sum", "@avg", "@min", "@max", "@distinctUnionOfObjects"]

@Suite struct OperandsTests {
    /// A list of scalars, one of models, and a model, with random writes, and every operator over each.
    @Test(arguments: seeds(12, usually: 1))
    func `observed operators agree with a fresh evaluation`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let driver = try TreeDriver(("t", #"{"s":[],"m":[],"d":{}}"#), ("x", "{}"))
        var paths: [String] = []
        for function in functions {
            paths += ["t.s.\(function)", "t.d.\(function)"]
            paths += function == "@count" ? ["t.m.@count"] : ["t.m.\(function).v", "t.m.\(function).n.0"]
        }
        for path in paths { _ = try driver.observe(path) }
        var shown = Dictionary(uniqueKeysWithValues: try paths.map { ($0, try driver.get($0)) })
        for _ in 0..<600 {
            let count = Int.random(in: 0..<4, using: &generator) == 0 ? 3 : 1
            var writes: [TreeWrite] = []
            for _ in 0..<count { writes.append(try write(driver, &generator)) }
            // A write may meet a missing element.
            do throws(TreeError) { _ = try driver.commit(writes) } catch { continue }
            for event in driver.takeEvents() { shown[event.path] = event.new }
            for path in paths {
                let fresh = try Value(json: Array(try driver.get(path).utf8), maxDepth: 9)
                #expect(try Value(json: Array((shown[path] ?? "").utf8), maxDepth: 9) == fresh, "\(path)")
            }
        }
        #expect(driver.tree.faults().isEmpty)
    }

    private func write(_ driver: TreeDriver, _ generator: inout SeededGenerator) throws -> TreeWrite {
        let scalars = ["0", "1", "1.0", "2", "0.1", "0.7", "null", #""a""#, #""b""#, "true", "-3"]
        let scalar = scalars.randomElement(using: &generator) ?? "0"
        let model = #"{"v":\#(scalar),"n":[\#(scalars.randomElement(using: &generator) ?? "0")]}"#
        let lists = [("t.s", scalar), ("t.m", model)]
        let (list, element) = lists[Int.random(in: 0..<2, using: &generator)]
        let count = Int(try driver.get(list + ".@count")) ?? 0
        let index = Int.random(in: 0...max(0, count - 1), using: &generator)
        let name = "k\(Int.random(in: 0..<6, using: &generator))"
        func set(_ path: String, _ json: String) -> TreeWrite { .set(path: path, json: json, parents: false) }
        switch Int.random(in: 0..<12, using: &generator) {
        case 0, 1, 2:
            return .insert(path: list, json: element, index: index % 3 == 0 ? count : min(index, count))
        case 3: return .remove(path: "\(list).\(index)")
        case 4: return set("\(list).\(index)", element)
        case 5, 6: return set("t.m.\(index).v", scalar)
        case 7: return set("t.m.\(index).n.0", scalar)
        case 8, 9: return set("t.d.\(name)", scalar)
        case 10: return .remove(path: "t.d.\(name)")
        default:
            return Int.random(in: 0..<20, using: &generator) == 0
                ? set("t.s", "[1,2,2,0.5]") : .link(path: "t.d.\(name)", target: "x", isWeak: index % 2 == 0)
        }
    }

    @Test func `a changed element costs itself`() throws {
        let elements = (0..<2_000).map { "{\"v\":\($0 % 300)}" }.joined(separator: ",")
        let driver = try TreeDriver(("t", #"{"m":[\#(elements)]}"#))
        for function in functions.dropFirst() { _ = try driver.observe("t.m.\(function).v") }
        try driver.set("t.m.7.v", "1000")
        let before = driver.tree.records.effort.evaluations
        for index in 0..<100 {
            try driver.set("t.m.\(index * 17).v", index % 2 == 0 ? "0.25" : "-1")
            try driver.insert("t.m", #"{"v":-5}"#, at: index)
            try driver.remove("t.m.\(index)")
        }
        #expect(driver.tree.records.effort.evaluations - before < 100 * 3 * functions.count)
        #expect(try driver.get("t.m.@min.v") == "-1")
    }

    @Test func `each new union is work`() throws {
        let driver = try TreeDriver(("t", #"{"s":[\#((0..<800).map(String.init).joined(separator: ","))]}"#))
        for function in ["@sum", "@distinctUnionOfObjects"] { _ = try driver.observe("t.s.\(function)") }
        try driver.set("t.s.0", "-1")
        let before = driver.tree.reader.work
        for number in 2...11 { try driver.set("t.s.0", "-\(number)") }
        #expect(driver.tree.reader.work - before >= 10 * 800 / 8)
    }

    @Test func `different values with one hash stay apart`() {
        let values = (0..<80).map { StoredValue.int(Int64($0 % 10)) }
        // Some hashes differ in their high bits alone.
        func hash(_ place: Int) -> UInt64 { 7 &+ UInt64(place % 2) &<< 40 }
        var operands = ContiguousArray(
            values[..<40].enumerated().map { Operands.Operand(place: UInt64($0), value: $1) }
        )
        var next = 0
        var distinct = DistinctValues(of: &operands) { _ in
            defer { next += 1 }
            return hash(next)
        }
        for (place, value) in values.enumerated().dropFirst(40) {
            _ = distinct.add(
                value,
                hash: hash(place),
                at: UInt64(place),
                where: { place, value in values[Int(place)].equals(value) }
            )
        }
        let digits = (0..<10).map { StoredValue.int(Int64($0)) }
        let all = distinct.union()
        for (place, value) in values.enumerated() where place % 10 < 5 {
            distinct.remove(
                value,
                hash: hash(place),
                at: UInt64(place),
                where: { other, value in other > place && values[Int(other)].equals(value) }
            )
        }
        let rest = distinct.union()
        #expect(all.equals(StoredArray(ContiguousArray(digits))))
        #expect(rest.equals(StoredArray(ContiguousArray(digits[5...]))))
    }

    @Test func `equal values in another order make an event, unchanged ones make none`() throws {
        let driver = try TreeDriver(("t", #"{"s":["a","b","a"]}"#))
        _ = try driver.observe("t.s.@distinctUnionOfObjects")
        try driver.set("t.s.2", #""b""#)
        #expect(driver.take().isEmpty)
        try driver.set("t.s.0", #""b""#)
        try driver.insert("t.s", #""a""#, at: 0)
        #expect(
            driver.takeEvents().map(\.new) == [#"["b"]"#, #"["a","b"]"#]
        )
    }

    @Test func `elements inserted at one place keep their order`() throws {
        let driver = try TreeDriver(("t", #"{"s":[0,1]}"#))
        _ = try driver.observe("t.s.@distinctUnionOfObjects")
        for number in 2..<200 { try driver.insert("t.s", "\(number)", at: 1) }
        for number in 200..<400 { try driver.insert("t.s", "\(number)", at: 0) }
        #expect(driver.takeEvents().last?.new == (try driver.get("t.s")))
    }

    @Test func `functions join and leave the operands of others`() throws {
        let driver = try TreeDriver(("t", #"{"s":["b",3,1.0,"a",1,"b"]}"#))
        _ = try driver.observe("t.s.@count")
        try driver.set("t.s.0", #""c""#)
        let union = try driver.observe("t.s.@distinctUnionOfObjects")
        let max = try driver.observe("t.s.@max")
        #expect(Set(driver.tree.operators.byNode.values.map { ObjectIdentifier($0.operands) }).count == 1)
        let before = driver.tree.records.effort.evaluations
        let min = try driver.observe("t.s.@min")
        _ = driver.takeEvents()
        try driver.set("t.s.5", "0.5")
        #expect(driver.takeEvents().map(\.new).sorted() == ["0.5", #"["c",3,1.0,"a",0.5]"#])
        driver.stop(union)
        driver.stop(min)
        try driver.set("t.s.3", #""d""#)
        try driver.set("t.s.1", "0")
        let maxima = driver.takeEvents().map(\.new)
        #expect(maxima == ["1"] || maxima == ["1.0"])
        driver.stop(max)
        _ = try driver.observe("t.s.@distinctUnionOfObjects")
        try driver.set("t.s.0", "4")
        #expect(driver.takeEvents().map(\.new) == [#"[4,0,1.0,"d",0.5]"#])
        #expect(driver.tree.records.effort.evaluations - before < 4 * 6)
    }

    @Test func `a subscription to many elements takes the work from the first change`() throws {
        let driver = try TreeDriver(("t", #"{"s":[\#((0..<800).map(String.init).joined(separator: ","))]}"#))
        for function in functions { _ = try driver.observe("t.s.\(function)") }
        let before = driver.tree.records.effort.evaluations
        try driver.set("t.s.0", "-1")
        #expect(driver.tree.records.effort.evaluations - before < 10)
    }

    @Test func `operators that are not observed any more leave nothing`() throws {
        let driver = try TreeDriver(("t", #"{"s":[1,2,3]}"#))
        let sum = try driver.observe("t.s.@sum")
        let min = try driver.observe("t.s.@min")
        try driver.set("t.s.0", "5")
        driver.stop(sum)
        try driver.set("t.s.1", "0")
        #expect(driver.takeEvents().map(\.new).sorted() == ["0", "10", "2"])
        driver.stop(min)
        #expect(driver.tree.operators.byNode.isEmpty)
    }
}
