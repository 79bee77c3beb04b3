// SPDX-License-Identifier: MIT
// Writes and their refusals, without observers, in tables.

import Testing

@testable import ObserveCore

/// A tree with every kind of value.
private func sample() throws -> TreeDriver {
    try TreeDriver(
        ("app", #"{"player":{"title":"a","list":[1,{"n":1},[2,3]]},"none":null,"text":"t"}"#),
        ("s", "5"),
        ("n", "null")
    )
}

private struct Refusal: Sendable {
    var kind: TreeError.Kind
    var path: String?

    init(_ kind: TreeError.Kind, _ path: String?) {
        self.kind = kind
        self.path = path
    }
}

private func refused(_ body: () throws -> Void) -> TreeError? {
    do {
        try body()
        return nil
    } catch { return error as? TreeError }
}

@Suite struct TreeWritingTests {
    @Test(
        arguments: [
            ("app.player.title", #""a""#, nil), ("app.player.other", "null", nil),
            ("app.none.x", "null", "app.none"), ("app.gone.x.y", "null", "app.gone"),
            ("app.text.x", "null", "app.text"), ("app.player.list.1.n", "1", nil),
            ("app.player.list.2.1", "3", nil), ("app.player.list.3", "null", nil),
            ("app.player.list.3.n", "null", "app.player.list.3"), ("app.player.list.n", "null", nil),
            ("app.player.list.0.n", "null", "app.player.list.0"), ("s", "5", nil), ("s.x", "null", "s"),
            ("n.x", "null", "n"), ("z", "null", nil), ("z.y", "null", "z"),
            ("app.player.list", #"[1,{"n":1},[2,3]]"#, nil),
        ] as [(String, String, String?)]
    )
    func `null propagates, and nilAt names its origin`(path: String, value: String, nilAt: String?) throws {
        let driver = try sample()
        #expect(try driver.get(path) == value)
        #expect(try driver.nilAt(path) == nilAt)
    }

    @Test(
        arguments: [
            ("app.none.x", false, .init(.notFound, "app.none")),
            ("app.gone.x.y", false, .init(.notFound, "app.gone")),
            ("app.text.x", true, .init(.typeMismatch, "app.text")),
            ("s.x", true, .init(.typeMismatch, "s")),
            ("app.player.list.0.n", true, .init(.typeMismatch, "app.player.list.0")),
            ("app.player.list.3", true, .init(.notFound, "app.player.list.3")),
            ("app.player.list.n", true, .init(.notFound, "app.player.list.n")),
            ("app.player.list.3.n", true, .init(.notFound, "app.player.list.3")),
            ("app.player.list.01", true, .init(.notFound, "app.player.list.01")),
            ("observed", true, .init(.readOnly, "observed")),
            ("observed.x", true, .init(.readOnly, "observed.x")),
        ] as [(String, Bool, Refusal)]
    )
    fileprivate func `a refused write says why`(path: String, parents: Bool, refusal: Refusal)
        throws
    {
        let driver = try sample()
        let before = (driver.roots, TreeCounts(driver.tree), driver.tree.revision)
        for write in [
            TreeWrite.set(path: path, json: #"{"a":[{}]}"#, parents: parents),
            .link(path: path, target: "app.player", isWeak: false),
        ] {
            let error = refused { try driver.commit([write]) }
            #expect(error?.kind == refusal.kind)
            #expect(error?.path == refusal.path)
        }
        #expect(before == (driver.roots, TreeCounts(driver.tree), driver.tree.revision))
        #expect(driver.tree.faults() == [])
    }

    @Test(arguments: [
        ("z.a.b.c", #"{"a":{"b":{"c":1}}}"#), ("n.a", #"{"a":1}"#), ("n.0.0", #"{"0":{"0":1}}"#),
        ("n.x\\.y.a", #"{"x.y":{"a":1}}"#),
    ])
    func `set makes missing parents`(path: String, root: String) throws {
        let driver = try sample()
        #expect(try driver.set(path, "1", parents: true))
        #expect(try driver.get(String(path.prefix(1))) == root)
        #expect(driver.tree.revision == 4)
        #expect(driver.tree.faults() == [])
    }

    @Test func `set makes parents in a null element`() throws {
        let driver = try TreeDriver(("r", "[null,[null]]"))
        try driver.set("r.0.a.b", "1", parents: true)
        try driver.set("r.1.0.c", "2", parents: true)
        #expect(driver.roots == #"{"r":[{"a":{"b":1}},[{"c":2}]]}"#)
    }

    @Test(arguments: [
        "app.none.x", "app.text.x", "app.player.list.9", "app.player.list.n", "z", "z.y", "s.x",
    ])
    func `removing a missing value changes nothing`(path: String) throws {
        let driver = try sample()
        #expect(try !driver.remove(path))
        #expect(driver.tree.revision == 3)
    }

    @Test func `remove closes the gap in an array and keeps the order of properties`() throws {
        let driver = try sample()
        try driver.remove("app.player.list.0")
        try driver.remove("app.player.list.1.0")
        try driver.remove("app.none")
        try driver.set("app.none", "1")
        try driver.set("app.player.title", "2")
        #expect(
            try driver.get("app") == #"{"player":{"title":2,"list":[{"n":1},[3]]},"text":"t","none":1}"#
        )
    }

    @Test func `of duplicate keys the last wins, in the first one's place`() throws {
        let driver = try TreeDriver(("r", #"{"a":{"x":1},"b":2,"\u0061":{"y":1}}"#))
        #expect(driver.roots == #"{"r":{"a":{"y":1},"b":2}}"#)
        #expect(driver.tree.modelCount == 2)
        #expect(driver.tree.faults() == [])
    }

    @Test func `a name may be empty, a root's too`() throws {
        let driver = try TreeDriver()
        try driver.set("r", #"{"a":{"":1}}"#)
        try driver.tree.define(root: "", json: #"{"":{"":"x"}}"#)
        #expect(try driver.get(#"r.a.\e"#) == "1")
        #expect(try driver.get(#"\e.\e.\e"#) == #""x""#)
        try driver.set(#"\e.\e"#, "2")
        #expect(driver.roots == #"{"r":{"a":{"":1}},"":{"":2}}"#)
        #expect(driver.tree.faults() == [])
    }

    @Test func `property names differ by scalars, and may be any text`() throws {
        let driver = try TreeDriver(("r", "{}"))
        try driver.set("r.e\u{301}", "1")
        try driver.set("r.\u{e9}", "2")
        try driver.set("r.a\\.b", "3")
        try driver.set("r.\\*", "4")
        try driver.set("r.\\@count", "5")
        try driver.set("r.0", "6")
        #expect(
            try driver.get("r").utf8.elementsEqual(
                "{\"e\u{301}\":1,\"\u{e9}\":2,\"a.b\":3,\"*\":4,\"@count\":5,\"0\":6}".utf8
            )
        )
    }

    // MARK: References

    @Test func `a linked model is one instance under several paths`() throws {
        let driver = try TreeDriver(
            ("library", #"{"alien":{"title":"Alien"}}"#),
            ("app", #"{"list":[null]}"#)
        )
        #expect(try driver.link("app.player", "library.alien"))
        #expect(try driver.link("app.list.0", "app.player"))
        #expect(try !driver.link("app.player", "library.alien"))
        #expect(try !driver.link("app.list.0", "library.alien"))
        try driver.set("app.list.0.title", #""A""#)
        #expect(try driver.get("library.alien.title") == #""A""#)
        try driver.set("library.alien", "{}")
        #expect(try driver.get("app.player") == #"{"title":"A"}"#)
        #expect(driver.tree.modelCount == 4)
        #expect(driver.tree.faults() == [])
    }

    @Test(
        arguments: [
            ("r.none", .init(.notFound, "r.none")), ("r.gone.x", .init(.notFound, "r.gone.x")),
            ("r.text", .init(.typeMismatch, "r.text")), ("r.list", .init(.typeMismatch, "r.list")),
            ("r.list.0", .init(.typeMismatch, "r.list.0")), ("r.list.5", .init(.notFound, "r.list.5")),
        ] as [(String, Refusal)]
    )
    fileprivate func `link refuses a target that is not a model`(target: String, refusal: Refusal) throws {
        let driver = try TreeDriver(("r", #"{"none":null,"text":"t","list":[1]}"#))
        for isWeak in [false, true] {
            let error = refused { try driver.link("r.x", target, weak: isWeak) }
            #expect(error?.kind == refusal.kind)
            #expect(error?.path == refusal.path)
        }
    }

    @Test(arguments: [
        ("r.a.b.c", "r"), ("r.a", "r"), ("r.a.self", "r.a"), ("r.a.list.0", "r"), ("r.a.list.1.0", "r.a"),
        ("r.shared.up", "other"), ("r.a.b.up", "r.a"),
    ])
    func `link refuses a strong cycle, but not a weak one`(path: String, target: String) throws {
        let driver = try TreeDriver(
            ("r", #"{"a":{"b":{},"list":[null,[null]]},"shared":{}}"#),
            ("other", "{}")
        )
        try driver.link("other.shared", "r.shared")
        let before = driver.roots
        let error = refused { try driver.link(path, target) }
        #expect(error?.kind == .referenceCycle)
        #expect(error?.path == path)
        #expect(driver.roots == before)
        if path.hasSuffix("0") {
            #expect(refused { try driver.link(path, target, weak: true) }?.kind == .invalidValue)
        } else {
            #expect(try driver.link(path, target, weak: true))
            #expect(driver.roots == before || path == "r.a")
        }
        #expect(driver.tree.faults() == [])
    }

    @Test func `a zeroed weak property stays weak until a set`() throws {
        let driver = try TreeDriver(("r", #"{"a":{}}"#))
        try driver.link("r.w", "r.a", weak: true)
        #expect(try driver.get("r") == #"{"a":{}}"#)
        #expect(try driver.get("r.w") == "{}")
        try driver.remove("r.a")
        #expect(try driver.get("r") == "{}")
        #expect(try driver.describe("r.w").contains(#""weak":true"#))
        #expect(try driver.set("r.w", "null"))
        #expect(try driver.get("r") == #"{"w":null}"#)
        #expect(try driver.describe("r.w").contains(#""weak":false"#))
        #expect(driver.tree.faults() == [])
    }

    @Test func `a model is released when its last strong reference becomes weak`() throws {
        let driver = try TreeDriver(("r", #"{"a":{"b":{}}}"#))
        try driver.link("r.a", "r.a", weak: true)
        #expect(driver.tree.modelCount == 1)
        #expect(try driver.get("r.a") == "null")
    }

    // MARK: Conditions

    @Test(
        arguments: [
            ("app.player", 3, true), ("app.player", 4, false), ("app.player.title", 4, false),
            ("app.player.list", 3, false), ("app", 3, true), ("app.player.other", 3, false), ("z", 3, false),
            ("app.none.x", 3, false), ("s", 0, true), ("s", 2, false), ("app.player.list.7", 3, false),
        ] as [(String, UInt64, Bool)]
    )
    func `ifRevision refuses a write to a value that has changed since`(
        path: String,
        revision: UInt64,
        isRefused: Bool
    ) throws {
        let driver = try sample()
        try driver.set("app.player.new", "1")
        let condition = TreeCondition(path: path, revision: revision)
        let error = refused { try driver.set(path, "1", parents: true, if: condition) }
        #expect((error?.kind == .conflict) == isRefused)
        if isRefused { #expect(error?.path == path) }
    }

    @Test func `an unrelated removal does not conflict with a missing element`() throws {
        let driver = try TreeDriver(("r", #"{"list":[null,5],"x":1}"#))
        try driver.remove("r.x")
        for path in ["r.list.7", "r.list.0.a", "r.list.1.a"] {
            let condition = TreeCondition(path: path, revision: 1)
            #expect(try !driver.remove(path, if: condition))
        }
    }

    @Test(arguments: [
        ("app.player.title", #""\u0061""#, true), ("app.player.title", "1", false), ("z", "null", true),
        ("app.none", "null", true), ("app.none.x", "null", true), ("app.none", "0", false),
        ("s", "5.0", true), ("app.player.list", #"[1.0,{"n":1},[2,3]]"#, true),
        ("app.player.list", #"[1,{"n":1,"m":null},[2,3]]"#, false),
        ("app.player", #"{"list":[1,{"n":1},[2,3]],"title":"a"}"#, true), ("app.player", "{}", false),
        ("app.player", #"{"list":[1,{"n":1},[2,3]],"other":"a"}"#, false),
        ("app.player.list.2", "[2]", false),
    ])
    func `ifValue compares the rendered value`(path: String, value: String, holds: Bool) throws {
        let driver = try sample()
        try driver.link("app.player.weak", "app", weak: true)
        let error = refused { try driver.remove(path, if: TreeCondition(path: path, value: value)) }
        #expect((error?.kind == .conflict) == !holds)
    }
}
