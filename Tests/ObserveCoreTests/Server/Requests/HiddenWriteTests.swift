// SPDX-License-Identifier: MIT
// A client that may write a path and not read it. Its answers are the same for all values, but for one refusal.

import Testing

@testable import ObserveCore

struct HiddenWriteTests {
    /// Writes `s`; reads and writes `mine`.
    private func guest(of hub: Hub) -> FakeClient {
        let grant = Grant(read: [PathPrefix(["mine"])], write: [PathPrefix(["s"]), PathPrefix(["mine"])])
        return FakeClient(hub, token: 2, grant: grant)
    }

    private func ask(_ client: FakeClient, _ method: String, _ params: String) -> String {
        client.ask(#"{"id":1,"method":"\#(method)","params":\#(params)}"#).joined()
    }

    private func hidden(_ path: String, operation: Int? = nil) -> String {
        let index = operation.map { #","operation":\#($0)"# } ?? ""
        return
            #"{"jsonrpc":"2.0","id":1,"error":{"code":5,"message":"\#(path) can't be written like this now, and this client may not read why","data":{"name":"accessDenied","path":"\#(path)"\#(index)}}}"#
    }

    /// Values of `s` that differ in kind, length and depth.
    private static let values = [
        "null", "5", "2.5", "9223372036854775807", #""text""#, "true", "[]", "[1,2,3]", "{}",
        #"{"a":null}"#, #"{"a":7}"#, #"{"a":{}}"#, #"{"a":{"b":1}}"#, #"{"a":[1,[2]]}"#, #"{"a":[{"b":1}]}"#,
        #"{"a":{"b":{"c":"x"}}}"#,
    ]

    private static let writes: [(String, String, String)] = [
        ("set", #""path":"s","value":5"#, "s"),
        ("set", #""path":"s.a","value":7"#, "s.a"),
        ("set", #""path":"s.a.b","value":1"#, "s.a.b"),
        ("set", #""path":"s.a.b.c","value":1"#, "s.a.b.c"),
        ("set", #""path":"s.a.b.c","value":1,"parents":true"#, "s.a.b.c"),
        ("set", #""path":"s.a.0","value":1"#, "s.a.0"),
        ("set", #""path":"s.a.0","value":1,"lifetime":"connection""#, "s.a.0"),
        ("merge", #""path":"s.a","value":{"b":1}"#, "s.a"),
        ("remove", #""path":"s.a.0""#, "s.a.0"),
        ("increment", #""path":"s""#, "s"),
        ("increment", #""path":"s","by":1e308"#, "s"),
        ("increment", #""path":"s.a""#, "s.a"),
        ("increment", #""path":"s.a.b""#, "s.a.b"),
        ("insert", #""path":"s","value":1"#, "s"),
        ("insert", #""path":"s","value":1,"index":2"#, "s"),
        ("insert", #""path":"s.a","value":1,"index":9"#, "s.a"),
        ("insert", #""path":"s.a","target":"mine""#, "s.a"),
        ("link", #""path":"s.a","target":"mine""#, "s.a"),
        ("link", #""path":"s.a.0","target":"mine","weak":true"#, "s.a.0"),
        ("load", #""path":"s.a","text":"7""#, "s.a"),
    ]

    private func hub(_ value: String) -> Hub { Hub.with([("s", value), ("mine", #"{"n":1,"none":null}"#)]) }

    @Test(arguments: writes)
    func `an answer names no value, kind or length`(method: String, params: String, path: String) {
        for value in HiddenWriteTests.values {
            let hub = hub(value)
            let said = ask(guest(of: hub), method, "{\(params)}")
            let done = #"{"jsonrpc":"2.0","id":1,"result":{"revision":\#(hub.tree.revision)}}"#
            #expect(said == done || said == hidden(path), "\(value): \(said)")
            guard method != "load" else { continue }
            let (other, operation) = (self.hub(value), #"{"method":"\#(method)","params":{\#(params)}}"#)
            let all = ask(guest(of: other), "transaction", #"{"operations":[\#(operation)]}"#)
            let revision = other.tree.revision
            let results =
                #"{"jsonrpc":"2.0","id":1,"result":{"revision":\#(revision),"results":[{"revision":\#(revision)}]}}"#
            #expect(all == (said == done ? results : hidden(path, operation: 0)), "\(value): \(all)")
        }
    }

    @Test func `a transaction tells what it changed where the client may read`() {
        let guest = guest(of: hub("5"))
        let operations =
            #"{"operations":[{"method":"increment","params":{"path":"mine.n"}},{"method":"set","params":{"path":"s","value":5}}]}"#
        #expect(
            ask(guest, "transaction", operations)
                == #"{"jsonrpc":"2.0","id":1,"result":{"revision":3,"results":[{"revision":3,"changed":true,"value":2},{"revision":3}]}}"#
        )
    }

    /// These depend on the request alone, or on a target that the client may read.
    @Test(arguments: [
        ("set", #"{"path":"s","value":1e-999}"#, "a number must not round to zero"),
        ("set", #"{"path":"s","value":1e999}"#, "a number must be finite"),
        ("link", #"{"path":"s","target":"mine.n"}"#, "mine.n is int, and only a model can be linked to"),
        ("insert", #"{"path":"s","target":"mine.none"}"#, "mine.none is null: a link needs a model"),
        ("load", #"{"path":"s","text":"{"}"#, "the text is not JSON"),
    ])
    func `a refusal of the request itself is as usual`(method: String, params: String, message: String) {
        #expect(ask(guest(of: hub("[]")), method, params).contains(message))
    }

    /// The names have the same canonical form, and are two.
    @Test func `a name that only looks like a target is not named by it`() throws {
        let hub = Hub.with([("g", #"{"e\u0301":"secret","\u00e9":{}}"#)])
        let grant = Grant(read: [PathPrefix(["g", "\u{E9}"])], write: [PathPrefix(["g"])])
        let client = FakeClient(hub, token: 2, grant: grant)
        for method in ["insert", "link"] {
            let answer = ask(client, method, #"{"path":["g","e\u0301"],"target":["g","\u00e9"]}"#)
            #expect(method == "link" || answer.contains(#""code":5"#), "\(answer)")
            #expect(!answer.contains("string"), "\(answer)")
        }
        let owner = FakeClient(hub, token: 3)
        for (index, target) in [#"["g","e\u0301"]"#, #"["g","\u00e9"]"#].enumerated() {
            let answer = ask(owner, "bind", #"{"source":"g.k","target":\#(target)}"#)
            #expect(answer.contains("\"binding\":\(index + 1)"), "\(answer)")
        }
    }

    // MARK: Declared types

    private func typedHub(_ value: String) throws -> Hub {
        let hub = Hub.with([("mine", #"{"n":1}"#)])
        let film = TypeDeclaration(
            "Film",
            [
                PropertyDeclaration("title", "String"), PropertyDeclaration("year", "Int?"),
                PropertyDeclaration("id", "readonly String"), PropertyDeclaration("tags", "[String]"),
                PropertyDeclaration("next", "Film?"),
            ]
        )
        #expect(hub.tree.declare([film]) == [])
        try hub.tree.declare(root: "s", type: "Film?")
        try hub.tree.define(root: "s", json: value)
        try hub.tree.define(root: "open", json: #"{"any":null}"#)
        return hub
    }

    @Test(arguments: [
        ("set", #"{"path":"s.year","value":"x"}"#, "s.year: expected Int?, found a string"),
        ("set", #"{"path":"s.next","value":{"title":1}}"#, "s.next.title: expected String, found 1"),
        ("set", #"{"path":"s.id","value":"x"}"#, "s.id: this property is readonly"),
        ("set", #"{"path":"s.titel","value":"x"}"#, "Film has no property titel; did you mean title?"),
        ("insert", #"{"path":"s.tags","value":1,"index":0}"#, "s.tags.0: expected String, found 1"),
    ])
    func `a client that may write learns declared types`(method: String, params: String, message: String)
        throws
    {
        let said = ask(guest(of: try typedHub(#"{"title":"a","id":"x"}"#)), method, params)
        #expect(said.contains(message), "\(said)")
    }

    @Test(arguments: [
        ("increment", #"{"path":"s.title"}"#, "s.title"),
        ("increment", #"{"path":"s.year","by":0.25}"#, "s.year"),
        ("insert", #"{"path":"s.tags","value":1}"#, "s.tags"),
        ("set", #"{"path":"s.next.year","value":1}"#, "s.next.year"),
        ("merge", #"{"path":"s","value":{"id":"y"}}"#, "s"),
    ])
    func `a refusal by type and value names only the path`(method: String, params: String, path: String)
        throws
    {
        let hub = try typedHub(#"{"title":"a","id":"x","year":1,"tags":["a","b"]}"#)
        #expect(ask(guest(of: hub), method, params) == hidden(path))
    }

    /// The type of a model in an open place is a fact about the place's value.
    @Test func `a type that only a link leads to is not told`() throws {
        let hub = try typedHub(#"{"title":"a","id":"x"}"#)
        _ = ask(FakeClient(hub), "link", #"{"path":"open.any","target":"s"}"#)
        let grant = Grant(read: [], write: [PathPrefix(["open"])])
        let guest = FakeClient(hub, token: 3, grant: grant)
        #expect(ask(guest, "set", #"{"path":"open.any.titel","value":1}"#) == hidden("open.any.titel"))
        #expect(ask(guest, "set", #"{"path":"open.any.title","value":1}"#) == hidden("open.any.title"))
        #expect(ask(guest, "set", #"{"path":"open.any.id","value":"y"}"#) == hidden("open.any.id"))
    }
}
