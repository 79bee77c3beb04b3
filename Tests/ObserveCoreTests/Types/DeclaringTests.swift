// SPDX-License-Identifier: MIT
// All faults of declarations, which declare reports at once.

import Testing

@testable import ObserveCore

@Suite struct DeclaringTests {
    private func faults(_ types: TypeDeclaration...) -> [String] {
        let tree = ModelTree()
        let faults = tree.declare(types).map { "\(DottedKeyPath.text(of: $0.place)): \($0.message)" }
        // A check without declaring leaves nothing behind.
        #expect(tree.modelCount == 0)
        #expect(tree.recordCounts.properties == 0)
        #expect(tree.revision == 0)
        return faults
    }

    @Test func `types may refer to each other in any order`() {
        #expect(
            faults(
                TypeDeclaration("A", "b: B?", "all: [A]", "byName: [String: A]"),
                TypeDeclaration("B", "a: A", "c: C = {\"n\": 5}"),
                TypeDeclaration("C", "n: Int", "owner: weak A?")
            ) == []
        )
        #expect(faults(TypedTree.types[0], TypedTree.types[1], TypedTree.types[2], TypedTree.types[3]) == [])
    }

    @Test func `declare refuses wrong names and types`() {
        #expect(
            faults(
                TypeDeclaration("Int", "a: Int"),
                TypeDeclaration("1", "a: Int"),
                TypeDeclaration("A", "x: Bee", "y: [Int", "ok: Int"),
                TypeDeclaration("A", "z: Int"),
                TypeDeclaration("Bees", "a: [String: Aaa]", "n: Int = 5.5")
            ) == [
                "Int: Int means something already, expected another name",
                "1: expected a type's name: letters, digits and _, and no digit first",
                "A: declared twice, expected once",
                "A.x: unknown type Bee, expected Any, Bool, Double, Int, String or one in types; did you mean Bees?",
                "A.y: expected a type in Swift's notation, as [String: Player]?; found the end where a closing ] was expected",
                "Bees.a: unknown type Aaa, expected Any, Bool, Double, Int, String or one in types",
                "Bees.n.default: expected Int, found 5.5",
            ]
        )
    }

    @Test func `declare refuses contradictory options`() {
        #expect(
            faults(
                TypeDeclaration(
                    "A",
                    "a: weak A",
                    "b: weak Int?",
                    "c: weak [A]",
                    "d: weak Any",
                    "e: weak [String: A]?"
                ),
                TypeDeclaration("B", "x: Any", "c: computed weak B? = {x}", "r: computed readonly Int = {x}")
            ) == [
                "A.a: weak, expected an optional model type, as weak Player?",
                "A.b: weak, expected an optional model type, as weak Player?",
                "A.c: weak, expected an optional model type, as weak Player?",
                "B.c: computed, so it can be neither weak nor readonly",
                "B.r: computed, so it can be neither weak nor readonly",
            ]
        )
        var both = PropertyDeclaration("x", "Int")
        both.computed = "{y}"
        both.initial = 1
        both.isAbbreviated = false
        #expect(
            faults(TypeDeclaration("A", [both, PropertyDeclaration("y", "Int")])) == [
                "A.x.default: a computed property takes no default"
            ]
        )
        both.type = "Nit"
        both.initial = nil
        #expect(
            faults(TypeDeclaration("A", [both, PropertyDeclaration("y", "Int")])) == [
                "A.x.type: unknown type Nit, expected Any, Bool, Double, Int, String or one in types; did you mean Int?"
            ]
        )
    }

    @Test func `declare reports all wrong defaults, with the place inside each`() {
        #expect(
            faults(
                TypeDeclaration(
                    "A",
                    "a: Int = \"x\"",
                    "b: [Int] = [1, null, \"y\"]",
                    "c: B = {\"n\": 1, \"m\": {\"k\": 2}, \"zz\": 3}",
                    "d: String? = 1.0",
                    "e: Double = 1",
                    "f: weak B? = {}",
                    "g: B = null",
                    "h: [String: B] = {\"x.y\": {}}"
                ),
                TypeDeclaration("B", "n: String", "m: M", "k: computed String = {n}"),
                TypeDeclaration("M", "k: Bool")
            ) == [
                "A.a.default: expected Int, found a string",
                "A.b.default.1: expected Int, found null",
                "A.b.default.2: expected Int, found a string",
                "A.c.default.zz: B has no property zz",
                "A.c.default.n: expected String, found 1",
                "A.c.default.m.k: expected Bool, found 2",
                "A.d.default: expected String?, found 1.0",
                "A.f.default: expected a link, since a weak B? keeps no value alive, found an object",
                "A.g.default: expected B, found null",
                #"A.h.default.x\.y.m: expected M, which has no default, and found nothing"#,
            ]
        )
    }

    @Test func `declare refuses types without possible models`() {
        #expect(
            faults(
                TypeDeclaration("A", "b: B"),
                TypeDeclaration("B", "c: C"),
                TypeDeclaration("C", "a: A = {}")
            ) == [
                "C.a: every A would need another in it, expected an optional on the way"
            ]
        )
        #expect(
            faults(TypeDeclaration("A", "a: A = {}")) == [
                "A.a: every A would need another in it, expected an optional on the way",
                "A.a.default: this default makes itself again, without end",
            ]
        )
        #expect(
            faults(TypeDeclaration("A", "a: A")) == [
                "A.a: every A would need another in it, expected an optional on the way"
            ]
        )
        #expect(
            faults(
                TypeDeclaration("A", "a: A?", "l: [A]", "d: [String: A]", "w: weak A?", "c: computed A = {a}")
            ) == []
        )
    }

    @Test func `a chain of types may have any length`() {
        let chain = (0..<20_000).map { TypeDeclaration("T\($0)", "x: T\($0 + 1)") }
        #expect(ModelTree().declare(chain + [TypeDeclaration("T20000", "x: Int")]).isEmpty)
        let defaults = (0..<20_000).map { TypeDeclaration("T\($0)", "x: T\($0 + 1)? = {}") }
        // The tree tries each default, and makes as many levels of it as it may.
        var limits = TreeLimits()
        limits.maxDepth = 2
        let faults = ModelTree(limits: limits).declare(defaults + [TypeDeclaration("T20000", "x: Int")])
        #expect(faults.first?.place == ["T10000", "x", "default"])
    }

    @Test func `declare refuses endless and too large defaults`() {
        #expect(
            faults(TypeDeclaration("A", "list: [A] = [{}]")) == [
                "A.list.default: this default makes itself again, without end"
            ]
        )
        #expect(
            faults(TypeDeclaration("A", "b: B? = {\"x\": 1}"), TypeDeclaration("B", "x: Int", "a: A? = {}"))
                == [
                    "A.b.default: this default makes itself again, without end"
                ]
        )
        #expect(
            faults(TypeDeclaration("A", "b: B? = {\"a\": null}"), TypeDeclaration("B", "a: A? = {}")) == []
        )
        let doubling = (0..<40).map { TypeDeclaration("T\($0)", "list: [T\($0 + 1)] = [{}, {}]") }
        let found = ModelTree().declare(doubling + [TypeDeclaration("T40", "n: Int")])
        #expect(
            found.map(\.place) == [
                ["T28", "list", "default"], ["T16", "list", "default"], ["T4", "list", "default"],
            ]
        )
        #expect(found[0].message == "this default makes more than 10000 values")
    }

    @Test func `declare checks the type and value of a root`() throws {
        let tree = ModelTree()
        #expect(throws: DeclarationFault.self) { try tree.declare(root: "a", type: "Nope") }
        #expect(throws: DeclarationFault.self) { try tree.declare(root: "a", type: "weak Any?") }
        #expect(throws: DeclarationFault.self) { try tree.declare(root: "a", type: "readonly Int") }
        try tree.declare(root: "a", type: "[Int]")
        #expect(tree.refusals(ofRoot: "a", json: #"[1,"x",2.5,true]"#).map(\.path) == ["a.1", "a.2", "a.3"])
        #expect(tree.refusals(ofRoot: "a", json: "[1]") == [])
        #expect(tree.modelCount == 0)
        try tree.define(root: "a", json: nil)
        #expect(tree.revision == 1)
    }

    @Test func `an observed missing root gets a later declaration`() throws {
        let driver = try TreeDriver()
        try driver.observe("a")
        try driver.tree.declare(root: "a", type: "Int")
        #expect(throws: TreeError.self) { try driver.set("a", #""x""#) }
        try driver.set("a", "5")
        #expect(throws: TreeError.self) { try driver.set("a", #""x""#) }
        #expect(driver.take() == ["a valueChanged null -> 5 r1"])
    }
}
