// SPDX-License-Identifier: MIT
// explain: whole answers for each sort of place and cause. The oracle tests compare random trees.

import Testing

@testable import ObserveCore

@Suite struct ExplainTests {
    private let clock: TestClock
    private let hub: Hub
    private let client: FakeClient

    init() {
        let clock = TestClock()
        self.clock = clock
        hub = .with([], clock: clock)
        client = FakeClient(hub)
    }

    private func ask(_ method: String, _ params: String, _ client: FakeClient? = nil) -> String {
        let line =
            (client ?? self.client).ask(#"{"id":1,"method":"\#(method)","params":{\#(params)}}"#).last ?? ""
        return String(line.dropFirst(#"{"jsonrpc":"2.0","id":1,"#.count).dropLast())
    }

    private func computed(_ name: String, _ type: String, _ template: String) -> PropertyDeclaration {
        var declaration = PropertyDeclaration(name, type)
        declaration.computed = template
        return declaration
    }

    /// The `result`.
    private func explain(_ path: String, _ client: FakeClient? = nil) throws -> Value {
        let text = ask("explain", #""path":"\#(path)""#, client)
        let answer = try Value(json: "{\(text)}")
        return try #require(answer["result"], "\(text)")
    }

    private func member(_ name: String, of path: String, _ client: FakeClient? = nil) throws -> String {
        try explain(path, client)[name]?.json ?? "nothing"
    }

    @Test func `a property has its components, its last change and its observers`() throws {
        _ = ask("set", #""path":"app","value":{"player":{"title":"Alien"},"list":[{"n":1},2]}"#)
        _ = ask("link", #""path":"app.again","target":"app.player","weak":true"#)
        clock.pass(milliseconds: 25, in: hub)
        _ = ask("set", #""path":"app.player.title","value":"Brazil""#)
        #expect(
            ask("explain", #""path":"app.player.title""#)
                == #""result":{"path":"app.player.title","revision":3,"value":"Brazil","type":"Any","kind":"string","#
                + #""computed":false,"readonly":false,"components":["#
                + #"{"path":"app","kind":"model","type":"Any","instance":1,"weak":false,"#
                + #""holders":[{"path":"app","weak":false}],"furtherHolders":0},"#
                + #"{"path":"app.player","kind":"model","type":"Any","instance":2,"weak":false,"#
                + #""holders":[{"path":"app.player","weak":false},{"path":"app.again","weak":true}],"furtherHolders":0},"#
                + #"{"path":"app.player.title","kind":"string","type":"Any","weak":false,"holders":[],"furtherHolders":0}],"#
                + #""lastChange":{"revision":3,"time":"2023-11-14T22:13:21.025Z","origin":{"pid":1001,"uid":501}},"#
                + #""observers":{"exact":0,"below":0,"patterns":0},"feeds":[],"fedBy":[],"lifetimes":[],"#
                + #""because":{"revision":3,"steps":[{"path":"app.player.title","origin":{"pid":1001,"uid":501}}]}}"#
        )
        // A property of a new model is as old as the model.
        #expect(
            try member("lastChange", of: "app.list.0.n")
                == #"{"revision":1,"time":"2023-11-14T22:13:21.000Z","origin":{"pid":1001,"uid":501}}"#
        )
    }

    @Test func `an element has its array's last change, and nothing has none`() throws {
        _ = ask("set", #""path":"app","value":{"list":[1,2],"none":null}"#)
        _ = ask("set", #""path":"app.list.1","value":3"#)
        #expect(try explain("app.list.0")["lastChange"]?["revision"] == 2)
        #expect(try explain("app.none")["lastChange"]?["revision"] == 1)
        for path in ["app.list.2", "app.never", "app.none.x", "other"] {
            #expect(try member("lastChange", of: path) == "null")
            #expect(try member("value", of: path) == "null")
        }
        #expect(try member("nilAt", of: "app.none.x") == #""app.none""#)
        #expect(try explain("app.none.x")["components"]?.array?.count == 3)
        _ = ask("remove", #""path":"app.list""#)
        #expect(try member("lastChange", of: "app.list") == "null")
    }

    @Test func `bindings and computed properties feed and are fed`() throws {
        let film = TypeDeclaration(
            "Film",
            [
                PropertyDeclaration("title", "String"), PropertyDeclaration("year", "Int"),
                computed("label", "String", "{title} ({year})"),
            ]
        )
        #expect(hub.tree.declare([film]) == [])
        try hub.tree.declare(root: "film", type: "Film")
        _ = ask("set", #""path":"film","value":{"title":"Alien","year":1979}"#)
        _ = ask("bind", #""source":"film.label","target":"copy""#)
        _ = ask("bind", #""source":"film.year","target":"year","twoWay":true"#)
        _ = ask("set", #""path":"year","value":1980"#)
        #expect(
            try member("feeds", of: "film.year")
                == #"[{"binding":2,"path":"year"},{"computed":"film.label"}]"#
        )
        #expect(try member("fedBy", of: "film.year") == #"[{"binding":2,"path":"year"}]"#)
        #expect(try member("feeds", of: "film.label") == #"[{"binding":1,"path":"copy"}]"#)
        #expect(
            try member("fedBy", of: "film.label") == #"[{"computed":"film.title"},{"computed":"film.year"}]"#
        )
        #expect(try member("fedBy", of: "copy") == #"[{"binding":1,"path":"film.label"}]"#)
        #expect(
            try member("feeds", of: "film")
                == #"[{"binding":1,"path":"copy"},{"binding":2,"path":"year"}]"#
        )
        #expect(try member("feeds", of: "year") == #"[{"binding":2,"path":"film.year"}]"#)
        #expect(try explain("film.year")["lastChange"]?["origin"]?["binding"] == 2)
        #expect(try explain("copy")["lastChange"]?["origin"]?["binding"] == 1)
        #expect(try member("computed", of: "film.label") == "true")
        #expect(try explain("film.label")["lastChange"]?["origin"]?.json == #"{"pid":1001,"uid":501}"#)
    }

    @Test func `bindings are named where nothing stands yet`() throws {
        for (source, target) in [
            ("a.b.c", "t.u.v"), ("s", "text.x"), ("s", "t.new"), ("list.@count", "none"),
        ] {
            _ = ask("bind", #""source":"\#(source)","target":"\#(target)""#)
        }
        _ = ask("bind", #""source":"left.x","target":"right.y","twoWay":true"#)
        func check(_ expected: [(path: String, feeds: String, fedBy: String)], line: Int = #line) throws {
            for (path, feeds, fedBy) in expected {
                #expect(try member("feeds", of: path) == feeds, "\(line): \(path)")
                #expect(try member("fedBy", of: path) == fedBy, "\(line): \(path)")
            }
        }
        let nowhere = [
            ("a", #"[{"binding":1,"path":"t.u.v"}]"#, "[]"),
            ("a.b", #"[{"binding":1,"path":"t.u.v"}]"#, "[]"),
            ("a.b.c", #"[{"binding":1,"path":"t.u.v"}]"#, "[]"), ("a.b.c.d", "[]", "[]"), ("a.x", "[]", "[]"),
            ("t.u.v", "[]", #"[{"binding":1,"path":"a.b.c"}]"#), ("t.u", "[]", "[]"),
            ("t.new", "[]", #"[{"binding":3,"path":"s"}]"#), ("text.x", "[]", #"[{"binding":2,"path":"s"}]"#),
            ("list", #"[{"binding":4,"path":"none"}]"#, "[]"),
            ("left.x", #"[{"binding":5,"path":"right.y"}]"#, #"[{"binding":5,"path":"right.y"}]"#),
            ("right.y", #"[{"binding":5,"path":"left.x"}]"#, #"[{"binding":5,"path":"left.x"}]"#),
        ]
        try check(nowhere)
        // The bindings 2 and 3 fail now: a text has no properties, and null none either.
        _ = ask("set", #""path":"text","value":"x""#)
        _ = ask("set", #""path":"t","value":null"#)
        _ = ask("set", #""path":"s","value":5"#)
        #expect(
            ask("bindings", "").contains(
                #""binding":2,"source":"s","target":"text.x","twoWay":false,"failing":true"#
            )
        )
        try check(nowhere)
        _ = ask("set", #""path":"t","value":{}"#)
        _ = ask("set", #""path":"a","value":{"b":{"c":1}}"#)
        try check(Array(nowhere.dropFirst(3)))
        _ = ask("link", #""path":"alias","target":"t""#)
        #expect(try member("fedBy", of: "alias.new") == #"[{"binding":3,"path":"s"}]"#)
    }

    @Test func `a computed value that returns within a commit has not changed`() throws {
        let shelf = TypeDeclaration(
            "Shelf",
            [
                PropertyDeclaration("first", "Any"), PropertyDeclaration("second", "Any"),
                PropertyDeclaration("pick", "Any"), computed("now", "Any", "{pick}"),
            ]
        )
        #expect(hub.tree.declare([shelf]) == [])
        try hub.tree.declare(root: "shelf", type: "Shelf")
        _ = ask("set", #""path":"shelf","value":{"first":{"n":1},"second":{"n":2}}"#)
        _ = ask("link", #""path":"shelf.pick","target":"shelf.first""#)
        func operation(_ method: String, _ params: String) -> String {
            #"{"method":"\#(method)","params":{\#(params)}}"#
        }
        let operations = [
            operation("link", #""path":"shelf.pick","target":"shelf.second""#),
            // Follows the computed property, which is the second model for now.
            operation("set", #""path":"shelf.now.n","value":20"#),
            operation("link", #""path":"shelf.pick","target":"shelf.first""#),
        ]
        _ = ask("transaction", #""operations":[\#(operations.joined(separator: ","))]"#)
        #expect(try member("value", of: "shelf.second.n") == "20")
        #expect(try explain("shelf.pick")["lastChange"]?["revision"] == 3)
        #expect(try explain("shelf.now")["lastChange"]?["revision"] == 2)
    }

    @Test func `the lifetimes begin with what shows and end with the permanent value`() throws {
        let other = FakeClient(hub, token: 7)
        _ = ask("set", #""path":"v","value":50"#)
        #expect(try member("lifetimes", of: "v") == "[]")
        _ = ask("set", #""path":"v","value":20,"lifetime":"connection""#, other)
        _ = ask("set", #""path":"v","value":[1],"lifetime":100"#)
        clock.pass(milliseconds: 40, in: hub)
        #expect(
            try member("lifetimes", of: "v")
                == #"[{"value":[1],"origin":{"pid":1001,"uid":501},"ends":60},"#
                + #"{"value":20,"origin":{"pid":1007,"uid":507},"ends":"connection"},"#
                + #"{"value":50,"origin":{"pid":1001,"uid":501},"ends":"permanent"}]"#
        )
        #expect(
            try member("lifetimes", of: "v.0")
                == #"[{"value":1,"origin":{"pid":1001,"uid":501},"ends":60},"#
                + #"{"value":null,"origin":{"pid":1007,"uid":507},"ends":"connection"},"#
                + #"{"value":null,"origin":{"pid":1001,"uid":501},"ends":"permanent"}]"#
        )
        clock.pass(milliseconds: 60, in: hub)
        #expect(try explain("v")["lastChange"]?["origin"]?.json == #"{"lifetime":100}"#)
        _ = ask("set", #""path":"v","value":1"#)
        #expect(try member("lifetimes", of: "v") == "[]")
        // Nothing is below a new property.
        _ = ask("set", #""path":"w","value":1,"lifetime":"connection""#)
        #expect(
            try member("lifetimes", of: "w")
                == #"[{"value":1,"origin":{"pid":1001,"uid":501},"ends":"connection"},{"value":null,"ends":"permanent"}]"#
        )
    }

    @Test func `of many holders sixteen are listed`() throws {
        _ = ask("set", #""path":"app","value":{"one":{}}"#)
        for index in 0..<20 { _ = ask("link", #""path":"app.l\#(index)","target":"app.one""#) }
        let found = try explain("app.one")
        let component = try #require(found["components"]?.array?.last)
        #expect(component["holders"]?.array?.count == 16)
        #expect(component["holders"]?[0]?["path"] == "app.one")
        #expect(component["furtherHolders"] == 5)
    }

    @Test func `observers are counted by the way that they observe`() throws {
        _ = ask("set", #""path":"app","value":{"list":[1],"player":{"title":"x"}}"#)
        for path in [
            "app.player", "app.player", "app.player.title", "app.list.@count", "app.*", "app.**", "**",
            "*.*.title",
        ] {
            _ = ask("subscribe", #""path":"\#(path)","initial":false"#)
        }
        _ = ask("subscribe", #""paths":["app.player","x.*"],"initial":false"#)
        #expect(try member("observers", of: "app.player") == #"{"exact":3,"below":1,"patterns":3}"#)
        #expect(try member("observers", of: "app.player.title") == #"{"exact":1,"below":0,"patterns":3}"#)
        #expect(try member("observers", of: "app.list") == #"{"exact":0,"below":1,"patterns":3}"#)
        #expect(try member("observers", of: "app") == #"{"exact":0,"below":5,"patterns":2}"#)
        #expect(try member("observers", of: "none") == #"{"exact":0,"below":0,"patterns":1}"#)
    }

    @Test func `a restricted client sees what it may read, and that something is hidden`() throws {
        _ = ask("set", #""path":"app","value":{"open":{"x":1},"closed":{}}"#)
        _ = ask("link", #""path":"app.closed.open","target":"app.open""#)
        _ = ask("bind", #""source":"app.open.x","target":"secret""#)
        _ = ask("bind", #""source":"app.open.x","target":"app.open.y""#)
        _ = ask("set", #""path":"app.open.x","value":2,"lifetime":1000"#)
        let grant = Grant(read: [PathPrefix(["app", "open"])], write: [])
        let restricted = FakeClient(hub, token: 5, grant: grant)
        let found = try explain("app.open.x", restricted)
        #expect(found["components"]?.array?.compactMap { $0["path"]?.string } == ["app.open", "app.open.x"])
        #expect(found["components"]?[0]?["holders"]?.json == #"[{"path":"app.open","weak":false}]"#)
        #expect(found["feeds"]?.json == #"[{"binding":2,"path":"app.open.y"}]"#)
        #expect(found["lifetimes"]?.array?.count == 1)
        #expect(found["hidden"] == .bool(true))
        #expect(try member("hidden", of: "app.open.x") == "nothing")
        #expect(ask("explain", #""path":"app.closed""#, restricted).contains(#""code":5"#))
    }

    /// The answers are equal for one hidden part and for many, of each kind.
    @Test(arguments: [1, 2, 17, 120])
    func `no number in an answer depends on how much is hidden`(count: Int) throws {
        _ = ask("set", #""path":"open","value":{"item":{"n":1}}"#)
        _ = ask("set", #""path":"closed","value":{"list":[]}"#)
        let insert = #"{"method":"insert","params":{"path":"closed.list","target":"open.item"}}"#
        _ = ask(
            "transaction",
            #""operations":[\#(repeatElement(insert, count: count).joined(separator: ","))]"#
        )
        for number in 0..<count {
            _ = ask("bind", #""source":"open.item.n","target":"closed.n\#(number)""#)
            _ = ask("bind", #""source":"closed.n\#(number)","target":"open.item.m""#)
            if number < 100 {
                let owner = FakeClient(hub, token: 100 + UInt64(number))
                _ = ask("set", #""path":"open.item.n","value":5,"lifetime":"connection""#, owner)
            }
        }
        let guest = FakeClient(hub, token: 5, grant: Grant(read: [PathPrefix(["open"])], write: []))
        for path in ["open.item", "open.item.n", "open.item.m", "open"] {
            let found = try explain(path, guest)
            #expect(found["hidden"] == .bool(true), "\(path)")
            #expect(found["furtherFeeds"] == nil && found["furtherFedBy"] == nil, "\(path)")
            #expect(found["feeds"]?.array == [] && found["fedBy"]?.array == [], "\(path)")
            for component in found["components"]?.array ?? [] {
                #expect(component["furtherHolders"] == 0, "\(path)")
                #expect(component["holders"]?.array?.count ?? 0 <= 1, "\(path)")
            }
            #expect(found["lifetimes"]?.array?.count ?? 0 <= 1, "\(path)")
        }
    }

    @Test func `of what a restricted client may read, it learns how much is not listed`() throws {
        _ = ask("set", #""path":"open","value":{"one":{"n":1},"list":[]}"#)
        let insert = #"{"method":"insert","params":{"path":"open.list","target":"open.one"}}"#
        _ = ask("transaction", #""operations":[\#(repeatElement(insert, count: 30).joined(separator: ","))]"#)
        for index in 0..<103 { _ = ask("bind", #""source":"open.one.n","target":"open.t\#(index)""#) }
        let guest = FakeClient(hub, token: 5, grant: Grant(read: [PathPrefix(["open"])], write: []))
        for client in [client, guest] {
            let found = try explain("open.one.n", client)
            #expect(found["components"]?[1]?["holders"]?.array?.count == 16)
            #expect(found["components"]?[1]?["furtherHolders"] == 15)
            #expect(found["feeds"]?.array?.count == 100 && found["furtherFeeds"] == 3)
            #expect(found["hidden"] == nil)
        }
    }

    @Test func `the revision outlives the history, and the time and the origin do not`() throws {
        _ = ask("set", #""path":"old","value":1"#)
        for index in 0..<1001 { _ = ask("set", #""path":"new","value":\#(index)"#) }
        #expect(try member("lastChange", of: "old") == #"{"revision":1}"#)
        #expect(try explain("new")["lastChange"]?["origin"] != nil)
    }

    @Test func `operators and patterns are refused, and the daemon's own root has no commits`() throws {
        _ = ask("set", #""path":"app","value":{"list":[1]}"#)
        #expect(ask("explain", #""path":"app.list.@count""#).contains(#""code":3"#))
        #expect(ask("explain", #""path":"app.*""#).contains(#""code":-32602"#))
        #expect(ask("explain", "").contains("explain needs the param path"))
        let found = try explain("observed.connections")
        #expect(found["value"] == 1 && found["readonly"] == true && found["lastChange"] == .null)
    }

    // MARK: Restarts

    @Test(arguments: [false, true])
    func `the last change survives a restart`(isSnapshot: Bool) throws {
        let film = TypeDeclaration(
            "Film",
            [
                PropertyDeclaration("title", "String"), PropertyDeclaration("other", "String"),
                computed("label", "String", "<{title}>"),
            ]
        )
        let journaled = try JournaledHub(declaring: { tree in
            #expect(tree.declare([film]) == [])
            try tree.declare(root: "film", type: "Film")
        })
        journaled.hub.clients.writer.timeOfDay = { 1_700_000_000_123 }
        journaled.ask("set", #""path":"film","value":{"title":"a","other":"b"}"#)
        journaled.ask("set", #""path":"film.title","value":"c""#)
        journaled.ask("bind", #""source":"film.title","target":"copy""#)
        journaled.ask("set", #""path":"film.other","value":"d""#)
        journaled.ask("set", #""path":"film.title","value":"e","lifetime":60000"#, 2)
        if isSnapshot {
            try journaled.snapshot {
                journaled.ask("set", #""path":"film.title","value":"f","lifetime":90000"#, 3)
            }
        }
        let paths = ["film", "film.title", "film.other", "film.label", "copy"]
        let before = paths.map { journaled.ask("explain", #""path":"\#($0)""#) }
        try journaled.restart()
        for (path, before) in zip(paths, before) {
            let after = journaled.ask("explain", #""path":"\#(path)""#)
            guard isSnapshot else {
                #expect(after == before)
                continue
            }
            let (old, new) = (try Value(json: "{\(before)}"), try Value(json: "{\(after)}"))
            #expect(
                old["result"]?["lastChange"]?["revision"] == new["result"]?["lastChange"]?["revision"],
                "\(path)"
            )
            #expect(old["result"]?["lifetimes"] == new["result"]?["lifetimes"], "\(path)")
        }
        #expect(before[1].contains(#""time":"2023-11-14T22:13:20.123Z""#))
    }

    // MARK: Times

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"), (951_868_800_000, "2000-03-01T00:00:00.000Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (4_107_456_000_000, "2100-02-28T00:00:00.000Z"),
            (1_735_689_599_001, "2024-12-31T23:59:59.001Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ] as [(Int64, String)]
    )
    func `times are written after RFC 3339`(milliseconds: Int64, text: String) {
        let out = ByteBuffer()
        out.append(rfc3339: milliseconds)
        #expect(out.string == text)
    }
}
