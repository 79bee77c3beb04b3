// SPDX-License-Identifier: MIT
// New values of declared types: given, by default, or refused with the path inside.

import Testing

@testable import ObserveCore

@Suite struct TypedBuildingTests {
    private static let full =
        #"{"player":null,"volume":50,"gain":0.0,"title":"","on":false,"note":null,"tags":[],"grid":[],"#
        + #""queue":[],"maybe":[],"users":{},"counts":{},"spare":{},"extra":null,"#
        + #""main":{"name":"unnamed","age":null,"home":null},"id":"x","fixed":[]}"#

    @Test func `a model gets its missing properties, in declared order`() throws {
        let driver = try TypedTree.make(("app", "App", "{}"))
        #expect(try driver.get("app") == Self.full)
        #expect(driver.tree.faults() == [])
        // Given in another order, they have the declared order.
        try driver.set("app", #"{"volume":1,"player":{"videoTitle":"a"},"id":"y"}"#)
        #expect(try driver.get("app").hasPrefix(#"{"player":{"videoTitle":"a","position":null},"volume":1,"#))
        #expect(try driver.get("app.id") == #""y""#)
        #expect(driver.tree.faults() == [])
    }

    @Test func `a new model in a declared property has its type`() throws {
        let driver = try TypedTree.make(("app", "App", "{}"), ("open", nil, "{}"))
        try driver.set("app.users.ann", #"{"name":"Ann","home":{"city":"Rome","owner":{}}}"#)
        #expect(try driver.get("app.users.ann.home.owner") == #"{"name":"","age":null,"home":null}"#)
        #expect(throws: TreeError.self) { try driver.set("app.users.ann.home.owner.name", "5") }
        // A property of type Any holds open models.
        try driver.set("app.extra", #"{"name":5}"#)
        try driver.set("app.extra.other", "true")
        #expect(try driver.get("app.extra") == #"{"name":5,"other":true}"#)
        // Of several members with one name only the last counts.
        try driver.set("app.main", #"{"name":5,"age":7,"name":"Bo"}"#)
        #expect(try driver.get("app.main") == #"{"name":"Bo","age":7,"home":null}"#)
        try driver.set("app.counts", #"{"a":"no","b":2,"a":1}"#)
        #expect(try driver.get("app.counts") == #"{"a":1,"b":2}"#)
        #expect(driver.tree.faults() == [])
    }

    @Test(arguments: [
        ("volume", "1.0", "1"), ("volume", "-7", "-7"), ("gain", "1", "1.0"), ("gain", "1e3", "1000.0"),
        ("gain", "9007199254740992", "9007199254740992.0"), ("title", #""\u0041\n""#, #""A\n""#),
        ("on", "true", "true"), ("note", "null", "null"), ("note", #""n""#, #""n""#),
        ("tags", #"["a","b"]"#, #"["a","b"]"#), ("grid", "[[1],[],[2.0,3]]", "[[1],[],[2,3]]"),
        (
            "queue", #"[{"videoTitle":"a"},{}]"#,
            #"[{"videoTitle":"a","position":null},{"videoTitle":"","position":null}]"#
        ),
        ("maybe", #"[null,{"position":1}]"#, #"[null,{"videoTitle":"","position":1.0}]"#),
        ("counts", #"{"b":1,"a":2.0}"#, #"{"b":1,"a":2}"#), ("spare", #"{"b":null}"#, #"{"b":null}"#),
        ("extra", "[1,{}]", "[1,{}]"), ("users", "{}", "{}"), ("current", "null", "null"),
    ])
    func `the tree accepts a fitting value`(name: String, json: String, result: String) throws {
        let driver = try TypedTree.make(("app", "App", "{}"))
        try driver.set("app.\(name)", json)
        #expect(try driver.get("app.\(name)") == result)
        try driver.set("app", "{\"\(name)\":\(json)}")
        #expect(try driver.get("app.\(name)") == result)
        #expect(driver.tree.faults() == [])
    }

    @Test(arguments: [
        ("volume", "1.5", "", "Int", "double", "expected Int, found 1.5"),
        ("volume", #""1""#, "", "Int", "string", "expected Int, found a string"),
        ("volume", "null", "", "Int", "null", "expected Int, found null"),
        ("volume", "true", "", "Int", "bool", "expected Int, found true"),
        ("volume", "1e30", "", "Int", "double", "expected Int, found 1e30"),
        ("gain", "9007199254740993", "", "Double", "int", "expected Double, found 9007199254740993"),
        ("title", "1", "", "String", "int", "expected String, found 1"),
        ("on", "0", "", "Bool", "int", "expected Bool, found 0"),
        ("note", "1", "", "String?", "int", "expected String?, found 1"),
        ("tags", #"["a",null]"#, ".1", "String", "null", "expected String, found null"),
        ("tags", #"{"0":"a"}"#, "", "[String]", "model", "expected [String], found an object"),
        ("grid", "[[1],[2,[3]]]", ".1.1", "Int", "array", "expected Int, found an array"),
        ("queue", "[null]", ".0", "Player", "null", "expected Player, found null"),
        (
            "queue", #"[{},{"position":"x"}]"#, ".1.position", "Double?", "string",
            "expected Double?, found a string"
        ),
        ("maybe", "[5]", ".0", "Player?", "int", "expected Player?, found 5"),
        (
            "users", #"{"a.b":{"home":{"city":1}}}"#, #".a\.b.home.city"#, "String", "int",
            "expected String, found 1"
        ),
        ("counts", #"{"a":null}"#, ".a", "Int", "null", "expected Int, found null"),
        ("users", "[]", "", "[String: User]", "array", "expected [String: User], found an array"),
        ("player", "[]", "", "Player?", "array", "expected Player?, found an array"),
        (
            "main", #"{"home":{"city":""}}"#, ".home.owner", "User", "null",
            "expected User, which has no default, and found nothing"
        ),
        (
            "current", "{}", "", "Player?", "model",
            "expected a link, since a weak Player? keeps no value alive, found an object"
        ),
        (
            "player", #"{"next":{}}"#, ".next", "Player?", "model",
            "expected a link, since a weak Player? keeps no value alive, found an object"
        ),
        (
            "any", "5", "", "Any?", "int",
            "expected a link, since a weak Any? keeps no value alive, found a number"
        ),
    ])
    func `the tree refuses a wrong value, and names the place inside it`(
        name: String,
        json: String,
        inner: String,
        declared: String,
        found: String,
        sentence: String
    ) throws {
        let driver = try TypedTree.make(("app", "App", "{}"))
        let before = (driver.roots, TreeCounts(driver.tree))
        let path = "app.\(name)\(inner)"
        let expected = TreeError(
            kind: .typeMismatch,
            message: "\(path): \(sentence)",
            path: path,
            declared: declared,
            found: found
        )
        #expect(throws: expected) { try driver.set("app.\(name)", json) }
        #expect(throws: expected) { try driver.set("app", "{\"\(name)\":\(json)}") }
        _ = try driver.observe("app.\(name)")
        #expect(throws: expected) { try driver.set("app.\(name)", json) }
        driver.stopAll()
        #expect(before == (driver.roots, TreeCounts(driver.tree)))
        #expect(driver.tree.faults() == [])
    }

    @Test(arguments: [
        (
            #"{"titel":1}"#, TreeError.Kind.notFound, "app.titel",
            "App has no property titel; did you mean title?"
        ),
        (
            #"{"main":{"Name":1}}"#, .notFound, "app.main.Name",
            "User has no property Name; did you mean name?"
        ),
        (#"{"users":{"x":{"a.b":1}}}"#, .notFound, #"app.users.x.a\.b"#, "User has no property a.b"),
        (#"{"\u0071ueues":1}"#, .notFound, "app.queues", "App has no property queues; did you mean queue?"),
        (#"{"label":"x"}"#, .readOnly, "app.label", "this property is computed, and can't be set"),
    ])
    func `the tree refuses members that the type does not have`(
        json: String,
        kind: TreeError.Kind,
        path: String,
        sentence: String
    ) throws {
        let driver = try TypedTree.make(("app", "App", "{}"))
        do {
            try driver.set("app", json)
            Issue.record("\(json) was taken")
        } catch let error as TreeError {
            #expect(error.kind == kind)
            #expect(error.path == path)
            #expect(error.message == "\(path): \(sentence)")
        }
    }

    @Test func `the depth limit holds for typed values and defaults`() throws {
        let types = [TypeDeclaration("Node", "next: Node?", "list: [[Int]]")]
        let driver = try TypedTree.make(types: types, ("n", "Node", "{}"))
        func nested(_ levels: Int) -> String {
            String(repeating: #"{"next":"#, count: levels) + "null" + String(repeating: "}", count: levels)
        }
        // The innermost model's list is a level too.
        try driver.set("n", nested(63))
        #expect(throws: TreeError.self) { try driver.set("n", nested(65)) }
        #expect(driver.tree.faults() == [])
    }
}
