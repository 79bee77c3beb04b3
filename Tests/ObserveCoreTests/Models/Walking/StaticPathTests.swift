// SPDX-License-Identifier: MIT
// Checks of requested paths against declared types, even through null; and `describe`.

import Testing

@testable import ObserveCore

@Suite struct StaticPathTests {
    private func talk() throws -> Conversation {
        try TypedTree.talk(
            ("app", "App", #"{"users":{"a":{}},"queue":[{}]}"#),
            ("open", nil, "{}"),
            ("list", "[User]", nil)
        )
    }

    @Test(arguments: [
        ("app.titel", #"1 {"name":"notFound","path":"app.titel","nearest":"title"}"#),
        (
            "app.player.videotitle",
            #"1 {"name":"notFound","path":"app.player.videotitle","nearest":"videoTitle"}"#
        ),
        (
            "app.player.next.next.nxt.deeper",
            #"1 {"name":"notFound","path":"app.player.next.next.nxt","nearest":"next"}"#
        ),
        ("app.users.a.b", #"1 {"name":"notFound","path":"app.users.a.b"}"#),
        (
            "app.users.unnamed.home.owner.nam",
            #"1 {"name":"notFound","path":"app.users.unnamed.home.owner.nam","nearest":"name"}"#
        ),
        ("app.queue.7.x", #"1 {"name":"notFound","path":"app.queue.7.x"}"#),
        ("app.maybe.0.x", #"1 {"name":"notFound","path":"app.maybe.0.x"}"#),
        ("list.3.zzz", #"1 {"name":"notFound","path":"list.3.zzz"}"#),
    ])
    func `every method refuses a path that can't exist`(path: String, refusal: String) throws {
        let talk = try talk()
        for (method, params) in [
            ("get", #"{"path":"\#(path)"}"#), ("describe", #"{"path":"\#(path)"}"#),
            ("subscribe", #"{"path":"\#(path)"}"#), ("subscribe", #"{"paths":["app.**","\#(path)"]}"#),
            ("set", #"{"path":"\#(path)","value":null}"#),
            ("set", #"{"path":"\#(path)","value":1,"parents":true}"#),
            ("merge", #"{"path":"\#(path)","value":{}}"#), ("remove", #"{"path":"\#(path)"}"#),
            ("insert", #"{"path":"\#(path)","value":1}"#), ("increment", #"{"path":"\#(path)"}"#),
            ("link", #"{"path":"\#(path)","target":"app"}"#),
            ("link", #"{"path":"open.x","target":"\#(path)"}"#),
            ("insert", #"{"path":"app.queue","target":"\#(path)"}"#),
        ] { #expect(talk.refusal(method, params) == refusal, "\(method) \(params)") }
        #expect(talk.revision == 3)
        #expect(talk.hub.clients.metrics.subscriptions == 0)
    }

    @Test(arguments: [
        ("open.app.titel", #"1 {"name":"notFound","path":"open.app.titel","nearest":"title"}"#),
        ("open.weak.titel.x", #"1 {"name":"notFound","path":"open.weak.titel","nearest":"title"}"#),
        ("open.list.0.nam", #"1 {"name":"notFound","path":"open.list.0.nam","nearest":"name"}"#),
        (
            "open.app.player.videotitle",
            #"1 {"name":"notFound","path":"open.app.player.videotitle","nearest":"videoTitle"}"#
        ),
        ("app.extra.user.nam", #"1 {"name":"notFound","path":"app.extra.user.nam","nearest":"name"}"#),
        (
            "app.extra.user.home.owner.nam.x",
            #"1 {"name":"notFound","path":"app.extra.user.home.owner.nam","nearest":"name"}"#
        ),
    ])
    func `every method refuses a property that a linked model's type lacks`(path: String, refusal: String)
        throws
    {
        let talk = try talk()
        for (path, target) in [
            (#""open.app""#, "app"), (#""open.weak","weak":true"#, "app"),
            (#""app.extra.user""#, "app.users.a"),
        ] {
            let params = #"{"path":\#(path),"target":"\#(target)"}"#
            if path.contains("extra") { _ = talk.ask("set", #"{"path":"app.extra","value":{}}"#) }
            #expect(talk.ask("link", params).contains(#""changed":true"#), "\(params)")
        }
        _ = talk.ask("set", #"{"path":"open.list","value":[]}"#)
        _ = talk.ask("insert", #"{"path":"open.list","target":"app.users.a"}"#)
        let revision = talk.revision
        for (method, params) in [
            ("get", #"{"path":"\#(path)"}"#), ("describe", #"{"path":"\#(path)"}"#),
            ("subscribe", #"{"path":"\#(path)"}"#), ("subscribe", #"{"paths":["app.**","\#(path)"]}"#),
            ("set", #"{"path":"\#(path)","value":null}"#),
            ("set", #"{"path":"\#(path)","value":1,"parents":true}"#),
            ("merge", #"{"path":"\#(path)","value":{}}"#), ("remove", #"{"path":"\#(path)"}"#),
            ("insert", #"{"path":"\#(path)","value":1}"#), ("increment", #"{"path":"\#(path)"}"#),
            ("link", #"{"path":"\#(path)","target":"app"}"#),
            ("link", #"{"path":"open.x","target":"\#(path)"}"#),
            ("insert", #"{"path":"app.queue","target":"\#(path)"}"#),
            ("bind", #"{"source":"\#(path)","target":"open.copy"}"#),
        ] { #expect(talk.refusal(method, params) == refusal, "\(method) \(params)") }
        #expect(talk.revision == revision)
        #expect(talk.hub.clients.metrics.subscriptions == 0)
        let unlinked = path.contains("extra") ? "app.extra" : "open"
        _ = talk.ask("set", #"{"path":"\#(unlinked)","value":{}}"#)
        #expect(talk.value(path) == "null")
    }

    @Test func `a transaction checks paths against the links of its earlier operations`() throws {
        let talk = try talk()
        let link = #"{"method":"link","params":{"path":"open.app","target":"app"}}"#
        let set = #"{"method":"set","params":{"path":"open.app.titel","value":1}}"#
        #expect(
            talk.refusal("transaction", #"{"operations":[\#(link),\#(set)]}"#)
                == #"1 {"name":"notFound","path":"open.app.titel","operation":1,"nearest":"title"}"#
        )
        #expect(talk.revision == 3)
    }

    @Test(arguments: [
        "app.users.@count", "app.users.@max.age", "app.users.@unionOfObjects.home.owner.name",
        "app.queue.@count",
        "app.queue.@sum.position", "app.grid.@sum.0", "app.extra.@count", "app.@count", "app.@max.whatever",
        "app.queue.@unionOfObjects.next.next",
    ])
    func `get accepts operators and their key paths`(path: String) throws {
        let talk = try talk()
        #expect(talk.ask("get", #"{"path":"\#(path)"}"#).hasPrefix(#"{"value":"#))
        #expect(talk.ask("subscribe", #"{"path":"\#(path)"}"#).hasPrefix("3 lines") == false)
    }

    @Test(
        arguments: [
            ("app.users.@max.agee", "app.users.@max.agee"), ("app.queue.@sum.pos.x", nil),
            ("app.queue.@unionOfObjects.next.nxt", "app.queue.@unionOfObjects.next.nxt"),
            ("app.quue.@count", "app.quue"),
            ("app.maybe.@min.tme", "app.maybe.@min.tme"),
        ] as [(String, String?)]
    )
    func `get refuses operators over paths that can't exist`(path: String, at: String?) throws {
        let talk = try talk()
        let refusal = talk.refusal("get", #"{"path":"\#(path)"}"#)
        #expect(refusal.hasPrefix("1 "), "\(refusal)")
        if let at { #expect(refusal.contains(#""path":"\#(at)""#), "\(refusal)") }
    }

    @Test(arguments: [
        "app.extra.anything.at.all", "open.what.ever", "nothing.of.the.kind", "app.users.x", "app.counts.x",
        "app.queue.7", "app.queue.7.videoTitle", "app.player.next.next.videoTitle", "app.volume.unit",
        "app.queue.name", "app.any.x.y", "app.label.x",
    ])
    func `a path that may exist, or has an unknown type, reads as null`(path: String) throws {
        let talk = try talk()
        #expect(talk.value(path) == "null")
        #expect(talk.ask("describe", #"{"path":"\#(path)"}"#).hasPrefix(#"{"kind":"null""#))
    }

    @Test(arguments: ["app.*.x", "app.titel.**", "*.titel", "app.player.*", "**", "app.users.*.zzz"])
    func `subscribe accepts patterns that can't match`(path: String) throws {
        let talk = try talk()
        let lines = talk.client.ask(#"{"id":1,"method":"subscribe","params":{"path":"\#(path)"}}"#)
        #expect(lines[0].contains(#""subscription":1"#))
    }

    @Test func `an open tree accepts any name`() {
        let talk = Conversation([("app", "{}")])
        #expect(talk.value("app.titel") == "null")
    }

    // MARK: Describing

    private func describe(_ talk: Conversation, _ path: String) -> String {
        let answer = talk.ask("describe", #"{"path":"\#(path)"}"#)
        guard let value = try? Value(json: Array(answer.utf8), maxDepth: 100) else { return answer }
        return line(value)
    }

    private func line(_ value: Value) -> String {
        var words = [value["kind"]?.string ?? "?", value["type"]?.string ?? "?"]
        for trait in ["weak", "computed", "readonly"] where value[trait]?.bool == true { words.append(trait) }
        return words.joined(separator: " ")
    }

    @Test(arguments: [
        ("app", "model App"), ("app.volume", "int Int"), ("app.player", "null Player?"),
        ("app.player.videoTitle", "null String"), ("app.player.next.next", "null Player? weak"),
        ("app.current", "null Player? weak"), ("app.any", "null Any? weak"),
        ("app.id", "string String readonly"),
        ("app.label", "string String? computed"), ("app.users", "model [String: User]"),
        ("app.users.a", "model User"),
        ("app.users.b", "null User"), ("app.users.b.home", "null Home?"), ("app.queue", "array [Player]"),
        ("app.queue.0", "model Player"), ("app.queue.9", "null Player"), ("app.grid.0.0", "null Int"),
        ("app.extra", "null Any"), ("app.extra.x", "null Any"), ("open", "model Any"),
        ("list", "array [User]"),
        ("none", "null Any"), ("app.main.age", "null Int?"),
    ])
    func `describe shows the declarations`(path: String, line: String) throws {
        #expect(describe(try talk(), path) == line)
    }

    @Test func `describe lists the declared properties in order`() throws {
        let talk = try talk()
        let answer = talk.ask("describe", #"{"path":"app.main"}"#)
        #expect(
            answer.hasSuffix(
                #""count":3,"properties":[{"name":"name","kind":"string","type":"String","weak":false,"computed":false,"readonly":false},"#
                    + #"{"name":"age","kind":"null","type":"Int?","weak":false,"computed":false,"readonly":false},"#
                    + #"{"name":"home","kind":"null","type":"Home?","weak":false,"computed":false,"readonly":false}]}"#
            )
        )
        #expect(answer.hasPrefix(#"{"kind":"model","type":"User","instance":"#))
        let roots = talk.ask("describe", #"{"path":""}"#)
        #expect(roots.contains(#"{"name":"app","kind":"model","type":"App","instance":"#))
        #expect(roots.contains(#"{"name":"list","kind":"array","type":"[User]","#))
    }
}
