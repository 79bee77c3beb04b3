// SPDX-License-Identifier: MIT
// Every write under declared types: set, merge, remove, insert, increment, link, parents.

import Testing

@testable import ObserveCore

@Suite struct TypedWritingTests {
    private func talk() throws -> Conversation {
        try TypedTree.talk(
            (
                "app", "App",
                #"{"player":{"videoTitle":"a"},"queue":[{},{}],"grid":[[1],[2]],"counts":{"a":1},"fixed":[1]}"#
            ),
            ("open", nil, #"{"m":{"videoTitle":"x"},"n":1.0,"f":2.5,"list":[1]}"#),
            ("limit", "Int", nil),
            ("maybe", "Player?", nil)
        )
    }

    /// Expects that refusal, and an unchanged tree.
    private func expectRefusal(_ talk: Conversation, _ method: String, _ params: String, _ refusal: String) {
        let before = (TreeCounts(talk.hub.tree), talk.revision, talk.value("app"), talk.value("open"))
        #expect(talk.refusal(method, params) == refusal, "\(method) \(params)")
        #expect(before == (TreeCounts(talk.hub.tree), talk.revision, talk.value("app"), talk.value("open")))
        #expect(talk.hub.tree.faults() == [])
    }

    private func mismatch(_ path: String, _ declared: String, _ found: String) -> String {
        #"2 {"name":"typeMismatch","path":"\#(path)","declared":"\#(declared)","found":"\#(found)"}"#
    }

    @Test func `an element has its array's element type`() throws {
        let talk = try talk()
        talk.ask("set", #"{"path":"app.grid.0.0","value":7.0}"#)
        talk.ask("insert", #"{"path":"app.grid","value":[3.0]}"#)
        talk.ask("insert", #"{"path":"app.grid.1","value":5.0,"index":0}"#)
        #expect(talk.value("app.grid") == "[[7],[5,2],[3]]")
        talk.ask("insert", #"{"path":"app.queue","value":{"position":3}}"#)
        #expect(talk.value("app.queue.2") == #"{"videoTitle":"","position":3.0}"#)
        talk.ask("insert", #"{"path":"app.queue","target":"app.player","index":0}"#)
        #expect(talk.value("app.queue.0.videoTitle") == #""a""#)
        talk.ask("remove", #"{"path":"app.grid.0"}"#)
        talk.ask("remove", #"{"path":"app.queue.0"}"#)
        for (method, params, refusal) in [
            ("set", #"{"path":"app.grid.0.0","value":null}"#, mismatch("app.grid.0.0", "Int", "null")),
            ("set", #"{"path":"app.grid.1","value":5}"#, mismatch("app.grid.1", "[Int]", "int")),
            (
                "set", #"{"path":"app.queue.0","value":{"next":{}}}"#,
                mismatch("app.queue.0.next", "Player?", "model")
            ),
            (
                "insert", #"{"path":"app.grid.0","value":"x","index":1}"#,
                mismatch("app.grid.0.1", "Int", "string")
            ),
            ("insert", #"{"path":"app.grid","value":[1,null]}"#, mismatch("app.grid.2.1", "Int", "null")),
            ("insert", #"{"path":"app.queue","target":"open.m"}"#, mismatch("app.queue", "Player", "model")),
            (
                "insert", #"{"path":"app.tags","target":"app.player"}"#,
                mismatch("app.tags", "String", "model")
            ),
            (
                "link", #"{"path":"app.queue.0","target":"open.m"}"#,
                mismatch("app.queue.0", "Player", "model")
            ),
            ("increment", #"{"path":"app.grid.0.0","by":0.5}"#, mismatch("app.grid.0.0", "Int", "double")),
            ("insert", #"{"path":"app.fixed","value":1}"#, #"3 {"name":"readOnly","path":"app.fixed"}"#),
            ("set", #"{"path":"app.fixed.0","value":1}"#, #"3 {"name":"readOnly","path":"app.fixed.0"}"#),
            ("remove", #"{"path":"app.fixed.0"}"#, #"3 {"name":"readOnly","path":"app.fixed.0"}"#),
        ] { expectRefusal(talk, method, params, refusal) }
    }

    @Test func `null and remove follow the declared types`() throws {
        let talk = try talk()
        talk.ask("set", #"{"path":"app.note","value":"n"}"#)
        #expect(talk.ask("remove", #"{"path":"app.note"}"#).hasSuffix(#""changed":true}"#))
        #expect(talk.ask("remove", #"{"path":"app.note"}"#).hasSuffix(#""changed":false}"#))
        #expect(talk.value("app").contains(#""on":false,"note":null,"tags""#))
        #expect(talk.ask("remove", #"{"path":"app.extra"}"#).hasSuffix(#""changed":false}"#))
        // A dictionary's names may be removed.
        #expect(talk.ask("remove", #"{"path":"app.counts.a"}"#).hasSuffix(#""changed":true}"#))
        #expect(talk.ask("remove", #"{"path":"app.counts.a"}"#).hasSuffix(#""changed":false}"#))
        #expect(talk.value("app.counts") == "{}")
        // So may a root, which keeps its declared type.
        #expect(talk.value("limit") == "0")
        talk.ask("remove", #"{"path":"limit"}"#)
        expectRefusal(talk, "set", #"{"path":"limit","value":"x"}"#, mismatch("limit", "Int", "string"))
        talk.ask("set", #"{"path":"limit","value":3.0}"#)
        #expect(talk.value("limit") == "3")
        for (method, params, refusal) in [
            ("remove", #"{"path":"app.volume"}"#, mismatch("app.volume", "Int", "null")),
            ("remove", #"{"path":"app.main"}"#, mismatch("app.main", "User", "null")),
            ("remove", #"{"path":"app.id"}"#, #"3 {"name":"readOnly","path":"app.id"}"#),
            ("set", #"{"path":"app.counts.b","value":null}"#, mismatch("app.counts.b", "Int", "null")),
            ("set", #"{"path":"limit","value":null}"#, mismatch("limit", "Int", "null")),
            ("set", #"{"path":"app.id","value":"x"}"#, #"3 {"name":"readOnly","path":"app.id"}"#),
            ("set", #"{"path":"app.label","value":"x"}"#, #"3 {"name":"readOnly","path":"app.label"}"#),
            ("remove", #"{"path":"app.label"}"#, #"3 {"name":"readOnly","path":"app.label"}"#),
        ] { expectRefusal(talk, method, params, refusal) }
    }

    @Test func `merge follows the declared types`() throws {
        let talk = try talk()
        talk.ask("link", #"{"path":"app.current","target":"app.player"}"#)
        let instance = talk.instance("app.player")
        talk.ask(
            "merge",
            #"{"path":"app","value":{"volume":7.0,"note":null,"player":{"position":2},"current":{"videoTitle":"m"},"counts":{"a":null,"b":3},"main":{"age":9}}}"#
        )
        #expect(talk.instance("app.player") == instance)
        #expect(talk.instance("app.current") == instance)
        #expect(talk.value("app.player") == #"{"videoTitle":"m","position":2.0}"#)
        #expect(talk.value("app.counts") == #"{"b":3}"#)
        #expect(talk.value("app.main") == #"{"name":"unnamed","age":9,"home":null}"#)
        // Into a missing value: a new model of the declared type, without null members in dictionaries.
        talk.ask("merge", #"{"path":"app","value":{"player":null}}"#)
        talk.ask(
            "merge",
            #"{"path":"app","value":{"player":{"position":1},"extra":{"a":null,"b":{"c":null}}}}"#
        )
        #expect(talk.value("app.player") == #"{"videoTitle":"","position":1.0}"#)
        #expect(talk.value("app.extra") == #"{"b":{}}"#)
        talk.ask("set", #"{"path":"app.player","value":null}"#)
        talk.ask("merge", #"{"path":"app.player","value":{"videoTitle":"z","position":null}}"#)
        #expect(talk.value("app.player") == #"{"videoTitle":"z","position":null}"#)
        talk.ask(
            "merge",
            #"{"path":"app.users.ann","value":{"name":"Ann","home":{"city":"R","owner":{"age":null}}}}"#
        )
        #expect(talk.value("app.users.ann.home.owner.age") == "null")
        for (params, refusal) in [
            (#"{"path":"app","value":{"volume":null}}"#, mismatch("app.volume", "Int", "null")),
            (#"{"path":"app","value":{"main":null}}"#, mismatch("app.main", "User", "null")),
            (
                #"{"path":"app","value":{"title":"t","main":{"age":"x"}}}"#,
                mismatch("app.main.age", "Int?", "string")
            ),
            (
                #"{"path":"app","value":{"users":{"ann":{"name":5}}}}"#,
                mismatch("app.users.ann.name", "String", "int")
            ),
            (
                #"{"path":"app","value":{"player":{"next":{}}}}"#,
                mismatch("app.player.next", "Player?", "model")
            ),
            (#"{"path":"app","value":{"id":"x"}}"#, #"3 {"name":"readOnly","path":"app.id"}"#),
            (#"{"path":"app","value":{"label":{}}}"#, #"3 {"name":"readOnly","path":"app.label"}"#),
            (
                #"{"path":"app","value":{"main":{"nme":1}}}"#,
                #"1 {"name":"notFound","path":"app.main.nme","nearest":"name"}"#
            ),
            (
                #"{"path":"app.users.bo","value":{"name":null}}"#,
                mismatch("app.users.bo.name", "String", "null")
            ),
        ] { expectRefusal(talk, "merge", params, refusal) }
    }

    @Test func `increment follows the declared types`() throws {
        let talk = try talk()
        #expect(
            talk.ask("increment", #"{"path":"app.volume","by":2.0}"#)
                == #"{"revision":5,"changed":true,"value":52}"#
        )
        #expect(
            talk.ask("increment", #"{"path":"app.gain"}"#) == #"{"revision":6,"changed":true,"value":1.0}"#
        )
        #expect(
            talk.ask("increment", #"{"path":"app.player.position"}"#)
                == #"{"revision":7,"changed":true,"value":1.0}"#
        )
        #expect(
            talk.ask("increment", #"{"path":"app.counts.new"}"#)
                == #"{"revision":8,"changed":true,"value":1}"#
        )
        #expect(
            talk.ask("increment", #"{"path":"app.main.age","by":3}"#)
                == #"{"revision":9,"changed":true,"value":3}"#
        )
        for (params, refusal) in [
            (#"{"path":"app.volume","by":0.5}"#, mismatch("app.volume", "Int", "double")),
            (#"{"path":"app.note"}"#, mismatch("app.note", "String?", "int")),
            (#"{"path":"app.title"}"#, #"2 {"name":"typeMismatch","path":"app.title"}"#),
            (#"{"path":"app.player.next"}"#, mismatch("app.player.next", "Player?", "int")),
            (#"{"path":"app.id"}"#, #"2 {"name":"typeMismatch","path":"app.id"}"#),
        ] { expectRefusal(talk, "increment", params, refusal) }
    }

    @Test func `link follows the declared types`() throws {
        let talk = try talk()
        // The property is declared weak, and stays weak when it is null again.
        talk.ask("link", #"{"path":"app.player.next","target":"app.player"}"#)
        #expect(
            talk.ask("link", #"{"path":"app.player.next","target":"app.player","weak":true}"#).hasSuffix(
                #""changed":false}"#
            )
        )
        talk.ask("link", #"{"path":"app.any","target":"app"}"#)
        talk.ask("link", #"{"path":"app.current","target":"app.queue.0"}"#)
        #expect(talk.value("app.player") == #"{"videoTitle":"a","position":null}"#)
        talk.ask("remove", #"{"path":"app.queue.0"}"#)
        #expect(talk.value("app.current") == "null")
        #expect(talk.ask("set", #"{"path":"app.current","value":null}"#).hasSuffix(#""changed":false}"#))
        talk.ask("set", #"{"path":"app.any","value":null}"#)
        talk.ask("link", #"{"path":"app.any","target":"open.m"}"#)
        #expect(!talk.value("app").contains(#""any""#))
        // Declared strong and linked weakly: it may become null.
        talk.ask("link", #"{"path":"maybe","target":"app.player","weak":true}"#)
        talk.ask("link", #"{"path":"app.users.x","target":"app.main"}"#)
        talk.ask("link", #"{"path":"open.any","target":"app.main"}"#)
        // A typed model keeps its type under every link.
        expectRefusal(
            talk,
            "set",
            #"{"path":"open.any.name","value":1}"#,
            mismatch("open.any.name", "String", "int")
        )
        expectRefusal(
            talk,
            "set",
            #"{"path":"open.any.nam","value":1}"#,
            #"1 {"name":"notFound","path":"open.any.nam","nearest":"name"}"#
        )
        for (params, refusal) in [
            (#"{"path":"app.player","target":"open.m"}"#, mismatch("app.player", "Player?", "model")),
            (#"{"path":"app.player","target":"app.main"}"#, mismatch("app.player", "Player?", "model")),
            (#"{"path":"app.current","target":"open.m"}"#, mismatch("app.current", "Player?", "model")),
            (#"{"path":"app.users.y","target":"app.player"}"#, mismatch("app.users.y", "User", "model")),
            (
                #"{"path":"app.counts","target":"app.spare"}"#,
                mismatch("app.counts", "[String: Int]", "model")
            ),
            (
                #"{"path":"app.users.y","target":"app.main","weak":true}"#,
                mismatch("app.users.y", "User", "model")
            ),
            (#"{"path":"app.main","target":"app.main","weak":true}"#, mismatch("app.main", "User", "model")),
            (#"{"path":"app.volume","target":"app.main"}"#, mismatch("app.volume", "Int", "model")),
            (#"{"path":"app.id","target":"app.main"}"#, #"3 {"name":"readOnly","path":"app.id"}"#),
            (#"{"path":"app.label","target":"app.main"}"#, #"3 {"name":"readOnly","path":"app.label"}"#),
            (#"{"path":"app.extra","target":"app"}"#, #"7 {"name":"referenceCycle","path":"app.extra"}"#),
        ] { expectRefusal(talk, "link", params, refusal) }
    }

    @Test func `set makes parents of their declared types`() throws {
        let talk = try talk()
        talk.ask("remove", #"{"path":"app.player"}"#)
        // Also if the model that is made has the value by default.
        let answer = talk.ask("set", #"{"path":"maybe.videoTitle","value":"","parents":true}"#)
        #expect(answer.hasSuffix(#""changed":true}"#), "\(answer)")
        talk.ask("set", #"{"path":"app.player.position","value":1,"parents":true}"#)
        #expect(talk.value("app.player") == #"{"videoTitle":"","position":1.0}"#)
        talk.ask("set", #"{"path":"app.users.bo.age","value":1,"parents":true}"#)
        #expect(talk.value("app.users.bo") == #"{"name":"","age":1,"home":null}"#)
        // The home requires an owner, so set makes both.
        talk.ask("set", #"{"path":"app.main.home.owner.name","value":"Bo","parents":true}"#)
        #expect(talk.value("app.main.home") == #"{"city":"","owner":{"name":"Bo","age":null,"home":null}}"#)
        talk.ask("set", #"{"path":"app.extra.a.b","value":1,"parents":true}"#)
        #expect(talk.value("app.extra") == #"{"a":{"b":1}}"#)
        for (params, refusal) in [
            (
                #"{"path":"app.current.videoTitle","value":"x","parents":true}"#,
                mismatch("app.current", "Player?", "model")
            ),
            (#"{"path":"app.note.x","value":"x","parents":true}"#, mismatch("app.note", "String?", "model")),
            (
                #"{"path":"app.users.cy.home.city","value":"x","parents":true}"#,
                mismatch("app.users.cy.home.owner", "User", "null")
            ),
            (
                #"{"path":"app.users.cy.home.city","value":"x"}"#,
                #"1 {"name":"notFound","path":"app.users.cy"}"#
            ),
        ] { expectRefusal(talk, "set", params, refusal) }
    }

    @Test func `the tree checks temporary values like permanent ones`() throws {
        let talk = try talk()
        let passing = #","lifetime":"connection"}"#
        for (method, params, refusal) in [
            ("set", #"{"path":"app.volume","value":"x""#, mismatch("app.volume", "Int", "string")),
            ("set", #"{"path":"app.id","value":"y""#, #"3 {"name":"readOnly","path":"app.id"}"#),
            ("set", #"{"path":"app.nam","value":"y""#, #"1 {"name":"notFound","path":"app.nam"}"#),
            (
                "link", #"{"path":"app.player","target":"app.main""#,
                mismatch("app.player", "Player?", "model")
            ),
        ] { expectRefusal(talk, method, params + passing, refusal) }
        let before = talk.value("app")
        let guest = FakeClient(talk.hub, token: 9)
        for params in [
            #""set","params":{"path":"app.volume","value":7.0"#,
            #""set","params":{"path":"app.counts.b","value":2"#,
            #""link","params":{"path":"app.current","target":"app.player""#,
            #""link","params":{"path":"app.users.x","target":"app.main""#,
            #""set","params":{"path":"app.player.next","value":null"#,
        ] { #expect(guest.ask(#"{"id":1,"method":"# + params + passing + "}")[0].contains("result")) }
        #expect(talk.value("app.volume") == "7")
        #expect(talk.value("app.current.videoTitle") == #""a""#)
        #expect(!talk.value("app").contains(#""current""#))
        #expect(talk.hub.tree.faults() == [])
        guest.close()
        #expect(talk.value("app") == before)
        #expect(talk.value("app.current") == "null")
        #expect(talk.hub.tree.faults() == [])
    }

    @Test func `a transaction with one wrong write changes nothing`() throws {
        let talk = try talk()
        expectRefusal(
            talk,
            "transaction",
            #"{"operations":[{"method":"set","params":{"path":"app.volume","value":1}},{"method":"link","params":{"path":"app.current","target":"app.player"}},{"method":"set","params":{"path":"app.player","value":null}},{"method":"set","params":{"path":"app.on","value":1}}]}"#,
            #"2 {"name":"typeMismatch","path":"app.on","operation":3,"declared":"Bool","found":"int"}"#
        )
        #expect(talk.value("app.volume") == "50")
        #expect(talk.value("app.current") == "null")
        #expect(talk.value("app.player.videoTitle") == #""a""#)
    }

    @Test func `an equal write changes nothing, not even the representation`() throws {
        let talk = try talk()
        for (path, value) in [
            ("app.volume", "50.0"), ("app.gain", "0"), ("app.tags", "[]"), ("app.grid", "[[1.0],[2]]"),
        ] {
            #expect(
                talk.ask("set", #"{"path":"\#(path)","value":\#(value)}"#)
                    == #"{"revision":4,"changed":false}"#
            )
        }
    }

    @Test func `a link or binding converts an existing value, or refuses it`() throws {
        let driver = try TypedTree.make(
            ("app", "App", "{}"),
            ("open", nil, #"{"n":1.0,"list":[1.0,2],"m":{}}"#)
        )
        func convert(_ source: String, _ target: String) throws -> String {
            let (from, to) = (ParsedKeyPath(maxDepth: 64), ParsedKeyPath(maxDepth: 64))
            try from.parse(dotted: source)
            try to.parse(dotted: target)
            let value = driver.tree.read(from).value
            return driver.text(try driver.tree.converted(value, for: to, at: driver.tree.walk(to)))
        }
        #expect(try convert("open.n", "app.volume") == "1")
        #expect(try convert("open.n", "app.extra") == "1.0")
        #expect(try convert("open.list", "app.fixed.0.x") == "[1.0,2]")
        #expect(try convert("open.none", "app.note") == "null")
        #expect(try convert("app.main", "app.users.x") == #"{"name":"unnamed","age":null,"home":null}"#)
        for (source, target) in [
            ("open.none", "app.volume"), ("open.m", "app.player"), ("open.list", "app.tags"),
            ("open.n", "app.id"),
            ("open.n", "app.label"), ("open.n", "app.any"), ("open.n", "app.unknown"),
        ] {
            #expect(throws: TreeError.self, "\(source) to \(target)") { try convert(source, target) }
        }
    }
}
