// SPDX-License-Identifier: MIT
// A client with few grants, method by method. A refusal reveals nothing.

import Testing

@testable import ObserveCore

struct AccessTests {
    private static let roots = [
        ("app", #"{"volume":50,"title":"Alien","player":{"name":"x"},"list":[{"w":1},{"w":2}],"none":null}"#),
        ("mine", #"{"n":1,"list":[]}"#),
        ("secret", #"{"key":"k","n":1,"list":[1,2],"in":{"x":1}}"#),
    ]

    private func hub() -> Hub {
        let hub = Hub.with(AccessTests.roots)
        hub.journaling.epoch = "epoch"
        return hub
    }

    private func grant(read: [String] = [], write: [String] = []) -> Grant {
        func prefixes(_ texts: [String]) -> [PathPrefix] {
            texts.map { PathPrefix($0.split(separator: ".").map(String.init)) }
        }
        return Grant(read: prefixes(read), write: prefixes(write))
    }

    /// Reads `app`, writes its volume; reads and writes `mine`; writes `app.player` and `secret.in`'s below.
    private func guest(of hub: Hub, token: UInt64 = 2) -> FakeClient {
        let grant = grant(read: ["app", "mine"], write: ["app.volume", "app.none", "mine", "secret.in.x"])
        return FakeClient(hub, token: token, grant: grant)
    }

    private func ask(_ client: FakeClient, _ method: String, _ params: String) -> String {
        let said = client.ask(#"{"id":1,"method":"\#(method)","params":\#(params)}"#)
        return said.first.map { String($0.dropFirst(#"{"jsonrpc":"2.0","id":1,"#.count).dropLast()) }
            ?? "nothing"
    }

    private func denied(_ path: String, _ verb: String, operation: Int? = nil) -> String {
        let index = operation.map { #","operation":\#($0)"# } ?? ""
        return
            #""error":{"code":5,"message":"\#(path) may not be \#(verb) by this client","data":{"name":"accessDenied","path":"\#(path)"\#(index)}}"#
    }

    // MARK: Refusals

    private static let refused: [(String, String, String, String)] = [
        ("get", #"{"path":"secret"}"#, "secret", "read"),
        ("get", #"{"path":"secret.key"}"#, "secret.key", "read"),
        ("get", #"{"path":["secret","list",0]}"#, "secret.list.0", "read"),
        ("get", #"{"path":"secret.list.@count"}"#, "secret.list.@count", "read"),
        ("get", #"{"path":"secret.in.x"}"#, "secret.in.x", "read"),
        ("describe", #"{"path":"secret"}"#, "secret", "read"),
        ("dump", #"{"path":"secret"}"#, "secret", "read"),
        ("subscribe", #"{"path":"secret.key"}"#, "secret.key", "read"),
        ("subscribe", #"{"paths":["app.volume","secret.key"]}"#, "secret.key", "read"),
        ("subscribe", #"{"path":"secret.**"}"#, "secret.**", "read"),
        ("subscribe", #"{"path":"**"}"#, "**", "read"),
        ("subscribe", #"{"path":"*"}"#, "*", "read"),
        ("subscribe", #"{"path":"*.volume"}"#, "*.volume", "read"),
        ("subscribe", #"{"path":"secret.key","since":{"epoch":"x","revision":1}}"#, "secret.key", "read"),
        ("set", #"{"path":"app.title","value":1}"#, "app.title", "written"),
        ("set", #"{"path":"app","value":{}}"#, "app", "written"),
        ("set", #"{"path":"secret.key","value":"k"}"#, "secret.key", "written"),
        ("set", #"{"path":"new","value":1}"#, "new", "written"),
        ("set", #"{"path":"observed.revision","value":1}"#, "observed.revision", "written"),
        ("set", #"{"path":"app.title","value":1,"lifetime":10}"#, "app.title", "written"),
        ("set", #"{"path":"secret.in.x","value":2,"ifValue":1}"#, "secret.in.x", "read"),
        ("set", #"{"path":"secret.in.x","value":2,"ifRevision":9}"#, "secret.in.x", "read"),
        ("merge", #"{"path":"app","value":{"volume":1}}"#, "app", "written"),
        ("merge", #"{"path":"secret.in.x","value":{},"ifRevision":0}"#, "secret.in.x", "read"),
        ("remove", #"{"path":"app.title"}"#, "app.title", "written"),
        ("remove", #"{"path":"secret"}"#, "secret", "written"),
        ("insert", #"{"path":"app.list","value":1}"#, "app.list", "written"),
        ("insert", #"{"path":"mine.list","target":"secret.in"}"#, "secret.in", "read"),
        ("increment", #"{"path":"secret.n"}"#, "secret.n", "written"),
        ("increment", #"{"path":"secret.in.x","ifValue":1}"#, "secret.in.x", "read"),
        ("link", #"{"path":"app.player","target":"app.list.0"}"#, "app.player", "written"),
        ("link", #"{"path":"mine.x","target":"secret.in"}"#, "secret.in", "read"),
        ("link", #"{"path":"mine.x","target":"secret","weak":true}"#, "secret", "read"),
        ("bind", #"{"source":"secret.key","target":"mine.x"}"#, "secret.key", "read"),
        ("bind", #"{"source":"secret.list.@count","target":"mine.x"}"#, "secret.list.@count", "read"),
        ("bind", #"{"source":"mine.n","target":"app.title"}"#, "app.title", "written"),
        ("bind", #"{"source":"app.title","target":"mine.x","twoWay":true}"#, "app.title", "written"),
        ("bind", #"{"source":"mine.n","target":"secret.in.x","twoWay":true}"#, "secret.in.x", "read"),
        ("load", #"{"path":"app.title","text":"1"}"#, "app.title", "written"),
        ("load", #"{"path":"app.title","text":"no JSON","last":false}"#, "app.title", "written"),
    ]

    @Test(arguments: refused)
    func `the hub refuses a request by its path`(
        method: String,
        params: String,
        path: String,
        verb: String
    ) {
        let hub = hub()
        let guest = guest(of: hub)
        let revision = hub.tree.revision
        #expect(ask(guest, method, params) == denied(path, verb))
        #expect(hub.tree.revision == revision)
        #expect(guest.session.subscriptions.count == 0)
        // The refusal does not show whether the value exists, or its type.
        let empty = Hub.with([])
        #expect(ask(self.guest(of: empty), method, params) == denied(path, verb))
        // For an unrestricted client the hub executes the request, or refuses it for another reason.
        #expect(!ask(FakeClient(hub, token: 3), method, params).contains(#""code":5"#))
    }

    @Test func `a refused operation undoes its transaction`() {
        let hub = hub()
        let guest = guest(of: hub)
        let operations =
            #"{"operations":[{"method":"set","params":{"path":"app.volume","value":1}},{"method":"set","params":{"path":"app.title","value":1}}]}"#
        #expect(ask(guest, "transaction", operations) == denied("app.title", "written", operation: 1))
        #expect(ask(guest, "get", #"{"path":"app.volume"}"#) == #""result":{"value":50,"revision":3}"#)
    }

    @Test func `only a client with all grants dumps and loads the whole tree`() throws {
        let hub = hub()
        let text = try FakeClient(hub).dump()
        let quoted = Value.string(text).json
        let dump =
            #""error":{"code":5,"message":"only a client that may read everything can dump all roots","data":{"name":"accessDenied","path":""}}"#
        let load =
            #""error":{"code":5,"message":"only a client that may read and write everything can load a dump","data":{"name":"accessDenied","path":""}}"#
        let guest = guest(of: hub)
        #expect(ask(guest, "dump", "{}") == dump)
        #expect(ask(guest, "load", #"{"text":\#(quoted)}"#) == load)
        let reader = FakeClient(hub, token: 3, grant: grant(read: [""]))
        #expect(try reader.dump() == text)
        #expect(ask(reader, "load", #"{"text":\#(quoted)}"#) == load)
        let writer = FakeClient(hub, token: 4, grant: grant(write: [""]))
        #expect(ask(writer, "dump", "{}") == dump)
        #expect(ask(writer, "load", #"{"text":\#(quoted)}"#) == load)
        let both = FakeClient(hub, token: 5, grant: grant(read: [""], write: [""]))
        #expect(ask(both, "load", #"{"text":\#(quoted)}"#).contains(#""changed":true"#))
    }

    /// Set makes parents below a grant only.
    @Test func `set makes parents only below a grant`() {
        let hub = Hub.with([("app", #"{"a":null}"#)])
        let client = FakeClient(hub, token: 2, grant: grant(write: ["app.a.b", "new"]))
        let deep = #"{"path":"app.a.b.c.d","value":1,"parents":true}"#
        let hidden = "app.a.b.c.d can't be written like this now, and this client may not read why"
        #expect(ask(client, "set", deep).contains(hidden))
        let reader = FakeClient(hub, token: 3, grant: grant(read: ["app"], write: ["app.a.b"]))
        #expect(ask(reader, "set", deep) == denied("app.a", "written"))
        let owner = FakeClient(hub)
        _ = ask(owner, "set", #"{"path":"app.a","value":{}}"#)
        #expect(ask(client, "set", deep) == #""result":{"revision":3}"#)
        #expect(
            ask(client, "set", #"{"path":"new.a.b","value":1,"parents":true}"#)
                == #""result":{"revision":4}"#
        )
        #expect(
            ask(owner, "get", #"{"path":"app"}"#)
                == #""result":{"value":{"a":{"b":{"c":{"d":1}}}},"revision":4}"#
        )
    }

    // MARK: Granted requests

    @Test(arguments: [
        ("get", #"{"path":"app.volume"}"#, #""value":50"#),
        ("get", #"{"path":"app.list.@sum.w"}"#, #""value":3"#),
        ("get", #"{"path":"app.nothing.here"}"#, #""nilAt":"app.nothing""#),
        ("describe", #"{"path":"app.list"}"#, #""kind":"array""#),
        ("dump", #"{"path":"app.player"}"#, #""more":false"#),
        ("subscribe", #"{"path":"app.volume"}"#, #""initial":1"#),
        ("subscribe", #"{"paths":["app.**","mine.*"]}"#, #""initial":3"#),
        ("set", #"{"path":"app.volume","value":1}"#, #""changed":true"#),
        ("set", #"{"path":"app.volume","value":1,"ifValue":50}"#, #""changed":true"#),
        ("set", #"{"path":"mine.a.b","value":2,"parents":true}"#, #""changed":true"#),
        ("set", #"{"path":"mine","value":2,"lifetime":"connection"}"#, #""changed":true"#),
        ("merge", #"{"path":"mine","value":{"n":2}}"#, #""changed":true"#),
        ("remove", #"{"path":"mine"}"#, #""changed":true"#),
        ("insert", #"{"path":"mine.list","target":"app.player"}"#, #""changed":true"#),
        ("increment", #"{"path":"app.volume","by":2}"#, #""changed":true,"value":52"#),
        ("link", #"{"path":"mine.x","target":"app.player"}"#, #""changed":true"#),
        ("bind", #"{"source":"app.title","target":"mine.x"}"#, #""binding":1"#),
        ("bind", #"{"source":"mine.n","target":"app.volume","twoWay":true}"#, #""binding":1"#),
        ("bind", #"{"source":"app.title","target":"secret.in.x"}"#, #""binding":1"#),
        ("load", #"{"path":"mine","text":"1"}"#, #""changed":true"#),
        ("ping", "{}", "{}"),
        ("get", #"{"path":"observed.revision"}"#, #""value":3"#),
        ("subscribe", #"{"path":"observed.connections"}"#, #""initial":1"#),
        ("subscribe", #"{"path":"observed.**"}"#, #""initial":1"#),
    ])
    func `the hub executes granted requests as usual`(method: String, params: String, part: String) {
        let said = ask(guest(of: hub()), method, params)
        #expect(said == ask(FakeClient(hub()), method, params))
        #expect(said.contains(part), "\(said)")
    }

    @Test func `a client without a grant to read gets only the revision of its write`() {
        let guest = guest(of: hub())
        #expect(ask(guest, "increment", #"{"path":"secret.in.x"}"#) == #""result":{"revision":4}"#)
        #expect(ask(guest, "get", #"{"path":"secret.in.x"}"#) == denied("secret.in.x", "read"))
        // With a grant to read, a conflict shows the found value.
        let conflict = ask(guest, "set", #"{"path":"app.volume","value":1,"ifValue":2}"#)
        #expect(conflict.contains(#""name":"conflict","path":"app.volume","value":50"#), "\(conflict)")
    }

    @Test func `the list of roots shows those with a readable path`() {
        let hub = hub()
        let names = { (client: FakeClient) in
            ask(client, "describe", #"{"path":""}"#).matches(of: /"name":"(\w+)"/).map { String($0.1) }
        }
        #expect(names(FakeClient(hub)) == ["app", "mine", "secret"])
        #expect(names(guest(of: hub)) == ["app", "mine"])
        let partly = FakeClient(hub, token: 3, grant: grant(read: ["secret.in", "gone"], write: ["app"]))
        #expect(names(partly) == ["secret"])
        #expect(ask(partly, "describe", #"{"path":""}"#).contains(#""count":1,"#))
        #expect(names(FakeClient(hub, token: 4, grant: grant(read: [""]))) == ["app", "mine", "secret"])
        #expect(names(FakeClient(hub, token: 5, grant: grant(write: [""]))) == [])
    }

    @Test func `reading both ends shows a binding, and writing its target may end it`() {
        let hub = hub()
        let owner = FakeClient(hub)
        for (source, target) in [
            ("secret.key", "mine.x"), ("mine.n", "app.title"), ("mine.n", "secret.in.x"),
        ] {
            _ = ask(owner, "bind", #"{"source":"\#(source)","target":"\#(target)"}"#)
        }
        let guest = guest(of: hub)
        #expect(
            ask(guest, "bindings", "{}")
                == #""result":{"bindings":[{"binding":2,"source":"mine.n","target":"app.title","twoWay":false,"failing":false}]}"#
        )
        let refusal = { (number: Int, path: String) in
            #""error":{"code":5,"message":"the target of binding \#(number) may not be written by this client","data":{"name":"accessDenied"\#(path)}}"#
        }
        #expect(ask(guest, "unbind", #"{"binding":2}"#) == refusal(2, #","path":"app.title""#))
        #expect(ask(guest, "unbind", #"{"binding":1}"#) == #""result":{}"#)
        #expect(ask(guest, "unbind", #"{"binding":3}"#) == #""result":{}"#)
        let other = FakeClient(hub, token: 3, grant: grant(read: ["mine"]))
        #expect(ask(other, "unbind", #"{"binding":2}"#) == refusal(2, ""))
        #expect(ask(other, "unbind", #"{"binding":9}"#).contains(#""code":1"#))
        #expect(ask(other, "bindings", "{}") == #""result":{"bindings":[]}"#)
    }

    /// Also members of later versions must not name a client, a path or a file.
    @Test func `the daemon shows other users only totals`() throws {
        let hub = hub()
        let guest = guest(of: hub)
        let status = try guest.request("status", [])
        let numbers: Set = [
            "revision", "uptime", "connections", "subscriptions", "models", "bindings", "bindingsFailing",
            "bindingWritesFailed", "eventsSent", "eventsCoalesced", "overflowed", "outboxBytes",
        ]
        #expect(
            Set(try #require(status.object).map(\.name))
                == numbers.union(["version", "capabilities", "epoch", "limits"])
        )
        for name in numbers { #expect(status[name]?.int != nil || status[name]?.double != nil, "\(name)") }
        #expect(try guest.request("get", [("path", "observed.connections")])["value"] == 1)
    }

    /// An earlier request, refused or not, leaves nothing that a later one reveals.
    @Test func `a refusal names no target of an earlier request`() {
        let hub = Hub.with([("g", #""secret""#), ("z", "null")])
        let guest = FakeClient(hub, token: 2, grant: grant(read: ["z"], write: ["g", "z"]))
        let refusal = ask(guest, "insert", #"{"path":"g","value":1}"#)
        #expect(refusal.contains(#""message":"g can't be written like this now"#))
        #expect(ask(guest, "link", #"{"path":"z","target":"g"}"#) == denied("g", "read"))
        #expect(ask(guest, "insert", #"{"path":"g","value":1}"#) == refusal)
        _ = ask(FakeClient(hub), "bind", #"{"source":"z","target":"g.x"}"#)
        #expect(ask(guest, "insert", #"{"path":"g","value":1}"#) == refusal)
    }

    /// What a client replaces without reading it is not to be measured by its totals.
    @Test func `a total reveals no length of what a client replaces`() throws {
        var seen: [Set<String>] = [[], [], []]
        for count in [0, 1, 7, 100] {
            let hub = Hub.with([("g", "[\(repeatElement(#"{"a":1}"#, count: count).joined(separator: ","))]")]
            )
            hub.access = AccessRules([.init(.user(1), read: [], write: [PathPrefix(["g"])])])
            hub.journaling.epoch = "epoch"
            let guest = FakeClient(hub, token: 2, grant: grant(write: ["g"]))
            seen[0].insert(try guest.request("status", []).json)
            seen[1].insert(try guest.request("get", [("path", "observed")])["value"]?.json ?? "")
            let events = guest.ask(#"{"id":1,"method":"subscribe","params":{"path":"observed.models"}}"#)
            seen[2].insert(events.last ?? "")
        }
        #expect(seen.map(\.count) == [1, 1, 1], "\(seen)")
    }

    // MARK: Fast paths

    /// The tree knows a path that others have just used; the hub still refuses it.
    @Test(arguments: [0, Int.max])
    func `the fast path of set checks grants`(sparseNodes: Int) {
        let hub = hub()
        hub.tree.paths.sparseNodes = sparseNodes
        let (owner, guest) = (FakeClient(hub), guest(of: hub))
        let set = { (path: String, value: Int) in
            #"{"id":1,"method":"set","params":{"path":"\#(path)","value":\#(value)}}"#
        }
        for path in ["secret.n", "app.volume"] {
            _ = owner.ask(#"{"id":1,"method":"subscribe","params":{"path":"\#(path)"}}"#)
        }
        for round in 1...4 {
            let lines = ["secret.n", "app.volume"].map { set($0, 100 + round) }
            owner.send(bytes: Array(lines.joined(separator: "\n").utf8) + [0x0A])
            let others = ["secret.n", "app.volume"].map { set($0, 200 + round) }
            guest.send(bytes: Array(others.joined(separator: "\n").utf8) + [0x0A])
            _ = owner.take()
            let said = guest.take()
            #expect(said.count == 2)
            #expect(said.first?.contains(denied("secret.n", "written")) == true)
            #expect(said.last?.contains(#""changed":true"#) == true)
            #expect(ask(owner, "get", #"{"path":"secret.n"}"#).contains(#""value":\#(100 + round),"#))
        }
    }

    @Test func `the fast path of link checks grants`() {
        let hub = hub()
        let (owner, guest) = (FakeClient(hub), guest(of: hub))
        let link = #"{"path":"mine","target":"secret.in"}"#
        for _ in 1...3 {
            #expect(ask(owner, "link", link).contains(#""result""#))
            _ = ask(owner, "set", #"{"path":"mine","value":{}}"#)
            #expect(ask(guest, "link", link) == denied("secret.in", "read"))
            #expect(ask(guest, "link", #"{"path":"app","target":"mine"}"#) == denied("app", "written"))
        }
    }

    @Test func `the hub checks grants in batches and notifications`() {
        let hub = hub()
        let guest = guest(of: hub)
        guest.send(#"{"method":"set","params":{"path":"secret.n","value":9}}"#)
        let said = guest.ask(
            #"[{"id":1,"method":"get","params":{"path":"secret.n"}},{"method":"remove","params":{"path":"secret"}},{"id":2,"method":"get","params":{"path":"app.volume"}}]"#
        )
        #expect(
            said == [
                #"[{"jsonrpc":"2.0","id":1,\#(denied("secret.n", "read"))},{"jsonrpc":"2.0","id":2,"result":{"value":50,"revision":3}}]"#
            ]
        )
        #expect(hub.tree.revision == 3)
    }

    /// Before, they stayed as long as the client took to read its `goodbye`.
    @Test func `a client's temporary values end when other rules disconnect it`() {
        let hub = hub()
        let (owner, guest) = (FakeClient(hub), guest(of: hub))
        _ = ask(guest, "set", #"{"path":"mine.n","value":2,"lifetime":"connection"}"#)
        #expect(ask(owner, "get", #"{"path":"mine.n"}"#) == #""result":{"value":2,"revision":4}"#)
        guest.isAsleep = true
        hub.adopt(AccessRules([]))
        #expect(ask(owner, "get", #"{"path":"mine.n"}"#) == #""result":{"value":1,"revision":5}"#)
        guest.isAsleep = false
        #expect(guest.take() == [RawPeer.goodbye("accessChanged")])
    }

    /// A rule applies to the path as written, wherever its links lead.
    @Test func `the rule of a link's path applies to its target`() {
        let hub = hub()
        let (owner, guest) = (FakeClient(hub), guest(of: hub))
        _ = ask(owner, "link", #"{"path":"mine.shown","target":"secret.in"}"#)
        #expect(ask(guest, "get", #"{"path":"mine.shown.x"}"#) == #""result":{"value":1,"revision":4}"#)
        #expect(ask(guest, "get", #"{"path":"secret.in.x"}"#) == denied("secret.in.x", "read"))
    }
}
