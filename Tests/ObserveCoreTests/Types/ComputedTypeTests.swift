// SPDX-License-Identifier: MIT
// Computed properties in declared types: in every model of the type, and refused templates.

import Testing

@testable import ObserveCore

@Suite struct ComputedTypeTests {
    private static let shop = [
        TypeDeclaration(
            "Order",
            "recipient: Person?",
            "contents: [Item]",
            "count: computed Int = {contents.@count}",
            "summary: computed String = To {recipient.name}: {count} items, {contents.@sum.cost} €",
            "first: computed Item? = {contents.0}"
        ),
        TypeDeclaration("Person", "first: String", "last: String", "name: computed String = {first} {last}"),
        TypeDeclaration("Item", "price: Double", "amount: Int = 1", "cost: computed Double = {price}"),
    ]

    @Test func `every model of a type has its computed properties, which follow their inputs`() throws {
        let driver = try TypedTree.make(
            types: Self.shop,
            ("order", "Order", #"{"contents":[{"price":2},{"price":3.5}]}"#),
            ("people", "[String: Person]", #"{"ada":{"first":"Ada","last":"L"}}"#)
        )
        try driver.observe("order.summary")
        try driver.observe("order.first.price")
        #expect(try driver.get("order.summary") == #""To : 2 items, 5.5 €""#)
        try driver.link("order.recipient", "people.ada")
        try driver.set("people.ada.first", #""Eve""#)
        try driver.insert("order.contents", #"{"price":10}"#, at: 0)
        try driver.set("order", #"{"recipient":{"first":"Bob","last":"B"},"contents":[]}"#)
        #expect(
            driver.take() == [
                #"order.summary valueChanged "To : 2 items, 5.5 €" -> "To Ada L: 2 items, 5.5 €" r3"#,
                #"order.summary valueChanged "To Ada L: 2 items, 5.5 €" -> "To Eve L: 2 items, 5.5 €" r4"#,
                #"order.summary valueChanged "To Eve L: 2 items, 5.5 €" -> "To Eve L: 3 items, 15.5 €" r5"#,
                "order.first.price pathChanged 2.0 -> 10.0 changedAt=order.first r5",
                #"order.summary pathChanged "To Eve L: 3 items, 15.5 €" -> "To Bob B: 0 items, 0 €" changedAt=order r6"#,
                "order.first.price pathChanged 10.0 -> null changedAt=order nilAt=order.first r6",
            ]
        )
        #expect(
            try driver.get("order")
                == #"{"recipient":{"first":"Bob","last":"B"},"contents":[]}"#
        )
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `the tree refuses every write of a computed property`() throws {
        let driver = try TypedTree.make(types: Self.shop, ("order", "Order", "{}"))
        func refusal(_ write: () throws -> Void) -> String {
            do { try write() } catch let error as TreeError {
                return "\(error.kind) \(error.message)"
            } catch {
                return "\(error)"
            }
            return "done"
        }
        let sentence = "this property is computed, and can't be set"
        #expect(refusal { try driver.set("order.count", "0") } == "readOnly order.count: \(sentence)")
        #expect(refusal { try driver.remove("order.count") } == "readOnly order.count: \(sentence)")
        #expect(refusal { try driver.link("order.first", "order") } == "readOnly order.first: \(sentence)")
        #expect(
            refusal { try driver.set("order.recipient", #"{"first":"","last":"","name":"x"}"#) }
                == "readOnly order.recipient.name: \(sentence)"
        )
        #expect(
            refusal { try driver.bind("order.summary", "order.count") } == "readOnly order.count: \(sentence)"
        )
        #expect(
            refusal { try driver.bind("order.summary", "order.recipient.first", twoWay: true) }
                == "readOnly order.summary: \(sentence)"
        )
        #expect(driver.tree.recordCounts.dependents == 3)
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `a computed value has its declared type, or is null`() throws {
        let types = [
            TypeDeclaration(
                "T",
                "a: Any",
                "asInt: computed Int = {a}",
                "asDouble: computed Double = {a}",
                "asList: computed [Int]? = {a}",
                "asText: computed String = {a}",
                "text: computed String = <{a}>"
            )
        ]
        let driver = try TypedTree.make(types: types, ("t", "T", "{}"))
        func values(_ json: String) throws -> [String] {
            try driver.set("t.a", json)
            #expect(driver.tree.faults().isEmpty)
            return try driver.values("t.asInt", "t.asDouble", "t.asList", "t.asText", "t.text")
        }
        #expect(try values("2") == ["2", "2.0", "null", "null", #""<2>""#])
        #expect(try values("3.0") == ["3", "3.0", "null", "null", #""<3.0>""#])
        #expect(try values("2.5") == ["null", "2.5", "null", "null", #""<2.5>""#])
        #expect(try values("[1,2.0]") == ["null", "null", "[1,2]", "null", #""<1, 2.0>""#])
        #expect(try values(#"["x"]"#) == ["null", "null", "null", "null", #""<x>""#])
        #expect(try values(#""x""#) == ["null", "null", "null", #""x""#, #""<x>""#])
        #expect(try values("{}") == ["null", "null", "null", "null", #""<>""#])
    }

    private func faults(_ types: TypeDeclaration...) -> [String] {
        ModelTree().declare(types).map { "\(DottedKeyPath.text(of: $0.place)): \($0.message)" }
    }

    @Test func `declare refuses wrong templates`() {
        #expect(
            faults(
                TypeDeclaration(
                    "A",
                    "b: B?",
                    "list: [B]",
                    "names: [String: Int]",
                    "any: Any",
                    "c1: computed String = {b.titel}",
                    "c2: computed String = {list.0.x} {list.@sum.y} {names.what.ever}",
                    "c3: computed Int = {b.title}",
                    "c4: computed Int = a {b.title}",
                    "c5: computed String = {b",
                    "c6: computed String = {b.*}",
                    "c7: computed B? = {list.0}",
                    "c8: computed [B] = {list}",
                    "c9: computed String? = {any.what.ever} {any.@max}"
                ),
                TypeDeclaration("B", "title: String", "n: Int")
            ) == [
                "A.c5.computed: column 3: the template has a { that no } closes (a brace itself is written {{)",
                "A.c6.computed: column 4: expected a name, since these key paths have no wildcards, found *",
                "A.c1.computed: column 4: b.titel: B has no property titel; did you mean title?",
                "A.c2.computed: column 9: list.0.x: B has no property x",
                "A.c2.computed: column 23: list.@sum.y: B has no property y",
                "A.c3.computed: column 2: expected Int, and the expression is String",
                "A.c4.computed: expected Int, and a template with text gives a String",
            ]
        )
    }

    @Test func `a fault has its column in the template as it is written`() {
        #expect(
            faults(
                TypeDeclaration(
                    "A",
                    "b: B",
                    "first name: B",
                    #"c1: computed Any = {first\ name.zzq}"#,
                    #"c2: computed Any = {b[(n) && \b.zzq].n}"#,
                    #"c3: computed Any = {\b.b[b[n > 0].\b[é.\b.\zzq]].n}"#,
                    #"c4: computed Any = {\b.b[b.b == 'x].y' && \b.zzq[n]].n}"#
                ),
                TypeDeclaration("B", "n: Int", "b: B?", "é: B?")
            ) == [
                "A.c1.computed: column 14: first name.zzq: B has no property zzq",
                "A.c2.computed: column 14: b.zzq: B has no property zzq",
                "A.c3.computed: column 24: é.b.zzq: B has no property zzq",
                "A.c4.computed: column 27: b.zzq[n]: B has no property zzq",
            ]
        )
    }

    @Test func `declare refuses expressions that can't have the declared type`() {
        #expect(
            faults(
                TypeDeclaration(
                    "A",
                    "i: Int",
                    "d: Double?",
                    "s: String",
                    "a: Any",
                    "l: [Int]",
                    "ok1: computed Bool = {i < d && !a}",
                    "ok2: computed Int = {i / 2}",
                    "ok3: computed String = {s + s ?? 'x'}",
                    "ok4: computed Double? = {i > 2 ? d : null}",
                    "ok5: computed Int = {null}",
                    "ok6: computed [Int] = {a ?? l}",
                    "ok7: computed Any = {min(i, d, a)}",
                    "ok8: computed String = {s * 2}",
                    "c1: computed Int = {i < d}",
                    "c2: computed String = { i + d}",
                    "c3: computed Bool = {s ?? i}",
                    "c4: computed Int = {upper(s)}",
                    "c5: computed Int = {i:.1}",
                    "c6: computed Bool = {i < l.x.y && missing.b}",
                    "c7: computed Bool = {i == c8}",
                    "c8: computed Bool = {c7 || i > 3}"
                )
            ) == [
                "A.c1.computed: column 2: expected Int, and the expression is Bool",
                "A.c2.computed: column 3: expected String, and the expression is Double",
                "A.c3.computed: column 2: expected Bool, and the expression is String or Int",
                "A.c4.computed: column 2: expected Int, and the expression is String",
                "A.c5.computed: expected Int, and a template with text gives a String",
                "A.c6.computed: column 15: missing: A has no property missing",
                "A.c7.computed: needs itself: A.c7 → A.c8 → A.c7",
            ]
        )
    }

    @Test func `declare refuses cycles of templates, and names them`() {
        #expect(
            faults(
                TypeDeclaration(
                    "A",
                    "x: computed String = {y}",
                    "y: computed String = <{x}>",
                    "s: computed Any = {s}"
                ),
                TypeDeclaration(
                    "P",
                    "child: C?",
                    "sum: computed String = {child.sum}!",
                    "ok: computed Any = {sum}"
                ),
                TypeDeclaration("C", "parent: weak P?", "sum: computed String = {parent.ok}?"),
                TypeDeclaration("Tree", "sub: [Tree]", "size: computed Any = {sub.@sum.size}"),
                TypeDeclaration("D", "all: [String: D]", "n: computed Any = {all.@max.n}"),
                TypeDeclaration("M", "m: N?", "n: computed Any = {m.@max.n}"),
                TypeDeclaration("N", "first: M?"),
                TypeDeclaration(
                    "Fine",
                    "a: Int",
                    "b: computed Any = {a}",
                    "c: computed Any = {b}{a}{b}",
                    "z: Any",
                    "l: computed Any = {z.l}"
                )
            ) == [
                "A.x.computed: needs itself: A.x → A.y → A.x",
                "A.s.computed: needs itself: A.s → A.s",
                "P.sum.computed: needs itself: P.sum → C.sum → P.ok → P.sum",
                "Tree.size.computed: needs itself: Tree.size → Tree.size",
                "D.n.computed: needs itself: D.n → D.n",
                "M.n.computed: needs itself: M.n → M.n",
            ]
        )
    }

    @Test(.timeLimit(.minutes(15)))
    func `a template with many choices is checked at once`() {
        let stored = ["a: T?", "b: T?", "d: T?", "e: T?"]
        let chain = String(repeating: ".@first", count: 60)
        let nested = String(repeating: ".@first[a", count: 12) + String(repeating: " == 1]", count: 12)
        let computed = ["c: computed Any = {a\(chain)}", "n: computed Any = {a\(nested)}"]
        let type = TypeDeclaration("T", (stored + computed).map { .init(line: $0) })
        #expect(ModelTree().declare([type]).isEmpty)
    }

    @Test func `models of a refused write leave nothing of their computed properties`() throws {
        let driver = try TypedTree.make(types: Self.shop, ("order", "Order", "{}"))
        let counts = TreeCounts(driver.tree)
        #expect(throws: TreeError.self) {
            try driver.commit([
                .set(path: "order.recipient", json: #"{"first":"a","last":"b"}"#, parents: false),
                .set(path: "order.nothing", json: "1", parents: false),
            ])
        }
        #expect(throws: TreeError.self) {
            try driver.set("order.contents", #"[{"price":1},{"price":"x"}]"#)
        }
        #expect(TreeCounts(driver.tree) == counts)
        #expect(driver.tree.recordCounts.dependents == 3)
        #expect(driver.tree.faults().isEmpty)
        try driver.remove("order")
        #expect(driver.tree.recordCounts.dependents == 0)
        #expect(driver.tree.recordCounts.edges == 0)
    }

    @Test func `the tree checks a binding's write like any other`() throws {
        let types = [
            TypeDeclaration(
                "T",
                "n: Int",
                "d: Double?",
                "s: String?",
                "p: weak P?",
                "r: readonly Int",
                "own: P?"
            ),
            TypeDeclaration("P", "x: Any"),
        ]
        let driver = try TypedTree.make(types: types, ("t", "T", "{}"), ("u", nil, #"{"v":1,"w":null}"#))
        try driver.bind("u.v", "t.n")
        try driver.bind("u.v", "t.d", twoWay: true)
        try driver.bind("u.w", "t.s")
        #expect(driver.failing == [])
        #expect(try driver.get("t") == #"{"n":1,"d":1.0,"s":null,"r":0,"own":null}"#)
        try driver.set("u.v", "2.5")
        try driver.set("u.w", "7")
        #expect(driver.failing == [1, 3])
        #expect(try driver.values("t.n", "t.d", "t.s") == ["1", "2.5", "null"])
        try driver.set("t.d", "3")
        #expect(try driver.values("u.v", "t.n", "t.d") == ["3.0", "3", "3.0"])
        #expect(driver.failing == [3])
        // A declared weak property stays weak, and accepts only models of its type.
        try driver.set("t.own", #"{"x":1}"#)
        try driver.bind("t.own", "t.p")
        #expect(try driver.get("t.p.x") == "1")
        try driver.set("t.own", "null")
        #expect(try driver.get("t.p") == "null")
        #expect(throws: TreeError.self) { try driver.bind("u.v", "t.r") }
        #expect(throws: TreeError.self) { try driver.bind("u.v", "t.rr") }
        #expect(driver.failures == ["1 typeMismatch", "3 typeMismatch", "1 works"])
        #expect(driver.tree.faults().isEmpty)
    }
}
