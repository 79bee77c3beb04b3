// SPDX-License-Identifier: MIT
// A closed set of roots: undeclared roots are refused in every request, and named in state.

import Testing

@testable import ObserveCore

@Suite struct ClosedRootsTests {
    private func hub() throws -> Hub {
        let hub = Hub.with([])
        try hub.tree.declare(root: "app", type: "Any")
        try hub.tree.declare(root: "limit", type: "Int")
        hub.tree.closeRoots()
        try hub.tree.define(root: "app", json: #"{"volume":50}"#)
        return hub
    }

    @Test(arguments: [
        ("get", #"{"path":"ap.volume"}"#), ("set", #"{"path":"ap","value":1}"#),
        ("set", #"{"path":"ap.x","value":1,"parents":true}"#),
        ("merge", #"{"path":"ap","value":{}}"#), ("remove", #"{"path":"ap"}"#),
        ("describe", #"{"path":"ap"}"#),
        ("subscribe", #"{"paths":["app","ap.volume"]}"#), ("bind", #"{"source":"ap","target":"app.b"}"#),
        ("bind", #"{"source":"app.volume","target":"ap"}"#), ("link", #"{"path":"ap","target":"app"}"#),
        ("load", #"{"path":"ap","text":"1"}"#), ("explain", #"{"path":"ap"}"#),
        ("increment", #"{"path":"ap"}"#),
    ])
    func `a root that is not declared is refused`(method: String, params: String) throws {
        let hub = try hub()
        let client = FakeClient(hub, token: 1)
        let lines = client.ask(#"{"id":1,"method":"\#(method)","params":\#(params)}"#)
        let answer = try Value(json: lines.last ?? "")
        #expect(answer["error"]?["code"] == 1, "\(answer)")
        #expect(answer["error"]?["data"]?["nearest"] == "app", "\(answer)")
        #expect(
            answer["error"]?["message"]?.string?.hasSuffix(
                "the configuration declares no root ap, and is closed; did you mean app?"
            ) == true
        )
        #expect(hub.tree.json(ofRoot: "app") == #"{"volume":50}"# && hub.tree.faults() == [])
        client.close()
    }

    @Test func `declared roots, patterns and the daemon's own root are as usual`() throws {
        let hub = try hub()
        let client = FakeClient(hub, token: 1)
        func result(_ method: String, _ params: String) throws -> Value? {
            try Value(json: client.ask(#"{"id":1,"method":"\#(method)","params":\#(params)}"#).first ?? "")[
                "result"
            ]
        }
        #expect(try result("get", #"{"path":"limit"}"#)?["value"] == .null)
        #expect(try result("set", #"{"path":"limit","value":5}"#)?["changed"] == true)
        #expect(try result("remove", #"{"path":"limit"}"#)?["changed"] == true)
        #expect(try result("set", #"{"path":"app","value":{"volume":{"x":1}}}"#)?["changed"] == true)
        #expect(try result("get", #"{"path":"observed.connections"}"#)?["value"] == 1)
        #expect(try result("subscribe", #"{"path":"observed.version"}"#)?["initial"] == 1)
        #expect(try result("subscribe", #"{"path":"*"}"#)?["initial"] == 1)
        client.close()
    }

    @Test func `other roots in the tree are misfits, and the declarations are kept with the state`() throws {
        let tree = ModelTree()
        try tree.define(root: "app", json: "1")
        try tree.define(root: "gone", json: "{}")
        let declarations = TypeDeclarations(roots: [RootDeclaration("app", "Any")], isClosed: true)
        let misfits = try #require(tree.plan(declarations)?.misfits)
        #expect(misfits.count == 1)
        #expect(
            misfits.first.map(\.description).first?.hasPrefix("gone: not declared, found a model") == true
        )
        try tree.define(root: "gone", json: "null")
        let plan = try #require(tree.plan(declarations))
        #expect(plan.misfits.isEmpty)
        try tree.layOut { () throws(TreeError) in try tree.apply(plan) }
        #expect(tree.plan(declarations) == nil)
        #expect(throws: TreeError.self) { try tree.define(root: "gone", json: "1") }

        let out = ByteBuffer()
        declarations.append(to: out)
        let json = "{\(out.string)}"
        ByteView.with(json) { view in
            var kept: JSONView?
            for (_, value) in JSONView(validated: view).members { kept = value }
            #expect(kept.flatMap { try? TypeDeclarations($0) } == declarations)
        }
    }
}
