// SPDX-License-Identifier: MIT
// Files in the manner of npm's lock files: empty names, and names with slashes and dots, everywhere that a path is text.

import Testing

@testable import ObserveCore

@Suite struct EmptyNameTests {
    private static let lock =
        #"{"name":"x","packages":{"":{"name":"x","version":"1.0.0"},"node_modules/a.b":{"version":"2.0.0"}},"":[{"":1}]}"#

    @Test func `a lock file is loaded, observed, dumped, restarted and bound`() throws {
        let run = try JournaledHub()
        try run.client().load(Self.lock, at: "lock", by: 7)
        #expect(run.value("lock") == Self.lock)
        #expect(run.value(#"lock.packages.\\e.version"#) == #""1.0.0""#)
        #expect(run.ask("get", #""path":["lock","packages","","version"]"#).contains(#""value":"1.0.0""#))
        #expect(run.value(#"lock.packages.node_modules\\/a\\.b.version"#) == #""2.0.0""#)
        #expect(run.value(#"lock.packages.node_modules/a\\.b.version"#) == #""2.0.0""#)
        _ = run.ask("bind", #""source":"lock.packages.\\e.version","target":"\\e""#)
        #expect(run.ask("bindings", "").contains(#""source":"lock.packages.\\e.version","target":"\\e""#))
        let dump = try run.client().dump()
        let before = run.dump
        try run.restart()
        #expect(run.dump == before)
        try run.snapshot()
        try run.kill()
        #expect(run.dump == before)
        _ = run.ask("set", #""path":"lock.packages.\\e.version","value":"1.0.1""#)
        #expect(run.value(#"\\e"#) == #""1.0.1""#)

        let copy = FakeClient(Hub.with([]), token: 1)
        try copy.load(dump)
        #expect(try copy.request("get", [("path", .string("lock"))])["value"] == Value(json: Self.lock))
        #expect(try copy.request("get", [("path", .string(#"\e"#))])["value"] == "1.0.0")
        copy.close()
    }

    @Test func `events, patterns, operators and refusals write the empty name as an escape`() {
        let talk = Conversation([("r", #"{"":{"":1,"a":2},"b/c":[{"":3},{"":4}]}"#)])
        talk.watch("r.**", #"r.*.\\e"#, #"r.b/c.@sum.\\e"#, #"r.\\e.*"#)
        talk.ask("set", #"{"path":"r.\\e.\\e","value":5}"#)
        #expect(
            talk.events() == [
                #""path":"r.\\e.\\e","reason":"valueChanged","new":5,"old":1,"revision":2"#,
                #""path":"r.\\e.\\e","reason":"valueChanged","new":5,"old":1,"revision":2"#,
                #""path":"r.\\e.\\e","reason":"valueChanged","new":5,"old":1,"revision":2"#,
            ]
        )
        talk.ask("set", #"{"path":"r.b/c.0.\\e","value":6}"#)
        #expect(
            talk.events() == [
                #""path":"r.b\\/c.@sum.\\e","reason":"valueChanged","new":10,"old":7,"revision":3"#,
                #""path":"r.b\\/c.0.\\e","reason":"valueChanged","new":6,"old":3,"revision":3"#,
            ]
        )
        #expect(
            talk.ask("get", #"{"path":["r","","",""]}"#)
                == #"{"value":null,"nilAt":"r.\\e.\\e","revision":3}"#
        )
        #expect(
            talk.refusal("set", #"{"path":"r.x\\[0].>.y","value":1}"#)
                == #"1 {"name":"notFound","path":"r.x\\[0]"}"#
        )
        for path in ["", "r.", ".r", "r..a"] {
            #expect(talk.refusal("get", #"{"path":"\#(path)"}"#) == "-32602")
        }
    }

    @Test func `rules and declared types have empty names`() throws {
        let tree = ModelTree()
        let type = TypeDeclaration(
            "Package",
            [PropertyDeclaration("", "Int"), PropertyDeclaration("a/b", "String")]
        )
        #expect(tree.declare([type]).isEmpty)
        try tree.declare(root: "", type: "[String: Package]")
        try tree.define(root: "", json: #"{"":{}}"#)
        #expect(tree.json(ofRoot: "") == #"{"":{"":0,"a/b":""}}"#)
        var message = ""
        do throws(TreeError) {
            _ = try ByteView.with("true") { (json) throws(TreeError) in
                try tree.set(try tree.parsed(#"\e.\e.\e"#), to: JSONView(validated: json))
            }
        } catch { message = error.message }
        #expect(message == #"\e.\e.\e: expected Int, found true"#)
    }
}
