// SPDX-License-Identifier: MIT
// Requests with conditions and choices: access, replays that take too long, and limits.

import Testing

@testable import ObserveCore

@Suite struct SelectionRequestTests {
    private func code(_ client: FakeClient, _ path: String, method: String = "get") -> String {
        let line = client.ask(
            #"{"id":1,"method":"\#(method)","params":{"path":\#(Value.string(path).json)}}"#
        )
        let answer = (try? Value(json: line.first ?? "")) ?? .null
        return answer["error"].map { "\($0["code"]?.json ?? "") \($0["data"]?["path"]?.string ?? "")" }
            ?? "ok"
    }

    @Test func `a condition needs read for the whole of its component`() throws {
        let hub = try SelectionTranscriptTests.client().hub
        let grant = Grant(
            read: [PathPrefix(["hall", "celsius"]), PathPrefix(["media", "players"])],
            write: [PathPrefix(["hall", "celsius"])]
        )
        let client = FakeClient(hub, token: 2, grant: grant)
        #expect(code(client, "hall.celsius") == "ok")
        #expect(code(client, "hall[away].celsius") == "5 hall[away].celsius")
        #expect(code(client, "hall[unknown].celsius") == "5 hall[unknown].celsius")
        #expect(code(client, "hall.celsius[. > 1]") == "ok")
        #expect(code(client, "media.players.vlc[status == 'Playing'].title") == "ok")
        #expect(code(client, "media.players.*[status == 'Playing'].title", method: "subscribe") == "ok")
        #expect(code(client, "media.players.@latest[status == 'Playing'].title") == "ok")
        #expect(code(client, "media.@first[players != null]") == "5 media.@first[players != null]")
        #expect(
            code(client, "media[line == 'x'].players.vlc.title") == "5 media[line == 'x'].players.vlc.title"
        )
    }

    @Test func `explain tells no other client's conditions`() {
        let hub = Hub.with([("r", #"{"a":{"on":true,"x":1}}"#)])
        let other = FakeClient(hub, token: 2)
        _ = other.ask(#"{"id":1,"method":"subscribe","params":{"paths":["r.a[on].x","r.@latest[on].x"]}}"#)
        let explained = FakeClient(hub).ask(#"{"id":1,"method":"explain","params":{"path":"r.a.x"}}"#)
        #expect(explained.joined().contains(#""holders":[{"path":"r.a","weak":false}]"#), "\(explained)")
    }

    /// It looks at all elements twice: before it changes anything, and to observe them.
    @Test func `a subscription to an operator over many elements has two turns, and others write between`() {
        let lights = (0..<200).map { #""l\#($0)":{"on":true}"# }.joined(separator: ",")
        let hub = Hub.with([("r", "{\(lights)}")])
        let (client, other) = (FakeClient(hub, token: 1), FakeClient(hub, token: 2))
        func set(_ on: Bool) -> String {
            #"{"id":9,"method":"set","params":{"path":"r.l7.on","value":\#(on)}}"#
        }
        let line = #"{"id":1,"method":"subscribe","params":{"path":"r.@count[on]"}}"#
        for (text, isBatch) in [(line + "\n", false), ("[\(line)]\n", true)] {
            _ = other.ask(set(true))
            var turns = 1
            client.send(text, turn: 100) {
                turns += 1
                _ = other.ask(set(false))
            }
            let lines = client.take()
            #expect(turns == 2 && lines.count == 2, "\(lines)")
            #expect(lines[0].contains(#""revision":\#(hub.tree.reader.revision),"#), "\(lines)")
            #expect(lines[0].hasPrefix("[") == isBatch)
            #expect(lines[1].contains(#""path":"r.@count[on]","reason":"initial","new":199,"#), "\(lines)")
            for number in 1...2 {
                _ = client.ask(#"{"id":2,"method":"unsubscribe","params":{"subscription":\#(number)}}"#)
            }
        }
        // An operator over few elements is observed at once.
        var turns = 1
        client.send(line.replacing("r.@count[on]", with: "r.l7.@count[.]") + "\n", turn: 100) { turns += 1 }
        #expect(turns == 1 && client.take().count == 2)
    }

    /// Each condition counts what it reads itself.
    @Test func `conditions count no bytes that others have read`() {
        let text = String(repeating: "y", count: 900_000)
        let lights = Array(repeating: #"{"on":true,"name":"twenty bytes of a name"}"#, count: 1000)
        let client = FakeClient(
            Hub.with([
                ("docs", #"[{"text":"\#(text)"}]"#),
                ("rooms", #"[{"lights":[\#(lights.joined(separator: ","))]}]"#),
            ])
        )
        func get(_ path: String) -> String {
            client.ask(#"{"id":1,"method":"get","params":{"path":"\#(path)"}}"#).joined()
        }
        for (path, value) in [
            ("docs.@count[contains(text, 'x')]", 0), ("rooms.0.lights.@count[on]", 1000),
            ("rooms.@count[lights.@count[contains(name, 'of')] > 0]", 1),
        ] {
            #expect(get(path).contains(#""result":{"value":\#(value),"#), "\(path): \(get(path))")
        }
        client.close()
    }

    /// The oracle found it: another client's literal path has the node that the pattern comes to match.
    @Test(arguments: [#"{"m":{"k":1,"z":2}}"#, #"[{"k":1,"z":2}]"#])
    func `a pattern hears of a path that another client observes already`(value: String) {
        let hub = Hub.with([("a", "{}")])
        let (client, other) = (FakeClient(hub, token: 1), FakeClient(hub, token: 2))
        let name = value.hasPrefix("[") ? "0" : "m"
        other.send(#"{"method":"subscribe","params":{"path":"a.\#(name)[k == 1].z","initial":false}}"#)
        client.send(#"{"method":"subscribe","params":{"path":"a.*[k == 1].z","initial":false}}"#)
        for text in [value, "{}", value] {
            _ = other.ask(#"{"id":1,"method":"set","params":{"path":"a","value":\#(text)}}"#)
        }
        let values = client.take().compactMap { try? Value(json: $0)["params"]?["new"] }
        #expect(values == [2, .null, 2])
    }

    /// Such an event would say which other properties there were.
    @Test func `the end of a root has events for the matches of a pattern alone`() throws {
        let hub = Hub.with([("r", #"{"a":{"k":1,"x":1},"b":{"k":2,"x":2},"c":null}"#)])
        let (client, literal) = (FakeClient(hub, token: 1), FakeClient(hub, token: 2))
        let begin = #"{"id":1,"method":"subscribe","params":{"paths":["r.*[k == 1].x","r.*[k == 1]"]"#
        _ = client.ask(begin + #","initial":false}}"#)
        literal.send(#"{"method":"subscribe","params":{"path":"r.b[k == 1].x","initial":false}}"#)
        let revision = hub.tree.revision
        let lines = client.ask(#"{"id":2,"method":"remove","params":{"path":"r"}}"#)
        func paths(_ lines: [String]) -> [String] {
            lines.compactMap { try? Value(json: $0)["params"]?["path"]?.string }.sorted()
        }
        #expect(paths(lines) == ["r.a[k == 1]", "r.a[k == 1].x"])
        #expect(paths(literal.take()) == ["r.b[k == 1].x"])
        let since = #"{"epoch":"\#(hub.journaling.epoch)","revision":\#(revision)}"#
        #expect(paths(FakeClient(hub, token: 3).ask(begin + #","since":\#(since)}}"#)) == paths(lines))
    }

    @Test func `a replay with too many evaluations does not resume`() throws {
        let members = (0..<1000).map { #""p\#($0)":{"on":false}"# }.joined(separator: ",")
        let text = String(repeating: "x", count: 200_000)
        let client = FakeClient(Hub.with([("r", "{\(members)}"), ("t", #"{"s":"\#(text)"}"#)]))
        for index in 0..<200 { client.send(#"{"method":"set","params":{"path":"n","value":\#(index)}}"#) }
        let last = client.hub.tree.revision
        func resumes(_ path: String, commits: UInt64) -> Bool {
            let since = #"{"epoch":"\#(client.hub.journaling.epoch)","revision":\#(last - commits)}"#
            let request = #"{"id":1,"method":"subscribe","params":{"path":"\#(path)","since":\#(since)}}"#
            return client.ask(request).first?.contains(#""resumed":true"#) == true
        }
        #expect(resumes("r.*[on == true]", commits: 100))
        #expect(!resumes("r.*[on == true]", commits: 101))
        // What takes long counts as several: a search, and a look at all elements.
        #expect(resumes("t[contains(s, 'y')].s", commits: 50))
        #expect(!resumes("t[contains(s, 'y')].s", commits: 200))
        #expect(resumes("r.@count[on]", commits: 100))
        #expect(!resumes("r.@latest[on == true || p1 == true].on", commits: 200))
        #expect(client.hub.tree.faults().isEmpty)
    }

    @Test func `many conditions of one pattern cost a change what it touches`() {
        let members = (0..<10_000).map { #""p\#($0)":{"on":false,"x":0}"# }.joined(separator: ",")
        let client = FakeClient(Hub.with([("r", "{\(members)}")]))
        let lines = client.ask(#"{"id":1,"method":"subscribe","params":{"path":"r.*[on].x"}}"#)
        #expect(lines.first?.contains(#""initial":0"#) == true)
        let tree = client.hub.tree
        let before = (updates: tree.dependents.updateCount, compared: tree.notification.comparedNodes)
        let said = client.ask(#"{"id":2,"method":"set","params":{"path":"r.p77.on","value":true}}"#)
        #expect(said.first?.contains(#""path":"r.p77[on].x","reason":"pathChanged","new":0"#) == true)
        #expect(tree.dependents.updateCount == before.updates &+ 1)
        #expect(tree.notification.comparedNodes <= before.compared &+ 1)
    }

    @Test func `a pattern with a long condition gets on in each turn`() {
        let members = (0..<500).map { #""p\#($0)":{"n":\#($0)}"# }.joined(separator: ",")
        let client = FakeClient(Hub.with([("r", "{\(members)}")]))
        let condition = (0..<300).map { "n == \($0)" }.joined(separator: " || ")
        var turns = 0
        client.send(
            #"{"id":1,"method":"subscribe","params":{"path":"r.*[\#(condition)].n"}}"# + "\n",
            turn: 10_000
        ) {
            turns += 1
            // Would never end.
            if turns > 1000 { client.hub.clients.sessions.turns.turn = .max >> 1 }
        }
        #expect(client.take().count == 301)
        #expect(turns < 200)
    }

    @Test func `conditions read a bounded number of bytes`() {
        let text = String(repeating: "x", count: 100_000)
        let members = (0..<1000).map { #""p\#($0)":{"on":true}"# }.joined(separator: ",")
        let client = FakeClient(Hub.with([("t", #"{"s":"\#(text)"}"#), ("r", "{\(members)}")]))
        for index in 0..<1000 {
            client.send(#"{"method":"link","params":{"path":"r.p\#(index).t","target":"t"}}"#)
        }
        let condition = "contains(t.s, 'y')"
        #expect(code(client, "r.@count[\(condition)]") == "6 r.@count[\(condition)]")
        #expect(code(client, "r.p1[\(condition)]") == "ok")
    }

    @Test(arguments: [
        "", ".x", ".m.k", ".list", ".list.0", ".list.@count", ".m.@sum", ".m[k == 1].k", ".list.@first",
        ".m.*", ".*.k",
        ".m.**",
    ])
    func `events of a condition that reads too much are truncated, and so are those below it`(rest: String)
        throws
    {
        var limits = ServerLimits()
        limits.tree.maxElements = 64
        let value = #"{"s":"y","x":1,"m":{"k":1},"list":[1,2]}"#
        for component in ["a[contains(s, 'y')]", "@first[contains(s, 'y')]", "*[contains(s, 'y')]"] {
            let client = FakeClient(Hub.with([("r", #"{"a":\#(value)}"#)], limits: limits))
            func set(_ text: String) throws -> [Value] {
                let lines = client.ask(
                    #"{"id":1,"method":"set","params":{"path":"r.a.s","value":"\#(text)"}}"#
                )
                return try lines.compactMap { try Value(json: $0)["params"] }
            }
            let path = "r.\(component)\(rest)"
            let subscribed = client.ask(
                #"{"id":1,"method":"subscribe","params":{"path":"\#(path)"}}"#
            )
            let values = try subscribed.dropFirst().map { try Value(json: $0)["params"] }
            #expect(!values.isEmpty, "\(path)")
            let long = try set(String(repeating: "x", count: 100_000) + "y")
            #expect(
                long.count == values.count && long.allSatisfy { $0["truncated"] == true },
                "\(path) \(long)"
            )
            #expect(client.hub.tree.faults() == [], "\(path)")
            let short = try set("yy")
            #expect(short.count == values.count, "\(path) \(short)")
            if !rest.isEmpty { #expect(short.map { $0["new"] } == values.map { $0?["new"] }, "\(path)") }
            #expect(client.hub.tree.faults() == [], "\(path)")
        }
    }

    @Test(arguments: [
        "m.@count > 1", "m.@count[on] > 1", "m.@sum.x > 9", "m.@first == null", "m.@latest[on] == null",
        "m.@first[on] == null && list.@first[. > 0] == 1", "own.@count[m.@first == null] > 0",
    ])
    func `a condition with an operator over too many elements has no value`(_ condition: String) throws {
        var limits = ServerLimits()
        limits.tree.maxElements = 20
        func model(_ count: Int) -> String {
            "{" + (0..<count).map { #""p\#($0)":{"on":true,"x":1}"# }.joined(separator: ",") + "}"
        }
        let root = #"{"k":1,"m":\#(model(2)),"list":[1],"own":{"a":{}}}"#
        let client = FakeClient(Hub.with([("r", root), ("out", #"{"k":5}"#)], limits: limits))
        func changes(_ method: String, _ params: String) throws -> [Value] {
            let lines = client.ask(#"{"id":1,"method":"\#(method)","params":{\#(params)}}"#)
            return try lines.compactMap { try Value(json: $0)["params"] }
        }
        _ = try changes("link", #""path":"r.own.a.m","target":"r.m""#)
        let path = "r[\(condition)].k"
        let first = try changes("subscribe", #""path":"\#(path)""#)
        #expect(first.count == 1 && first[0]["truncated"] == nil)
        _ = try changes("bind", #""source":"\#(path)","target":"out.k""#)
        let carried = client.hub.tree.json(ofRoot: "out")
        let many = model(21)
        let replace = #"{"method":"set","params":{"path":"r.m","value":\#(many)}}"#
        let share = #"{"method":"link","params":{"path":"r.own.a.m","target":"r.m"}}"#
        let beyond = try changes("transaction", #""operations":[\#(replace),\#(share)]"#)
        #expect(beyond.count == 1 && beyond[0]["truncated"] == true, "\(beyond)")
        #expect(code(client, path).hasPrefix("6 "))
        #expect(client.hub.tree.failingBindings == 1)
        #expect(client.hub.tree.json(ofRoot: "out") == carried)
        let few = try (2..<21).flatMap { try changes("remove", #""path":"r.m.p\#($0)""#) }
        #expect(few.last?["truncated"] == nil && few.last?["new"] == first[0]["new"], "\(few)")
        #expect(client.hub.tree.failingBindings == 0 && client.hub.tree.faults() == [])
    }

    @Test
    func `the conditions of one request are bounded together, and those of each path of a subscription`() {
        let client = FakeClient(Hub.with([("r", #"{"n":1}"#)]))
        let condition = "n == 1" + String(repeating: " && n", count: 198)
        func answer(_ method: String, _ count: Int) -> Value {
            let path = Value.string("r[\(condition)].n").json
            let paths = Array(repeating: path, count: count).joined(separator: ",")
            let lines = client.ask(#"{"id":1,"method":"\#(method)","params":{"paths":[\#(paths)]}}"#)
            return (try? Value(json: lines.first ?? "")) ?? .null
        }
        #expect(answer("get", 32)["error"] == nil)
        let error = answer("get", 34)["error"]
        #expect(error?["code"] == 6 && error?["data"]?["column"] == 3)
        #expect(
            error?["message"]
                == "the param paths: column 3: the conditions of one request have at most 32768 bytes together: send several"
        )
        #expect(answer("get", 32)["error"] == nil)
        #expect(answer("subscribe", 100)["result"]?["initial"] == 1)
    }

    @Test func `a path in a condition has at most as many components as others`() {
        let client = FakeClient(Hub.with([("r", "{}")]))
        let path = Array(repeating: "a", count: 64).joined(separator: ".")
        #expect(code(client, "r[\(path)].x") == "ok")
        #expect(code(client, "r[\(path).a].x") == "6 ")
        #expect(code(client, "r[a[\(path).a]].x") == "6 ")
    }

    @Test func `templates are checked through conditions and choices`() throws {
        let tree = ModelTree()
        let player = TypeDeclaration("P", "status: String", "title: String?")
        let faulty = TypeDeclaration(
            "M",
            "players: [String: P]",
            "now: computed P? = {players.@latest[statsu == 'x']}",
            "title: computed Int = {players.@first.title}",
            "many: computed Int = {players.@count[status == 'x']}"
        )
        #expect(
            tree.declare([player, faulty]).map(\.message) == [
                "column 18: statsu: P has no property statsu; did you mean status?",
                "column 2: expected Int, and the expression is String?",
            ]
        )
        let cyclic = TypeDeclaration(
            "N",
            "list: [N]",
            "a: computed N? = {list.@first[b]}",
            "b: computed Bool = {a == null}"
        )
        #expect(
            ModelTree().declare([cyclic]).contains { $0.message.contains("needs itself: N.a → N.b → N.a") }
        )
    }
}
