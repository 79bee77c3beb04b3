// SPDX-License-Identifier: MIT
// Dumps for clients with a grant have only what `get` shows.

import Testing

@testable import ObserveCore

struct RestrictedDumpTests {
    /// A tree with temporary values over scalars, over a model, and over nothing.
    private func hub() -> (Hub, FakeClient) {
        let hub = Hub.with([("a", #"{"n":"hidden-n","k":{"deep":"hidden-k"},"weak":null}"#)])
        let owner = FakeClient(hub)
        for line in [
            #""link","params":{"path":"a.weak","target":"a.k","weak":true}"#,
            #""set","params":{"path":"a.n","value":"shown-n","lifetime":"connection"}"#,
            #""set","params":{"path":"a.k","value":{"x":"shown-k"},"lifetime":60000}"#,
            #""set","params":{"path":"a.new","value":{"y":"shown-new"},"lifetime":60000}"#,
        ] { #expect(owner.ask(#"{"id":1,"method":\#(line)}"#).last?.contains("result") == true) }
        return (hub, owner)
    }

    private func grant(_ path: String) -> Grant {
        Grant(read: [PathPrefix(path.isEmpty ? [] : [path])], write: [])
    }

    @Test(arguments: [(nil, ""), ("a", "a"), ("a", "")] as [(String?, String)])
    func `a dump leaves out shadowed values`(path: String?, granted: String) throws {
        let (hub, owner) = hub()
        #expect(try owner.dump(path).contains("hidden-k"))
        let text = try FakeClient(hub, token: 2, grant: grant(granted)).dump(path)
        #expect(!text.contains("hidden"), "\(text)")
        #expect(!text.contains(#""o":"#), "\(text)")
        for shown in ["shown-n", "shown-k", "shown-new"] { #expect(text.contains(shown)) }
        if path == nil {
            let other = Hub.with([])
            try FakeClient(other).load(text)
            #expect(
                other.tree.shape()
                    == "#0 a=#1\n#1 n=\"shown-n\" k=#2 weak~null new=#3\n#2 x=\"shown-k\"\n#3 y=\"shown-new\"\n"
            )
            #expect(other.tree.faults() == [])
        }
    }

    /// The view saves the old state of a property before a commit changes it.
    @Test func `so does a dump that is under way while values change`() throws {
        let (hub, owner) = hub()
        let long = String(repeating: "x", count: 400_000)
        _ = owner.ask(#"{"id":1,"method":"set","params":{"path":"a.first","value":"\#(long)"}}"#)
        _ = owner.ask(#"{"id":1,"method":"set","params":{"path":"b","value":{"n":"hidden-b"}}}"#)
        _ = owner.ask(
            #"{"id":1,"method":"set","params":{"path":"b.n","value":"shown-b","lifetime":60000}}"#
        )
        let guest = FakeClient(hub, token: 2, grant: grant(""))
        var answer = try guest.request("dump", [])
        #expect(answer["more"] == .bool(true))
        var text = answer["text"]?.string ?? ""
        _ = owner.ask(#"{"id":1,"method":"set","params":{"path":"b.n","value":"later"}}"#)
        _ = owner.ask(#"{"id":1,"method":"remove","params":{"path":"b"}}"#)
        var part: Int64 = 1
        while answer["more"] == .bool(true) {
            answer = try guest.request("dump", [("part", .int(part))])
            text += answer["text"]?.string ?? ""
            part += 1
        }
        #expect(text.contains("shown-b"))
        #expect(!text.contains("hidden") && !text.contains("later"))
    }
}
