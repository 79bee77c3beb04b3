// SPDX-License-Identifier: MIT
// Dumps and their loading.

import Testing

@testable import ObserveCore

@Suite struct DumpTests {
    static let types = [
        TypeDeclaration(
            "Film",
            "title: String",
            "year: Int?",
            "label: computed String = {title} ({year})",
            "next: Film?",
            "best: weak Film?",
            "tags: [String: Int]",
            "cast: [Film]"
        )
    ]

    /// A hub with declared types, and a client.
    static func hub(_ typed: Bool = true, isEmpty: Bool = false) -> (Hub, FakeClient) {
        let clock = TestClock()
        let hub = Hub(limits: ServerLimits(), now: clock.now, clock: { clock.now })
        if typed {
            #expect(hub.tree.declare(types) == [])
            #expect(throws: Never.self) { try hub.tree.declare(root: "t", type: "Film") }
            if !isEmpty {
                #expect(throws: Never.self) { try hub.tree.define(root: "t", json: #"{"title":"A"}"#) }
            }
        }
        return (hub, FakeClient(hub))
    }

    @Test func `a second dump of a revision replaces none`() throws {
        let daemon = try JournaledHub()
        daemon.ask("set", #""path":"a","value":1"#)
        let journal = try #require(daemon.openJournal)
        #expect(try journal.saveDump(of: daemon.tree) == "before-1.jsonl")
        daemon.disk.place("before-1.jsonl", [1])
        #expect(try journal.saveDump(of: daemon.tree) == "before-1.jsonl.2")
        #expect(daemon.disk.contents("before-1.jsonl") == [1])
    }

    @Test(arguments: seeds(30, usually: 8))
    func `loading a random tree's dump makes an equal tree with an equal dump`(seed: UInt64) throws {
        let (hub, client) = DumpTests.hub(seed % 3 != 0)
        var writes = StateWrites(seed: seed)
        for _ in 0..<200 {
            let line = writes.request(in: hub.tree)
            // Without temporary values, which have their own test.
            if !line.contains("lifetime") { _ = client.ask(line) }
        }
        let odd =
            #"{"max":9223372036854775807,"min":-9223372036854775808,"tiny":5e-324,"big":1.7976931348623157e308,"zero":-0.0,"ü\u0000\"\\\n":"\u0001\ud83d\ude00\u2028","a.b":{"*":[[],{},[[null]]],"@count":""}}"#
        _ = client.ask(#"{"id":1,"method":"set","params":{"path":"odd","value":\#(odd)}}"#)
        let text = try client.dump()
        let (other, reader) = DumpTests.hub(seed % 3 != 0, isEmpty: true)
        let answer = try reader.load(text, by: 1 + Int(seed) * 37)
        #expect(answer["changed"] == .bool(true))
        #expect(other.tree.shape() == hub.tree.shape())
        #expect(other.tree.faults() == [])
        #expect(hub.tree.faults() == [])
        #expect(hub.tree.recordCounts.hooks == 0)
        // A load numbers models in the order of the walk. From then on the dumps are equal.
        let (third, last) = DumpTests.hub(seed % 3 != 0, isEmpty: true)
        let second = try reader.dump()
        try last.load(second)
        func records(_ text: String) -> [String] { Array(text.checkedBodies.dropFirst()) }
        #expect(records(try last.dump()) == records(second))
        #expect(third.tree.faults() == [])
    }

    @Test func `a dump has identity, weak references, types and bindings once`() throws {
        let (hub, client) = DumpTests.hub()
        for line in [
            #""set","params":{"path":"t.next","value":{"title":"B"}}"#,
            #""set","params":{"path":"s","value":{"list":[{"n":1},{"n":2}]}}"#,
            #""link","params":{"path":"s.first","target":"s.list.0"}"#,
            #""link","params":{"path":"t.best","target":"t.next"}"#,
            #""link","params":{"path":"w","target":"s.list.1","weak":true}"#,
            #""bind","params":{"source":"t.title","target":"s.title"}"#,
            #""bind","params":{"source":"s.first.n","target":"s.n","twoWay":true}"#,
        ] { #expect(client.ask(#"{"id":1,"method":\#(line)}"#).last?.contains("result") == true) }
        let (other, reader) = DumpTests.hub()
        try reader.load(try client.dump())
        #expect(other.tree.shape() == hub.tree.shape())
        func get(_ path: String) throws -> Value? {
            try reader.request("get", [("path", .string(path))])["value"]
        }
        func set(_ path: String, _ value: Value) throws {
            _ = try reader.request("set", [("path", .string(path)), ("value", value)])
        }
        try set("s.first.n", .int(7))
        #expect(try get("s.list.0.n") == .int(7))
        #expect(try get("s.n") == .int(7))
        try set("s.n", .int(8))
        #expect(try get("s.first.n") == .int(8))
        try set("t.title", .string("C"))
        #expect(try get("s.title") == .string("C"))
        #expect(try get("t.label") == .string("C ()"))
        _ = try reader.request("remove", [("path", .string("s.list.1"))])
        #expect(try get("w") == .null)
        #expect(other.tree.faults() == [])
    }

    @Test func `a load binds no pair a second time, one way or both`() throws {
        let (hub, client) = DumpTests.hub(false)
        func bind(_ isTwoWay: Bool) throws -> Value {
            let params: [(String, Value)] = [
                ("source", .string("a")), ("target", .string("b")), ("twoWay", .bool(isTwoWay)),
            ]
            return try client.request("bind", params)
        }
        _ = try client.request("set", [("path", .string("a")), ("value", .int(1))])
        _ = try bind(false)
        let text = try client.dump()
        _ = try client.request("unbind", [("binding", .int(1))])
        _ = try bind(true)
        try client.load(text)
        #expect(hub.tree.allBindings.map(\.isTwoWay) == [true])
    }

    @Test func `a load makes no types`() throws {
        let (hub, client) = DumpTests.hub(false)
        try hub.tree.declare(root: "d", type: "[String: Any]")
        try hub.tree.declare(root: "e", type: "[String: Int(0...5)]")
        for root in ["d", "e"] { try hub.tree.define(root: root, json: #"{"n":1}"#) }
        let (other, reader) = DumpTests.hub()
        let count = other.tree.typing.types.ids.count
        let refusal = reader.refusal(ofLoading: try client.dump())
        let fault = "d: the dump has a model of the type [String: Any], which is not declared here"
        #expect(refusal?.message == fault)
        #expect(other.tree.typing.types.ids.count == count)
        #expect(other.tree.faults() == [])
    }

    @Test func `a path's dump has all models below it, and loads at the path`() throws {
        let (hub, client) = DumpTests.hub()
        for line in [
            #""set","params":{"path":"s","value":{"a":{"b":{"n":1},"list":[{"x":[1,2]},3]},"c":{"n":2}}}"#,
            #""link","params":{"path":"s.a.same","target":"s.a.b"}"#,
            #""link","params":{"path":"s.a.inside","target":"s.a.b","weak":true}"#,
            #""link","params":{"path":"s.a.outside","target":"s.c","weak":true}"#,
            #""bind","params":{"source":"s.a.b.n","target":"s.a.m"}"#,
            #""bind","params":{"source":"s.c.n","target":"s.a.k"}"#,
        ] { #expect(client.ask(#"{"id":1,"method":\#(line)}"#).last?.contains("result") == true) }
        let text = try client.dump("s.a")
        #expect(text.contains(#""path":"s.a""#))
        #expect(text.contains(#""outside",{"w":null}"#))
        #expect(text.contains(#""b":[[1,"s.a.b.n","s.a.m",false]]"#))
        #expect(!text.contains(#""c""#))
        let before = hub.tree.shape()
        _ = try client.request("set", [("path", .string("s.a")), ("value", .null)])
        try client.load(text)
        let parts = before.split(separator: "outside~#")
        #expect(parts.count == 2)
        #expect(hub.tree.shape() == "\(parts[0])outside~null\(parts[1].drop { $0.isNumber })")
        #expect(hub.tree.allBindings.count == 2)
        #expect(hub.tree.faults() == [])
        // An element, a root with a number, and null.
        for path in ["s.a.list.0", "s.a.list.1", "s.a.list", "s.a.b.n", "s.a.outside"] {
            let value = try client.request("get", [("path", .string(path))])["value"]
            let part = try client.dump(path)
            _ = try client.request("set", [("path", .string(path)), ("value", .string("other"))])
            try client.load(part)
            #expect(try client.request("get", [("path", .string(path))])["value"] == value, "\(path)")
        }
        #expect(hub.tree.faults() == [])
    }

    @Test func `a load keeps values outside the dump, and notifies observers once`() throws {
        let (hub, client) = DumpTests.hub(false)
        _ = client.ask(#"{"id":1,"method":"set","params":{"path":"a","value":{"n":1,"m":{}}}}"#)
        let text = try client.dump()
        _ = client.ask(#"{"id":1,"method":"set","params":{"path":"a","value":{"n":2,"x":3}}}"#)
        _ = client.ask(#"{"id":1,"method":"set","params":{"path":"b","value":5}}"#)
        let watcher = FakeClient(hub, token: 2)
        _ = watcher.ask(
            #"{"id":1,"method":"subscribe","params":{"paths":["a.n","a.**","b","a.x"],"initial":false,"old":true}}"#
        )
        try client.load(text)
        func event(_ path: String, _ rest: String) -> String {
            #"{"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"\#(path)",\#(rest),"revision":4}}"#
        }
        #expect(
            Set(watcher.take().map(\.withoutMore)) == [
                event("a.n", #""reason":"pathChanged","new":1,"old":2,"changedAt":"a""#),
                event("a.x", #""reason":"pathChanged","new":null,"old":3,"changedAt":"a""#),
                event("a", #""reason":"valueChanged","new":{"n":1,"m":{}},"old":{"n":2,"x":3}"#),
            ]
        )
        #expect(hub.tree.shape() == "#0 a=#1 b=5\n#1 n=1 m=#2\n#2\n")
    }

    @Test func `a dump has temporary values, and a load takes the shadowed ones`() throws {
        let (_, client) = DumpTests.hub(false)
        for line in [
            #""set","params":{"path":"a","value":{"n":1,"k":{"deep":1}}}"#,
            #""set","params":{"path":"a.n","value":2,"lifetime":"connection"}"#,
            #""set","params":{"path":"a.k","value":3,"lifetime":60000}"#,
            #""set","params":{"path":"a.new","value":{},"lifetime":60000}"#,
            #""set","params":{"path":"gone","value":{"x":1},"lifetime":"connection"}"#,
            #""link","params":{"path":"a.weak","target":"gone","weak":true}"#,
        ] { #expect(client.ask(#"{"id":1,"method":\#(line)}"#).last?.contains("result") == true) }
        let text = try client.dump()
        #expect(text.contains(#""o":["#))
        let (other, reader) = DumpTests.hub(false)
        try reader.load(text)
        #expect(other.tree.shape() == "#0 a=#1\n#1 n=1 k=#2 weak~null\n#2 deep=1\n")
        #expect(other.tree.faults() == [])
    }

    @Test func `load sets unwrapped JSON at a path, in parts and with its declared type`() throws {
        let (hub, client) = DumpTests.hub()
        let changed = try client.load(#"{"title":"Brazil","year":1985.0,"tags":{"a":1}}"#, at: "t", by: 7)
        #expect(changed == .object(ValueMembers([("revision", .int(2)), ("changed", .bool(true))])))
        #expect(hub.tree.shape().contains(##"#1:Film title="Brazil" year=1985"##))
        #expect(client.refusal(ofLoading: #"{"title":1}"#, at: "t")?.code == 2)
        #expect(client.refusal(ofLoading: #"{"title""#, at: "t")?.code == -32602)
        #expect(client.refusal(ofLoading: "", at: "t")?.code == -32602)
        #expect(client.refusal(ofLoading: "1", at: "no.where")?.code == 1)
        #expect(hub.tree.revision == 2)
    }

    @Test func `a load is one commit of the journal`() throws {
        let (_, client) = DumpTests.hub(false)
        _ = client.ask(
            #"{"id":1,"method":"set","params":{"path":"r","value":{"a":{"n":1},"list":[{"x":1},2]}}}"#
        )
        _ = client.ask(#"{"id":1,"method":"link","params":{"path":"r.w","target":"r.a","weak":true}}"#)
        _ = client.ask(#"{"id":1,"method":"bind","params":{"source":"r.a.n","target":"r.copy"}}"#)
        let text = try client.dump()
        let daemon = try JournaledHub()
        daemon.ask("set", #""path":"r","value":{"old":true}"#)
        try daemon.client().load(text, by: 11)
        #expect(daemon.tree.revision == 2)
        let (dump, shape) = (daemon.dump, daemon.tree.shape())
        try daemon.kill()
        #expect(daemon.dump == dump)
        #expect(daemon.tree.shape() == shape)
        daemon.ask("set", #""path":"r.a.n","value":5"#)
        #expect(daemon.value("r.copy") == "5")
        #expect(daemon.tree.faults() == [])
    }

    @Test func `a load fails without changes if the journal fails`() throws {
        let (_, client) = DumpTests.hub(false)
        _ = client.ask(#"{"id":1,"method":"set","params":{"path":"r","value":{"a":{"n":1}}}}"#)
        _ = client.ask(#"{"id":1,"method":"bind","params":{"source":"r.a.n","target":"r.copy"}}"#)
        let text = try client.dump()
        let daemon = try JournaledHub(reserving: 0)
        daemon.ask("set", #""path":"r","value":{"old":true}"#)
        let (dump, watcher) = (daemon.dump, daemon.client(2))
        _ = watcher.ask(#"{"id":1,"method":"subscribe","params":{"path":"r.**"}}"#)
        daemon.disk.isFull = true
        for _ in 0..<2 {
            #expect(daemon.client().refusal(ofLoading: text)?.code == 8)
            #expect(daemon.dump == dump)
            #expect(daemon.tree.faults() == [])
        }
        #expect(watcher.take() == [])
        daemon.disk.isFull = false
        daemon.clock.pass(milliseconds: 200, in: daemon.hub)
        try daemon.client().load(text)
        #expect(watcher.take().count == 1)
        #expect(daemon.value("r.copy") == "1")
    }
}
